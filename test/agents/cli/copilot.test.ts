import { describe, expect, test } from 'vitest';
import { copilot } from '../../../src/agents/cli/copilot.ts';
import { agentRoom, userWith } from '../agent-room.ts';

const room = agentRoom();
room.remove();
const asked = room.request({ cwd: '/repo', hidden: ['/repo/.workflow', '/data/apart'] });

describe('the home of a run', () => {
  const config = `// Managed.
{ "trustedFolders": ["/repo"], "loggedInUsers": [{ "login": "me" }], "copilotTokens": { "a": "t" } }`;
  const settings = `{ "proxyUrl": "http://proxy", "hooks": { "sessionStart": [] } }`;
  const files = copilot.files?.(
    asked,
    userWith(
      { COPILOT_HOME: '/own' },
      { '/own/config.json': config, '/own/settings.json': settings },
    ),
  );

  test('has the login and the way to the network, but trusts no folder and runs no hook', () => {
    expect(files).toMatchObject({
      'config.json': '{"loggedInUsers":[{"login":"me"}],"copilotTokens":{"a":"t"}}',
      'settings.json': '{"proxyUrl":"http://proxy","disableAllHooks":true}',
      'session-state': { linkTo: '/own/session-state', kind: 'folder' },
    });
  });

  test('keeps reads and searches out of hidden folders of the project', () => {
    expect(files).toMatchObject({ ripgreprc: '--glob=!/.workflow/**\n' });
    const rules = copilot.argv(asked).filter((part) => part.startsWith('--deny-tool=read'));
    expect(rules).toEqual(['--deny-tool=read(/repo/.workflow/**)']);
  });
});

test('tokens are those of the file that it leaves, summed over its models', () => {
  const one = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4 };
  const usage = { modelMetrics: { a: { usage: one }, b: { usage: one }, c: {} } };
  const user = userWith({}, { '/run/usage.json': JSON.stringify(usage) });
  const request = { ...asked, filesFolder: '/run' };
  const tokens = { inputTokens: 20, outputTokens: 4, cachedTokens: 8 };
  expect(copilot.usageIn?.(request, user)).toEqual([{ type: 'usage', ...tokens, costUsd: null }]);
  expect(copilot.usageIn?.(request, userWith())).toEqual([]);
  const none = { '/run/usage.json': JSON.stringify({ modelMetrics: { c: {} } }) };
  expect(copilot.usageIn?.(request, userWith({}, none))).toEqual([]);
});

test('the premium requests of a new session are told, and not those of earlier runs', () => {
  const usage = { modelMetrics: { a: { usage: {} } }, totalPremiumRequestCost: 3 };
  const user = userWith({}, { '/run/usage.json': JSON.stringify(usage) });
  const request = { ...asked, filesFolder: '/run' };
  const window = { name: 'premium requests', used: 3, resets_at: null };
  expect(copilot.usageIn?.(request, user)).toContainEqual(expect.objectContaining({ window }));
  const resumed = { ...request, resume: { agentSession: 'S', cwd: '/repo' } };
  expect(copilot.usageIn?.(resumed, user)).toHaveLength(1);
});

test('without isolation it has the home of the user, and the tools of their servers', () => {
  const open = { ...asked, isolation: 'none', permission: 'edit' } as const;
  expect(Object.keys(copilot.files?.(open, userWith()) ?? {})).toEqual(['ripgreprc']);
  expect(copilot.env(open)).not.toHaveProperty('COPILOT_HOME');
  expect(copilot.argv(open).join(' ')).not.toMatch(/--available-tools|--no-custom-instructions/);
  expect(copilot.argv(open)).toEqual(
    expect.arrayContaining(['--deny-tool=shell', '--deny-tool=url']),
  );
});
