// Tests agents that speak ACP against a small fake one.
import { realpathSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentRequest } from '../../../src/agents/agent.ts';
import { type AcpSettings, acpSetup } from '../../../src/agents/acp/acp-setup.ts';
import { acpProgramOf } from '../../../src/agents/acp/programs.ts';
import { turnEvents } from '../../../src/agents/acp/acp-dialogue.ts';
import { updateReader } from '../../../src/agents/acp/updates.ts';
import { cliAgent } from '../../../src/agents/cli/cli-agent.ts';
import { type AgentRoom, agentRoom, fake, type Limits, runToEnd, until } from '../agent-room.ts';
import { marked } from '../../contract/processes.ts';

let room: AgentRoom;
beforeEach(() => {
  room = agentRoom();
});
afterEach(() => room.remove());

const talker = (own: readonly string[], mode?: string) =>
  runner([process.execPath, fake('acp'), ...own], mode);

/** Runs a program without a confinement, so that it may leave traces. */
function runner(command: AcpSettings['command'], mode?: string) {
  const environment = { PATH: process.env['PATH'] };
  const acp = { command, mode };
  const setup = acpSetup({ name: 'talker', acp, settings: {}, environment });
  const { isUntried: _, ...adapter } = setup.adapter;
  return cliAgent({ ...setup, adapter });
}

type More = Partial<Omit<AgentRequest, 'limits'>> & { limits?: Limits };
const ask = (own: readonly string[], { mode, ...more }: More & { mode?: string } = {}) =>
  runToEnd(talker(own, mode), room.request(more));

/** The lines that it was sent. */
const sent = () =>
  room
    .file('stderr.log')
    .trim()
    .split('\n')
    .map((line): { method?: string; params?: unknown; result?: unknown } => JSON.parse(line));

describe('an ACP agent', () => {
  test('is shown its session and its mode before the prompt, and answers whole', async () => {
    const { end } = await ask([], { role: 'You are careful.' });
    expect(end).toMatchObject({
      ok: true,
      text: 'Hello to you, dear reader.',
      facts: {
        agentSession: 'S-1',
        version: '3.2.1',
        tokens: { input: 21, output: 8, cached: 5 },
        notes: [],
      },
    });
    expect(sent().map(({ method }) => method)).toEqual([
      'initialize',
      'session/new',
      'session/set_mode',
      'session/prompt',
    ]);
    const [, , setMode, prompt] = sent();
    expect(setMode?.params).toEqual({ sessionId: 'S-1', modeId: 'https://x/modes#plan' });
    expect(JSON.stringify(prompt?.params)).toContain('You are careful.\\n\\nWhat should we do?');
  });

  test('may print text before its first line, which is no part of its answer', async () => {
    const { end } = await ask(['plain']);
    expect(end).toMatchObject({
      text: 'Hello to you, dear reader.',
      facts: { unknownEvents: 1 },
    });
  });

  test('is heard to its end, also after it has told that its turn is over', async () => {
    const { end } = await ask(['late']);
    expect(end).toMatchObject({ ok: true, text: 'Hello to you, dear reader. And goodbye.' });
  });

  test('that tells of another session is not heard there', async () => {
    const { end } = await ask(['stranger']);
    expect(end).toMatchObject({
      text: 'Hello to you, dear reader.',
      facts: { unknownEvents: 1 },
    });
  });

  test.each([
    ['Warning: the call in a.js is unsafe.\n', 'The rest is fine.'],
    ['Info: nothing here needs a change; the plan is empty.'],
    ['**Warning:** We should not touch a.js.'],
    ['[MODE_UPDATE] of the parser is missing.'],
    ['Error: its handling is missing in a.js.'],
  ])('keeps an answer that begins like a remark of a program: %s', async (...chunks) => {
    const { end } = await ask(['say', ...chunks]);
    expect(end).toMatchObject({ ok: true, text: chunks.join('') });
  });

  test('is asked to tell its notices apart from its answer', async () => {
    await ask([]);
    expect(sent()[0]?.params).toMatchObject({ clientCapabilities: { session: { notices: {} } } });
  });

  test.each([
    ['modeless', 'it cannot be told the model sonnet, and answers with its own'],
    [
      'models',
      'it cannot be told the model sonnet, and answers with its own; it offers small, big',
    ],
  ])(
    'that cannot be told its model (%s) claims none, and its receipt says why',
    async (own, note) => {
      const { end, events } = await ask([own], { model: 'sonnet' });
      const model = own === 'models' ? 'small' : null;
      expect(end).toMatchObject({ ok: true, facts: { model, notes: [note] } });
      expect(events).toContainEqual({ type: 'warning', message: note });
    },
  );

  test('that offers a model is told it, and is known to answer with it', async () => {
    const { end } = await ask(['models'], { model: 'big' });
    expect(end).toMatchObject({ ok: true, facts: { model: 'big', notes: [] } });
    expect(sent().map(({ method }) => method)).toContain('session/set_model');
  });

  test('that answers nothing is left, and the failure names what it owes', async () => {
    const { end } = await ask(['mute'], { limits: { firstOutputMs: 2_000 } });
    expect(end).toMatchObject({
      failure: {
        category: 'silent',
        detail: 'no output within 2 s; it has not answered "initialize"',
      },
    });
  });

  test('of another version of the protocol is told from one that fails', async () => {
    const { end } = await ask(['future']);
    expect(end).toMatchObject({
      failure: {
        category: 'request-refused',
        detail: expect.stringContaining('it speaks version 7 of the Agent Client Protocol'),
      },
    });
  });

  test('that ends before it speaks is a crash, with what it said', async () => {
    const words = ['-e', 'console.error("Error: no such flag"); process.exit(2)'];
    const agent = runner([process.execPath, ...words]);
    const { end } = await runToEnd(agent, room.request());
    expect(end).toMatchObject({
      failure: { category: 'crashed', detail: expect.stringMatching(/no such flag.*"initialize"/) },
    });
  });

  test('is not asked while it lacks the mode that was chosen', async () => {
    const { end } = await ask([], { mode: 'ask-first' });
    expect(end).toMatchObject({
      failure: {
        category: 'permission-refused',
        detail: 'it has no mode "ask-first"; it offers build, https://x/modes#plan',
      },
    });
    expect(sent().map(({ method }) => method)).not.toContain('session/prompt');
  });

  test('without modes is asked all the same, as what it asks for is refused', async () => {
    const { end } = await ask(['modeless']);
    expect(end.ok).toBe(true);
  });

  test.each([
    [401, 'Unauthorized', 'not-logged-in'],
    [-32_000, 'Authentication required', 'not-logged-in'],
    [-32_000, 'Rate limit exceeded', 'rate-limited'],
    [429, 'Too many requests', 'rate-limited'],
    [-32_603, 'Internal error', 'unknown'],
  ])('that refuses with %s is a failure of its kind', async (code, words, category) => {
    const { end } = await ask(['refuse', String(code), words]);
    expect(end).toMatchObject({ failure: { category, detail: expect.stringContaining(words) } });
  });

  test('that is not logged in is told with the logins that it offers', async () => {
    const { end } = await ask(['logins', 'refuse', '-32000', 'Authentication required']);
    const detail = 'Authentication required; it offers these logins: Log in (run: fake login), Key';
    expect(end).toMatchObject({
      failure: { category: 'not-logged-in', detail: expect.stringContaining(detail) },
    });
    expect(JSON.stringify(end)).not.toContain(process.execPath);
  });

  test('is asked to end its turn where it is cancelled, and leaves no process', async () => {
    const abort = new AbortController();
    const request = room.request();
    const running = runToEnd(talker(['hang']), request, abort.signal);
    await until('it was asked', () => {
      try {
        return room.file('stderr.log').includes('session/prompt');
      } catch {
        return false;
      }
    });
    abort.abort();
    const { events, end } = await running;
    expect(end).toMatchObject({ failure: { category: 'cancelled' } });
    expect(events.at(-1)).toMatchObject({ type: 'cancelled' });
    expect(sent().at(-1)?.method).toBe('session/cancel');
    expect(marked(request.mark)).toEqual([]);
  });
});

describe('what an ACP agent asks for', () => {
  const all = ['allow_always', 'allow_once', 'reject_once', 'reject_always'];
  type Asked = More & { path?: string; choices?: string[]; told?: string; raw?: object };
  const chosen = async (kind: string, more: Asked = {}) => {
    const { path = 'src/a.js', choices = all, told = '', raw, ...request } = more;
    const input = raw === undefined ? [] : ['raw', JSON.stringify(raw)];
    const { events } = await ask([told, ...input, 'ask', kind, path, ...choices], request);
    const { outcome } = JSON.parse(JSON.stringify(sent().find(({ result }) => result)?.result));
    const denied = events.filter((event) => event.type === 'approval_needed').length;
    return [outcome.optionId ?? outcome.outcome, denied];
  };

  test.each([
    ['read', 'read-only', 'allow_once'],
    ['edit', 'read-only', 'reject_once'],
    ['execute', 'read-only', 'reject_once'],
    ['other', 'read-only', 'reject_once'],
    ['edit', 'edit', 'allow_once'],
    ['execute', 'edit', 'reject_once'],
    ['execute', 'edit-and-shell', 'allow_once'],
    ['fetch', 'edit-and-shell', 'reject_once'],
    ['switch_mode', 'full', 'allow_once'],
  ] as const)('%s is answered as %s has it: %s', async (kind, permission, answer) => {
    const denials = answer === 'allow_once' ? 0 : 1;
    expect(await chosen(kind, { permission })).toEqual([answer, denials]);
  });

  test.each(['/etc/passwd', '../outside.js'])('an edit of %s is refused', async (path) => {
    expect(await chosen('edit', { permission: 'edit', path })).toEqual(['reject_once', 1]);
  });

  test.each(['input', 'diff'])('is judged by the place that its %s names', async (told) => {
    const edit = { permission: 'edit', told } as const;
    expect(await chosen('edit', edit)).toEqual(['allow_once', 0]);
    expect(await chosen('edit', { ...edit, path: '/etc/passwd' })).toEqual(['reject_once', 1]);
  });

  test('is refused where it would change a file and names none', async () => {
    const edit = { permission: 'edit', told: 'placeless' } as const;
    expect(await chosen('edit', edit)).toEqual(['reject_once', 1]);
    expect(await chosen('delete', edit)).toEqual(['reject_once', 1]);
  });

  test.each([
    '/etc/shadow',
    '../other.js',
    '~/.ssh/id_rsa',
    'file:///etc/shadow',
    'secret/x',
    'own',
  ])('may not read %s, outside of its folder', async (path) => {
    symlinkSync('/etc', join(room.folder, 'secret'));
    symlinkSync('/etc/hostname', join(room.folder, 'own'));
    expect(await chosen('read', { path })).toEqual(['reject_once', 1]);
    expect(await chosen('search', { told: 'placeless', raw: { where: { dirs: [path] } } })).toEqual(
      ['reject_once', 1],
    );
  });

  test('is read in a folder that was given to it, but not where others’ answers lie', async () => {
    const path = join(realpathSync(tmpdir()), 'x.js');
    expect(await chosen('read', { path, extraDirs: [tmpdir()] })).toEqual(['allow_once', 0]);
    expect(await chosen('read', { hidden: [join(room.folder, 'src')] })).toEqual([
      'reject_once',
      1,
    ]);
  });

  test.each([
    ['think', { command: 'rm -rf /' }],
    ['search', { command: ['id'] }],
    ['read', { cmd: 'cat src/a.js' }],
    ['other', { command: 'id' }],
    ['think', {}],
    ['search', {}],
    ['read', { thought: 'I am only looking' }],
  ])('is not allowed because it is called %s: %o', async (kind, raw) => {
    expect(await chosen(kind, { told: 'placeless', raw })).toEqual(['reject_once', 1]);
  });

  test.each([
    ['think', { thought: 'hm' }],
    ['search', { query: 'list' }],
  ])('is allowed without a place where it looks at none: %s', async (kind, raw) => {
    expect(await chosen(kind, { told: 'placeless', raw })).toEqual(['allow_once', 0]);
  });

  test.each([
    ['elink/x', '/etc'],
    ['elink', '/etc/nothing-there-yet'],
    ['elink/pre-commit', '.git/hooks'],
  ])('may not edit %s, which is a link to %s', async (path, target) => {
    symlinkSync(target, join(room.folder, 'elink'));
    expect(await chosen('edit', { permission: 'edit', path })).toEqual(['reject_once', 1]);
  });

  test.each(['.git/hooks/pre-commit', 'sub/.git', '.GIT/config', '.', '~/x', 'sub/../../x'])(
    'may not edit %s',
    async (path) => {
      expect(await chosen('edit', { permission: 'edit', path })).toEqual(['reject_once', 1]);
    },
  );

  test('may not run a command that was denied, even with every permission', async () => {
    const denied = { permission: 'full', denied: ['shell'] } as const;
    expect(await chosen('execute', denied)).toEqual(['reject_once', 1]);
    expect(await chosen('other', { ...denied, raw: { command: 'id' } })).toEqual([
      'reject_once',
      1,
    ]);
    expect(await chosen('edit', { ...denied, path: '/etc/x' })).toEqual(['allow_once', 0]);
  });

  test('may have been told in advance', async () => {
    const edit = { permission: 'edit', told: 'known' } as const;
    expect(await chosen('edit', edit)).toEqual(['allow_once', 0]);
    expect(await chosen('edit', { ...edit, path: '/etc/passwd' })).toEqual(['reject_once', 1]);
    expect(await chosen('edit', { told: 'known' })).toEqual(['reject_once', 1]);
  });

  test('is judged by the latest that was told of it', async () => {
    const raw = { file_path: 'src/a.js' };
    const edit = { permission: 'edit', told: 'renamed', raw } as const;
    expect(await chosen('edit', edit)).toEqual(['reject_once', 1]);
  });

  test('for another session is broken off', async () => {
    const edit = { permission: 'edit', told: 'foreign' } as const;
    expect(await chosen('edit', edit)).toEqual(['cancelled', 1]);
  });

  test('is broken off where it offers no way to refuse', async () => {
    expect(await chosen('edit', { choices: ['allow_once'] })).toEqual(['cancelled', 1]);
  });

  test('is never allowed for longer than once', async () => {
    const only = { permission: 'full', choices: ['allow_always', 'reject_once'] } as const;
    expect(await chosen('edit', { ...only, choices: [...only.choices] })).toEqual([
      'reject_once',
      1,
    ]);
  });

  test('makes a change of a file only where it was allowed', async () => {
    const command = ['ask', 'edit', 'src/a.js', ...all];
    const refused = await ask(command);
    expect(refused.end.facts.filesChanged).toEqual([]);
    const allowed = await ask(command, { permission: 'edit' });
    expect(allowed.end.facts.filesChanged).toEqual(['src/a.js']);
    expect(allowed.events.filter(({ type }) => type === 'file_change')).toMatchObject([
      { id: 'C-1', state: 'completed' },
    ]);
  });
});

const tokensOf = (result: Readonly<Record<string, unknown>>) =>
  turnEvents({ stopReason: 'end_turn', ...result }, { isLeaving: false, said: '' }).flatMap(
    (event) =>
      event.type === 'usage'
        ? [{ input: event.inputTokens, output: event.outputTokens, cached: event.cachedTokens }]
        : [],
  );

const chunk = (text: string) => ({
  sessionUpdate: 'agent_message_chunk',
  content: { type: 'text', text },
});

describe('the tokens of a turn', () => {
  test('are read in each of the ways in which programs tell them', () => {
    const whole = { inputTokens: 1000, outputTokens: 50, totalTokens: 1050, cachedReadTokens: 400 };
    const apart = { inputTokens: 600, outputTokens: 30, totalTokens: 1050, thoughtTokens: 20 };
    const told = [{ input: 1000, output: 50, cached: 400 }];
    expect(tokensOf({ usage: whole })).toEqual(told);
    expect(tokensOf({ usage: { ...apart, cachedReadTokens: 400 } })).toEqual(told);
    // Thoughts may be among what was given, where only what was cached is apart.
    const among = { ...apart, outputTokens: 50, cachedReadTokens: 400 };
    expect(tokensOf({ usage: among })).toEqual(told);
    const cache = { cachedReadTokens: 5, cachedWriteTokens: 3, totalTokens: 26 };
    expect(tokensOf({ usage: { inputTokens: 11, outputTokens: 7, ...cache } })).toEqual([
      { input: 19, output: 7, cached: 5 },
    ]);
    const quota = { token_count: { input_tokens: 1000, output_tokens: 20 } };
    expect(tokensOf({ _meta: { quota } })).toEqual([{ input: 1000, output: 20, cached: 0 }]);
    expect(tokensOf({})).toEqual([]);
  });

  test('are missing where a program says its error as its text', () => {
    const said = 'Error: Authentication failed with provider (HTTP 401).';
    const ownError = acpProgramOf(['copilot', '--acp'])?.remarks?.error;
    const [error] = turnEvents({ stopReason: 'end_turn' }, { isLeaving: false, said, ownError });
    expect(error).toMatchObject({ type: 'error', category: 'not-logged-in', message: said });
  });
});

test('a turn that ends because a call was refused says which one', () => {
  const facts = { isLeaving: false, said: '', refused: 'Edit files' };
  expect(turnEvents({ stopReason: 'cancelled' }, facts)).toMatchObject([
    { category: 'permission-refused', message: expect.stringContaining('refused: Edit files') },
  ]);
  expect(turnEvents({ stopReason: 'end_turn' }, facts)).toMatchObject([{ type: 'completed' }]);
});

test.each([{}, { stopReason: null }, { stopReason: 'budget' }])(
  'a turn that ends with %j counts, and the unknown reason is told',
  (result) => {
    expect(turnEvents(result, { isLeaving: false, said: 'Done.' })).toMatchObject([
      { type: 'warning', message: expect.stringContaining('not known') },
      { type: 'completed' },
    ]);
  },
);

const readerOf = (...command: string[]) => updateReader(acpProgramOf(command)?.remarks);

describe('the updates of a turn', () => {
  test.each([
    ['gemini', '[MODE_UPDATE] plan'],
    [
      'codex-acp',
      'Warning: Model metadata for `x` not found. Defaulting to fallback metadata.\n\n',
    ],
    ['claude-agent-acp', '**Warning:** We’re changing auto mode to no longer charge for it.'],
    ['claude-agent-acp', "**Warning:** We're changing auto mode to no longer charge for it."],
  ])('hold remarks of %s before its model speaks: %s', (command, remark) => {
    const { read } = readerOf(command);
    expect(read(chunk(remark))).toMatchObject([{ type: 'warning', message: remark.trim() }]);
    expect(read(chunk('{"a":'))).toMatchObject([{ type: 'message' }]);
    expect(read(chunk(remark))).toMatchObject([{ type: 'message', content: remark }]);
    // They are words of a model where they come from any other program.
    expect(readerOf('other').read(chunk(remark))).toMatchObject([{ type: 'message' }]);
  });

  test('tell a notice apart, where the program does', () => {
    const notice = { sessionUpdate: 'notice', severity: 'warning', title: 'Old', description: 'x' };
    expect(updateReader().read(notice)).toEqual([{ type: 'warning', message: 'Old: x' }]);
    expect(updateReader().read({ ...notice, description: null })).toEqual([
      { type: 'warning', message: 'Old' },
    ]);
  });

  test('tell of a retry in the middle of an answer, which is no part of it', () => {
    const { read } = readerOf('copilot', '--acp');
    read(chunk('{"a":'));
    const retry = 'Info: Request failed due to a transient API error. Retrying...';
    expect(read(chunk(retry))).toMatchObject([{ type: 'retrying', reason: retry }]);
  });

  test('of a command end in that command with its output, under one id', () => {
    const { read } = updateReader();
    const call = { toolCallId: 'c', kind: 'execute', rawInput: { command: 'ls' }, title: 'List' };
    const done = {
      toolCallId: 'c',
      status: 'completed',
      rawOutput: { output: 'a.js', exitCode: 0 },
    };
    expect(read({ sessionUpdate: 'tool_call', ...call })).toMatchObject([
      { type: 'tool_call', id: 'c', name: 'execute', detail: 'List', state: 'started' },
    ]);
    expect(read({ sessionUpdate: 'tool_call_update', ...done })).toEqual([
      { type: 'command', id: 'c', state: 'completed', command: 'ls', exitCode: 0, output: 'a.js' },
    ]);
  });
});
