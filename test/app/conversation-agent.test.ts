import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentForModel, checkHostFlags } from '../../src/app/conversation-agent.ts';
import { loadSettings } from '../../src/app/settings/load-settings.ts';
import { newRoot } from '../store/room.ts';

async function asked(
  tool: 'work' | 'consult',
  model: string,
  variables: Readonly<Record<string, string>> = {},
  config = '',
) {
  const root = await newRoot();
  const environment = { HOME: root, ...variables };
  mkdirSync(join(root, '.config/conclave'), { recursive: true });
  writeFileSync(join(root, '.config/conclave/config.toml'), config);
  const settings = await loadSettings({ root, environment });
  return agentForModel({ model, tool, settings, environment });
}

const key = { OPENAI_API_KEY: 'sk-x' };

test('a model without an agent is asked by the CLI that carries it', async () => {
  expect(await asked('consult', 'gpt-5.1')).toMatchObject({ agent: 'codex', model: 'gpt-5.1' });
  expect(await asked('work', 'opus')).toMatchObject({ agent: 'claude', model: 'opus', way: null });
});

test('with a key, consult asks the API and says so, and work still needs the CLI', async () => {
  const { agent, model, settings, way, program } = await asked('consult', 'gpt-5.1', key);
  expect({ agent, model }).toEqual({ agent: 'gpt-5-1', model: null });
  expect(settings.agents['gpt-5-1']?.api).toMatchObject({ provider: 'openai', model: 'gpt-5.1' });
  expect(way).toBe('OpenAI is asked by its API, with the key in OPENAI_API_KEY');
  expect(program).toBe('codex');
  expect(await asked('work', 'gpt-5.1', key)).toMatchObject({ agent: 'codex', way: null });
  const gateway = { ...key, OPENAI_BASE_URL: 'http://gate/v1' };
  expect((await asked('consult', 'gpt-5.1', gateway)).way).toContain(
    'OpenAI is asked by its API at http://gate/v1, as OPENAI_BASE_URL says, with the key',
  );
});

test('a model that nobody carries is refused with what to do', async () => {
  await expect(asked('consult', 'frobnicate-9')).rejects.toThrow(
    '--model: no agent is known for "frobnicate-9"; name its agent with --agent.',
  );
});

const own = `
[agents.grok]
provider = "xai"
model = "grok-4"
[agents.mine]
provider = "openai"
model = "gpt-5.1"
[models."gpt-5.2"]
usd_per_million = { input = 1, output = 2 }
`;

test('an own agent is found by the model that it is; to work, a CLI that carries it comes first', async () => {
  expect(await asked('consult', 'grok-4', {}, own)).toMatchObject({ agent: 'grok', model: null });
  expect(await asked('work', 'grok-4', {}, own)).toMatchObject({ agent: 'grok', model: null });
  expect(await asked('consult', 'gpt-5.1', {}, own)).toMatchObject({ agent: 'mine', model: null });
  expect(await asked('work', 'gpt-5.1', {}, own)).toMatchObject({ agent: 'codex' });
});

test('a model that is asked by a key alone has the price that was told for it', async () => {
  const { agent, settings } = await asked('consult', 'gpt-5.2', key, own);
  expect(settings.agents[agent]?.api?.prices?.get('gpt-5.2')).toMatchObject({ input: 1 });
});

async function flagsOf(agent: string, flags: readonly string[], config = '') {
  const root = await newRoot();
  const environment = { HOME: root };
  mkdirSync(join(root, '.config/conclave'), { recursive: true });
  writeFileSync(join(root, '.config/conclave/config.toml'), config);
  const settings = await loadSettings({ root, environment });
  return () => checkHostFlags(agent, flags, settings);
}

test('from a host a program gets flags for the effort of its model, and no others', async () => {
  for (const [agent, flag] of [
    ['claude', '--effort=high'],
    ['opus', '--effort=max'],
    ['codex', '--config=model_reasoning_effort=high'],
    ['copilot', '--reasoning-effort=low'],
    ['opencode', '--variant=high'],
  ] as const) {
    expect(await flagsOf(agent, [flag])).not.toThrow();
    expect(await flagsOf(agent, [`${flag} --yolo`])).toThrow(/from a host only/);
  }
  expect(await flagsOf('codex', ['--effort=high', '--config=sandbox_mode=x'])).toThrow(
    'cli_flags: codex takes "--effort=high" and "--config=sandbox_mode=x" from a host only where your own settings allow it: [agents.codex] allow_flags = ["--effort=high","--config=sandbox_mode=x"].',
  );
});

const allow = (list: string) => `[agents.claude]\nallow_flags = ${list}\n`;

test('the user can let a host pass other flags, by name or all', async () => {
  expect(await flagsOf('claude', ['--betas=x'], allow('["--betas=x"]'))).not.toThrow();
  expect(await flagsOf('claude', ['--betas=y'], allow('["--betas=x"]'))).toThrow(/--betas=y/);
  expect(await flagsOf('claude', ['--betas=y'], allow('["*"]'))).not.toThrow();
});
