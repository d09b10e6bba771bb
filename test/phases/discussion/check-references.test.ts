import { expect, test } from 'vitest';
import type { Claim } from '../../../src/model/proposal.ts';
import { checkClaims, checkProposal } from '../../../src/phases/discussion/check-references.ts';
import { tempRepository } from '../../git/temp-repository.ts';
import { cpuFloors } from '../../helpers/cpu-floors.ts';
import { claim, proposed, repositoryOf, task } from './make.ts';

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
  { path: 'src/empty.ts', content: '' },
]);

async function check(one: Claim, planned: readonly string[] = []) {
  const claims = [one];
  const about = { repository, agent: 'codex', claims, planned: new Set(planned) };
  const [checked] = await checkClaims(about);
  return { ...checked, line: checked?.found_line };
}

test.each([
  ['as it stands', 7, 'app.use(router);'],
  ['a piece of the line', 5, 'function startServer(port: number'],
  ['with other white space', 9, 'app.use( trace( {level:options.level,sink : options.sink} ) )'],
  ['in backticks', 7, '`app.use(router);`'],
  ['in quotation marks with a full stop', 7, '"app.use(router)".'],
  ['in a code fence', 7, '```ts\napp.use(router);\n```'],
  ['with the line number of a tool', 7, '     7→  app.use(router);'],
  ['with plain quotation marks for typographic ones', 4, 'Starts the "public" API.'],
  ['escaped once too often', 1, "import express from \\'express\\';"],
  ['over several lines', 5, `${app[4]}\n${app[5]}\n${app[6]}`],
  ['over several lines of Windows', 5, `${app[4]}\r\n${app[5]}`],
  ['over several lines, stated by a later one', 7, `${app[4]}\n${app[5]}\n${app[6]}`],
  ['cut at its end', 5, 'export function startServer(port: num…'],
  ['cut at its beginning', 9, '...level: options.level, sink: options.sink'],
  ['cut in the middle', 5, 'export function startServer(…) { const app = express();'],
  [
    'cut by a comment',
    5,
    'export function startServer(port: number,\n  // ...\n  app.use(router);',
  ],
  ['that is short, near its line', 13, 'return'],
])('a quote %s is verified', async (_, line, quote) => {
  expect(await check(claim('src/http/app.ts', line, quote))).toMatchObject({ status: 'verified' });
});

test.each([
  [-3, 'verified'],
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
  const found = await check(claim('src/http/app.ts', 14, 'app.use('));
  expect(found).toMatchObject({ status: 'moved', line: 9 });
});

test('an ellipsis that is code is not taken for a cut', async () => {
  const lines = Array.from({ length: 100 }, (_, index) => `const filler${index} = ${index};`);
  lines[69] = 'return { kind: 1 };';
  lines[99] = 'return { ...a, b };';
  const spread = repositoryOf([{ path: 'src/spread.ts', content: lines.join('\n') }]);
  const claims = [100, 72].map((line) => claim('src/spread.ts', line, 'return { ...a, b };'));
  const planned = new Set<string>();
  const checked = await checkClaims({ repository: spread, agent: 'codex', claims, planned });
  expect(checked).toMatchObject([
    { status: 'verified', found_line: 100 },
    { status: 'moved', found_line: 100 },
  ]);
});

test('of several places of a cut quote that are as near, the lowest is taken', async () => {
  const found = await check(claim('src/http/app.ts', 9, 'app. … level: options.level'));
  expect(found).toMatchObject({ status: 'verified', line: 9 });
});

test.each([
  ['an empty quote', 7, '  ', 'the quote is empty'],
  ['a quote of nothing but an ellipsis', 7, '...', 'the quote is empty'],
  ['another case', 7, 'App.use(router);', 'not in the file'],
  ['a changed token', 7, 'app.use(routes);', 'not in the file'],
  ['a name that is only the beginning of one', 16, 'export function stop', 'not in the file'],
  ['a name that is only the end of one', 16, 'Server(server: Server)', 'not in the file'],
  ['a short quote far from its line', 40, 'return', 'too short to search for'],
  ['parts of a cut quote in the wrong order', 5, 'app.use(router) … startServer', 'not in the'],
  ['parts of a cut quote from all over', 5, 'startServer(port … lastLine = true', 'not in the'],
  ['a cut quote that begins inside a word', 5, 'Server(port … express();', 'not in the'],
  ['a cut quote that ends inside a word', 5, 'startServer(… port: num', 'not in the'],
  ['a line beyond the end', 900, 'app.use(routes);', 'line 900 is beyond the end (50 lines)'],
])('%s fails, and the note says why', async (_, line, quote, why) => {
  const found = await check(claim('src/http/app.ts', line, quote));
  expect(found).toMatchObject({ status: 'failed', line: null });
  expect(found.note).toContain(why);
});

test.each([
  ['./src/http/app.ts', 'src/http/app.ts'],
  ['a/src/http/app.ts', 'src/http/app.ts'],
  ['src\\http\\app.ts', 'src/http/app.ts'],
  ['src//http/../http/app.ts', 'src/http/app.ts'],
])('the path %s is read as %s', async (path, expected) => {
  const found = await check(claim(path, 7, 'app.use(router)'));
  expect(found).toMatchObject({ path: expected, status: 'verified' });
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
  ['src/http/', 'the path names no file'],
  ['.', 'the path names no file'],
  ['src/\u0000app.ts', 'no file can have this path'],
  ['src/http/ap.ts', 'no such file'],
  ['src/app.ts', 'no such file; src/http/app.ts has this name'],
  ['src/http/router.ts', 'no such file; src/http/Router.ts has this name'],
])('a claim about %s fails: %s', async (path, why) => {
  const found = await check(claim(path, 1, 'export const router = 1;'));
  expect(found.status).toBe('failed');
  expect(found.note).toContain(why);
});

test('line ends of Windows make no difference', async () => {
  const found = await check(claim('src/http/windows.ts', 2, 'const bee = 2;'));
  expect(found).toMatchObject({ status: 'verified', line: 2 });
});

test('a claim about a file that the solution creates is planned, whatever it quotes', async () => {
  const found = await check(claim('./src/http/new.ts', 3, ''), ['src/http/new.ts']);
  expect(found).toMatchObject({ status: 'planned', note: '' });
  expect((await check(claim('src/http/app.ts', 3, ''), ['src/http/app.ts'])).status).toBe('failed');
});

test('deleted, binary and uncommitted files are told apart in a real repository', async () => {
  await using project = await tempRepository();
  await project.commit('first', {
    'src/gone.ts': 'const gone = 1;\n',
    'src/kept.ts': 'const kept = 1;\n',
  });
  await project.write({
    'logo.bin': Buffer.from([0, 1, 2, 0, 255]),
    'src/fresh.ts': 'const fresh = 1;\n',
  });
  await project.remove('src/gone.ts');
  const claims = [
    claim('src/kept.ts', 1, 'const kept'),
    claim('src/fresh.ts', 1, 'const fresh'),
    claim('src/gone.ts', 1, 'const gone'),
    claim('logo.bin', 1, 'const logo'),
    claim('src', 1, 'const kept'),
  ];
  const opened = await project.open();
  const about = { repository: opened, agent: 'a', claims, planned: new Set<string>() };
  const statuses = (await checkClaims(about)).map(({ status }) => status);
  expect(statuses).toEqual(['verified', 'verified', 'failed', 'failed', 'failed']);
});

const author = { agent: 'codex', kind: 'model', vendor: 'openai' } as const;
const candidateOf = (tasks: ReturnType<typeof task>[], claims: Claim[] = []) => {
  const plan = { approach: 'Do it.', tasks, execution_flow: '', milestones: [] };
  const solution = proposed({ implementation_plan: plan, claims });
  return checkProposal({ repository, author, solution });
};

test('a candidate has its paths in the repository’s form, each place once, and counts what failed', async () => {
  const candidate = await candidateOf(
    [
      task('T1', [{ file: './src/http/app.ts', line: 7, action: 'modify' }]),
      task('T2', [{ file: 'src/http/app.ts', line: 7, action: 'modify' }]),
      task('T3', [{ file: '../../.bashrc', action: 'modify' }]),
    ],
    [claim('a/src/http/app.ts', 6, 'app.use(router)')],
  );
  expect(candidate.affected_files).toEqual([
    { file: 'src/http/app.ts', line: 7, action: 'modify', status: 'verified', note: '' },
    {
      file: '../../.bashrc',
      line: null,
      action: 'modify',
      status: 'failed',
      note: 'the path leaves the repository',
    },
  ]);
  const [first, , third] = candidate.implementation_plan.tasks;
  expect(first?.files).toEqual([{ file: 'src/http/app.ts', line: 7, action: 'modify' }]);
  expect(third?.files).toEqual([]);
  expect(candidate.claims).toMatchObject([
    { agent: 'codex', path: 'src/http/app.ts', line: 6, found_line: 7, status: 'verified' },
  ]);
  expect(candidate.estimates).toMatchObject([{ agent: 'codex', sound: 2, failed: 1 }]);
});

test('a claim that is made twice counts once', async () => {
  const wrong = claim('src/http/app.ts', 6, 'app.use(routes)');
  const right = claim('src/http/app.ts', 6, 'app.use(router)');
  const candidate = await candidateOf(
    [],
    [right, wrong, right, { ...right, path: 'a/src/http/app.ts' }],
  );
  expect(candidate.estimates).toMatchObject([{ sound: 1, failed: 1 }]);
});

const verdicts = async (...tasks: ReturnType<typeof task>[]) =>
  (await candidateOf(tasks)).affected_files.map(({ status, note }) => `${status} ${note}`.trim());

test.each([
  ['modify', 'src/http/app.ts', undefined, 'verified'],
  ['modify', 'src/http/app.ts', 50, 'verified'],
  ['modify', 'src/http/app.ts', 51, 'failed line 51 is beyond the end (50 lines)'],
  ['modify', 'src/empty.ts', 1, 'verified'],
  ['modify', 'src/http/none.ts', undefined, 'failed no such file'],
  ['delete', 'src/http/app.ts', undefined, 'verified'],
  ['delete', 'src/http/none.ts', undefined, 'failed no such file'],
  ['create', 'src/http/none.ts', undefined, 'planned'],
  ['create', 'src/http/app.ts', undefined, 'failed exists already'],
  ['create', '../none.ts', undefined, 'failed the path leaves the repository'],
] as const)('to %s %s at line %s is %s', async (action, file, line, expected) => {
  const place = line === undefined ? {} : { line };
  expect(await verdicts(task('T1', [{ file, action, ...place }]))).toEqual([expected]);
});

test('a missing file may be changed where the solution creates it, and created where it deletes it', async () => {
  const change = task('T1', [{ file: './src/new.ts', action: 'modify' }]);
  const creation = task('T2', [{ file: 'src/new.ts', action: 'create' }]);
  expect(await verdicts(change, creation)).toEqual(['planned the solution creates it', 'planned']);
  const deletion = task('T1', [{ file: 'src/http/app.ts', action: 'delete' }]);
  const anew = task('T2', [{ file: 'src/http/app.ts', action: 'create' }]);
  expect(await verdicts(deletion, anew)).toEqual(['verified', 'planned the solution deletes it']);
});

test.each([
  ['backticks', '`'.repeat(1_900) + 'x'],
  ['dots and spaces', '. . .   ... '.repeat(160)],
  ['parts that are nowhere', 'a…'.repeat(900)],
  ['a megabyte', 'x'.repeat(1_000_000)],
])('a hostile quote of %s is refused in no time', async (_, quote) => {
  const start = cpuFloors();
  expect(await check(claim('src/http/app.ts', 7, quote))).toMatchObject({ status: 'failed' });
  expect(cpuFloors() - start).toBeLessThan(20);
});

test('a hostile path is refused in no time', async () => {
  const start = cpuFloors();
  const found = await check(claim(`a${' '.repeat(1_000_000)}b`, 7, 'app'));
  expect(found).toMatchObject({ status: 'failed', note: 'no file can have this path' });
  expect(cpuFloors() - start).toBeLessThan(20);
});

test('a place that is found is told with the definition that it lies in', async () => {
  const found = await check(claim('src/http/app.ts', 7, 'app.use(router);'));
  expect(found.inside).toBe('export function startServer');
  const top = await check(claim('src/http/app.ts', 1, "import express from 'express';"));
  expect(top.inside).toBeUndefined();
});

test.each([
  [7, 'line 7 is “app.use(router);”'],
  [6, 'line 6 is “const app = express();”'],
  [3, 'line 3 is empty'],
])('a quote that differs is shown what line %i is', async (line, said) => {
  const found = await check(claim('src/http/app.ts', line, 'app.use(otherRouter);'));
  expect(found).toMatchObject({ status: 'failed', note: `the quote is not in the file; ${said}` });
});
