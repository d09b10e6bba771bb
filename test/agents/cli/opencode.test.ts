import { describe, expect, test } from 'vitest';
import type { AgentRequest } from '../../../src/agents/agent.ts';
import { variablesOf } from '../../../src/agents/cli/cli-setup.ts';
import { opencode } from '../../../src/agents/cli/opencode.ts';
import { agentRoom, userWith } from '../agent-room.ts';

const room = agentRoom();
room.remove();
const request = (more: Partial<AgentRequest> = {}): AgentRequest => ({
  ...room.request({ cwd: '/repo', filesFolder: '/run' }),
  ...more,
});

const settings = '/home/user/.config/opencode/opencode.json';
const auth = '/home/user/.local/share/opencode/auth.json';
const state = '/home/user/.local/state/opencode/model.json';
const recent = '{"recent":[{"providerID":"openrouter","modelID":"x-ai/grok-4"}]}';

function configFor(files: Readonly<Record<string, string>>, asked = request()): unknown {
  const file = opencode.files?.(asked, userWith({}, files))['opencode/opencode.json'];
  return typeof file === 'string' ? JSON.parse(file) : file;
}

describe('the settings of a run', () => {
  const provider = {
    mine: { options: { apiKey: '{file:key.txt}', baseURL: '{env:MINE_URL}' } },
    other: {},
  };

  test('know of the user’s own only the provider that is asked, its files by their full path', () => {
    const own = {
      provider,
      mcp: { x: {} },
      plugin: ['y'],
      instructions: ['z'],
      agent: { build: {} },
    };
    const config = configFor({ [settings]: JSON.stringify(own) }, request({ model: 'mine/big' }));
    expect(config).toMatchObject({
      enabled_providers: ['mine'],
      provider: {
        mine: { options: { apiKey: '{file:/home/user/.config/opencode/key.txt}' } },
      },
    });
    for (const key of ['mcp', 'plugin', 'instructions', 'agent', 'provider.other']) {
      expect(config).not.toHaveProperty(key);
    }
  });

  test('leave the choice among the user’s providers where no model is known, but to no other', () => {
    const files = {
      [auth]: '{"openai":{"type":"oauth"}}',
      [settings]: JSON.stringify({ provider }),
    };
    expect(configFor(files)).toHaveProperty('enabled_providers', ['openai', 'mine', 'other']);
    expect(configFor({})).toHaveProperty('enabled_providers', []);
  });

  test('hold the role as it is', () => {
    const role = 'Be {env:HOME} of {file:/etc/hosts}.';
    expect(configFor({}, request({ role }))).toMatchObject({
      agent: { conclave: { prompt: role } },
    });
    const file = opencode.files?.(request({ role }), userWith())['opencode/opencode.json'];
    expect(file).not.toMatch(/\{(?:env|file):/);
  });
});

describe('the model', () => {
  test.each([
    ['openrouter/x-ai/grok-4', { [state]: recent }],
    ['openai/gpt-5', { [state]: recent, [settings]: '{ "model": "openai/gpt-5", } // mine' }],
    [null, { [state]: '{"recent":[{"providerID":7}]}' }],
    [null, {}],
  ])('that the user chose is %s', (model, files) => {
    expect(opencode.ownChoice?.(userWith({}, files)).model).toBe(model);
  });

  test.each([
    ['anthropic/claude-opus-4-8', 'anthropic'],
    ['github-copilot/gpt-6.1', 'openai'],
    ['openrouter/google/gemini-3-pro', 'google'],
    ['openrouter/x-ai/grok-4', 'xai'],
    ['openrouter/qwen/qwen3', 'qwen'],
    ['ollama/qwen', 'qwen'],
    ['ollama/house-model', 'ollama'],
    [null, null],
  ])('%s is of %s', (model, vendor) => {
    expect(opencode.vendorOf(model)).toBe(vendor);
  });
});

const passed = (model: string | null, config = '{}') => {
  const user = userWith({}, { [settings]: config });
  return opencode.variablesOf?.({ ...user, model }) ?? [];
};

describe('the variables', () => {
  test.each([
    ['anthropic/claude-opus-4-8', ['ANTHROPIC_*']],
    ['google/gemini-3-pro', ['GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY']],
    ['amazon-bedrock/x', ['AWS_*']],
    ['fireworks-ai/x', ['FIREWORKS_*']],
    ['github-copilot/gpt-6.1', []],
    ['opencode/big-pickle', ['OPENCODE_API_KEY']],
    [null, []],
  ])('for %s are those of its provider: %j', (model, names) => {
    expect(passed(model)).toEqual(names);
  });

  test('that the settings of that provider name are among them, those of others not', () => {
    const config = JSON.stringify({
      provider: {
        mine: { env: ['MY_KEY'], options: { baseURL: '{env:SITE}/v1' } },
        other: { env: ['OTHER_KEY'] },
      },
    });
    expect(passed('mine/big', config)).toEqual(['MINE_*', 'MY_KEY', 'SITE']);
  });

  test('go by the model of the run, and else by the one in our settings', () => {
    const setup = { adapter: opencode, settings: {}, environment: {} };
    expect(variablesOf(setup, 'groq/x')).toEqual([...opencode.variables, 'GROQ_*']);
  });
});

const permission = (more: Partial<AgentRequest>): Record<string, unknown> =>
  JSON.parse(opencode.env(request(more))['OPENCODE_PERMISSION'] ?? '');

describe('a call', () => {
  test('permits reading alone while planning, and nothing in hidden folders', () => {
    const rules = permission({
      hidden: ['/repo/.workflow', '/apart'],
      extraDirs: ['/more'],
    });
    expect(rules).toMatchObject({ '*': 'deny', edit: 'deny', bash: 'deny', webfetch: 'deny' });
    expect(rules['read']).toMatchObject({ '*': 'allow', '*.workflow/*': 'deny', '*.env': 'deny' });
    expect(Object.entries(rules['external_directory'] ?? {})).toEqual([
      ['*', 'deny'],
      ['/more/*', 'allow'],
      ['/repo/.workflow/*', 'deny'],
      ['/apart/*', 'deny'],
    ]);
  });

  test.each([
    ['edit', {}, 'deny'],
    ['edit', { allowed: ['git'] }, 'deny'],
    ['edit-and-shell', { denied: ['git'] }, { '*': 'allow', git: 'deny', 'git *': 'deny' }],
    ['full', {}, { '*': 'allow', git: 'allow', 'git *': 'allow' }],
  ] as const)('with %s and %j has these commands: %j', (level, wishes, bash) => {
    const rules = permission({ permission: level, ...wishes });
    expect(rules).toMatchObject({ edit: { '*': 'allow' }, bash });
  });
});

test('without isolation it has the settings of the user, and the role beside them', () => {
  const role = 'Mind {env:HOME}.';
  const open = request({ isolation: 'none', permission: 'edit', role });
  expect(opencode.files?.(open, userWith())).toEqual({});
  const { OPENCODE_CONFIG_CONTENT: content = '', ...env } = opencode.env(open);
  expect(content).not.toContain('{env:');
  expect(JSON.parse(content)).toEqual({ agent: { conclave: { mode: 'primary', prompt: role } } });
  expect(env).not.toHaveProperty('XDG_CONFIG_HOME');
  expect(JSON.parse(env['OPENCODE_PERMISSION'] ?? '')).not.toHaveProperty('*');
  expect(JSON.parse(env['OPENCODE_PERMISSION'] ?? '')).toHaveProperty('bash', 'deny');
});
