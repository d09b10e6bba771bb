import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { hostRig } from './host-rig.ts';
import { startModelServer } from './model-server/server.ts';
import { cliNames } from './real-clis.ts';

const servers = (rig: ReturnType<typeof hostRig>) => rig.host('mcp', 'list');

test.each(cliNames)(
  '%s lists the server after mcp install, and no more after its removal',
  async (name) => {
    const rig = hostRig(name);
    await rig.conclave('mcp', 'install', name, '--yes');
    expect(await servers(rig)).toMatch(/\bconclave\b/);
    await rig.conclave('mcp', 'install', name, '--remove', '--yes');
    expect(await servers(rig)).not.toMatch(/\bconclave\b/);
  },
);

const packaged = ['claude', 'codex', 'gemini', 'copilot'] as const;

test.each(packaged)(
  '%s lists the package after install, and no more after its removal',
  async (name) => {
    const rig = hostRig(name);
    expect(await rig.conclave('install', name, '--yes')).toContain(`${name} lists conclave now.`);
    const again = await rig.conclave('install', name, '--yes');
    expect(again).toContain(`${name} lists conclave now.`);
    const removed = await rig.conclave('install', name, '--remove', '--yes');
    expect(removed).toContain(`${name} no longer lists conclave.`);
    const nothing = await rig.conclave('install', name, '--remove', '--yes');
    expect(nothing).toContain('nothing was changed');
  },
);

test('opencode has the server, two commands and the skill after install, and none after its removal', async () => {
  const rig = hostRig('opencode');
  await rig.conclave('install', 'opencode', '--yes');
  expect(await servers(rig)).toMatch(/\bconclave\b/);
  const command = join(rig.home, '.config/opencode/commands/conclave-plan.md');
  expect(readFileSync(command, 'utf8')).toContain('plan-with-conclave');
  await rig.conclave('install', 'opencode', '--remove', '--yes');
  expect(await servers(rig)).not.toMatch(/\bconclave\b/);
  expect(() => readFileSync(command)).toThrow('ENOENT');
});

/** Lets the model call a tool by its name. */
const call = (name: string, given: object) =>
  ({ kind: 'tool', tool: 'shell', target: '', call: [name, given] }) as const;

test('the model of claude calls a tool of the installed server, and reads its answer', async () => {
  const server = await startModelServer();
  onTestFinished(() => server.close());
  const rig = hostRig('claude', server.url);
  await rig.conclave('mcp', 'install', 'claude', '--yes');
  server.on('MARKER', [
    call('ToolSearch', { query: 'select:mcp__conclave__list_sessions', max_results: 5 }),
    call('mcp__conclave__list_sessions', { folder: rig.repo }),
    { kind: 'text', text: 'Done.' },
  ]);
  await rig.host('-p', 'MARKER', '--allowedTools=mcp__conclave');
  const results = server.log.flatMap(({ toolResults }) => toolResults).join('\n');
  expect(results).toContain('"total":0');
});
