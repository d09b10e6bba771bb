import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { inTerminal } from '../../helpers/terminal.ts';
import { testRig } from '../../helpers/test-rig.ts';

interface InitOptions {
  readonly flags?: readonly string[];
  readonly CI?: string;
}

/** `config init` in a terminal where only these agents are installed. */
function initWith(agents: readonly string[], { flags = [], CI = '' }: InitOptions = {}) {
  const rig = testRig();
  const bin = join(rig.home, 'bin');
  mkdirSync(bin);
  mkdirSync(join(rig.repo, '.git'));
  // No project counts, not even one around the home.
  for (const folder of [rig.home, rig.repo]) {
    writeFileSync(join(folder, 'conclave.toml'), '[agents.claude]\nenabled = false\n');
  }
  symlinkSync(process.execPath, join(bin, 'node'));
  for (const name of agents) {
    writeFileSync(join(bin, name), '#!/bin/sh\necho 2.1.5\n', { mode: 0o755 });
  }
  const file = join(rig.home, 'config/conclave/config.toml');
  const terminal = inTerminal(rig, ['config', 'init', ...flags], {
    columns: 120,
    environment: { PATH: `${bin}:/usr/bin:/bin`, CI, ANTHROPIC_API_KEY: 'k', CODEX_API_KEY: 'k' },
  });
  const chosen = async () => {
    const { stdout } = await rig.conclave('config', '--json');
    const said: readonly { key: string; value: unknown; source: string }[] = JSON.parse(stdout);
    const own = said.filter(({ source }) => source === file);
    return Object.fromEntries(own.map(({ key, value }) => [key, value]));
  };
  return { terminal, file, chosen };
}

const agentQuestion = /^Default agent \[claude\]:$/m;
const seatsQuestion = /^Agents that discuss each task \[claude, codex\]:$/m;

describe('config init at a terminal', () => {
  test('shows who is ready, and Enter takes what is suggested', async () => {
    const { terminal, file, chosen } = initWith(['claude', 'codex']);
    const screen = await terminal.shows(agentQuestion);
    expect(screen).toMatch(/^claude +ready +2\.1\.5/m);
    expect(screen).toMatch(/^gemini +not installed .*npm install -g @google\/gemini-cli/m);
    terminal.press('enter');
    await terminal.shows(seatsQuestion);
    terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen().replaceAll('\n', '')).toContain(`Wrote ${file}; what you did not`);
    expect(await chosen()).toEqual({
      'agent.cli': 'claude',
      'workflow.tools': ['claude', 'codex'],
    });
  });

  test('takes names, and asks again where an answer does not fit', async () => {
    const { terminal, chosen } = initWith(['claude', 'codex']);
    await terminal.shows(agentQuestion);
    terminal.type('gemini\r');
    await terminal.shows('"gemini" does not fit: choose one of claude, codex.');
    terminal.type('codex\r');
    await terminal.shows(seatsQuestion);
    terminal.type('claude, 1\r');
    await terminal.shows('"claude, 1" does not fit: choose some of claude, codex.');
    terminal.type('Codex, claude\r');
    expect(await terminal.ended()).toBe(0);
    expect(await chosen()).toEqual({ 'agent.cli': 'codex', 'workflow.tools': ['codex', 'claude'] });
  });

  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('writes nothing after %s', async (_, key) => {
    const { terminal, file } = initWith(['claude', 'codex']);
    await terminal.shows(agentQuestion);
    terminal.press('enter');
    await terminal.shows(seatsQuestion);
    terminal.press(key);
    expect(await terminal.ended()).toBe(130);
    expect(existsSync(file)).toBe(false);
  });

  test('keeps the seats open where only one agent is ready', async () => {
    const { terminal, chosen } = initWith(['codex']);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain('Only codex is ready');
    expect(await chosen()).toEqual({ 'agent.cli': 'codex' });
  });

  test.each([
    ['nobody is ready', [], {}, 'No agent is ready yet'],
    [
      '-y is given',
      ['claude', 'codex'],
      { flags: ['-y'] },
      'what you did not choose is commented out',
    ],
    [
      'it runs in CI',
      ['claude', 'codex'],
      { CI: 'true' },
      'what you did not choose is commented out',
    ],
  ])('comments everything out where %s', async (_, agents, options, says) => {
    const { terminal, file, chosen } = initWith(agents, options);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen().replaceAll('\n', '')).toContain(says);
    expect(readFileSync(file, 'utf8')).toContain('# cli = "claude"');
    expect(await chosen()).toEqual({});
  });
});
