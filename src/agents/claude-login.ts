import { join } from 'node:path';
import { isObject, jsonIn } from '../model/json.ts';
import type { LoginQuestion, LoginReply, LoginState, UserSide } from './agent.ts';

/**
 * Claude Code tells it itself, without its helper for keys. In a home that it has been used in, it
 * changes no file; where there are settings but no state file yet, it makes one, as every use does.
 */
export function askLogin(user: UserSide): LoginQuestion {
  const isFirstUse = !usualPlaces(user).some((path) => user.has(path));
  return {
    argv: ['auth', 'status'],
    env: (folder) => ({ ...noNetwork, ...(isFirstUse ? { CLAUDE_CONFIG_DIR: folder } : {}) }),
    read,
  };
}

function usualPlaces({ home, environment }: UserSide): readonly string[] {
  const folder = environment['CLAUDE_CONFIG_DIR'];
  return folder ? [folder] : [join(home, '.claude'), join(home, '.claude.json')];
}

// Else it renews a login that has run out: were it ended then, the login could be lost.
const nowhere = 'http://127.0.0.1:1';
const noNetwork = {
  HTTPS_PROXY: nowhere,
  https_proxy: nowhere,
  HTTP_PROXY: nowhere,
  http_proxy: nowhere,
  NO_PROXY: '',
  no_proxy: '',
};

function read({ stdout }: LoginReply): LoginState {
  const status = jsonIn(stdout);
  if (!isObject(status)) return { state: 'unknown' };
  if (status['loggedIn'] === true) return { state: 'logged-in' };
  return status['loggedIn'] === false && status['authMethod'] === 'none'
    ? { state: 'logged-out', why: 'it has neither a login nor a key' }
    : { state: 'unknown' };
}
