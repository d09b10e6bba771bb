import { describe, expect, test } from 'vitest';
import { copilot } from '../../src/agents/copilot.ts';
import { agentRoom, userWith } from './agent-room.ts';

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

test.each([
  ['stored', { COPILOT_PROVIDER_BASE_URL: 'http://own' }, {}],
  ['stored', { GITHUB_TOKEN: 'gho_x' }, {}],
  ['logged-out', { GH_TOKEN: 'ghp_x', GITHUB_TOKEN: 'gho_x' }, {}],
  ['stored', { COPILOT_GITHUB_TOKEN: 'github_pat_x', GH_TOKEN: 'ghp_x' }, {}],
  ['stored', {}, { '/home/user/.copilot/config.json': '{"loggedInUsers":[{"login":"me"}]}' }],
  ['logged-out', {}, { '/home/user/.copilot/config.json': '{"loggedInUsers":[]}' }],
  ['unknown', {}, { '/home/user/.config/gh/hosts.yml': '' }],
  ['unknown', { GH_CONFIG_DIR: '/gh' }, { '/gh/hosts.yml': '' }],
  ['logged-out', {}, {}],
])('its login is %s with %o and %o', (state, environment, files) => {
  expect(copilot.askLogin?.(userWith(environment, files))).toMatchObject({ state });
});

test('tokens are those of the file that it leaves, summed over its models', () => {
  const one = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 4 };
  const usage = { modelMetrics: { a: { usage: one }, b: { usage: one }, c: {} } };
  const user = userWith({}, { '/run/usage.json': JSON.stringify(usage) });
  const request = { ...asked, filesFolder: '/run' };
  const tokens = { input: 20, output: 4, cached: 8 };
  expect(copilot.usageIn?.(request, user)).toEqual([{ kind: 'usage', tokens, cost_usd: null }]);
  expect(copilot.usageIn?.(request, userWith())).toEqual([]);
});

test.each([
  ['rate-limited', 402, '402 {"error":{"message":"You have no quota","code":"quota_exceeded"}}'],
  ['rate-limited', null, 'Quota exceeded. Upgrade to increase your limit'],
  ['rate-limited', null, 'You have exceeded your premium request allowance.'],
  ['rate-limited', null, 'Sorry, you have exceeded your Copilot token usage.'],
  ['rate-limited', null, "Sorry, you've hit a rate limit. Please try again in 2 hours."],
  [
    'request-refused',
    400,
    'Execution failed: CAPIError: 400 The requested model is not supported.',
  ],
  ['request-refused', null, 'No supported model available'],
  [
    'request-refused',
    403,
    'You are not authorized to use this Copilot feature, it requires an enterprise or organization policy to be enabled.',
  ],
  ['request-refused', 403, 'Failed to load models: access denied by Copilot policy.'],
  ['not-logged-in', 401, 'Personal Access Token does not have Copilot Requests permission'],
  ['network', null, 'Could not connect to local model provider at http://127.0.0.1:9/v1.'],
])('an error is %s with the status %s and the words %s', (category, statusCode, message) => {
  const line = { type: 'session.error', data: { errorType: 'query', message, statusCode } };
  expect(copilot.read(JSON.stringify(line))).toMatchObject({ kind: 'error', category });
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
