import { expect, test } from 'vitest';
import { builtInAnalysts } from '../../../src/agents/analysts/index.ts';
import { historyAnalyst } from '../../../src/agents/analysts/history.ts';
import { openRepository } from '../../../src/git/open-repository.ts';
import { tempRepository, type TempRepository } from '../../git/temp-repository.ts';
import { faultsOf, proposalIn, ranBy, requestFor } from './fixture.ts';

/** A project in which a parser was added twice, each time with the list and a test. */
async function project(): Promise<TempRepository & { readonly week: string }> {
  const repo = await tempRepository();
  await repo.commit('Start', {
    'src/list.ts': 'export const parsers = [];\n',
    'src/date-parser.ts': 'export function parseDate(): void {}\n',
    'src/money.ts': 'export function money(): void {}\n',
  });
  await repo.commit('Add a parser for times', {
    'src/time-parser.ts': 'export function parseTime(): void {}\n',
    'src/list.ts': 'export const parsers = [1];\n',
    'test/time-parser.test.ts': 'parseTime();\n',
  });
  await repo.commit('Round money up', { 'src/money.ts': 'export function money(): void {\n}\n' });
  const week = await repo.commit('Add a parser for weeks\n\nWith the calendar’s rules.', {
    'src/week-parser.ts': 'export function parseWeek(): void {}\n',
    'src/list.ts': 'export const parsers = [1, 2];\n',
    'test/week-parser.test.ts': 'parseWeek();\n',
  });
  await repo.commit('Mention money', { 'README.md': 'money\n' });
  return { ...repo, week };
}

test('the past commit that is like the task is the pattern, with what it touched', async () => {
  await using repo = await project();
  const repository = await repo.open();
  const request = await requestFor(repository, 'Add a calendar parser for months');
  const { end, events } = await ranBy(historyAnalyst(repository), request);
  const { solutions } = proposalIn(end);
  const [first] = solutions;
  expect(first?.name).toBe(`Like commit ${repo.week.slice(0, 7)}: Add a parser for weeks`);
  expect(first?.summary).toContain('its message has calendar and parser');
  const touched = first?.implementation_plan.tasks.flatMap(({ files }) =>
    files.map(({ file }) => file),
  );
  expect(touched).toEqual(
    expect.arrayContaining(['src/week-parser.ts', 'src/list.ts', 'test/week-parser.test.ts']),
  );
  expect(touched).not.toContain('src/money.ts');
  for (const solution of solutions) {
    expect(await faultsOf(solution, repository)).toEqual([]);
    expect(solution.feasibility).toBeLessThanOrEqual(0.6);
    expect(solution.cons.join()).toContain('no model has read the task');
  }
  expect(events).toContainEqual({
    kind: 'command',
    command: expect.stringContaining('git log'),
    exit_code: 0,
  });
});

test('the more of the task a message has, the surer; nothing it proposes is called safe', async () => {
  await using repo = await project();
  const repository = await repo.open();
  const proposedFor = async (task: string) => {
    const { end } = await ranBy(historyAnalyst(repository), await requestFor(repository, task));
    const [best] = proposalIn(end).solutions;
    if (best === undefined) throw new Error('nothing is proposed');
    return best;
  };
  const close = await proposedFor('Add a parser for weeks');
  const far = await proposedFor('Add a parser for weeks that knows fiscal quarters and holidays');
  expect(far.name).toBe(close.name);
  expect(close.feasibility).toBeGreaterThan(far.feasibility);
  expect([close.risk, far.risk]).not.toContain('low');
});

test('a key point tells how to see what the commit did in the files of the task', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', { 'src/a.ts': '1' });
  const id = await repo.commit('Add the gizmo', { 'src/gizmo.ts': 'export const gizmo = 1;\n' });
  const repository = await repo.open();
  const request = await requestFor(repository, 'Another gizmo');
  const [solution] = proposalIn((await ranBy(historyAnalyst(repository), request)).end).solutions;
  const plan = solution?.implementation_plan;
  expect(plan?.tasks.map((task) => task.key_point)).toEqual([
    `The change in gizmo.ts is of the kind that "git show ${id.slice(0, 7)}" shows.`,
  ]);
  expect(plan?.milestones).toEqual(['The change is made where the commit made it']);
});

test('files that changed together are named with their numbers', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', {
    'src/a.ts': '0',
    'src/b.ts': '0',
    'src/c.ts': 'export function gizmo() {}\n',
  });
  for (const n of ['1', '2', '3']) {
    await repo.commit(`Step ${n}`, {
      'src/a.ts': n,
      'src/c.ts': `export function gizmo() {}\n// ${n}\n`,
    });
  }
  await repo.commit('Polish the gizmo', { 'src/c.ts': 'export function gizmo() {}\n' });
  const repository = await repo.open();
  const request = await requestFor(repository, 'Turn the gizmo around');
  const [solution] = proposalIn((await ranBy(historyAnalyst(repository), request)).end).solutions;
  expect(solution?.name).toContain('Polish the gizmo');
  expect(solution?.technical_concerns).toContain(
    'src/a.ts changed in 4 of the 5 small commits that touched src/c.ts: it may have to change too.',
  );
});

test('what the commit touched and is gone is said and not planned', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', { 'a.ts': '1' });
  await repo.commit('Add the gizmo', { 'gizmo.ts': 'export const gizmo = 1;\n', 'old.ts': '1' });
  await repo.remove('old.ts');
  await repo.commit('Tidy');
  const repository = await repo.open();
  const request = await requestFor(repository, 'Another gizmo');
  const [solution] = proposalIn((await ranBy(historyAnalyst(repository), request)).end).solutions;
  expect(solution?.cons.join()).toContain('Gone since that commit: old.ts.');
  expect(await faultsOf(solution, repository)).toEqual([]);
});

test.each([
  ['a folder without git', 'plain', null, 'there is no git repository, so no past commits'],
  ['a repository without commits', 'git', null, 'the repository has no commit yet'],
  [
    'a history that knows nothing of it',
    'git',
    'Start',
    'none of the last 1 commits is like this task',
  ],
] as const)('%s ends in a failure that says so', async (_, kind, message, detail) => {
  await using repo = await tempRepository(kind);
  await repo.write({ 'a.ts': 'export const a = 1;\n' });
  if (message !== null) await repo.commit(message);
  const repository = await repo.open();
  const { end } = await ranBy(
    builtInAnalysts(repository)[1],
    await requestFor(repository, 'Frobnicate widgets'),
  );
  expect(end).toMatchObject({
    ok: false,
    failure: { category: 'empty-answer', agent: 'history', detail, retry_after_ms: null },
    facts: { outputBytes: 0, version: '4' },
  });
});

test('commits after the base and commits of too many files are no pattern', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', { 'a.ts': '1' });
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`many/${n}.ts`, 'x']));
  await repo.commit('Format the gizmo', many);
  const repository = await repo.open();
  await repo.commit('Add the gizmo later', { 'a.ts': '2' });
  const { end } = await ranBy(historyAnalyst(repository), await requestFor(repository, 'gizmo'));
  expect(end).toMatchObject({ ok: false, failure: { category: 'empty-answer' } });
});

test('in a folder inside a repository the paths are those of the folder', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', { 'app/a.ts': '1', 'top.ts': '1' });
  await repo.commit('Add the gizmo', {
    'app/gizmo.ts': 'export const gizmo = 1;\n',
    'top.ts': '2',
  });
  const signal = new AbortController().signal;
  const repository = await openRepository({
    root: `${repo.root}/app`,
    base: null,
    snapshots: null,
    signal,
  });
  const { end } = await ranBy(
    historyAnalyst(repository),
    await requestFor(repository, 'the gizmo'),
  );
  const [solution] = proposalIn(end).solutions;
  expect(solution?.implementation_plan.tasks[0]?.files[0]?.file).toBe('gizmo.ts');
  expect(await faultsOf(solution, repository)).toEqual([]);
});

test('odd messages and names of files do not mislead it', async () => {
  await using repo = await tempRepository();
  await repo.commit('Start', { 'a.ts': '1' });
  await repo.commit('Add the gizmo\u0001\u001b[31m\n\n\u0001\nM\na.ts', {
    'tab\there.ts': 'export const gizmo = 1;\n',
    'ä ö.ts': 'export const gizmoTwo = 1;\n',
    'two\nlines.ts': '1',
  });
  const repository = await repo.open();
  const { end } = await ranBy(
    historyAnalyst(repository),
    await requestFor(repository, 'the gizmo'),
  );
  const [solution] = proposalIn(end).solutions;
  expect(solution?.name).not.toMatch(/\p{Cc}/u);
  expect(await faultsOf(solution, repository)).toEqual([]);
});
