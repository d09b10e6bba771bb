import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAlive, until } from '../agents/agent-room.ts';
import { builtCli } from '../helpers/built.ts';
import { type Rig, makeRig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';

const server = new URL('../fixtures/mcp/server.mjs', import.meta.url).pathname;
const answer = JSON.stringify({ content: [{ type: 'text', text: 'Path: src/zone.ts' }] });
let rig: Rig;
let log: string;

beforeAll(async () => {
  builtCli();
  rig = makeRig();
  log = join(rig.home, 'mcp.log');
  rig.write('src/date.ts', 'export function parseDate() {}\n');
  rig.write('src/zone.ts', 'export const zone = 1;\n');
  await rig.git('init', '-q');
});
afterAll(() => rig.remove());

const configured = (...ways: readonly string[]) =>
  rig.config(`
[context.mcp]
preset = "claude-context"
command = ${JSON.stringify([process.execPath, server, answer, ...ways])}
env = { MCP_LOG = ${JSON.stringify(log)} }
`);

test('the user’s server helps to find code, and is fused with the search', short, async () => {
  configured();
  const { stdout, code } = await rig.conclave('context', 'parseDate', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ provider: 'mcp+search', degraded: false });
  const paths = await rig.conclave('context', 'parseDate', '--format', 'paths');
  expect(paths.stdout.trim().split('\n').toSorted()).toEqual(['src/date.ts', 'src/zone.ts']);
});

test('a server that refuses is told on stderr, and the search answers alone', async () => {
  configured('refuse-initialize');
  const { stdout, stderr, code } = await rig.conclave('context', 'parseDate', '--json');
  expect(code).toBe(0);
  expect(stderr).toContain('its server refused initialize: not today');
  expect(JSON.parse(stdout)).toMatchObject({ provider: 'search', degraded: true });
});

test('in a session the fall is an event, and stands in codebase-context.json', async () => {
  configured('refuse-initialize');
  // With the analysts alone, no server would be asked; they stand in for an agent that is gone.
  rig.config(`${rig.configured()}
[workflow]
tools = ["gone"]
fallback_chain = ["gone"]
[agents.gone]
path = "/nowhere/gone"
`);
  const flags = ['--auto-yes', '--json'];
  const { stdout } = await rig.conclave('plan', 'Change parseDate', ...flags);
  const reason = 'its server refused initialize: not today';
  const fell = stdout.split('\n').find((line) => line.includes('"context.fell"')) ?? '{}';
  expect(JSON.parse(fell)).toMatchObject({ provider: 'mcp', reason, ms: expect.any(Number) });
  const file = `${rig.session()}/codebase-context.json`;
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    provider: 'search',
    degraded: true,
    falls: [{ provider: 'mcp', reason, ms: expect.any(Number) }],
  });
});

test('doctor and config show it, without what may be secret', async () => {
  configured();
  const doctor = await rig.conclave('doctor');
  expect(doctor.stdout).toMatch(/^context server +ok .*asked with its tool search_code/m);
  const { stdout } = await rig.conclave('config', 'show');
  expect(stdout).toMatch(/^context\.mcp\.preset +"claude-context"/m);
  expect(stdout).toMatch(/^context\.mcp\.command +"\(hidden\)"/m);
  expect(stdout).not.toContain(log);
});

const text = () => readFileSync(log, 'utf8');

test('Ctrl-C ends a hanging server and its child before the command ends', async () => {
  configured('hang-tools/call', 'child', 'ignore-term');
  const before = text().length;
  const child = rig.start('context', 'parseDate');
  await until('it was called', () => text().slice(before).includes('tools/call'));
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  const pids = [
    ...text()
      .slice(before)
      .matchAll(/"pid":(\d+)/g),
  ].map(([, pid]) => Number(pid));
  expect(pids).toHaveLength(2);
  expect(pids.filter(isAlive)).toEqual([]);
});
