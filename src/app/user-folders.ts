// Finds the user's folders for data and settings; it loads quickly, for programs that must be fast.
import { userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** The folder for compiled code that servers load. */
export function codeCacheFolder(environment: NodeJS.ProcessEnv): string {
  return `${dataFolder(environment)}/code-cache`;
}

export function homeFolder(environment: NodeJS.ProcessEnv): string {
  const home = environment['HOME'] ?? '';
  // The system knows the user's home folder if the environment has no usable value.
  return isAbsolute(home) ? home : userInfo().homedir;
}

/** Conclave’s folder in the user’s data; it may not exist yet. */
export function dataFolder(environment: NodeJS.ProcessEnv): string {
  return `${xdgFolder(environment, 'XDG_DATA_HOME', '.local/share')}/conclave`;
}

/** According to the XDG specification, a relative value is to be ignored. */
export function xdgFolder(environment: NodeJS.ProcessEnv, name: string, inHome: string): string {
  const set = environment[name] ?? '';
  return isAbsolute(set) ? resolve(set) : join(homeFolder(environment), inHome);
}
