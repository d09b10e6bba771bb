import { expect, test } from 'vitest';
import { connect, eras, hostRig } from '../helpers/mcp-host.ts';
import { short } from '../helpers/short-form.ts';

const own = `[agents.grok]
provider = "xai"
model = "grok-4"
[agents.quick]
cli = "claude"
model = "haiku"
`;

test.each(eras)(
  'the schemas of tools list the known models and what each maps to, in the protocol era %s',
  async (era) => {
    const { client } = await connect(await hostRig(own), { era });
    const { tools } = await client.listTools();
    const schemas = new Map(tools.map((tool) => [tool.name, JSON.stringify(tool.inputSchema)]));
    for (const name of [
      'work_with',
      'consult_with',
      'group_think',
      'plan_start',
      'critique_plan',
    ]) {
      const schema = schemas.get(name);
      expect(schema).toContain('claude (opus, sonnet, haiku, fable, claude-*)');
      expect(schema).toContain('codex (gpt-*, o3, codex*)');
      expect(schema).toContain('opencode (PROVIDER/MODEL)');
      expect(schema).toContain('alpha, beta');
      expect(schema).toContain('grok (grok-4 of xai), quick (haiku of claude)');
    }
    expect(schemas.get('job_status')).not.toContain('opus');
  },
);

test(
  'where the settings cannot be read, the agents that are built in are listed all the same',
  short,
  async () => {
    const rig = await hostRig();
    rig.config('nonsense');
    const { client, call } = await connect(rig);
    const { tools } = await client.listTools();
    expect(JSON.stringify(tools)).toContain('An agent, or one of its models: claude (opus');
    expect((await call('work_with', { agent: 'opus', task: 'x' })).text).toContain('config.toml');
  },
);

test('a model is asked by the agent that carries it', short, async () => {
  const { call } = await connect(await hostRig('[mcp]\nmay = ["write"]\n'));
  const { text } = await call('work_with', { agent: 'opus', task: 'Do it.' });
  expect(text).toContain('"claude" is not on PATH');
  expect(text).toMatch(/call again with session_id "talk-/);
});

test.each([
  ['consult_with', { model: 'grok', question: 'What?' }],
  ['plan_start', { task: 'Do it.', agents: ['grok'] }],
])(
  '%s says which key did not reach the server, and how the host hands it over',
  async (tool, given) => {
    const { call } = await connect(await hostRig(own));
    const { text, isError } = await call(tool, { wait_s: 60, ...given });
    expect(isError).toBe(true);
    expect(text).toContain('XAI_API_KEY is not set');
    expect(text).toContain('run "conclave mcp install HOST" there again, and restart the host');
    expect(text.split('\n').every((line) => line.length < 200)).toBe(true);
  },
);
