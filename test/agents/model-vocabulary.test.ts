// Tests whom a name stands for, of sixty that people may type.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { adapters } from '../../src/agents/cli/list.ts';
import { agentNameOf, carrierOf, meaningOf } from '../../src/agents/model-vocabulary.ts';

const agents = ['claude', 'codex', 'gemini', 'copilot', 'opencode', 'structure', 'history', 'mine'];

/** What each name stands for: an agent, `CLI: model`, or a part of why it stands for nobody. */
const names: readonly (readonly [name: string, meaning: string])[] = [
  ['claude', 'claude'],
  ['Claude', 'claude'],
  [' codex ', 'codex'],
  ['claude-code', 'claude'],
  ['Claude_Code', 'claude'],
  ['codex-cli', 'codex'],
  ['gemini-cli', 'gemini'],
  ['copilot-cli', 'copilot'],
  ['claude-code-5', 'claude: claude-code-5'],
  ['GEMINI', 'gemini'],
  ['copilot', 'copilot'],
  ['opencode', 'opencode'],
  ['structure', 'structure'],
  ['mine', 'mine'],
  ['opus', 'claude: opus'],
  ['Opus', 'claude: Opus'],
  ['opus[1m]', 'claude: opus[1m]'],
  ['sonnet', 'claude: sonnet'],
  ['haiku', 'claude: haiku'],
  ['fable', 'claude: fable'],
  ['claude-opus-5-5', 'claude: claude-opus-5-5'],
  ['claude-sonnet-4.5', 'claude: claude-sonnet-4.5'],
  ['Claude-Haiku', 'claude: Claude-Haiku'],
  ['claude_opus', 'claude: claude_opus'],
  ['claudeopus5', 'claude: claudeopus5'],
  ['pro', 'gemini: pro'],
  ['flash', 'gemini: flash'],
  ['Flash', 'gemini: Flash'],
  ['gemini-3.1-pro-preview', 'gemini: gemini-3.1-pro-preview'],
  ['gemini3', 'gemini: gemini3'],
  ['gemma-3-27b', 'gemini: gemma-3-27b'],
  ['gpt-6.1-sol', 'codex: gpt-6.1-sol'],
  ['gpt5', 'codex: gpt5'],
  ['gpt52', 'codex: gpt52'],
  ['GPT-5.2', 'codex: GPT-5.2'],
  ['o3', 'codex: o3'],
  ['o4-mini', 'codex: o4-mini'],
  ['codex-mini', 'codex: codex-mini'],
  ['codex-mini-latest', 'codex: codex-mini-latest'],
  ['gpt-daybreak-1', 'codex: gpt-daybreak-1'],
  ['anthropic/claude-opus', 'opencode: anthropic/claude-opus'],
  ['ollama/llama3:8b', 'opencode: ollama/llama3:8b'],
  ['openrouter/qwen/qwen3', 'opencode: openrouter/qwen/qwen3'],
  ['auto', 'name the agent, or a model'],
  ['default', 'name the agent, or a model'],
  ['best', 'name the agent, or a model'],
  ['AUTO', 'name the agent, or a model'],
  ['', 'a name begins with'],
  ['   ', 'a name begins with'],
  ['-', 'a name begins with'],
  ['--x', 'a name begins with'],
  ['grok-4', 'a key in XAI_API_KEY'],
  ['grok4', 'a key in XAI_API_KEY'],
  ['Grok-code-fast', 'a key in XAI_API_KEY'],
  ['llama3:8b', 'the base_url of its server'],
  ['qwen3-coder:30b', 'the base_url of its server'],
  ['gpt-oss:20b', 'the base_url of its server'],
  ['gemma3:4b', 'the base_url of its server'],
  ['deepseek-r1', 'the base_url of its server'],
  ['mistral-small', 'the base_url of its server'],
  ['clade', 'nearest: claude'],
  ['opsu', 'nearest: opus'],
  ['sonet', 'nearest: sonnet'],
  ['gemni', 'nearest: gemini'],
  ['nobody-knows-it', 'nearest: '],
  ['o', 'nearest: '],
  ['claude-', 'nearest: claude'],
  ['../x', 'opencode: ../x'],
];

/** The vendors of the models of each CLI, and of those that one carries for many. */
const vendors: Readonly<Record<string, string>> = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'google',
  'anthropic/claude-opus': 'anthropic',
  'ollama/llama3:8b': 'llama',
  'openrouter/qwen/qwen3': 'qwen',
  '../x': '..',
};

function said(name: string): string {
  const meaning = meaningOf(name, agents);
  switch (meaning.kind) {
    case 'agent':
      return meaning.agent;
    case 'model':
      return `${meaning.agent}: ${meaning.model}`;
    case 'nobody':
      return meaning.why;
    case 'unknown':
      return `nearest: ${meaning.near.join(', ')}`;
  }
}

describe('a name', () => {
  test.each(names)('%j stands for %s', (name, meaning) => {
    expect(said(name)).toContain(meaning);
  });

  test.each(
    names.filter(([, meaning]) => /^[a-z]+: ./.test(meaning) && !meaning.startsWith('nearest')),
  )('%j, which is %s, has the vendor of its maker', (_name, meaning) => {
    const [cli = '', model = ''] = meaning.split(/: (.*)/s);
    const adapter = adapters.find((one) => one.name === cli);
    expect(adapter?.vendorOf(model)).toBe(vendors[model] ?? vendors[cli]);
  });

  test('of a model that an own agent is stands for that agent', () => {
    const own = new Map([
      ['grok-4', 'mine'],
      ['gpt-5', 'other'],
    ]);
    expect(meaningOf('grok-4', agents, own)).toEqual({ kind: 'agent', agent: 'mine' });
    expect(meaningOf('Grok-4', agents, own)).toEqual({ kind: 'agent', agent: 'mine' });
    expect(meaningOf('gpt-5', agents, own)).toEqual({ kind: 'agent', agent: 'other' });
    expect(meaningOf('grok-5', agents, own)).toMatchObject({ kind: 'nobody' });
  });

  test.each(adapters.flatMap(({ alsoCalled = [] }) => alsoCalled))(
    'that people have for a CLI is no model that one carries: %s',
    (name) => {
      expect(carrierOf(name)).toBeNull();
      expect(meaningOf(name, [name])).toEqual({ kind: 'agent', agent: name });
    },
  );

  test('of the user’s own agent wins over a model', () => {
    expect(meaningOf('opus', ['opus', ...agents])).toEqual({ kind: 'agent', agent: 'opus' });
  });

  test.each([
    ['opus', 'opus'],
    ['Opus', 'opus'],
    ['opus[1m]', 'opus-1m'],
    ['claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['openrouter/qwen/qwen3', 'openrouter-qwen-qwen3'],
    ['gpt-6.1-sol-with-a-name-that-is-much-too-long', 'gpt-6-1-sol-with-a-name-tha-5156'],
  ])('%s is that of an agent called %s', (model, agent) => {
    expect(agentNameOf(model)).toBe(agent);
    expect(agent).toMatch(/^[a-z0-9][a-z0-9_-]{0,31}$/);
  });

  test('differs from that of another model, however alike they begin', () => {
    const [large, small] = ['70b', '8b'].map(
      (size) => `openrouter/meta-llama/llama-3.3-${size}-instruct`,
    );
    expect(agentNameOf(large ?? '')).not.toBe(agentNameOf(small ?? ''));
    expect(agentNameOf('opus[1m]', (name) => name === 'opus-1m')).toMatch(/^opus-1m-[0-9a-f]{4}$/);
  });

  test('resolves as the help page says', () => {
    const page = readFileSync(new URL('../../templates/help/models.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([^`]+)` +\| `(\w+)`/gm)];
    expect(rows.length).toBeGreaterThan(8);
    for (const [, examples = '', agent] of rows) {
      for (const name of examples.split(' ')) expect(said(name).split(':')[0]).toBe(agent);
    }
  });
});
