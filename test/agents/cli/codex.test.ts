import { describe, expect, test } from 'vitest';
import type { AgentRequest } from '../../../src/agents/agent.ts';
import { codex } from '../../../src/agents/cli/codex.ts';
import { agentRoom, userWith } from '../agent-room.ts';

function request(more: Partial<Omit<AgentRequest, 'limits'>> = {}): AgentRequest {
  const room = agentRoom();
  room.remove();
  return room.request({ cwd: '/repo', ...more });
}
const nobody = userWith();
const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };

const link = (name: string, kind: string) => ({ linkTo: `/home/user/.codex/${name}`, kind });

const kept = { 'temporary/.keep': '', 'tmp/arg0/.keep': '', 'tmp/arg0-linux/.keep': '' };

const ownHome = {
  ...kept,
  sessions: link('sessions', 'folder'),
  'auth.json': link('auth.json', 'file'),
  'auth.lock': link('auth.lock', 'file'),
  'models_cache.json': link('models_cache.json', 'file'),
};

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

  test('keeps its settings from it by flags, by a home with login and sessions alone, or not at all', () => {
    const home = request({ isolation: 'home', filesFolder: '/run' });
    expect(codex.argv(home)).toContain('--ignore-user-config');
    expect(codex.env(home)).toMatchObject({ CODEX_HOME: '/run' });
    expect(codex.files?.(home, nobody)).toEqual(ownHome);
    const open = request({ isolation: 'none', permission: 'edit' });
    expect(codex.argv(open).join(' ')).not.toMatch(/--ignore|features\.(?:hooks|plugins|apps)/);
    expect(codex.argv(open)).toContain('sandbox_mode="workspace-write"');
    expect(codex.env(open)).not.toHaveProperty('CODEX_HOME');
  });

  test('keeps the user’s own AGENTS.md out of planning by a private home with login and sessions', () => {
    const planning = request({ filesFolder: '/run' });
    expect(codex.env(planning)).toMatchObject({ CODEX_HOME: '/run' });
    expect(codex.files?.(planning, nobody)).toEqual(ownHome);
    const work = request({ filesFolder: '/run', permission: 'edit' });
    expect(codex.env(work)).not.toHaveProperty('CODEX_HOME');
  });

  test('has a home that is never below its folder for temporary files, where its sandbox would not start', () => {
    const planning = request({ filesFolder: '/tmp/data/run' });
    expect(codex.env(planning)).toEqual({
      CODEX_HOME: '/tmp/data/run',
      TMPDIR: '/tmp/data/run/temporary',
    });
    const free = request({ filesFolder: '/tmp/data/run', permission: 'full' });
    expect(codex.env(free)).toEqual({});
  });

  test('starts no sub-agents, whose tokens it would not count, and says so', () => {
    expect(codex.argv(request())).toContain('agents.enabled=false');
    expect(codex.explained?.join()).toContain('its sub-agents are off');
  });

  test('thinks and writes as much as the user chose, else as its model does by default', () => {
    expect(codex.argv(request()).join(' ')).not.toMatch(/effort|verbosity/);
    const chosen = codex.argv(request({ effort: 'high', verbosity: 'medium' }));
    expect(chosen).toEqual(
      expect.arrayContaining(['model_reasoning_effort="high"', 'model_verbosity="medium"']),
    );
  });

  test('gives the schema as a file in its strict form, and none that has no such form', () => {
    const strict = JSON.stringify({ ...schema, additionalProperties: false });
    expect(codex.files?.(request({ schema }), nobody)).toMatchObject({
      'answer.schema.json': strict,
    });
    expect(codex.argv(request({ schema, filesFolder: '/files' })).join(' ')).toContain(
      '--output-schema /files/answer.schema.json',
    );
    expect(codex.files?.(request({ schema: { type: 'object' } }), nobody)).not.toHaveProperty([
      'answer.schema.json',
    ]);
    expect(codex.argv(request({ schema: { type: 'object' } }))).not.toContain('--output-schema');
  });
});

test('tells its model a schema as a format, where the schema has a strict form', () => {
  expect(codex.schemaWay?.(schema)).toEqual({ tool: null });
  expect(codex.schemaWay?.({ type: 'object' })).toBeNull();
});

const chosenIn = (text: string) =>
  codex.ownChoice?.({ ...nobody, read: (path) => (path.endsWith('/config.toml') ? text : null) });

describe('what the user chose', () => {
  test.each([
    ['nothing', '', null, null],
    ['both', 'model = "gpt-7"\nmodel_reasoning_effort = "high"', 'gpt-7', 'high'],
    ['verbosity, too', 'model_verbosity = "high"', null, null, 'high'],
    ['a profile', 'model = "a"\nprofile = "deep"\n[profiles.deep]\nmodel = "b"', 'b', null],
    ['a provider of their own', 'model = "a"\nmodel_provider = "mine"', null, null],
    ['what is no TOML', 'model = ', null, null],
  ])('is found in config.toml: %s', (_name, text, model, effort, verbosity?: string | null) => {
    expect(chosenIn(text)).toEqual({ model, effort, verbosity: verbosity ?? null });
  });
});
