import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { adapters } from '../../../src/agents/list.ts';
import { loadSettings } from '../../../src/commands/settings/load-settings.ts';
import { probeAgents } from '../../../src/commands/wiring/terminal-agents.ts';
import type { AgentStanding } from '../../../src/faces/tui/ports.ts';
import { fake } from '../../agents/agent-room.ts';

const base = mkdtempSync(join(tmpdir(), 'conclave-probe-'));
afterAll(() => {
  rmSync(base, { recursive: true, force: true });
});

/** All that was shown of one agent, in order, with this as its own settings and all others off. */
async function shownOf(name: string, own: string): Promise<readonly AgentStanding[]> {
  const others = adapters.filter((adapter) => adapter.name !== name);
  const off = others.map((other) => `[agents.${other.name}]\nenabled = false\n`);
  mkdirSync(join(base, 'conclave'), { recursive: true });
  writeFileSync(join(base, 'conclave/config.toml'), `[agents.${name}]\n${own}\n${off.join('')}`);
  const environment = { HOME: base, XDG_CONFIG_HOME: base };
  const settings = await loadSettings({ cwd: base, environment, flags: {} });
  const shown: AgentStanding[] = [];
  await probeAgents({ root: base, settings }, (standing) => shown.push(standing));
  return shown.filter((standing) => standing.name === name);
}

const program = `path = ${JSON.stringify(fake('login-status'))}`;
const status = (loggedIn: boolean, authMethod: string) =>
  `env = { STATUS = '${JSON.stringify({ loggedIn, authMethod })}' }`;

test('an agent that is not logged in is shown with its version first, then with the remedy', async () => {
  const shown = await shownOf('claude', `${program}\n${status(false, 'none')}`);
  expect(shown.map(({ state, version, remedy }) => [state, version, remedy])).toEqual([
    ['looking', null, null],
    ['ready', '4.5.6', null],
    ['not-logged-in', '4.5.6', 'Log in: claude auth login.'],
  ]);
});

test.each([
  ['claude', `${program}\n${status(true, 'api_key')}`],
  ['claude', `${program}\nenv = { STATUS = 'no JSON' }`],
  ['own', program],
])('%s with %j stays ready', async (name, own) => {
  const shown = await shownOf(name, own);
  expect(shown.map(({ state }) => state)).toEqual(['looking', 'ready']);
});

test('nobody asks an agent that is missing for its login', async () => {
  const shown = await shownOf('claude', 'path = "/nowhere/claude"');
  expect(shown.map(({ state }) => state)).toEqual(['looking', 'not-installed']);
});
