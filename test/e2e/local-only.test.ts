import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { countedClis } from '../helpers/counted-clis.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { testRig } from '../helpers/test-rig.ts';

const task = 'Add a --json flag to list, in src/list.js';
const local = ['plan', '--auto-yes', '--tools', 'local', task];
const mcpServer = new URL('../fixtures/mcp/server.mjs', import.meta.url).pathname;

/** A repository with one commit, in which an analyst of past commits finds nothing. */
async function oneCommit(): Promise<Rig> {
  const rig = testRig();
  rig.write('src/list.js', 'export function list(args) {\n  return args;\n}\n');
  rig.write('src/cli.js', "import { list } from './list.js';\nlist(process.argv);\n");
  await rig.git('init', '-q');
  await rig.git('add', '.');
  await rig.git('commit', '-qm', 'start');
  return rig;
}

/** A server of models, and the settings that make an agent of it, which is asked before all others. */
async function countedApi() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // oxlint-disable-next-line no-unsafe-type-assertion
  const { port } = server.address() as AddressInfo;
  const settings = `[agents.mine]
provider = "compatible"
base_url = "http://127.0.0.1:${port}/v1"
model = "large"
`;
  return { asked, settings };
}

test.each([
  ['alone', '', []],
  ['with a default agent', '[agent]\ncli = "claude"\n', []],
  ['in one quick round', '', ['--depth', 'quick']],
  [
    'with agents for each phase',
    '[phases.planning]\nagent = "claude"\n[phases.plan-reading]\nagent = "codex"\n[phases.compare]\nagent = "gemini"\n',
    [],
  ],
])('--tools local asks no model, %s', short, async (_, settings, flags) => {
  const rig = await oneCommit();
  rig.config(settings);
  const { probes, calls } = countedClis(rig);
  const { code, stdout } = await rig.conclave(...local, ...flags);
  expect({ probes: probes(), calls: calls() }).toEqual({ probes: [], calls: [] });
  expect(code).toBe(0);
  expect(stdout).toMatch(/history +failed/);
  expect(rig.json('plan.json')).toMatchObject({ summary: expect.any(String) });
});

test('--tools local sends nothing to a model behind an API or to the server of the search', async () => {
  const rig = await oneCommit();
  const { calls } = countedClis(rig);
  const api = await countedApi();
  const log = join(rig.home, 'mcp.log');
  rig.config(`${api.settings}
[context.mcp]
preset = "claude-context"
command = ${JSON.stringify([process.execPath, mcpServer, JSON.stringify({ content: [] })])}
env = { MCP_LOG = ${JSON.stringify(log)} }
`);
  const { code } = await rig.conclave(...local);
  expect({ calls: calls(), asked: api.asked, searched: existsSync(log) }).toEqual({
    calls: [],
    asked: [],
    searched: false,
  });
  expect(code).toBe(0);
  expect(rig.json('codebase-context.json')).toMatchObject({ provider: 'search', degraded: false });
});

test('an analyst beside a model is not replaced by another model', async () => {
  const rig = await oneCommit();
  const { calls } = countedClis(rig);
  const { stdout } = await rig.conclave('plan', '-y', '--tools', 'history,structure,codex', task);
  expect(stdout).not.toMatch(/replaces history/);
  expect(new Set(calls())).toContain('codex');
});

test('a plan that only analysts drafted is carried out by nobody who was not named', async () => {
  const rig = await oneCommit();
  rig.config('[agent]\ncli = "claude"\n[phases.execution]\nagent = "codex"\n');
  const { calls } = countedClis(rig);
  const { code, stderr } = await rig.conclave(...local, '--auto-execute');
  expect(calls()).toEqual([]);
  expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining('--execution') });
  const named = await rig.conclave('execute', '-y', '--execution', 'claude');
  expect(named.code).not.toBe(0);
  expect(new Set(calls())).toEqual(new Set(['claude']));
});

test('a comment on a draft asks nobody until a person names an agent', async () => {
  const rig = await oneCommit();
  const { calls } = countedClis(rig);
  expect((await rig.conclave(...local)).code).toBe(0);
  const session = basename(rig.session());
  const comment = ['review', session, '--comment', 'Also test it.'];
  const refused = await rig.conclave(...comment);
  expect(refused.code).toBe(3);
  expect(refused.stderr).toContain(`conclave resume ${session} --tools AGENT`);
  expect(calls()).toEqual([]);
  await rig.conclave('resume', session, '--auto-yes', '--tools', 'claude');
  expect(calls()).toEqual([]);
  await rig.conclave(...comment);
  expect(new Set(calls())).toEqual(new Set(['claude']));
});

test('agents shows that with --tools local nobody stands in', async () => {
  const rig = await oneCommit();
  countedClis(rig);
  rig.config('[workflow]\ntools = ["local"]\n');
  const { stdout } = await rig.conclave('agents', '--json');
  const parts = z.array(z.object({ name: z.string(), part: z.string() })).parse(JSON.parse(stdout));
  const seated = parts.filter(({ part }) => part !== 'not used').map(({ name }) => name);
  expect(seated).toEqual(['structure', 'history']);
});
