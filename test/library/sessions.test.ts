// Tests the sessions of the library: events, answers, own executors, and how they go on.
import { beforeEach, describe, expect, test } from 'vitest';
import { openRegistry } from '../../src/library/library-agents.ts';
import type { Executor, ExecutorOptions } from '../../src/library/executor.ts';
import {
  type Question,
  type SessionOptions,
  listSessions,
  resumeSession,
  startSession,
} from '../../src/library/library-sessions.ts';
import { executorAgent } from '../../src/library/executor-agent.ts';
import { agentRoom, runToEnd } from '../agents/agent-room.ts';
import { commandLines } from '../contract/processes.ts';
import { goodAnswer } from '../contract/three-clis.ts';
import { calmVendor, synthesisOf } from '../helpers/planned-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { jsonProof, markGuard, proofRig, proves } from '../helpers/proof-rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { busyVendors, statusOf } from '../helpers/todo-vendors.ts';
import { configureVendors } from '../helpers/vendors.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await todoRig();
  configureVendors(rig, { alpha: calmVendor, beta: calmVendor });
});

const start = (more: Partial<SessionOptions> & { task?: string } = {}) =>
  startSession({ task: todoTask, cwd: rig.repo, environment: rig.environment, ...more });

/** An executor of a program that uses this one as a library. */
function ownExecutor(id: string, asked: ExecutorOptions[] = []): Executor {
  return {
    id,
    name: 'My own',
    type: 'api',
    vendor: `vendor-of-${id}`,
    isAvailable: async () => true,
    async *execute(options) {
      asked.push(options);
      yield { type: 'started', sessionId: options.sessionId, timestamp: Date.now(), model: 'm-1' };
      yield { type: 'usage', inputTokens: 70, outputTokens: 30 };
      const reply = goodAnswer({ prompt: options.prompt, dialect: 'api' });
      if (reply.kind !== 'structured') throw new Error('it answers with an object');
      yield { type: 'completed', summary: JSON.stringify(reply.value) };
    },
    sendMessage: async () => undefined,
    cancel: async () => undefined,
    dispose: async () => undefined,
  };
}

test('an executor of one’s own is denied all tools that a request does not allow', async () => {
  const asked: ExecutorOptions[] = [];
  const room = agentRoom();
  const agent = executorAgent(ownExecutor('mine', asked), {});
  await runToEnd(agent, room.request({ permission: 'edit' }));
  room.remove();
  expect(asked[0]?.permissions?.denied).toEqual(['shell', 'git', 'web']);
});

async function registryWith(...executors: readonly Executor[]) {
  const registry = await openRegistry({ cwd: rig.repo, environment: rig.environment });
  for (const one of executors) registry.register(one);
  return registry;
}

test('a program that answers may agree to code before the approval; without one there is no proof', async () => {
  const scripts = { beta: { proof: proves([jsonProof(), markGuard()]) } };
  const place = await proofRig(scripts, 'code_before_approval = "ask"');
  const begin = { task: todoTask, cwd: place.repo, environment: place.environment };
  const silent = await startSession(begin);
  expect(await silent.end).toMatchObject({ end: 'done' });
  expect(place.json('plan.json')).not.toHaveProperty('proofs');
  const answers = new Map([
    ['decide', { choice: '1' }],
    ['choose', { choice: 'yes' }],
  ]);
  const session = await startSession({
    ...begin,
    answer: ({ kind }) => answers.get(kind) ?? 'skip',
  });
  expect(await session.end).toMatchObject({ end: 'done' });
  expect(place.json('plan.json')).toMatchObject({ proofs: [{ id: 'P1' }, { id: 'P2' }] });
});

const tools = (...names: string[]) => ({ workflow: { tools: names } });

describe('a session', () => {
  test(
    'shows its events from the first on, to whoever reads, and takes the recommended answers',
    short,
    async () => {
      const session = await start();
      const { end, exitCode, message } = await session.end;
      expect({ end, exitCode, message }).toEqual({
        end: 'done',
        exitCode: 0,
        message: 'The plan is approved.',
      });
      const types: string[] = [];
      for await (const event of session) types.push(event.type);
      expect(types[0]).toBe('session.started');
      expect(types.at(-1)).toBe('session.finished');
      expect(types).toContain('agent.answered');
      expect(session.folder).toBe(rig.session());
      const [saved] = await listSessions({ cwd: rig.repo, environment: rig.environment });
      expect(saved).toMatchObject({ id: session.id, task: todoTask, status: 'done' });
    },
  );

  test('with an executor of one’s own converges, and its receipt says who answered', async () => {
    const asked: ExecutorOptions[] = [];
    const registry = await registryWith(ownExecutor('mine', asked));
    const settings = { ...tools('mine', 'alpha') };
    const session = await start({ registry, settings });
    expect((await session.end).exitCode).toBe(0);
    const { receipts } = synthesisOf(rig, 1);
    expect(receipts).toMatchObject([
      {
        agent: 'mine',
        vendor: 'vendor-of-mine',
        model: 'm-1',
        transport: 'api',
        tokens: { input: 70, output: 30, cached: 0 },
      },
      { agent: 'alpha', vendor: 'vendor-alpha' },
    ]);
    expect(asked[0]).toMatchObject({
      workingDirectory: rig.repo,
      permissions: { sandboxMode: 'read-only', allowed: ['file_read'] },
    });
  });

  test('seats an executor of one’s own first where nobody says who takes part', async () => {
    const chosen = rig.configured().replaceAll(/^(?:tools|fallback_chain) = .*$/gm, '');
    rig.config(chosen);
    const session = await start({ registry: await registryWith(ownExecutor('mine')) });
    await session.end;
    expect(synthesisOf(rig, 1).receipts.map(({ agent }) => agent)).toEqual(['mine', 'alpha']);
  });

  test('keeps 4 MB of what an executor of one’s own says, and no more', async () => {
    const own = ownExecutor('own');
    async function* wordy(options: ExecutorOptions) {
      const content = 'x'.repeat(1024 * 1024);
      for (let piece = 0; piece < 5; piece += 1) yield { type: 'message' as const, content };
      yield* own.execute(options);
    }
    const registry = await registryWith({ ...own, execute: wordy });
    const session = await start({ registry, settings: tools('own', 'alpha') });
    let said = 0;
    for await (const event of session) {
      if (event.type !== 'agent.acted' || event.step !== 'round-1/propose/own') continue;
      if (event.event.type === 'message') said += event.event.content.length;
    }
    expect(said).toBe(4 * 1024 * 1024);
  });

  test('whose own executor throws or never ends goes on with the next', async () => {
    const broken: Executor = {
      ...ownExecutor('broken'),
      // oxlint-disable-next-line require-yield
      async *execute() {
        throw new Error('no server');
      },
    };
    const session = await start({
      registry: await registryWith(broken),
      settings: { workflow: { tools: ['broken', 'alpha'], fallback_chain: ['beta'] } },
    });
    expect((await session.end).exitCode).toBe(0);
    const failures: string[] = [];
    for await (const event of session)
      if (event.type === 'agent.failed') failures.push(event.reason);
    expect(failures.every((reason) => reason.includes('it threw: no server'))).toBe(true);
    expect(synthesisOf(rig, 1).receipts.map(({ agent }) => agent)).toContain('beta');
  });

  test('asks its questions, and goes on where an answer could not be taken', short, async () => {
    const questions: Question[] = [];
    const session = await start({
      answer(question) {
        questions.push(question);
        return { choice: 'nothing' };
      },
    });
    const end = await session.end;
    expect(end).toMatchObject({ end: 'failed', exitCode: 2 });
    expect(end.message).toContain(
      'answer to "decide": "nothing" is not a choice here; give one of: 1',
    );
    const again = await resumeSession({
      session: session.id,
      cwd: rig.repo,
      environment: rig.environment,
      answer: ({ kind, fields: [first] }) =>
        kind === 'execute' ? 'skip' : { choice: first?.proposed ?? '' },
    });
    expect(await again.end).toMatchObject({ end: 'done', exitCode: 0 });
    expect(questions.map(({ kind }) => kind)).toEqual(['decide']);
    const resumed: string[] = [];
    for await (const { type, replayed } of again)
      if (type === 'agent.answered' && replayed) resumed.push(type);
    expect(resumed.length).toBeGreaterThan(0);
  });

  test('that is cancelled is saved and leaves no process', short, async () => {
    rig = await busyVendors();
    const session = await start();
    const left = () => commandLines().filter((line) => line.includes(rig.home));
    for await (const event of session) if (event.type === 'agent.acted') break;
    expect(left().length).toBeGreaterThan(0);
    expect(await session.cancel()).toMatchObject({ end: 'interrupted', exitCode: 130 });
    expect(left()).toEqual([]);
    expect(statusOf(rig)).toBe('interrupted');
  });

  test.each([
    [{ task: '  ' }, 'the task must not be empty'],
    [{ cwd: '/nowhere/at/all' }, 'cwd: /nowhere/at/all is not a folder'],
    [{ settings: { workflow: { tols: [] } } }, 'settings: workflow.tols is not known. Did you'],
    [{ settings: tools('nobody') }, 'names "nobody", and there is no such agent'],
    [{ settings: { agents: { mine: { model: 'x' } } } }, 'names "mine"'],
    [{ settings: tools('claude') }, 'The agent claude is not ready'],
  ])('is refused for %j', async (more, message) => {
    await expect(start(more)).rejects.toThrow(message);
  });

  test('that is not there cannot be resumed', async () => {
    const options = { cwd: rig.repo, environment: rig.environment };
    await expect(resumeSession({ ...options, session: 'MCP-none' })).rejects.toThrow(
      'There is no session "MCP-none" here',
    );
  });
});
