import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtInAnalysts } from '../../../src/agents/analysts/built-in.ts';
import type { Repository } from '../../../src/git/repository.ts';
import { type TempRepository, tempRepository } from '../../git/temp-repository.ts';
import { faultsOf, proposalIn, ranBy, requestFor } from './fixture.ts';

const middleware = (name: string, option = '') =>
  `interface Options {\n  ${option}\n}\n\nexport const ${name} = (options?: Options) => {\n  return options;\n};\n`;

/** Like the middlewares of a web framework: the option to be added to one is there in another. */
const files = {
  'src/middleware/etag/index.ts': middleware('etag', 'weak?: boolean;'),
  'src/middleware/etag/index.test.ts':
    "import { etag } from './index.ts';\netag({ weak: true });\n",
  'src/middleware/cache/index.ts': middleware('cache', 'maxAge?: number;'),
  'src/middleware/logger/index.ts': middleware('logger'),
  'src/middleware/request-id/index.ts': "export * from './request-id.ts';\n",
  'src/middleware/request-id/request-id.ts': middleware('requestId'),
  'src/router.ts': 'export function compileRoutes(paths: string[]) {\n  return paths;\n}\n',
  'src/fast.ts': 'export const fastPath = 1;\n',
  'src/commands/list.ts': 'export function printTodos() {\n  return 1;\n}\n',
  'src/commands/add.ts': 'export function addTodo() {\n  return 1;\n}\n',
  'docs/etag.md': '# ETag\n\nThe etag middleware.\n',
};

async function answered(repository: Repository, task: string, about = {}) {
  const request = await requestFor(repository, task, about);
  return await Promise.all(builtInAnalysts(repository).map((agent) => ranBy(agent, request)));
}

/** The places that `structure` proposes to change, with what begins there; null for no draft. */
async function placesFor(repository: Repository, task: string) {
  const [structure] = await answered(repository, task);
  if (structure === undefined || !structure.end.ok) return null;
  const [solution] = proposalIn(structure.end).solutions;
  expect(await faultsOf(solution, repository)).toEqual([]);
  return solution?.implementation_plan.tasks[0]?.files.map(({ file }) => file) ?? null;
}

describe('what a task names', () => {
  let repo: TempRepository;
  beforeAll(async () => {
    repo = await tempRepository();
    await repo.commit('start', files);
    await repo.commit('Make the router fast', { 'src/router.ts': `${files['src/router.ts']}\n` });
  });
  afterAll(() => repo[Symbol.asyncDispose]());

  test.each([
    ['Add a maxAge option to the etag middleware', ['src/middleware/etag/index.ts']],
    ['给 etag 中间件添加 maxAge 选项', ['src/middleware/etag/index.ts']],
    ['fix(etag): weak tags are compared as strong ones', ['src/middleware/etag/index.ts']],
    ['Compare weak tags in @src/middleware/etag/index.ts', ['src/middleware/etag/index.ts']],
    ['Add tests for src/middleware/etag/', ['src/middleware/etag/index.ts']],
    ['Explain in docs/etag.md what a weak tag is', ['docs/etag.md']],
    ['Let `compileRoutes` sort its paths', ['src/router.ts']],
    ['Let router.compileRoutes sort its paths', ['src/router.ts']],
    ['Add a --json flag to the list command', ['src/commands/list.ts']],
    ['Weak tags in the etag middleware\n\n`compileRoutes` fails', ['src/middleware/etag/index.ts']],
    ['It fails\n\nin `compileRoutes`', ['src/router.ts']],
    ['Raise fastPath', ['src/fast.ts']],
    [
      'Let the logger middleware print the request id',
      ['src/middleware/logger/index.ts', 'src/middleware/request-id/request-id.ts'],
    ],
  ])('%s', async (task, places) => {
    expect((await placesFor(await repo.open(), task))?.toSorted()).toEqual(places);
  });

  test.each([
    'make it faster',
    'refactor',
    'do x',
    'fix it',
    'cleanup',
    '改进错误处理',
    'Cache what was compiled',
    'Rewrite everything in another language',
    'Add a getUserName helper',
    'Add a maxAge option',
    `Please help:\n\n\`\`\`\nat compileRoutes (src/router.ts:1)\n\`\`\``,
    `It does not work:\n\n${'Error: socket hang up at Socket.onEnd (node:net:1)\n'.repeat(50)}`,
  ])('nothing is named by: %s', async (task) => {
    for (const { end } of await answered(await repo.open(), task)) {
      expect(end).toMatchObject({ ok: false, failure: { category: 'empty-answer' } });
    }
  });
});

const etag = (text: string) => ({ 'src/middleware/etag/index.ts': `${text}\n` });
const both = (text: string) => ({ ...etag(text), 'src/router.ts': `${text}\n` });

describe('a draft', () => {
  const task = 'Add a maxAge option to the etag middleware';

  test('says that it is one, and nothing that rules cannot know', async () => {
    await using repo = await tempRepository();
    await repo.commit('start', files);
    const constraints = ['No new dependency'];
    const [structure] = await answered(await repo.open(), task, { constraints, round: 3 });
    if (structure === undefined) throw new Error('there is no analyst');
    const { session, round, solutions, questions } = proposalIn(structure.end);
    expect({ session, round, questions }).toEqual({ session: 'MCP-test', round: 3, questions: [] });
    expect(solutions).toMatchObject([
      {
        name: 'Draft: change etag in etag/index.ts',
        summary: expect.stringMatching(/^No model has read the task\. It names “etag” /),
        feasibility: 0.5,
        effort: 'medium',
        risk: 'medium',
        technical_concerns: [],
        cons: expect.arrayContaining(['Not checked against your constraint “No new dependency”.']),
        claims: [{ path: 'src/middleware/etag/index.ts', line: 5 }],
        implementation_plan: {
          tasks: [
            { key_point: `Carry out the task “${task}”.` },
            {
              depends_on: ['T1'],
              files: [{ file: 'src/middleware/etag/index.test.ts', action: 'modify' }],
              key_point: 'Add a test that fails without the change and passes with it.',
            },
          ],
        },
      },
    ]);
    expect(structure.end.facts).toMatchObject({ model: null, tokens: null });
    expect(structure.events).toContainEqual({
      type: 'file_read',
      path: 'src/middleware/etag/index.ts',
    });
  });

  test('of a member of a class begins at the one of that class', async () => {
    await using repo = await tempRepository();
    const shapes = ['Shape', 'Circle'].map(
      (name) => `class ${name}:\n    def area(self):\n        pass\n`,
    );
    await repo.commit('start', { 'shapes.py': shapes.join('\n') });
    const [structure] = await answered(await repo.open(), 'Let Circle.area round what it gives');
    expect(structure?.end).toMatchObject({ ok: true });
    const [solution] = structure === undefined ? [] : proposalIn(structure.end).solutions;
    expect(solution?.claims).toMatchObject([{ path: 'shapes.py', line: 6 }]);
  });

  test('of the history names the commits that changed the places, the closest first', async () => {
    await using repo = await tempRepository();
    await repo.commit('start', files);
    const content = files['src/middleware/etag/index.ts'];
    for (const round of ['a', 'b', 'c'])
      await repo.commit(`both ${round}`, both(`${content}//${round}`));
    await repo.commit('Only the tags', etag(`${content}//d`));
    await repo.commit('cache the etag', { 'src/middleware/cache/index.ts': '\n' });
    const repository = await repo.open();
    const [, history] = await answered(repository, task);
    if (history === undefined) throw new Error('there is no analyst');
    const [solution] = proposalIn(history.end).solutions;
    expect(await faultsOf(solution, repository)).toEqual([]);
    expect(solution?.name).toBe('Draft: change etag in etag/index.ts');
    expect(solution?.pros.filter((pro) => pro.startsWith('Precedent'))).toEqual([
      expect.stringContaining('“Only the tags”'),
      expect.stringContaining('“both c”'),
      expect.stringContaining('“both b”'),
    ]);
  });

  test('of the history needs a commit that changed the places', async () => {
    await using repo = await tempRepository();
    await repo.commit('start', files);
    const [, history] = await answered(await repo.open(), task);
    expect(history?.end).toMatchObject({
      failure: { detail: 'no past commit changed the places that the task names' },
    });
  });
});

test('an analyst that is interrupted, or has no time, says so', async () => {
  await using repo = await tempRepository();
  await repo.commit('start', files);
  const repository = await repo.open();
  const request = await requestFor(repository, 'Sort in `compileRoutes`');
  const [agent] = builtInAnalysts(repository);
  const stopped = await ranBy(agent, request, AbortSignal.abort());
  expect(stopped.end).toMatchObject({ failure: { category: 'cancelled' } });
  const limits = { ...request.limits, totalMs: 1 };
  const [slow] = builtInAnalysts({
    ...repository,
    async files() {
      const later = AbortSignal.timeout(5);
      await new Promise((resolve) => later.addEventListener('abort', resolve));
      return await repository.files();
    },
  });
  const late = await ranBy(slow, { ...request, limits });
  expect(late.end).toMatchObject({ failure: { category: 'timed-out' } });
});
