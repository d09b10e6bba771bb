import { isAbsolute, join, resolve } from 'node:path';
import { sha256Of } from '../../store/digest.ts';

/** The folder of conclave among the data of the user; it may not be there yet. */
function dataFolder(environment: NodeJS.ProcessEnv): string {
  return `${xdgFolder(environment, 'XDG_DATA_HOME', '.local/share')}/conclave`;
}

/** Where the user's trust in project files is kept. */
export function trustFile(environment: NodeJS.ProcessEnv): string {
  return `${dataFolder(environment)}/trust.json`;
}

/**
 * Where what agents write in a session lies apart, until all of a round have answered: by the hash
 * of the path of the session's folder.
 */
export function apartPath(environment: NodeJS.ProcessEnv, sessionFolder: string): string {
  return `${dataFolder(environment)}/running/${sha256Of(sessionFolder).slice(0, 16)}`;
}

/** The user's own settings file, whether or not it is there. */
export function userConfigFile(environment: NodeJS.ProcessEnv): string {
  return `${xdgFolder(environment, 'XDG_CONFIG_HOME', '.config')}/conclave/config.toml`;
}

export function homeFolder(environment: NodeJS.ProcessEnv): string {
  const home = environment['HOME'] ?? '';
  // What the system says of the user, where the environment says nothing of use.
  return isAbsolute(home) ? home : process.getBuiltinModule('node:os').userInfo().homedir;
}

/** By the XDG specification, a relative value is to be ignored. */
function xdgFolder(environment: NodeJS.ProcessEnv, name: string, inHome: string): string {
  const set = environment[name] ?? '';
  return isAbsolute(set) ? resolve(set) : join(homeFolder(environment), inHome);
}
