import { expect, test } from 'vitest';
import { type Agent, bareTraits } from '../../src/agents/agent.ts';
import { adapters } from '../../src/agents/cli/list.ts';
import { noBase, plainRepository } from '../../src/git/open-repository.ts';
import { neverAborted } from '../../src/model/signal.ts';
import { agentPool } from '../../src/agents/pool.ts';

const analyst: Agent = {
  name: 'structure',
  traits: bareTraits('structure'),
  kind: 'analyst',
  ready: async () => ({ state: 'ready', path: null, version: null }),
  vendorOf: () => null,
  run: () => {
    throw new Error('not run here');
  },
};
const noRepository = plainRepository({
  root: '/',
  base: noBase,
  folders: null,
  signal: neverAborted,
});
const known = adapters.map(({ name }) => name);
const pool = agentPool({
  settings: {
    mine: { path: '/opt/mine', vendor: 'acme' },
    idle: { model: 'no path, so no program' },
    structure: { path: '/opt/not-an-analyst' },
  },
  environment: {},
  analysts: [analyst],
  repository: noRepository,
});

test('the pool knows the listed agents, configured programs and the analysts, in this order', () => {
  expect(pool.models().map(({ name }) => name)).toEqual([...known, 'mine']);
  expect(pool.analysts).toEqual([analyst]);
});

test('a configured program is an agent with the vendor that it was given', () => {
  expect(pool.get('mine')).toMatchObject({ name: 'mine', kind: 'model' });
  expect(pool.get('mine')?.vendorOf(null)).toBe('acme');
  expect(pool.describe('mine')?.login).toBe('see the documentation of mine');
});

test('an analyst keeps its name and is no program', () => {
  expect(pool.get('structure')).toBe(analyst);
  expect(pool.describe('structure')).toBeUndefined();
});

test.each(['idle', 'nobody', 'constructor', '__proto__'])('there is no agent "%s"', (name) => {
  expect(pool.get(name)).toBeUndefined();
  expect(pool.describe(name)).toBeUndefined();
});

test.each([
  ['claude', null, 'anthropic'],
  ['claude', 'claude-opus-4-8[1m]', 'anthropic'],
  ['claude', 'us.anthropic.claude-sonnet-4-5-v1:0', 'anthropic'],
  ['claude', 'opus', 'anthropic'],
  ['claude', 'opusplan', 'anthropic'],
  ['claude', 'glm-4.6', null],
  ['claude', 'my-sonnet', null],
  ['gemini', null, 'google'],
  ['gemini', 'gemini-3-pro-preview', 'google'],
  ['gemini', 'pro', 'google'],
  ['gemini', 'claude-sonnet', null],
  ['copilot', null, null],
  ['copilot', 'auto', null],
  ['copilot', 'claude-opus-5', 'anthropic'],
  ['copilot', 'gpt-5.4-mini', 'openai'],
  ['copilot', 'gemini-3.8-flash', 'google'],
  ['copilot', 'grok-4.7', 'xai'],
  ['copilot', 'gpt5', 'openai'],
  // A model has one vendor, by whatever way it is asked.
  ['opencode', 'ollama/qwen3:14b', 'qwen'],
  ['opencode', 'openrouter/meta-llama/llama-3.3-70b-instruct', 'llama'],
  ['opencode', 'openrouter/anthropic/claude-opus', 'anthropic'],
  ['opencode', 'some/house-model', 'some'],
  ['codex', null, 'openai'],
  ['codex', 'gpt-6.1-sol', 'openai'],
  ['codex', 'openai/gpt-6', 'openai'],
  ['codex', 'o4-mini', 'openai'],
  ['codex', 'codex-mini-latest', 'openai'],
  ['codex', 'gpt52', 'openai'],
  ['codex', 'chatgpt5', 'openai'],
  ['codex', 'qwen3-coder', null],
  ['codex', 'claude-opus', null],
  ['codex', 'ollama', null],
  ['codex', 'o-model', null],
])('for %s the vendor of the model %s is %s', (name, model, vendor) => {
  expect(pool.get(name)?.vendorOf(model)).toBe(vendor);
});

test('a model that only a task names is an agent of its own, with the settings of its CLI', () => {
  const bin = '/opt/claude';
  const own = agentPool({
    settings: { claude: { path: bin, model: 'haiku' }, fast: { cli: 'claude', model: 'sonnet' } },
    environment: {},
    analysts: [],
    repository: noRepository,
  });
  expect(own.get('opus[1m]')).toMatchObject({ name: 'opus-1m', kind: 'model' });
  expect(own.modelOf('opus[1m]')).toBe('opus[1m]');
  expect(own.get('opus-1m')).toBe(own.get('opus[1m]'));
  expect([own.modelOf('fast'), own.modelOf('claude')]).toEqual(['sonnet', 'haiku']);
  expect(own.get('fast')?.vendorOf('sonnet')).toBe(own.get('claude')?.vendorOf('haiku'));
  expect(own.models().map(({ name }) => name)).toEqual([...known, 'fast']);
  expect(own.get('auto')).toBeUndefined();
});

test('a name that another agent has is none of a model that only a task names', () => {
  const settings = { 'opus-1m': { cli: 'claude', model: 'haiku' } };
  const own = agentPool({ settings, environment: {}, analysts: [], repository: noRepository });
  expect(own.modelOf('opus[1m]')).toBe('opus[1m]');
  expect(own.get('opus[1m]')?.name).toMatch(/^opus-1m-/);
  expect(own.modelOf('opus-1m')).toBe('haiku');
});

test('a model behind an API is found by its model, unless a CLI carries that, which can edit', () => {
  const settings = {
    grok: { api: { provider: 'xai', model: 'grok-4' } },
    mine: { api: { provider: 'openai', model: 'gpt-5' } },
  } as const;
  const own = agentPool({ settings, environment: {}, analysts: [], repository: noRepository });
  expect(own.get('grok-4')).toBe(own.get('grok'));
  expect(own.get('gpt-5')?.traits).toMatchObject({ transport: 'cli', edits: true });
});
