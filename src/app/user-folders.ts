// Finds the folders for data and settings of the user; it loads at once, for those who must be quick.
import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The folder of compiled code that servers load. */
export function codeCacheFolder(environment: NodeJS.ProcessEnv): string {
  return `${dataFolder(environment)}/code-cache`;
}

export function homeFolder(environment: NodeJS.ProcessEnv): string {
  const home = environment['HOME'] ?? '';
  // The system knows the user's home where the environment says nothing of use.
  return isAbsolute(home) ? home : userInfo().homedir;
}

/** The folder of conclave among the data of the user; it may not be there yet. */
export function dataFolder(environment: NodeJS.ProcessEnv): string {
  return `${xdgFolder(environment, 'XDG_DATA_HOME', '.local/share')}/conclave`;
}

/** By the XDG specification, a relative value is to be ignored. */
export function xdgFolder(environment: NodeJS.ProcessEnv, name: string, inHome: string): string {
  const set = environment[name] ?? '';
  return isAbsolute(set) ? resolve(set) : join(homeFolder(environment), inHome);
}
