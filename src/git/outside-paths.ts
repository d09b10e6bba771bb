// Finds the word of a command that is a path to something outside of a folder.
import { lstat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, posix } from 'node:path';
import { nullIfAbsent } from '../store/system-error.ts';

/**
 * The first word of a command, run in `cwd`, that leads out of `root`: only existing paths count,
 * since `./...`, `/api/users` and `https://example.com` look like paths. Undefined if there is
 * none.
 */
export async function outsideWord(
  [program = '', ...words]: readonly string[],
  { cwd, root }: { readonly cwd: string; readonly root: string },
): Promise<string | undefined> {
  // A program may be anywhere on the machine.
  const all = posix.isAbsolute(program) ? words : [program, ...words];
  for (const word of all) {
    for (const part of word.split(/[=:,]/)) {
      if (isOutside(part, { cwd, root }) && (await isThere(absolutePath(part, cwd)))) return word;
    }
  }
  return undefined;
}

function isOutside(part: string, { cwd, root }: { readonly cwd: string; readonly root: string }) {
  const isPath =
    /^(?:~?\/[^/]|\.\.(?:\/|$))|\/\.\.(?:\/|$)/.test(part) && !part.startsWith('/dev/');
  const path = absolutePath(part, cwd);
  return isPath && path !== root && !path.startsWith(`${root}/`);
}

function absolutePath(part: string, cwd: string): string {
  return part.startsWith('~/') ? join(homedir(), part.slice(2)) : posix.resolve(cwd, part);
}

async function isThere(path: string): Promise<boolean> {
  return !path.includes('\0') && (await nullIfAbsent(lstat(path))) !== null;
}
