import { describe, expect, test } from 'vitest';
import type { AgentRequest, RunFile, UserSide } from '../../src/agents/agent.ts';
import { gemini } from '../../src/agents/gemini.ts';
import type { FailureCategory } from '../../src/model/agent-failure.ts';
import { agentRoom, userWith } from './agent-room.ts';

const room = agentRoom();
room.remove();
const request = (more: Partial<AgentRequest> = {}): AgentRequest => ({
  ...room.request({ mark: 'mark-1', filesFolder: '/run' }),
  ...more,
});

const user = (files = {}, environment = {}) => userWith(environment, files);

const filesFor = (side = user(), asked = request()): Readonly<Record<string, RunFile>> =>
  gemini.files?.(asked, side) ?? {};
function settingsFor(side: UserSide, asked = request()): unknown {
  const file = filesFor(side, asked)['.gemini/settings.json'];
  return typeof file === 'string' ? JSON.parse(file) : file;
}

describe('the home of a run', () => {
  test.each([
    ['settings', '.gemini/settings.json', '{"security":{"auth":{"selectedType":"vertex-ai"}}}'],
    [
      'settings with comments',
      '.gemini/settings.json',
      '{\n  // mine\n  "security": { "auth": { "selectedType" : "vertex-ai" }, },\n}',
    ],
    ['settings of an older form', '.gemini/settings.json', '{"selectedAuthType": "vertex-ai"}'],
    ['variables', '.gemini/.env', 'GOOGLE_CLOUD_PROJECT=p\nGOOGLE_GENAI_USE_VERTEXAI=true\n'],
    ['variables of the home', '.env', 'export GOOGLE_GENAI_USE_VERTEXAI="true"\n'],
  ])('logs in as the user’s %s say', (_what, path, content) => {
    expect(settingsFor(user({ [`/home/user/${path}`]: content }))).toMatchObject({
      security: { auth: { selectedType: 'vertex-ai' } },
    });
  });

  test('logs in as the settings say where the variables say otherwise', () => {
    const files = {
      '/home/user/.gemini/settings.json': '{"security":{"auth":{"selectedType":"gemini-api-key"}}}',
      '/home/user/.gemini/.env': 'GOOGLE_GENAI_USE_GCA=true',
    };
    expect(settingsFor(user(files))).toMatchObject({
      security: { auth: { selectedType: 'gemini-api-key' } },
    });
  });

  test('leaves the login to the variables where the user chose none', () => {
    expect(settingsFor(user())).toHaveProperty('security', { folderTrust: { enabled: false } });
    const off = { '/home/user/.gemini/.env': '# GOOGLE_GENAI_USE_GCA=true\nOTHER=true\n' };
    expect(settingsFor(user(off))).toHaveProperty('security', { folderTrust: { enabled: false } });
  });

  test('links the login and the sessions to the user’s, wherever they are', () => {
    const moved = user(
      { '/elsewhere/.env': 'GEMINI_API_KEY=k' },
      { GEMINI_CLI_HOME: '/elsewhere' },
    );
    for (const [side, home] of [
      [user(), '/home/user'],
      [moved, '/elsewhere'],
    ] as const) {
      expect(filesFor(side)).toMatchObject({
        '.gemini/tmp': { linkTo: `${home}/.gemini/tmp`, kind: 'folder' },
        '.gemini/oauth_creds.json': { linkTo: `${home}/.gemini/oauth_creds.json`, kind: 'file' },
      });
    }
    expect(filesFor(moved)['.env']).toEqual({ linkTo: '/elsewhere/.env', kind: 'file' });
    expect(filesFor()).not.toHaveProperty('.env');
  });

  test('prefers the variables that are meant for it', () => {
    const both = user({ '/home/user/.gemini/.env': 'A=1', '/home/user/.env': 'A=2' });
    expect(filesFor(both)['.env']).toEqual({ linkTo: '/home/user/.gemini/.env', kind: 'file' });
  });

  test('knows the further folders, whatever their names are', () => {
    const extraDirs = ['/one, two', '/"three"'];
    expect(settingsFor(user(), request({ extraDirs }))).toMatchObject({
      context: { includeDirectories: extraDirs },
    });
  });
});

describe('a call', () => {
  test('names a model only where one was chosen', () => {
    expect(gemini.argv(request()).join()).not.toContain('--model');
    expect(gemini.argv(request({ model: 'flash' }))).toContain('--model=flash');
  });

  test('goes on with a session by its id, or begins one of ours', () => {
    const resume = { agentSession: 'S-1', cwd: '/repo' };
    expect(gemini.argv(request({ resume }))).toContain('--resume=S-1');
    expect(gemini.argv(request()).join(' ')).toMatch(/--session-id=[\da-f]{8}-[\da-f-]{27}$/);
    expect(gemini.argv(request({ resume })).join(' ')).not.toContain('--session-id');
  });

  test('gives the prompt below a command that only this run has', () => {
    const [command, ...rest] = gemini.input?.(request({ prompt: '@a\n/b' })).split('\n') ?? [];
    expect(rest).toEqual(['@a', '/b']);
    expect(Object.keys(filesFor())).toContain(`.gemini/commands/${command?.slice(1)}.toml`);
    const other = gemini.input?.(request({ mark: 'mark-2' })).split('\n')[0];
    expect(other).not.toBe(command);
  });

  test('gives the role before the prompt', () => {
    const given = gemini.input?.(request({ role: 'Be brief.', prompt: 'Why?' }));
    expect(given?.endsWith('\nBe brief.\n\nWhy?')).toBe(true);
  });

  test('points it to its home, in a folder that is not trusted', () => {
    expect(gemini.env(request())).toMatchObject({
      GEMINI_CLI_HOME: '/run',
      GEMINI_CLI_TRUST_WORKSPACE: 'false',
      TMPDIR: '/run',
    });
  });
});

const api = (code: number, message: string) => JSON.stringify({ error: { code, message } });

const read = (line: unknown) => [gemini.read(JSON.stringify(line))].flat();

describe('a line', () => {
  const stats = { input_tokens: 100, output_tokens: 10, total_tokens: 115, cached: 40 };

  test('of an end counts the thoughts as output', () => {
    expect(
      read({ type: 'result', status: 'success', stats: { ...stats, models: { m: {} } } }),
    ).toEqual([
      { kind: 'usage', tokens: { input: 100, output: 15, cached: 40 }, cost_usd: null },
      { kind: 'completed', text: null, model: 'm' },
    ]);
  });

  test('of a good end without any model is a refusal, not an answer', () => {
    const none = { input_tokens: 0, output_tokens: 0, total_tokens: 0, models: {} };
    expect(read({ type: 'result', status: 'success', stats: none })).toEqual([
      expect.objectContaining({ kind: 'error', category: 'request-refused' }),
    ]);
    expect(read({ type: 'result', status: 'success' })).toEqual([
      { kind: 'completed', text: null },
    ]);
  });

  const messages: readonly [string, FailureCategory, string][] = [
    [`[API Error: ${api(401, 'bad key')}]`, 'not-logged-in', 'bad key'],
    [`[API Error: ${api(403, 'no [access]')}]`, 'not-logged-in', 'no [access]'],
    [`[API Error: ${api(400, 'too long')}]`, 'request-refused', 'too long'],
    [`[API Error: ${api(400, 'API key expired.')}]`, 'not-logged-in', 'API key expired.'],
    [`[API Error: ${api(429, 'slow down')}]\nPlease wait.`, 'rate-limited', 'slow down'],
    [`[API Error: ${api(529, 'busy')}]`, 'rate-limited', 'busy'],
    [`[API Error: ${api(408, 'late')}]`, 'network', 'late'],
    [`[API Error: ${api(502, 'broken')}]`, 'network', 'broken'],
    ['[API Error: terminated]', 'network', 'the connection to the model was lost'],
    ['[API Error: models/x is not found]', 'request-refused', 'models/x is not found'],
    [
      '[API Error: Over.\nSuggested retry after 1s.]\nPlease wait.',
      'unknown',
      'Over.\nSuggested retry after 1s.\nPlease wait.',
    ],
    [
      'Reached max session turns for this session.',
      'timed-out',
      'Reached max session turns for this session.',
    ],
    ['What is this?', 'unknown', 'What is this?'],
  ];
  test.each(messages)('of a failure is read: %s', (message, category, text) => {
    expect(read({ type: 'result', status: 'error', error: { message } }).at(-1)).toEqual({
      kind: 'error',
      category,
      text,
      retry_after_ms: null,
    });
  });

  test.each([
    ['The model returned an empty response with no text or thoughts.', 'empty-answer'],
    ['The model response was blocked due to safety settings.', 'content-filtered'],
    ['Model response was truncated because it exceeded the token limit.', 'answer-cut'],
  ])('of an error that the end does not name is read: %s', (message, category) => {
    expect(read({ type: 'error', severity: 'error', message })).toEqual([
      expect.objectContaining({ kind: 'error', category }),
    ]);
    expect(read({ type: 'result', status: 'error', stats })).toEqual([
      expect.objectContaining({ kind: 'usage' }),
    ]);
  });

  test('of a call tells what is asked for, not that it was done', () => {
    const call = (tool_name: string, parameters: unknown) =>
      read({ type: 'tool_use', tool_name, parameters });
    expect(call('read_file', { file_path: 'a.ts' })).toEqual([{ kind: 'file-read', path: 'a.ts' }]);
    expect(call('grep_search', { pattern: 'todo' })).toEqual([
      { kind: 'tool-call', name: 'grep_search', detail: 'todo' },
    ]);
    expect(call('write_file', { file_path: 'a.ts', content: 'x' })).toMatchObject([
      { kind: 'tool-call', name: 'write_file', detail: 'a.ts', diff: '+x' },
    ]);
    expect(read({ type: 'tool_result', status: 'error', error: { message: 'no' } })).toEqual([
      { kind: 'warning', text: 'no' },
    ]);
    expect(read({ type: 'tool_result', status: 'success', output: '' })).toEqual([]);
  });

  test('of a kind that is new is unknown', () => {
    const line = '{"type":"thought","text":"Hm."}';
    expect(gemini.read(line)).toEqual({ kind: 'unknown', line });
  });
});

test('without isolation it has the settings of the user below ours, and their extensions', () => {
  const theirs = { mcpServers: { mine: {} }, model: { name: 'm' }, tools: { core: ['x'] } };
  const side = user({
    '/home/user/.gemini/settings.json': JSON.stringify(theirs),
    '/home/user/.gemini/extensions': '',
  });
  const open = request({ isolation: 'none', permission: 'edit' });
  const settings = settingsFor(side, open);
  expect(settings).toMatchObject({ ...theirs, model: { name: 'm', maxSessionTurns: 100 } });
  expect(settings).not.toHaveProperty('hooksConfig');
  const files = filesFor(side, open);
  expect(files['.gemini/extensions']).toMatchObject({ linkTo: '/home/user/.gemini/extensions' });
  const denied = '["run_shell_command","web_fetch","google_web_search"]\ndecision = "deny"';
  expect(files['policy.toml']).toContain(denied);
  expect(files['policy.toml']).not.toContain('"*"');
  expect(gemini.env(open)).toHaveProperty('GEMINI_CLI_TRUST_WORKSPACE', 'true');
});
