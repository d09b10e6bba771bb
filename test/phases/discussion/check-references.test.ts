import { expect, test } from 'vitest';
import type { Claim } from '../../../src/model/proposal.ts';
import { checkClaims, checkProposal } from '../../../src/phases/discussion/check-references.ts';
import { tempRepository } from '../../git/temp-repository.ts';
import { claim, proposed, repositoryOf, task } from './make.ts';
import { cpuFloors } from '../../helpers/cpu-floors.ts';

const app = [
  "import express from 'express';",
  "import { router } from './router.ts';",
  '',
  '/** Starts the “public” API. */',
  'export function startServer(port: number, options: ServerOptions) {',
  '  const app = express();',
  '  app.use(router);',
  '  if (options.trace) {',
  '    app.use(trace({ level: options.level, sink: options.sink }));',
  '  }',
  '  return app.listen(port, () => {',
  '    log(`listening on ${port}`);',
  '  });',
  '}',
  '',
  'export function stopServer(server: Server) {',
  '  server.close();',
  '  return undefined;',
  '}',
  ...Array.from({ length: 30 }, (_, index) => `const filler${index} = ${index};`),
  'export const lastLine = true;',
];
const repository = repositoryOf([
  { path: 'src/http/app.ts', content: `${app.join('\n')}\n` },
  { path: 'src/http/windows.ts', content: 'const a = 1;\r\nconst bee = 2;\r\n' },
  { path: 'src/http/Router.ts', content: 'export const router = 1;\n' },

  { path: 'a/only.ts', content: 'const underA = 1;\n' },
]);

async function check(one: Claim, planned: readonly string[] = []) {
  const [checked] = await checkClaims({ repository, agent: 'codex', claims: [one], planned });
  return { status: checked?.status, line: checked?.found_line, note: checked?.note };
}

test.each([
  ['as it stands', 7, 'app.use(router);'],
  ['a piece of the line', 5, 'function startServer(port: number'],
  ['with other white space', 9, 'app.use( trace( {level:options.level,sink : options.sink} ) )'],
  ['in backticks', 7, '`app.use(router);`'],
  ['in quotation marks with a full stop', 7, '"app.use(router)".'],
  ['in a code fence', 7, '```ts\napp.use(router);\n```'],
  ['with a full stop', 7, 'app.use(router).'],
  ['with the line number of a tool', 7, '     7→  app.use(router);'],
  ['with plain quotation marks for typographic ones', 4, 'Starts the "public" API.'],
  ['escaped once too often', 1, "import express from \\'express\\';"],
  ['over several lines', 5, `${app[4]}\n${app[5]}\n${app[6]}`],
  ['over several lines of Windows', 5, `${app[4]}\r\n${app[5]}`],
  ['over several lines, stated by a later one', 7, `${app[4]}\n${app[5]}\n${app[6]}`],
  ['cut at its end', 5, 'export function startServer(port: num…'],
  ['cut at its end with dots', 5, 'export function startServer(...'],
  ['cut at its beginning', 9, '...level: options.level, sink: options.sink'],
  ['cut in the middle', 5, 'export function startServer(…) { const app = express();'],
  [
    'cut by a comment',
    5,
    'export function startServer(port: number,\n  // ...\n  app.use(router);',
  ],
  ['that is short, on its very line', 14, '}'],
  ['that is a common word, on its very line', 11, 'return'],
])('a quote %s is verified', async (_, line, quote) => {
  expect(await check(claim('src/http/app.ts', line, quote))).toMatchObject({ status: 'verified' });
});

test.each([
  [-3, 'verified'],
  [-1, 'verified'],
  [0, 'verified'],
  [3, 'verified'],
  [4, 'moved'],
  [30, 'moved'],
])('a quote that stands %i lines from the stated one is %s, with its line', async (off, status) => {
  const found = await check(claim('src/http/app.ts', 16 + off, 'function stopServer'));
  expect(found).toMatchObject({ status, line: 16 });
  expect(found.note).toBe(off === 0 ? '' : `it is on line 16, not ${16 + off}`);
});

test('of several places the nearest one is taken', async () => {
  expect(await check(claim('src/http/app.ts', 20, 'options'))).toMatchObject({
    status: 'moved',
    line: 9,
  });
});

test.each([
  ['an empty quote', 7, '  ', 'the quote is empty'],
  ['a quote of nothing but an ellipsis', 7, '...', 'says too little'],
  ['another case', 7, 'App.use(router);', 'not in the file'],
  ['a changed token', 7, 'app.use(routes);', 'not in the file'],
  ['a name that is only the beginning of one', 16, 'export function stop', 'not in the file'],
  ['a name that is only the end of one', 16, 'Server(server: Server)', 'not in the file'],
  ['a short name beside its line', 13, 'app', 'says too little'],
  ['a bracket beside its line', 15, '}', 'says too little'],
  ['a common word beside its line', 13, 'return', 'says too little'],
  ['common words far from their line', 40, 'return undefined;', 'says too little'],
  ['parts of a cut quote in the wrong order', 5, 'app.use(router) … startServer', 'not in the'],
  [
    'parts of a cut quote from all over',
    5,
    'startServer(port … lastLine = true',
    'not in the file',
  ],
  ['a line beyond the end', 900, 'app.use(routes);', 'line 900 is beyond the end (50 lines)'],
])('%s fails, and the note says why', async (_, line, quote, why) => {
  const found = await check(claim('src/http/app.ts', line, quote));
  expect(found).toMatchObject({ status: 'failed', line: null });
  expect(found.note).toContain(why);
});

test.each([
  ['./src/http/app.ts', 'src/http/app.ts'],
  ['a/src/http/app.ts', 'src/http/app.ts'],
  ['b/src/http/app.ts', 'src/http/app.ts'],
  ['src\\http\\app.ts', 'src/http/app.ts'],
  ['src//http/../http/app.ts', 'src/http/app.ts'],
  ['src/http/app.ts:7', 'src/http/app.ts'],
  ['src/http/app.ts:7:3', 'src/http/app.ts'],
  ['src/http/app.ts#L7-L9', 'src/http/app.ts'],
  ['src/http/app.ts (lines 7-9)', 'src/http/app.ts'],
  ['`src/http/app.ts`', 'src/http/app.ts'],
  ['/project/src/http/app.ts', 'src/http/app.ts'],
])('the path %s is read as %s', async (path, expected) => {
  const claims = [claim(path, 7, 'app.use(router)')];
  const rooted = { ...repository, root: '/project' };
  const [checked] = await checkClaims({ repository: rooted, agent: 'a', claims, planned: [] });
  expect(checked).toMatchObject({ path: expected, status: 'verified' });
});

test('a folder that is really named a is not taken for the prefix of a diff', async () => {
  expect(await check(claim('a/only.ts', 1, 'const underA'))).toMatchObject({ status: 'verified' });
});

test.each([
  ['../app.ts', 'the path leaves the repository'],
  ['src/../../app.ts', 'the path leaves the repository'],
  ['/etc/passwd', 'the path leaves the repository'],
  ['~/app.ts', 'the path leaves the repository'],
  ['C:\\app.ts', 'the path leaves the repository'],
  ['src/http/', 'the path names a folder'],
  ['.', 'no file is named'],
  ['src/\u0000app.ts', 'control characters'],
  ['src/http/ap.ts', 'no such file'],
  ['src/app.ts', 'no such file; src/http/app.ts has this name'],
  ['src/http/router.ts', 'no such file; src/http/Router.ts differs only by case'],
])('a claim about %s fails: %s', async (path, why) => {
  const found = await check(claim(path, 1, 'export const router = 1;'));
  expect(found.status).toBe('failed');
  expect(found.note).toContain(why);
});

test('line ends of Windows make no difference', async () => {
  expect(await check(claim('src/http/windows.ts', 2, 'const bee = 2;'))).toMatchObject({
    status: 'verified',
    line: 2,
  });
});

test('a claim about a file that the solution creates is planned, whatever it quotes', async () => {
  const planned = ['./src/http/new.ts'];
  expect(await check(claim('src/http/new.ts', 3, ''), planned)).toMatchObject({
    status: 'planned',
    note: '',
  });
  expect((await check(claim('src/http/app.ts', 3, ''), ['src/http/app.ts'])).status).toBe('failed');
});

test('deleted, binary and ignored files are told apart in a real repository', async () => {
  await using project = await tempRepository();
  await project.commit('first', {
    '.gitignore': 'vendor/\n',
    'src/gone.ts': 'const gone = 1;\n',
    'src/kept.ts': 'const kept = 1;\n',
  });
  await project.write({
    'logo.bin': Buffer.from([0, 1, 2, 0, 255]),
    'vendor/lib.ts': 'const lib = 1;\n',
    'src/fresh.ts': 'const fresh = 1;\n',
  });
  await project.remove('src/gone.ts');
  const claims = [
    claim('src/kept.ts', 1, 'const kept'),
    claim('src/fresh.ts', 1, 'const fresh'),
    claim('src/gone.ts', 1, 'const gone'),
    claim('logo.bin', 1, 'const logo'),
    claim(`${project.root}/src/kept.ts`, 1, 'const kept'),
    claim('src', 1, 'const kept'),
  ];
  const opened = await project.open();
  const checked = await checkClaims({ repository: opened, agent: 'a', claims, planned: [] });
  expect(checked.map(({ status }) => status)).toEqual([
    'verified',
    'verified',
    'failed',
    'failed',
    'verified',
    'failed',
  ]);
  expect(checked[2]?.note).toMatch(/deleted|no such file/);
});

test('the checked solution has its paths in the repository’s form and each place once', async () => {
  const solution = proposed({
    implementation_plan: {
      approach: 'Do it.',
      tasks: [
        task('T1', [{ file: './src/http/app.ts:7', action: 'modify' }]),
        task('T2', [{ file: 'src/http/app.ts', line: 7, action: 'modify' }]),
      ],
      execution_flow: 'T1 → T2',
      milestones: [],
    },
    claims: [claim('a/src/http/app.ts', 6, 'app.use(router)')],
  });
  const checked = await checkProposal({ repository, agent: 'codex', solution });
  expect(checked.files).toEqual([
    { file: 'src/http/app.ts', line: 7, action: 'modify', status: 'verified', note: '' },
  ]);
  expect(checked.solution.implementation_plan.tasks[0]?.files).toEqual([
    { file: 'src/http/app.ts', line: 7, action: 'modify' },
  ]);
  expect(checked.claims).toMatchObject([
    { agent: 'codex', path: 'src/http/app.ts', line: 6, found_line: 7, status: 'verified' },
  ]);
});

test('each file is read at most once in a check', async () => {
  const reads: string[] = [];
  const counting = {
    ...repository,
    read: (path: string) => {
      reads.push(path);
      return repository.read(path);
    },
  };
  const claims = Array.from({ length: 30 }, () => claim('src/http/app.ts', 7, 'app.use(router)'));
  await checkClaims({ repository: counting, agent: 'a', claims, planned: [] });
  expect(reads).toEqual(['src/http/app.ts']);
});

test.each([
  ['backticks', '`'.repeat(9_000) + 'x'],
  ['dots and spaces', '. . .   ... '.repeat(800)],
  ['parts that are nowhere', 'a…'.repeat(4_000)],
  ['a megabyte', 'x'.repeat(1_000_000)],
])('a hostile quote of %s is refused in no time', async (_, quote) => {
  const start = cpuFloors();
  expect(await check(claim('src/http/app.ts', 7, quote))).toMatchObject({ status: 'failed' });
  expect(cpuFloors() - start).toBeLessThan(20);
});

test('a hostile path is refused in no time', async () => {
  const start = cpuFloors();
  const long = await check(claim(`a${' '.repeat(1_000_000)}b`, 7, 'app'));
  expect(long).toMatchObject({ status: 'failed', note: 'the path is too long' });
  expect(await check(claim(`a${' '.repeat(4_000)}b`, 7, 'app'))).toMatchObject({
    status: 'failed',
  });
  expect(cpuFloors() - start).toBeLessThan(20);
});
