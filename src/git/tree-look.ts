import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { git, type GitPlace } from './git.ts';
import { folderOf, isOwnFolder } from './paths.ts';

/** Above this many paths, asking git is not much slower than looking at each of them. */
const mostPaths = 5_000;

/**
 * The paths whose times of change tell whether anything came, went or was written: every file
 * that git knows or would show, and every folder around them, empty ones too. Null where that is
 * not sure (a submodule has a tree of its own) or not worth it.
 */
export async function watchedPaths(place: GitPlace): Promise<readonly Buffer[] | null> {
  if (existsSync(join(place.root, '.gitmodules'))) return null;
  const others = ['--others', '--exclude-standard'];
  const answers = await Promise.all([
    git(place, ['ls-files', '-z', '--cached', ...others]),
    git(place, ['ls-files', '-z', '--directory', ...others]),
  ]);
  // One character for each byte: names that are no UTF-8 stay what they are.
  const names = answers.flatMap((answer) =>
    answer.ok ? answer.stdout.toString('latin1').split('\0') : [],
  );
  if (answers.some((answer) => !answer.ok) || names.length > mostPaths) return null;
  const paths = new Set<string>(['.']);
  for (const name of names) {
    const path = name.replace(/\/$/, '');
    if (path === '' || isOwnFolder(path)) continue;
    paths.add(path);
    for (let at = folderOf(path); at !== ''; at = folderOf(at)) paths.add(at);
  }
  return [...paths].map((path) =>
    Buffer.from(`${Buffer.from(place.root).toString('latin1')}/${path}`, 'latin1'),
  );
}

/**
 * The times of change of all watched paths as one text: the same text, the same tree. Synchronous
 * on purpose: for some hundred small looks this is many times faster.
 */
export function lookAt(paths: readonly Buffer[]): string {
  return paths.map(changeOf).join(' ');
}

function changeOf(path: Buffer): string {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'absent' : `${stats.ino}:${stats.ctimeNs}`;
}
