import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Agent } from '../../../src/agents/agent.ts';
import { cliReadiness } from '../../../src/agents/cli/cli-readiness.ts';
import { cliAgent } from '../../../src/agents/cli/cli-agent.ts';
import type { CliAgentSettings } from '../../../src/agents/cli/cli-setup.ts';
import { programAdapter } from '../../../src/agents/cli/own-program.ts';
import type { FailureCategory } from '../../../src/model/agent-event.ts';
import {
  agentRoom,
  fakeAgent,
  openProgram,
  runToEnd,
  until,
  type AgentRoom,
  type Limits,
} from '../agent-room.ts';

let room: AgentRoom;
beforeEach(() => {
  room = agentRoom();
});
afterEach(() => room.remove());

const inline = (code: string, more: CliAgentSettings = {}) =>
  cliAgent({
    adapter: openProgram,
    settings: { path: process.execPath, args: ['-e', code, '--'], ...more },
    environment: { PATH: process.env['PATH'] },
  });
const endOf = async (agent: Agent, more: Parameters<AgentRoom['request']>[0] = {}) =>
  (await runToEnd(agent, room.request(more))).end;
/** An agent that prints these lines and ends. */
const saying = (lines: readonly unknown[], exit = 0) =>
  inline(
    `${lines.map((line) => `console.log(${JSON.stringify(typeof line === 'string' ? line : JSON.stringify(line))});`).join('')} process.exitCode = ${exit};`,
  );
describe('answers', () => {
  test('are the final text, with everything that is known about the run', async () => {
    const script = join(room.folder, 'script.json');
    const witness = join(room.folder, 'witness');
    const answer = { recommended: null, solutions: [], questions: ['Why?'] };
    writeFileSync(
      script,
      JSON.stringify({ witness, model: 'm-9', version: '2.1.0', propose: { answer } }),
    );
    const prompt =
      'conclave question: {"session":"S1","phase":"propose","round":2,"repair":false}\nPlease.';
    const { events, end } = await runToEnd(fakeAgent('vendor', [script]), room.request({ prompt }));
    expect(end.ok && JSON.parse(end.text)).toEqual({ session: 'S1', round: 2, ...answer });
    expect(events.map(({ type }) => type)).toEqual([
      'started',
      'tool_call',
      'message',
      'usage',
      'completed',
    ]);
    expect(end.facts).toMatchObject({
      model: 'm-9',
      version: '2.1.0',
      exitCode: 0,
      signal: null,
      costUsd: null,
      unknownEvents: 0,
      filesChanged: [],
      notes: [],
    });
    expect(end.facts.agentSession).toMatch(/^m-9-\d+$/);
    expect(end.facts.tokens?.input).toBe(prompt.length >> 2);
    expect(end.facts.outputBytes).toBe(room.file('events.jsonl').length);
    expect(Date.parse(end.facts.startedAt)).toBeGreaterThan(Date.now() - 60_000);
    expect(room.file('witness')).toMatch(/^start propose-2 (\d+) \d+\nend propose-2 \1 \d+\n$/);
  });

  test('are none where their text is blank', async () => {
    const end = await endOf(saying([{ kind: 'completed', text: ' ' }]));
    expect(end).toMatchObject({ ok: false, failure: { category: 'empty-answer' } });
  });

  test('are kept where the exit code is bad, with a note', async () => {
    const end = await endOf(saying([{ kind: 'completed', text: 'good' }], 1));
    expect(end).toMatchObject({ ok: true, text: 'good' });
    expect(end.facts.notes).toEqual(['it ended with exit code 1 after its answer']);
  });

  test('are kept where the program hangs after them', async () => {
    const limits = { idleMs: 150 };
    const end = await endOf(fakeAgent('hang-after-first-line', ['answered']), { limits });
    expect(end).toMatchObject({ ok: true, text: 'all of it' });
    expect(end.facts.notes).toEqual([
      'it did not end after its answer and was stopped (idle limit)',
    ]);
  });

  test('that come after an error count, and an error after them takes them back', async () => {
    const error = { kind: 'error', category: 'network', text: 'lost' };
    const completed = { kind: 'completed', text: 'good' };
    expect((await runToEnd(saying([error, completed]), room.request())).end.ok).toBe(true);
    const end = await endOf(saying([completed, error]));
    expect(end).toMatchObject({ ok: false, failure: { category: 'network', detail: 'lost' } });
  });

  test('do not count where a program gives them only because it was told to end', async () => {
    const code = `process.on('SIGTERM', () => { console.log('{"kind":"completed","text":"success"}'); process.exit(0); });
      console.log('{"kind":"thinking","text":"hm"}'); setInterval(() => {}, 1e6);`;
    const end = await endOf(inline(code), { limits: { idleMs: 150, graceMs: 60_000 } });
    expect(end).toMatchObject({ ok: false, failure: { category: 'timed-out' } });
  });

  test('add up usage and name changed files once', async () => {
    const usage = { kind: 'usage', tokens: { input: 10, output: 1, cached: 5 }, cost_usd: 0.25 };
    const change = { kind: 'file-change', path: 'a.ts' };
    const end = await endOf(
      saying([usage, change, usage, change, { kind: 'completed', text: 'x' }]),
    );
    expect(end.facts).toMatchObject({
      tokens: { input: 20, output: 2, cached: 10 },
      costUsd: 0.5,
      filesChanged: ['a.ts'],
    });
  });

  test('survive garbage around them, which is counted and shown', async () => {
    const { events, end } = await runToEnd(fakeAgent('garble', ['answered']), room.request());
    expect(end).toMatchObject({ ok: true, text: 'it’s fine' });
    expect(end.facts.unknownEvents).toBe(7);
    expect(events.filter(({ type }) => type === 'unknown')).toHaveLength(7);
    expect(events).toContainEqual({ type: 'unknown', line: '{"kind":"mess' });
  });

  test('survive a flood of output before them, and a line that is too long to be read', async () => {
    const { events, end } = await runToEnd(fakeAgent('flood', ['12', 'one-line']), room.request());
    const bytes = 12 * 1_048_576;
    expect(end).toMatchObject({ ok: true, text: 'after the flood' });
    expect(events[0]).toEqual({ type: 'unknown', line: `(a line of ${bytes} bytes was left out)` });
    expect(end.facts.notes.toSorted()).toEqual([
      `1 line over 1 MB left out, the longest of ${bytes} bytes`,
      'only the first 10 MB of 12 MB of the output were kept',
    ]);
  });

  test('come with the whole flood of unknown lines only counted', async () => {
    const code =
      'process.stdout.write("y\\n".repeat(30_000)); console.log(`{"kind":"completed","text":"x"}`)';
    const { events, end } = await runToEnd(inline(code), room.request());
    expect(events).toHaveLength(10_001);
    expect(end.facts.unknownEvents).toBe(30_000);
    expect(end.facts.notes).toEqual(['most of its unknown lines were only counted']);
  });
});

describe('failures', () => {
  const cells: readonly (readonly [string, string[], FailureCategory, string, Limits?])[] = [
    ['hang', [], 'silent', 'no output within 0.2 s', { firstOutputMs: 200 }],
    [
      'crash',
      ['SIGKILL'],
      'crashed',
      'it ended with signal SIGKILL: TypeError: Cannot read properties of undefined',
    ],
    ['garble', [], 'unknown', 'it ended without saying that its answer was complete'],
    [
      'not-logged-in',
      [],
      'not-logged-in',
      'Error: Not logged in. Please run "fake login" first. (to log in: see the documentation of fake)',
    ],
    [
      'rate-limited',
      ['3'],
      'rate-limited',
      'API error: status 429 Too Many Requests (retry-after: 3)',
    ],
  ];

  const named = cells.map((cell) => ({ name: [cell[0], ...cell[1]].join(' '), cell }));
  test.each(named)('the fake "$name"', async ({ cell }) => {
    const [name, args, category, detail, limits = {}] = cell;
    const end = await endOf(fakeAgent(name, args), { limits });
    const wait = name === 'rate-limited' ? 3_000 : null;
    expect(end).toMatchObject({
      ok: false,
      failure: { category, agent: 'fake', detail, retry_after_ms: wait },
    });
  });

  test('a prompt that would not be taken whole starts nothing', async () => {
    const adapter = { ...openProgram, maxPromptBytes: 10 };
    const settings = {
      path: process.execPath,
      args: ['-e', 'require("fs").writeFileSync("started", "")'],
    };
    const agent = cliAgent({ adapter, settings, environment: {} });
    const end = await endOf(agent, { prompt: 'ä'.repeat(6) });
    expect(end).toMatchObject({
      ok: false,
      failure: {
        category: 'request-refused',
        detail: 'the prompt has 12 bytes, of which it would take only 10',
      },
    });
    expect(existsSync(join(room.folder, 'started'))).toBe(false);
  });

  test('a cancelled run is cancelled, whatever it told before', async () => {
    const abort = new AbortController();
    const run = runToEnd(fakeAgent('hang-after-first-line'), room.request(), abort.signal);
    await until(
      'it has begun',
      () => existsSync(join(room.folder, 'events.jsonl')) && room.file('events.jsonl') !== '',
    );
    abort.abort();
    const { events, end } = await run;
    expect(end).toMatchObject({ ok: false, failure: { category: 'cancelled' } });
    expect(events.at(-1)).toEqual({ type: 'cancelled', what: null });
  });

  test('no secret of the environment reaches the detail', async () => {
    const agent = inline('console.error("cannot use", process.env.MY_KEY); process.exitCode = 1', {
      env: { MY_KEY: 'very-secret-value' },
    });
    const end = await endOf(agent);
    expect(end.ok ? '' : end.failure.detail).toBe('it ended with exit code 1: cannot use [MY_KEY]');
  });
});

describe('settings', () => {
  test('tell the model that was asked for where another one answered', async () => {
    const script = join(room.folder, 'other-model.json');
    writeFileSync(script, JSON.stringify({ answering: 'gpt-6.1-mini', else: { answer: '{}' } }));
    const factsWith = async (model: string) =>
      (await endOf(fakeAgent('vendor', [script], { model }), {})).facts;
    expect(await factsWith('gpt-6.1-sol')).toMatchObject({
      model: 'gpt-6.1-mini',
      askedModel: 'gpt-6.1-sol',
    });
    expect(await factsWith('openai/gpt-6.1-mini')).toMatchObject({ askedModel: null });
  });

  test('give the model where the request names none, and the time limit', async () => {
    const modelOf = async (model: string | null) => {
      const end = await endOf(fakeAgent('dump', [], { model: 'configured' }), { model });
      return end.ok ? JSON.parse(end.text).env.CONCLAVE_MODEL : null;
    };
    expect(await modelOf(null)).toBe('configured');
    expect(await modelOf('asked')).toBe('asked');
    const end = await endOf(fakeAgent('hang', [], { timeoutMs: 200 }));
    expect(end).toMatchObject({ ok: false, failure: { detail: 'not finished within 0.2 s' } });
  });

  test('give the vendor', () => {
    expect(fakeAgent('hang', [], { vendor: 'acme' }).vendorOf('m')).toBe('acme');
    expect(fakeAgent('hang').vendorOf('m')).toBe(null);
  });
});

describe('readiness', () => {
  const signal = new AbortController().signal;

  test('is path and version of a program that can be started', async () => {
    expect(await fakeAgent('hang').ready(signal)).toEqual({
      state: 'ready',
      path: process.execPath,
      version: '1.0.0',
    });
  });

  test('is asked for once', async () => {
    const code =
      'require("fs").appendFileSync(process.env.COUNT, "x"); console.log("fake 3.2.1-beta")';
    const count = join(room.folder, 'count');
    const agent = inline(code, { env: { COUNT: count } });
    const answers = await Promise.all([agent.ready(signal), agent.ready(signal)]);
    answers.push(await agent.ready(signal));
    expect(answers.map((answer) => answer.state === 'ready' && answer.version)).toEqual(
      Array(3).fill('3.2.1-beta'),
    );
    expect(readFileSync(count, 'utf8')).toBe('x');
  });

  test('does not call a program missing that takes too long to tell its version', async () => {
    const path = process.execPath;
    const setup = {
      adapter: openProgram,
      settings: { path, args: ['-e', 'setInterval(() => undefined, 1_000_000)', '--'] },
      environment: {},
    };
    expect(await cliReadiness(setup, 200).ready(signal)).toEqual({
      state: 'ready',
      path,
      version: null,
      note: 'it did not report its version within 0.2 s',
    });
  });

  test('is asked for again after no folder could be made for the question', async () => {
    const agent = inline('console.log("1.2")');
    vi.stubEnv('TMPDIR', join(room.folder, 'missing'));
    await expect(agent.ready(signal)).rejects.toThrow('missing');
    vi.unstubAllEnvs();
    expect(await agent.ready(signal)).toMatchObject({ state: 'ready', version: '1.2' });
  });

  test('is not hurt by a caller that gives up', async () => {
    const abort = new AbortController();
    const agent = inline('setTimeout(() => console.log("1.2"), 100)');
    const [first, second] = [agent.ready(abort.signal), agent.ready(signal)];
    abort.abort(new Error('no longer'));
    await expect(first).rejects.toThrow('no longer');
    expect(await second).toMatchObject({ state: 'ready', version: '1.2' });
  });

  test('says that it is switched off', async () => {
    expect(await fakeAgent('hang', [], { enabled: false }).ready(signal)).toEqual({
      state: 'disabled',
      why: 'it is switched off in the settings',
      remedy: 'Set "enabled = true" under [agents.fake] there.',
    });
  });

  test('says what is missing and how to get it', async () => {
    const install = 'curl is not the answer';
    const missing = fakeAgent('x', [], { path: '/nowhere/program', install });
    expect(await missing.ready(signal)).toEqual({
      state: 'not-installed',
      why: '"/nowhere/program" is not the absolute path of a program',
      remedy: `Install it: ${install}.`,
    });
    const agent = cliAgent({
      adapter: programAdapter('no-such-cli', null),
      settings: {},
      environment: { PATH: '/bin' },
    });
    expect(await agent.ready(signal)).toMatchObject({ why: '"no-such-cli" is not on PATH' });
  });

  test.each([
    'console.error("SyntaxError: \\u001b[31mbad"); process.exit(1)',
    'throw new SyntaxError("\\u001b[31mbad")',
  ])('says that a program is there but broken, by its error: %s', async (script) => {
    const answer = await inline(script).ready(signal);
    expect(answer.state).toBe('not-installed');
    expect('why' in answer && answer.why).toMatch(
      /--version" ended with exit code 1: SyntaxError: bad$/,
    );
  });
});
