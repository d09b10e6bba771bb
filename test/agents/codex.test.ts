import { describe, expect, test } from 'vitest';
import type { AgentRequest } from '../../src/agents/agent.ts';
import { codex } from '../../src/agents/codex.ts';
import type { FailureCategory } from '../../src/model/agent-failure.ts';
import { agentRoom, userWith } from './agent-room.ts';

function request(more: Partial<Omit<AgentRequest, 'limits'>> = {}): AgentRequest {
  const room = agentRoom();
  room.remove();
  return room.request({ cwd: '/repo', ...more });
}
const nobody = userWith();
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

describe('the call', () => {
  test('is read-only, without the settings of the user, and ends in the word for stdin', () => {
    const argv = codex.argv(request());
    expect(argv.slice(0, 5)).toEqual(['exec', '-c', 'sandbox_mode="read-only"', '--cd', '/repo']);
    expect(argv).toContain('--ignore-user-config');
    expect(argv.at(-1)).toBe('-');
    expect(argv.join(' ')).not.toContain(request().prompt);
  });

  test('denies folders by a profile of its own, which the sandbox stands in for elsewhere', () => {
    const given = codex.argv(request({ hidden: ['/repo/.workflow', '/home/x "y"'] }));
    expect(given).toContain('default_permissions="conclave"');
    expect(given).toContain(
      String.raw`permissions.conclave.filesystem={"/repo/.workflow"="none","/home/x \"y\""="none"}`,
    );
    expect(codex.argv(request()).join(' ')).not.toContain('permissions.conclave');
  });

  test('gives a role as instructions, or with the prompt where a thread has its own', () => {
    const role = 'Be brief.';
    const told = 'developer_instructions="Be brief."';
    const fresh = request({ role });
    expect(codex.argv(fresh)).toContain(told);
    expect(codex.input?.(fresh)).toBe(fresh.prompt);
    const resumed = request({ role, resume: { agentSession: 'S-1', cwd: '/repo' } });
    expect(codex.argv(resumed)).not.toContain(told);
    expect(codex.input?.(resumed)).toBe(`Be brief.\n\n${resumed.prompt}`);
  });

  test('names folders before and everything else after the word to go on', () => {
    const resume = { agentSession: 'S-1', cwd: '/repo' };
    const argv = codex.argv(request({ resume, extraDirs: ['/other'], model: 'gpt-6' }));
    const at = argv.indexOf('resume');
    expect(argv.slice(0, at).join(' ')).toBe(
      'exec -c sandbox_mode="read-only" --cd /repo --add-dir /other',
    );
    expect(argv.slice(at)).toContain('gpt-6');
    expect(argv.slice(-2)).toEqual(['S-1', '-']);
  });

  test('keeps its settings from it by flags, by a home with the sessions alone, or not at all', () => {
    const home = request({ isolation: 'home', filesFolder: '/run' });
    expect(codex.argv(home)).toContain('--ignore-user-config');
    expect(codex.env(home)).toEqual({ CODEX_HOME: '/run' });
    const sessions = { linkTo: '/home/user/.codex/sessions', kind: 'folder' };
    expect(codex.files?.(home, nobody)).toEqual({ sessions });
    const open = request({ isolation: 'none', permission: 'edit' });
    expect(codex.argv(open).join(' ')).not.toMatch(/--ignore|features\.(?:hooks|plugins|apps)/);
    expect(codex.argv(open)).toContain('sandbox_mode="workspace-write"');
    expect(codex.env(open)).not.toHaveProperty('CODEX_HOME');
  });

  test('gives the schema as a file in its strict form, and none that has no such form', () => {
    const strict = JSON.stringify({ ...schema, additionalProperties: false });
    expect(codex.files?.(request({ schema }), nobody)).toEqual({ 'answer.schema.json': strict });
    expect(codex.argv(request({ schema, filesFolder: '/files' })).join(' ')).toContain(
      '--output-schema /files/answer.schema.json',
    );
    expect(codex.files?.(request({ schema: { type: 'object' } }), nobody)).toEqual({});
    expect(codex.argv(request({ schema: { type: 'object' } }))).not.toContain('--output-schema');
  });
});

describe('a failed turn', () => {
  // As codex words what the provider answered.
  const cells: readonly (readonly [string, FailureCategory])[] = [
    ['You’ve hit your usage limit. Visit https://x or try again at 11:43 AM.', 'rate-limited'],
    ['Quota exceeded. Check your plan and billing details.', 'rate-limited'],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'rate-limited'],
    ['rate limit exceeded: Please try again in 1.054s.', 'rate-limited'],
    ['Selected model is at capacity. Please try a different model.', 'rate-limited'],
    ['unexpected status 401 Unauthorized: Incorrect API key provided: k, url: x', 'not-logged-in'],
    ['Missing environment variable: `STUB_KEY`.', 'not-logged-in'],
    ['To use Codex with your ChatGPT plan, upgrade to Plus: https://x', 'request-refused'],
    ['Codex ran out of room in the model’s context window.', 'request-refused'],
    ['The model `gpt-9` does not exist or you do not have access to it.', 'request-refused'],
    ['unexpected status 404 Not Found: no, url: x', 'request-refused'],
    ['unexpected status 413 Payload Too Large: no, url: x', 'request-refused'],
    ['unexpected status 418 I am a teapot: no, url: x', 'request-refused'],
    ['We’re currently experiencing high demand, which may cause temporary errors.', 'network'],
    ['stream disconnected before completion: error sending request', 'network'],
    ['Connection failed: error sending request', 'network'],
    ['unexpected status 503 Service Unavailable: x, url: y', 'network'],
    ['Incomplete response returned, reason: max_output_tokens', 'answer-cut'],
    ['Incomplete response returned, reason: content_filter', 'content-filtered'],
    ['This was blocked.', 'unknown'],
  ];
  test.each(cells)('that says "%s" is %s', (message, category) => {
    const line = JSON.stringify({ type: 'turn.failed', error: { message } });
    expect(codex.read(line)).toEqual({
      kind: 'error',
      category,
      text: message,
      retry_after_ms: null,
    });
  });

  test.each([
    [{ error: { message: 'Invalid schema for response_format', code: 'x' } }, 'Invalid schema'],
    [{ detail: 'The model is not for this account.' }, 'The model is not for this account.'],
    [{ other: 1 }, '{"other":1}'],
  ])('with the provider’s refusal as JSON tells its words: %j', (body, words) => {
    const line = JSON.stringify({ type: 'turn.failed', error: { message: JSON.stringify(body) } });
    expect(codex.read(line)).toMatchObject({
      category: 'request-refused',
      text: expect.stringContaining(words),
    });
  });
});

const chosenIn = (text: string) =>
  codex.ownChoice?.({ ...nobody, read: (path) => (path.endsWith('/config.toml') ? text : null) });

describe('what the user chose', () => {
  test.each([
    ['nothing', '', null, null],
    ['both', 'model = "gpt-7"\nmodel_reasoning_effort = "high"', 'gpt-7', 'high'],
    ['a profile', 'model = "a"\nprofile = "deep"\n[profiles.deep]\nmodel = "b"', 'b', null],
    ['a provider of their own', 'model = "a"\nmodel_provider = "mine"', null, null],
    ['what is no TOML', 'model = ', null, null],
  ])('is found in config.toml: %s', (_name, text, model, effort) => {
    expect(chosenIn(text)).toEqual({ model, effort });
  });

  test('reaches the call', () => {
    const argv = codex.argv(request({ model: 'gpt-7', effort: 'high' }));
    expect(argv).toEqual(expect.arrayContaining(['gpt-7', 'model_reasoning_effort="high"']));
  });
});
