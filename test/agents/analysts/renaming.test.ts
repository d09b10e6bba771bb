import { expect, test } from 'vitest';
import { historyAnalyst } from '../../../src/agents/analysts/history.ts';
import { oldNameIn } from '../../../src/agents/analysts/old-name.ts';
import { structureAnalyst } from '../../../src/agents/analysts/structure.ts';
import { tempRepository } from '../../git/temp-repository.ts';
import { faultsOf, proposalIn, ranBy, requestFor } from './fixture.ts';

const files = {
  'src/words/parser.ts':
    'export function wordsOf(text: string): string[] {\n  return text.split(" ");\n}\n',
  'src/words/count.ts':
    "import {\n  wordsOf,\n} from './parser.ts';\nexport const count = (text: string) => wordsOf(text).length;\n",
  'src/cli.ts': "import { wordsOf } from './words/parser.ts';\nconsole.log(wordsOf('a b'));\n",
  'src/search-terms.ts': 'export const searchTerms = ["search", "terms", "words"];\n',
  'test/words/parser.test.ts':
    "import { wordsOf } from '../../src/words/parser.ts';\nwordsOf('a');\n",
  'test/search-terms.test.ts':
    "import { searchTerms } from '../src/search-terms.ts';\nsearchTerms.at(0);\n",
};

async function planOf(task: string) {
  await using repo = await tempRepository();
  await repo.commit('start', files);
  const repository = await repo.open();
  const request = await requestFor(repository, task);
  const { solutions } = proposalIn((await ranBy(structureAnalyst(repository), request)).end);
  const [solution] = solutions;
  const tasks = solution?.implementation_plan.tasks ?? [];
  return {
    names: solutions.map(({ name }) => name),
    files: tasks.flatMap((one) => one.files.map(({ file }) => file)).toSorted(),
    points: tasks.map(({ key_point }) => key_point).join(' '),
    faults: await faultsOf(solution, repository),
  };
}

test('a renaming changes what has the old name and all that use it, and nothing that has the new one', async () => {
  const { names, files: planned, points, faults } = await planOf('Rename wordsOf to searchTermsOf');
  expect(names).toEqual(['Rename wordsOf where it stands and where it is used']);
  expect(planned).toEqual([
    'src/cli.ts',
    'src/words/count.ts',
    'src/words/parser.ts',
    'test/words/parser.test.ts',
  ]);
  expect(points).toContain('What is called wordsOf in parser.ts has the name searchTermsOf.');
  expect(points).toContain('Nothing in cli.ts needs the old name any more.');
  expect(points).toContain('The tests pass without the old name of wordsOf.');
  expect(faults).toEqual([]);
});

test('a file that moves takes with it all that import it', async () => {
  const { files: planned, points } = await planOf('Move the parser to src/parse');
  expect(planned).toEqual([
    'src/cli.ts',
    'src/words/count.ts',
    'src/words/parser.ts',
    'test/words/parser.test.ts',
  ]);
  expect(points).toContain('What is called parser in parser.ts stands at src/parse.');
});

test('what moves into a file that is there changes that file too', async () => {
  const { files: planned } = await planOf('Move wordsOf to search-terms.ts');
  expect(planned).toContain('src/search-terms.ts');
  expect(planned).toContain('src/words/parser.ts');
});

test('no past commit is a pattern for a renaming, but it is where nothing has the old name', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', files);
  await repo.commit('Rename wordsIn to wordsOf', {
    'src/words/parser.ts': 'export function wordsOf() {}\n',
  });
  const repository = await repo.open();
  const endOf = async (task: string) =>
    (await ranBy(historyAnalyst(repository), await requestFor(repository, task))).end;
  expect(await endOf('Rename wordsOf to termsOf')).toMatchObject({
    ok: false,
    failure: { detail: 'what uses the old name says what changes, and no past commit does' },
  });
  expect(await endOf('Rename wordsFrom to wordsOf')).toMatchObject({ ok: true });
});

test.each([
  ['Rename wordsOf to termsOf', 'wordsOf', 'termsOf'],
  ['refactor(words): rename `run()` -> `start`', 'run', 'start'],
  [
    'Please rename the function Element.addChild to appendChild.',
    'Element.addChild',
    'appendChild',
  ],
  ['Move the date parser into src/dates', 'date parser', 'src/dates'],
  ['Renamed src/a.ts => b.ts', 'src/a.ts', 'b.ts'],
])('%s: the old name is %s, the new one %s', (task, name, to) => {
  expect(oldNameIn(task)).toMatchObject({ name, to });
});

test.each([
  'Rename',
  'Rename `a` and `b` to `c`',
  'Move some of the tests for the old parser and its friends to another place',
  'Show how to rename wordsOf to termsOf',
  'Moves',
])('%s: it names no one thing to rename or move', (task) => {
  expect(oldNameIn(task)).toBeNull();
});
