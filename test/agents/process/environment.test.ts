import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentAdapter } from '../../../src/agents/agent.ts';
import { agentEnvironment, secretFilter } from '../../../src/agents/process/environment.ts';
import { adapters } from '../../../src/agents/cli/list.ts';
import { programAdapter } from '../../../src/agents/cli/own-program.ts';
import { agentRoom, type AgentRoom } from '../agent-room.ts';

let room: AgentRoom;
beforeEach(() => {
  room = agentRoom();
});
afterEach(() => room.remove());

const named = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, '/x']));
const common = named(
  'PATH HOME USER LOGNAME SHELL TMPDIR LANG LC_ALL LC_TIME TERM TZ HTTPS_PROXY https_proxy no_proxy NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR XDG_CONFIG_HOME',
);
const loading =
  'LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES NODE_OPTIONS BASH_ENV CLAUDECODE CONCLAVE_RUN';
const foreign = named(`${loading} DATABASE_URL GITHUB_TOKEN SSH_AUTH_SOCK PATHS`);
const keys = { RED_API_KEY: 'red', RED_REGION: 'r', BLUE_API_KEY: 'blue', GREEN_API_KEY: 'green' };
const adapterFor = (...variables: string[]): AgentAdapter => ({
  ...programAdapter('fake', null),
  variables,
});

const of = (adapter: AgentAdapter, env?: Record<string, string>) =>
  agentEnvironment({
    base: { ...common, ...foreign, ...keys },
    adapter,
    settings: env === undefined ? {} : { env },
    request: room.request({ model: 'm1', role: 'reviewer' }),
  });

describe('agentEnvironment', () => {
  const own = { CONCLAVE_PERMISSION: 'read-only', CONCLAVE_MODEL: 'm1', CONCLAVE_ROLE: 'reviewer' };

  test('passes what every program needs and nothing else', () => {
    expect(of(adapterFor())).toEqual({ ...common, ...own });
  });

  test('passes the variables that the adapter names, by name or by beginning', () => {
    expect(of(adapterFor('RED_*'))).toEqual({
      ...common,
      ...own,
      RED_API_KEY: 'red',
      RED_REGION: 'r',
    });
    expect(of(adapterFor('RED_API_KEY'))).toEqual({ ...common, ...own, RED_API_KEY: 'red' });
  });

  test('lets no pattern of an adapter pass what loads code or tells of an outer agent', () => {
    const all = Object.keys(of(adapterFor('*')));
    expect(all.filter((name) => loading.split(' ').includes(name))).toEqual([]);
    expect(all).toContain('BLUE_API_KEY');
  });

  test('adds what the user configured for this agent, over everything else', () => {
    const env = { TERM: 'dumb', NODE_OPTIONS: '--use-system-ca', CONCLAVE_MODEL: 'm2' };
    expect(of(adapterFor(), env)).toEqual({ ...common, ...own, ...env });
  });
});

test('with the keys of all vendors around, each adapter passes only its own', () => {
  const own = {
    claude: ['ANTHROPIC_API_KEY'],
    codex: ['OPENAI_API_KEY'],
    gemini: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    copilot: ['GITHUB_TOKEN'],
    opencode: [],
    agy: [],
  };
  const others = ['AWS_SECRET_ACCESS_KEY', 'AZURE_API_KEY', 'OPENROUTER_API_KEY', 'NPM_TOKEN'];
  const all = named([...Object.values(own).flat(), ...others].join(' '));
  const passed = adapters.map((adapter) => {
    const settings = { base: all, adapter, settings: {}, request: null };
    return [adapter.name, Object.keys(agentEnvironment(settings))];
  });
  expect(Object.fromEntries(passed)).toEqual(own);
});

test('the values of secret variables are named in place', () => {
  const environment = { RED_API_KEY: 'value-of-the-key', HOME: '/home/someone', MY_TOKEN: 'short' };
  expect(secretFilter(environment)('sent value-of-the-key from /home/someone, short')).toBe(
    'sent [RED_API_KEY] from /home/someone, short',
  );
  const harmless = { DB_PASSWORD: 'postgres', TLS_KEY: './certs/server-1.key' };
  const text = 'a postgres with ./certs/server-1.key';
  expect(secretFilter(harmless)(text)).toBe(text);
});
