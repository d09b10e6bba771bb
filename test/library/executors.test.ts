// Tests the executors of the library: their events, their conversations, what cancelling leaves.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openRegistry } from '../../src/library/library-agents.ts';
import type { Executor, ExecutorEvent, ExecutorOptions } from '../../src/library/executor.ts';
import { until } from '../agents/agent-room.ts';
import { commandLines } from '../contract/processes.ts';
import { fixture, type Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { configureVendors, witnessed } from '../helpers/vendors.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await todoRig();
});

const open = () => openRegistry({ cwd: rig.repo, environment: rig.environment });

async function executor(script: Readonly<Record<string, unknown>>): Promise<Executor> {
  configureVendors(rig, { alpha: { else: script } });
  const found = (await open()).get('alpha');
  if (found === undefined) throw new Error('alpha is not there');
  return found;
}

const options = (more: Partial<ExecutorOptions> = {}): ExecutorOptions => ({
  sessionId: 'mine-1',
  prompt: 'What does this do?',
  workingDirectory: rig.repo,
  ...more,
});

async function all(events: AsyncIterable<ExecutorEvent>): Promise<ExecutorEvent[]> {
  const found: ExecutorEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const typesOf = (events: readonly ExecutorEvent[]) => events.map(({ type }) => type);

describe('an executor', () => {
  test('tells what its agent does, in one vocabulary', short, async () => {
    const alpha = await executor({
      answer: 'It lists todos.',
      events: [
        { kind: 'thinking', text: 'Let me see.' },
        { kind: 'tool-call', id: '7', name: 'shell', detail: 'ls', input: '{"command":"ls"}' },
        { kind: 'tool-output', id: '7', output: 'src' },
        { kind: 'command', id: '7', command: '', exit_code: 0, output: 'src' },
        { kind: 'approval-needed', id: '8', tool: 'file_write', what: 'a.txt', answer: 'denied' },
      ],
    });
    expect(alpha).toMatchObject({
      id: 'alpha',
      name: 'alpha',
      type: 'cli',
      vendor: 'vendor-alpha',
    });
    expect(await alpha.isAvailable()).toBe(true);
    const events = await all(alpha.execute(options()));
    expect(events).toMatchObject([
      { type: 'started', sessionId: 'mine-1', agentSession: expect.any(String) },
      { type: 'tool_call', name: 'search' },
      { type: 'thinking', content: 'Let me see.' },
      { type: 'tool_call', id: '7', name: 'shell', input: { command: 'ls' } },
      { type: 'tool_call', id: '7', name: 'shell', input: { command: 'ls' }, output: 'src' },
      { type: 'command', id: '7', command: 'ls', output: 'src', exitCode: 0 },
      { type: 'approval_needed', id: '8', options: ['allow', 'deny'] },
      { type: 'message', content: 'It lists todos.' },
      { type: 'usage', outputTokens: expect.any(Number) },
      { type: 'completed', summary: 'It lists todos.', model: 'alpha-model' },
    ]);
  });

  test(
    'tells each message whole once, also of an agent that tells only its pieces',
    short,
    async () => {
      const pieces = ['Let me ', 'see.'].map((text) => ({ kind: 'message', text, partial: true }));
      const call = { kind: 'tool-call', id: '7', name: 'shell', detail: 'ls' };
      const alpha = await executor({ answer: 'It lists todos.', events: [...pieces, call] });
      const events = await all(alpha.execute(options()));
      const whole = events.filter((one) => one.type === 'message' && one.partial !== true);
      expect(whole).toMatchObject([{ content: 'Let me see.' }, { content: 'It lists todos.' }]);
    },
  );

  test('warns of what its agent does not enforce, before all else', async () => {
    const alpha = await executor({ answer: 'Done.' });
    const permissions = { sandboxMode: 'full-auto', denied: ['web'] } as const;
    const [first, second] = await all(alpha.execute(options({ permissions, maxTurns: 3 })));
    expect(first).toEqual({ type: 'warning', message: expect.stringContaining('not enforced: ') });
    expect(second?.type).toMatch(/warning|started/);
  });

  test('says of an error whether the same request may succeed later', async () => {
    const alpha = await executor({ exit: 3, stderr: 'out of memory' });
    expect((await all(alpha.execute(options()))).at(-1)).toMatchObject({
      type: 'error',
      recoverable: true,
      category: 'crashed',
    });
    writeFileSync(join(rig.home, 'alpha.json'), 'no JSON');
    rig.config('[agents.alpha]\npath = "/nowhere/program"\n');
    const missing = (await open()).get('alpha');
    expect(await missing?.isAvailable()).toBe(false);
    const events = await all(missing?.execute(options()) ?? alpha.execute(options()));
    expect(events).toMatchObject([
      { type: 'started' },
      { type: 'error', recoverable: false, category: 'not-installed' },
    ]);
  });

  test('whose quota is used up says in every conversation when it can be asked again', async () => {
    const alpha = await executor({ exit: 1, stderr: 'insufficient_quota: check your plan' });
    const ask = (sessionId: string) => all(alpha.execute(options({ sessionId })));
    expect((await ask('one')).at(-1)).toMatchObject({ category: 'quota-used-up' });
    const told = (await ask('two')).at(-1);
    expect(told).toMatchObject({ type: 'error', category: 'not-asked', recoverable: true });
    const { retryAfter, message } = { retryAfter: null, message: '', ...told };
    expect(retryAfter).toBeGreaterThan(3_500_000);
    expect(message).toContain('asked again in 60 minutes, or at once by a new process');
  });

  test('takes a message while a turn runs as the next turn, and none while no turn runs', async () => {
    const alpha = await executor({ answer: 'Yes.', waits_for: ['said', 'yes'] });
    await expect(alpha.sendMessage('mine-1', 'And?')).rejects.toThrow('call execute');
    const events: ExecutorEvent[] = [];
    for await (const event of alpha.execute(options())) {
      if (events.length === 0) {
        await alpha.sendMessage('mine-1', 'And the tests?');
        writeFileSync(join(rig.home, 'said'), 'yes');
      }
      events.push(event);
    }
    expect(typesOf(events).filter((type) => type === 'completed')).toHaveLength(2);
    // It has no session of its own, so the next turn is told of this one.
    const asked = events.flatMap((one) => (one.type === 'usage' ? one.inputTokens : []));
    expect(asked[1]).toBeGreaterThan((asked[0] ?? 0) + 20);
    await alpha.dispose('mine-1');
    const anew = await all(alpha.execute(options()));
    expect(anew).toContainEqual(expect.objectContaining({ type: 'usage', inputTokens: asked[0] }));
    await expect(all(alpha.execute(options({ resumeSessionId: 'S-9' })))).rejects.toThrow(
      'leave out resumeSessionId',
    );
  });

  test('goes on with the agent’s own session, also one of an earlier process', short, async () => {
    // It calls itself as a program that is known to take sessions up again.
    const command = JSON.stringify([process.execPath, fixture('acp'), 'copilot']);
    rig.config(`[agents.talker]\nacp = ${command}\nvendor = "me"\n`);
    const talker = (await open()).get('talker');
    if (talker === undefined) throw new Error('talker is not there');
    const [first] = await all(talker.execute(options()));
    expect(first).toMatchObject({ type: 'started', agentSession: 'S-1' });
    const later = await all(talker.execute(options({ prompt: 'And the tests?' })));
    expect(later[0]).toMatchObject({ agentSession: 'S-1' });
    const resumed = await all(
      talker.execute(options({ sessionId: 'other', resumeSessionId: 'S-9' })),
    );
    expect(resumed[0]).toMatchObject({ agentSession: 'S-9' });
    expect(resumed.at(-1)).toMatchObject({ type: 'completed', agentSession: 'S-9' });
  });

  test.each(['cancel', 'dispose', 'break'] as const)(
    'leaves no process after %s',
    short,
    async (how) => {
      const alpha = await executor({ answer: 'Late.', delay_ms: 600_000 });
      const left = () => commandLines().filter((line) => line.includes(rig.home));
      const events: ExecutorEvent[] = [];
      for await (const event of alpha.execute(options())) {
        events.push(event);
        if (event.type !== 'tool_call') continue;
        expect(left()).not.toEqual([]);
        if (how === 'break') break;
        void alpha[how]('mine-1');
      }
      expect(left()).toEqual([]);
      expect(events.at(-1)?.type).toBe(how === 'break' ? 'tool_call' : 'cancelled');
      expect(witnessed(rig, 'alpha').some((line) => line.startsWith('end'))).toBe(false);
      await until('the watcher of the run has gone', () => watchersOfOurs() === 0);
    },
  );

  test('that may only read fails where its agent writes', short, async () => {
    const edits = { 'made.txt': 'made' };
    const alpha = await executor({ answer: 'Done.', edits });
    expect((await all(alpha.execute(options()))).at(-1)).toMatchObject({ type: 'error' });
    expect(existsSync(join(rig.repo, 'made.txt'))).toBe(false);
    const permissions = { sandboxMode: 'full-auto' } as const;
    expect((await all(alpha.execute(options({ permissions })))).at(-1)).toMatchObject({
      type: 'completed',
    });
    expect(existsSync(join(rig.repo, 'made.txt'))).toBe(true);
  });

  test.each([
    [{ prompt: ' ' }, 'prompt must not be empty'],
    [{ workingDirectory: 'src' }, 'workingDirectory must be an absolute path'],
    [{ timeout: 0 }, 'timeout must'],
    [{ permissions: { allowed: ['fly'] } }, 'permissions.allowed.0 must be'],
    [{ permissions: { allowAll: true, sandboxMode: 'read-only' } }, 'cannot be combined with'],
    [{ sessionID: 'x' }, 'sessionID is not a known field'],
  ])('refuses the options %j', async (more, message) => {
    const alpha = await executor({ answer: 'Done.' });
    expect(() => alpha.execute(Object.assign({ ...options() }, more))).toThrow(message);
  });
});

function watchersOfOurs(): number {
  const children = `/proc/${process.pid}/task/${process.pid}/children`;
  const pids = readFileSync(children, 'utf8').split(' ').filter(Boolean);
  const lines = pids.map((pid) =>
    existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '',
  );
  return lines.filter((line) => line.includes('run-watcher')).length;
}

/** An executor that only says something. */
function saying(id: string, more: Partial<Executor> = {}): Executor {
  return {
    id,
    name: id,
    type: 'built-in',
    isAvailable: async () => true,
    async *execute({ sessionId }) {
      yield { type: 'started', sessionId, timestamp: Date.now() };
      yield { type: 'completed', summary: 'Hello.' };
    },
    sendMessage: async () => undefined,
    cancel: async () => undefined,
    dispose: async () => undefined,
    ...more,
  };
}

describe('the registry', () => {
  test('knows built-in executors and own ones alike', async () => {
    configureVendors(rig, { alpha: {} });
    rig.config(`${rig.configured()}\n[agents.opus]\ncli = "claude"\nmodel = "opus"\n`);
    const registry = await open();
    const own = saying('mine', { models: ['my-model'] });
    registry.register(own);
    registry.register(saying('away', { isAvailable: async () => false }));
    expect(registry.get('mine')).toBe(own);
    expect(registry.getForAgent('MINE')).toBe(own);
    expect(registry.getForModel('my-model')).toBe(own);
    expect(registry.getForAgent('Claude')?.id).toBe('claude');
    expect(registry.getForModel('opus')?.id).toBe('opus');
    expect(registry.getForModel('gpt-5.2')).toBe(registry.get('gpt-5-2'));
    expect(registry.get('gpt-5-2')?.name).toBe(registry.get('codex')?.name);
    expect(registry.get('structure')).toBeUndefined();
    expect(registry.getForAgent('nobody')).toBeUndefined();
    expect(registry.getForModel('llama3:8b')).toBeUndefined();
    const available = await registry.getAvailable();
    expect(available.map(({ id }) => id)).toEqual(['mine', 'alpha']);
  });

  test.each(['claude', 'local', 'structure', 'Mine', '', '-x'])(
    'refuses an executor %j',
    async (id) => {
      const registry = await open();
      expect(() => registry.register(saying(id))).toThrow(/^register: /);
    },
  );
});
