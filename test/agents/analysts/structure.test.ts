import { expect, test } from 'vitest';
import { builtInAnalysts } from '../../../src/agents/analysts/index.ts';
import { structureAnalyst } from '../../../src/agents/analysts/structure.ts';
import { tempRepository } from '../../git/temp-repository.ts';
import { faultsOf, proposalIn, ranBy, requestFor } from './fixture.ts';

const files = {
  'src/dates/date-parser.ts':
    "import { table } from '../tables/zones.ts';\nexport function parseDate(text: string): Date {\n  return table(text);\n}\n",
  'src/dates/time-parser.ts': 'export function parseTime(text: string): number {\n  return 1;\n}\n',
  'src/dates/week-parser.ts': 'export function parseWeek(text: string): number {\n  return 1;\n}\n',
  'src/tables/zones.ts':
    '/** Knows each timezone: parseDate asks it. */\nexport function table(timezone: string): Date {\n  return new Date(timezone);\n}\n',
  'src/cli.ts': "import { parseDate } from './dates/date-parser.ts';\nparseDate('now');\n",
  'test/dates/date-parser.test.ts':
    "import { parseDate } from '../../src/dates/date-parser.ts';\nparseDate('2026');\n",
};

test('two ways are proposed: extend what is there, and a new module shaped like its siblings', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', files);
  const repository = await repo.open();
  const request = await requestFor(repository, 'Add timezone support to parseDate', { round: 3 });
  const { end } = await ranBy(structureAnalyst(repository), request);
  const { session, round, solutions, questions } = proposalIn(end);
  expect({ session, round, questions }).toEqual({ session: 'MCP-test', round: 3, questions: [] });
  expect(solutions.map(({ name }) => name)).toEqual([
    'Extend parseDate in place',
    'Add timezone-parser.ts beside date-parser.ts',
  ]);
  for (const solution of solutions) {
    expect(await faultsOf(solution, repository)).toEqual([]);
    expect(solution.feasibility).toBeLessThanOrEqual(0.6);
    expect(solution.claims.length).toBeGreaterThan(0);
    expect(solution.cons.join()).toContain('no model has read the task');
    expect(solution.summary).toContain('no model has judged it');
  }
  expect(solutions[0]?.feasibility).toBeGreaterThan(solutions[1]?.feasibility ?? 1);
});

test('a task that mends or removes gets no new module', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', files);
  const repository = await repo.open();
  for (const task of ['Fix the timezone of parseDate', 'Remove timezone support from parseDate']) {
    const request = await requestFor(repository, task);
    const { solutions } = proposalIn((await ranBy(structureAnalyst(repository), request)).end);
    expect(solutions.map(({ name }) => name)).toEqual(['Change parseDate in place']);
  }
});

test('what is imported changes before what imports it, the tests come last', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', files);
  const repository = await repo.open();
  const request = await requestFor(repository, 'Add timezone support to parseDate');
  const [solution] = proposalIn((await ranBy(structureAnalyst(repository), request)).end).solutions;
  const plan = solution?.implementation_plan;
  const taskOf = (path: string) =>
    plan?.tasks.find(({ files: touched }) => touched.some(({ file }) => file === path));
  const zones = taskOf('src/tables/zones.ts');
  const parser = taskOf('src/dates/date-parser.ts');
  const last = plan?.tasks.at(-1);
  expect(parser).toMatchObject({ files: [{ line: 2, action: 'modify' }] });
  expect(parser?.depends_on).toEqual([zones?.id]);
  expect(last?.files.map(({ file }) => file)).toContain('test/dates/date-parser.test.ts');
  expect(last?.depends_on).toEqual(plan?.tasks.slice(0, -1).map(({ id }) => id));
  expect(plan?.execution_flow).toMatch(/^T1 → T2 → /);
  expect(solution?.claims).toContainEqual({
    statement: 'src/dates/date-parser.ts defines parseDate',
    path: 'src/dates/date-parser.ts',
    line: 2,
    quote: 'export function parseDate(text: string): Date {',
  });
});

test('the key point of a task says where it is done and who must keep working', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', files);
  const repository = await repo.open();
  const pointsFor = async (task: string) => {
    const { end } = await ranBy(structureAnalyst(repository), await requestFor(repository, task));
    const [solution] = proposalIn(end).solutions;
    return solution?.implementation_plan.tasks.map((one) => one.key_point);
  };
  const place = 'What the task asks is done at parseDate in date-parser.ts.';
  const keep = 'src/cli.ts, which imports what changes here, still works.';
  const pattern = 'A new piece has the shape of src/dates/time-parser.ts.';
  expect(await pointsFor('Add timezone support to parseDate')).toContain(
    `${place} ${pattern} ${keep}`,
  );
  expect(await pointsFor('Fix the timezone of parseDate')).toContain(`${place} ${keep}`);
});

test('an untested file gets a test where its siblings have theirs', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', files);
  const repository = await repo.open();
  const request = await requestFor(repository, 'parseWeek should count from Monday');
  const [solution] = proposalIn((await ranBy(structureAnalyst(repository), request)).end).solutions;
  expect(solution?.implementation_plan.tasks.at(-1)?.files).toEqual([
    { file: 'test/dates/week-parser.test.ts', action: 'create' },
  ]);
  expect(solution?.technical_concerns.join()).toContain('No test file has the name');
});

test('where nothing is found, a new file at the likeliest place is proposed as the guess it is', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', files);
  const repository = await repo.open();
  const request = await requestFor(repository, 'Invoice customers quarterly');
  const { solutions } = proposalIn((await ranBy(structureAnalyst(repository), request)).end);
  expect(solutions).toHaveLength(1);
  expect(solutions[0]?.feasibility).toBeLessThanOrEqual(0.2);
  expect(solutions[0]?.summary).toContain('The search found no file for this task.');
  expect(solutions[0]?.implementation_plan.tasks[0]?.files).toEqual([
    { file: 'src/dates/invoice-parser.ts', action: 'create' },
  ]);
});

test('in an empty repository the language is asked for unless the task names it', async () => {
  await using repo = await tempRepository('plain');
  const repository = await repo.open();
  const answers = await Promise.all(
    ['Print invoices', 'Print invoices in Python'].map(async (task) =>
      proposalIn(
        (await ranBy(structureAnalyst(repository), await requestFor(repository, task))).end,
      ),
    ),
  );
  expect(answers[0]?.questions).toEqual([
    'The repository is empty: which language should this be written in?',
  ]);
  expect(answers[1]?.questions).toEqual([]);
  expect(answers[1]?.solutions[0]?.implementation_plan.tasks[0]?.files[0]?.file).toMatch(
    /^src\/.*\.py$/,
  );
});

test('a task about a document or a setting changes that file', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', {
    'README.md': '# Title\n\nHow to install the gizmo.\n',
    'src/a.ts': '',
  });
  const repository = await repo.open();
  const request = await requestFor(repository, 'Explain how to install the gizmo');
  const { solutions } = proposalIn((await ranBy(structureAnalyst(repository), request)).end);
  expect(solutions[0]?.implementation_plan.tasks[0]?.files[0]).toMatchObject({ file: 'README.md' });
  expect(await faultsOf(solutions[0], repository)).toEqual([]);
  expect(solutions[0]?.claims[0]).toMatchObject({ path: 'README.md', line: 3 });
});

test('what it does is told, and its facts name no model', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', files);
  const repository = await repo.open();
  const [analyst] = builtInAnalysts(repository);
  const request = await requestFor(repository, 'parseDate', { constraints: ['no new dependency'] });
  const { end, events } = await ranBy(analyst, request);
  expect(analyst).toMatchObject({ name: 'structure', kind: 'analyst' });
  expect(analyst?.vendorOf('some-model')).toBeNull();
  expect(await analyst?.ready(new AbortController().signal)).toEqual({
    state: 'ready',
    path: null,
    version: '4',
  });
  expect(events.map(({ kind }) => kind)).toEqual([
    'started',
    ...events.slice(1, -1).map(() => 'file-read'),
    'completed',
  ]);
  expect(events.length).toBeGreaterThan(2);
  expect(end.facts).toMatchObject({ version: '4', model: null, tokens: null, filesChanged: [] });
  expect(end.facts.outputBytes).toBe(end.ok ? Buffer.byteLength(end.text) : -1);
  expect(proposalIn(end).solutions[0]?.technical_concerns).toContain(
    'Not checked: the constraint “no new dependency”.',
  );
});

test('an interrupt ends it as cancelled, a used-up time as timed out', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', files);
  const repository = await repo.open();
  const request = await requestFor(repository, 'parseDate');
  for (const analyst of builtInAnalysts(repository)) {
    const { end } = await ranBy(analyst, request, AbortSignal.abort());
    expect(end).toMatchObject({
      ok: false,
      failure: { category: 'cancelled', agent: analyst.name },
    });
    const run = analyst.run(
      { ...request, limits: { ...request.limits, totalMs: 1 } },
      new AbortController().signal,
    );
    await run.next();
    await new Promise((resolve) => AbortSignal.timeout(2).addEventListener('abort', resolve));
    let step = await run.next();
    while (step.done !== true) step = await run.next();
    expect(step.value).toMatchObject({ ok: false, failure: { category: 'timed-out' } });
  }
});
