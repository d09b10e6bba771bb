import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hostRig } from './host-rig.ts';
import { cliNames } from './real-clis.ts';

/** Not within the path of a temporary folder. */
const ourName = /(?<![\w/-])conclave(?![\w/-])/;

const servers = (rig: ReturnType<typeof hostRig>) => rig.host('mcp', 'list');

test.each(cliNames)(
  '%s lists the server after mcp install, and no more after its removal',
  async (name) => {
    const rig = hostRig(name);
    await rig.conclave('mcp', 'install', name, '-y');
    expect(await servers(rig)).toMatch(ourName);
    await rig.conclave('mcp', 'install', name, '--remove', '-y');
    expect(await servers(rig)).not.toMatch(ourName);
  },
);

const packaged = ['claude', 'codex', 'gemini', 'copilot'] as const;

test.each(packaged)(
  '%s lists the package after install, and no more after its removal',
  async (name) => {
    const rig = hostRig(name);
    expect(await rig.conclave('install', name, '-y')).toContain(`${name} lists conclave now.`);
    const again = await rig.conclave('install', name, '-y');
    expect(again).toContain(`${name} lists conclave now.`);
    const removed = await rig.conclave('install', name, '--remove', '-y');
    expect(removed).toContain(`${name} no longer lists conclave.`);
    const nothing = await rig.conclave('install', name, '--remove', '-y');
    expect(nothing).toContain('nothing was changed');
  },
);

test('opencode has the server, two commands and the skill after install, and none after its removal', async () => {
  const rig = hostRig('opencode');
  await rig.conclave('install', 'opencode', '-y');
  expect(await servers(rig)).toMatch(ourName);
  const command = join(rig.home, '.config/opencode/commands/conclave-plan.md');
  expect(readFileSync(command, 'utf8')).toContain('plan-with-conclave');
  await rig.conclave('install', 'opencode', '--remove', '-y');
  expect(await servers(rig)).not.toMatch(ourName);
  expect(() => readFileSync(command)).toThrow('ENOENT');
});

test('claude lists the package for a project, and no more after its removal there', async () => {
  const rig = hostRig('claude');
  const scope = ['--scope', 'project', '-y'];
  await rig.conclave('install', 'claude', ...scope);
  expect(rig.read('.claude/settings.json')).toContain('"conclave@conclave": true');
  expect(rig.read('.claude/settings.json')).not.toContain(rig.home);
  await rig.conclave('install', 'claude', '--remove', ...scope);
  expect(rig.read('.claude/settings.json')).not.toContain('conclave');
});
