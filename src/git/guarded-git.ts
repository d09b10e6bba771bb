import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eachLimited } from './each-limited.ts';
import { git, type GitPlace } from './git.ts';

/**
 * A command that compares the work tree, which is where git starts filters. People unpack archives
 * and share folders: a program that only the repository's own configuration names is not started.
 * Filters of the user or the machine, like that of git-lfs, are.
 */
export async function guardedGit(place: GitPlace, args: readonly string[]): ReturnType<typeof git> {
  return git(place, args, await guardVariables(place));
}

/** The variables that keep any git in this folder and its submodules from starting those programs. */
export async function guardVariables(place: GitPlace): Promise<Readonly<Record<string, string>>> {
  const settings = [...fixed, ...(await ownFilters(place))];
  // What the user's own environment sets comes first, so that it keeps its numbers.
  const first = Number(process.env['GIT_CONFIG_COUNT'] ?? 0);
  const pairs = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return { ...Object.fromEntries(pairs), GIT_CONFIG_COUNT: String(first + settings.length) };
}

type Setting = readonly [key: string, value: string];

// A command line each.
const fixed: readonly Setting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
];

/** The filters that the repository or one of its submodules names, set to what the user has. */
async function ownFilters(place: GitPlace): Promise<readonly Setting[]> {
  const [settings, index] = await Promise.all([
    git(place, ['config', '--null', '--show-scope', '--includes', '--get-regexp', '^filter\\.']),
    git(place, ['ls-files', '-z', '--stage']),
  ]);
  const submodules = (index.ok ? index.stdout.toString().split('\0') : [])
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => join(place.root, entry.slice(entry.indexOf('\t') + 1)))
    .filter((folder) => existsSync(join(folder, '.git')));
  const inside = await eachLimited(submodules, (root) => ownFilters({ ...place, root }));
  return [...(settings.ok ? overrides(settings.stdout.toString()) : []), ...inside.flat()];
}

/** Of each key that the repository sets, the value that it has without that. */
function overrides(listed: string): readonly Setting[] {
  const ofUser = new Map<string, string>();
  const ofRepository = new Set<string>();
  const fields = listed.split('\0');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [key = '', value = 'true'] = (fields[at + 1] ?? '').split(/\n(.*)/s);
    if (fields[at] === 'local' || fields[at] === 'worktree') ofRepository.add(key);
    else ofUser.set(key, value);
  }
  return [...ofRepository].map((key) => [key, ofUser.get(key) ?? unset(key)]);
}

/** An empty command is none; where one is required, git would give up without it. */
function unset(key: string): string {
  return key.endsWith('.required') ? 'false' : '';
}
