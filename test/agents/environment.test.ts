import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { AgentAdapter } from '../../src/agents/agent.ts';
import { cliAgent } from '../../src/agents/cli-agent.ts';
import { agentEnvironment } from '../../src/agents/environment.ts';
import { programAdapter } from '../../src/agents/program.ts';
import { agentRoom, fake, runToEnd, type AgentRoom } from './agent-room.ts';

let room: AgentRoom;
beforeEach(() => {
  room = agentRoom();
});
afterEach(() => room.remove());

const common = {
  PATH: '/usr/bin:/bin',
  HOME: '/home/u',
  USER: 'u',
  LOGNAME: 'u',
  SHELL: '/bin/sh',
  TMPDIR: '/tmp',
  LANG: 'de_DE.UTF-8',
  LC_ALL: 'C',
  LC_TIME: 'C',
  TERM: 'xterm',
  TZ: 'UTC',
  HTTPS_PROXY: 'http://proxy.invalid',
  https_proxy: 'http://proxy.invalid',
  no_proxy: 'localhost',
  NODE_EXTRA_CA_CERTS: '/ca.pem',
  SSL_CERT_FILE: '/ca.pem',
  SSL_CERT_DIR: '/ca',
  XDG_CONFIG_HOME: '/home/u/.config',
};
const foreign = {
  LD_PRELOAD: '/evil.so',
  LD_LIBRARY_PATH: '/evil',
  DYLD_INSERT_LIBRARIES: '/evil',
  NODE_OPTIONS: '--require /evil.js',
  BASH_ENV: '/evil.sh',
  CLAUDECODE: '1',
  CONCLAVE_RUN: 'outer',
  DATABASE_URL: 'postgres://secret',
  GITHUB_TOKEN: 'secret',
  SSH_AUTH_SOCK: '/agent',
  PATHS: 'no',
};
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
  const own = { CONCLAVE_MODEL: 'm1', CONCLAVE_ROLE: 'reviewer' };

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
    for (const name of [
      'LD_PRELOAD',
      'DYLD_INSERT_LIBRARIES',
      'NODE_OPTIONS',
      'BASH_ENV',
      'CLAUDECODE',
      'CONCLAVE_RUN',
    ]) {
      expect(all).not.toContain(name);
    }
    expect(all).toContain('BLUE_API_KEY');
  });

  test('adds what the user configured for this agent, over everything else', () => {
    expect(
      of(adapterFor(), { TERM: 'dumb', NODE_OPTIONS: '--use-system-ca', CONCLAVE_MODEL: 'm2' }),
    ).toEqual({
      ...common,
      ...own,
      TERM: 'dumb',
      NODE_OPTIONS: '--use-system-ca',
      CONCLAVE_MODEL: 'm2',
    });
  });
});

describe('three agents and three keys', () => {
  test.each(['RED', 'BLUE', 'GREEN'])('the agent of %s sees only its own', async (colour) => {
    const agent = cliAgent({
      adapter: adapterFor(`${colour}_*`),
      settings: { path: process.execPath, args: [fake('dump')] },
      environment: { PATH: process.env['PATH'], ...foreign, ...keys },
    });
    const { end } = await runToEnd(agent, room.request());
    const { env, argv, cwd, stdin } = JSON.parse(end.ok ? end.text : '{}');
    expect(Object.keys(env).filter((name) => name.endsWith('_API_KEY'))).toEqual([
      `${colour}_API_KEY`,
    ]);
    expect(Object.keys(env).filter((name) => name in foreign)).toEqual(['CONCLAVE_RUN']);
    expect({ argv, cwd, stdin }).toEqual({
      argv: [],
      cwd: room.folder,
      stdin: 'What should we do?',
    });
  });
});
