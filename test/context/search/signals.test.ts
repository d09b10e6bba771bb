import { expect, test } from 'vitest';
import { tempRepository, type TempRepository } from '../../git/temp-repository.ts';
import { find } from './find.ts';

const plain = (topic: string) => `export const ${topic} = 1;\n// nothing to see\n`;
/** Files that say nothing of any task below. */
const filler = Object.fromEntries(
  ['apple', 'pear', 'plum', 'grape', 'melon', 'cherry'].map((fruit) => [
    `src/${fruit}.ts`,
    plain(fruit),
  ]),
);

/** Two files that only one signal can tell apart: the first is the one to find. */
const cases: readonly {
  readonly signal: string;
  readonly task: string;
  readonly files: Readonly<Record<string, string>>;
  readonly reason: RegExp;
}[] = [
  {
    signal: 'words in the content, in whatever form',
    task: 'Validate the invoices of suppliers',
    files: {
      'src/one.ts': '// the validation of an invoice from one supplier\n',
      'src/two.ts': '// the weather of today\n',
    },
    reason: /^words like .*invoices/,
  },
  {
    signal: 'the path',
    task: 'Slow telemetry',
    files: { 'src/telemetry/send.ts': plain('send'), 'src/other/give.ts': plain('give') },
    reason: /^its path has telemetry$/,
  },
  {
    signal: 'the definition, not the uses',
    task: 'Parse dates of two digits with parse_date',
    files: {
      'src/definer.ts': 'export function parseDate(text) {\n  return text;\n}\n',
      'src/user.ts': 'import { parseDate } from "./definer.ts";\nuse(parseDate);\n',
    },
    reason: /^defines parseDate$/,
  },
  {
    signal: 'neighbouring words as one name',
    task: 'Show the line number',
    files: {
      'src/one.ts': 'show(state.line_number);\n',
      'src/two.ts': 'show(a_line); get_a(number); line(number);\n',
    },
    reason: /^words like .*line number/,
  },
  {
    signal: 'the words standing together',
    task: 'Retry when the upload breaks off',
    files: {
      'src/one.ts': `// retry the upload when it breaks\n${'//\n'.repeat(300)}`,
      'src/two.ts': `// retry\n${'//\n'.repeat(100)}// upload\n${'//\n'.repeat(100)}// breaks\n${'//\n'.repeat(100)}`,
    },
    reason: /^words like .*(?:upload|retry)/,
  },
  {
    signal: 'the name of the file in the task',
    task: 'Look at src/one.ts again',
    files: { 'src/one.ts': plain('first'), 'src/two.ts': plain('second') },
    reason: /^the task names this file$/,
  },
  {
    signal: 'what the task says first, not its details',
    task: 'Wrong order\nThe harvest is unsorted.\n\nSeen today.\nOn every page.\nAlso the orchard.',
    files: { 'src/two.ts': '// harvest\n', 'src/one.ts': '// orchard\n' },
    reason: /^words like harvest/,
  },
  {
    signal: 'a marked name',
    task: 'Neither harvest nor `orchard` is sorted',
    files: { 'src/two.ts': '// orchard\n', 'src/one.ts': '// harvest\n' },
    reason: /^words like orchard/,
  },
  {
    signal: 'a word that says nothing, where it is marked as a name',
    task: 'Let `update` be found',
    files: { 'src/one.ts': 'store.update(1);\n', 'src/two.ts': 'store.give(1);\n' },
    reason: /^words like update/,
  },
  {
    signal: 'the text, not the headings of a form',
    task: 'Wrong order\n### Platform\nThe harvest is unsorted.',
    files: { 'src/two.ts': '// harvest\n', 'src/one.ts': '// platform\n' },
    reason: /^words like harvest/,
  },
];

test.each(cases)('$signal decides', async ({ task, files, reason }) => {
  await using repo = await tempRepository('plain');
  await repo.write({ ...filler, ...files });
  const [first] = (await find(await repo.open(), task)).files;
  expect(first?.path).toBe(Object.keys(files)[0]);
  expect(first?.reasons).toContainEqual(expect.stringMatching(reason));
});

test('a past commit with the words of the task decides, and is named', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', {
    ...filler,
    'src/one.ts': plain('first'),
    'src/two.ts': plain('se'),
  });
  const id = await repo.commit('Round the totals of invoices', { 'src/one.ts': plain('changed') });
  await repo.commit('Paint the door', { 'src/two.ts': plain('painted') });
  const [first] = (await find(await repo.open(), 'Totals are not rounded')).files;
  expect(first?.path).toBe('src/one.ts');
  expect(first?.reasons.join()).toContain(
    `commit ${id.slice(0, 8)} “Round the totals of invoices” touched it, with words like Totals and rounded`,
  );
});

test('several past commits that have the words between them decide', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', { ...filler, 'src/a.ts': plain('a'), 'src/b.ts': plain('b') });
  await otherCommits(repo, 10);
  await repo.commit('Begin', { 'src/b.ts': plain('begun') });
  await repo.commit('Sort the invoices', { 'src/b.ts': plain('sorted') });
  await repo.commit('Print the totals', { 'src/b.ts': plain('printed') });
  for (const turn of [1, 2, 3]) {
    await repo.commit('Print the totals', { 'src/a.ts': plain(`printed${turn}`) });
  }
  const [first] = (await find(await repo.open(), 'Totals of invoices')).files;
  expect(first?.path).toBe('src/b.ts');
  expect(first?.reasons.join()).toContain('“Sort the invoices” touched it');
});

test('of two equal files, the one that changes more often comes first', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', { ...filler, 'src/a.ts': '// sorts\n', 'src/b.ts': '// sorts\n\n' });
  await otherCommits(repo, 25);
  for (const turn of [1, 2, 3, 4]) {
    await repo.commit(`Turn ${turn}`, { 'src/b.ts': `// sorts\n${'\n'.repeat(turn + 1)}` });
  }
  const { files } = await find(await repo.open(), 'Sorts wrongly');
  expect(files[0]).toMatchObject({ path: 'src/b.ts' });
  expect(files[0]?.reasons).toContain('changed in at least 4 of the last 30 commits');
});

test('a first commit, which has every file, says nothing of them', async () => {
  await using repo = await tempRepository();
  await repo.commit('Print the totals', { ...filler, 'src/a.ts': plain('a') });
  const { files } = await find(await repo.open(), 'Totals');
  expect(files).toEqual([]);
});

test('a history of a few commits says less than a name', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', { ...filler, 'src/a.ts': plain('a'), 'src/totals.ts': plain('b') });
  await repo.commit('Print the totals', { 'src/a.ts': plain('printed') });
  const { paths } = await find(await repo.open(), 'Totals');
  expect(paths).toEqual(['src/totals.ts', 'src/a.ts']);
});

test('a reason claims the part of a name that is there, and not the whole name', async () => {
  await using repo = await tempRepository('plain');
  await repo.write({ ...filler, 'src/one.ts': '// each cookie of the jar\n' });
  const [first] = (await find(await repo.open(), 'Add a set_cookie filter')).files;
  expect(first?.reasons).toEqual(['words like cookie (up to 1 hit)']);
});

/** Commits that say nothing of a task: a short history counts little. */
async function otherCommits(repo: TempRepository, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await repo.commit('Wait', { waiting: `${turn}` });
}
