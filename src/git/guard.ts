// Keeps git from starting filters, merge drivers, hooks and monitors that only a repository names.
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { lookAt, stampOf } from './disk.ts';
import { eachLimited } from '../store/each-limited.ts';
import { gitAround } from './git-folders.ts';
import { git, type GitTarget } from './git.ts';

/**
 * A command that compares the work tree, which is where git starts filters. People unpack archives
 * and share folders: a program that only the repository's own configuration names is not started.
 * Filters of the user or the machine, like that of git-lfs, are.
 */
export async function guardGit(target: GitTarget, args: readonly string[]): ReturnType<typeof git> {
  const variables = { ...target.variables, ...(await guardVariables(target)) };
  return git({ ...target, variables }, args);
}

/** The variables that keep any git in this folder and its submodules from starting those programs. */
export async function guardVariables(
  target: GitTarget,
  more: readonly GitSetting[] = [],
): Promise<Readonly<Record<string, string>>> {
  const settings = [...fixed, ...more, ...(await ownPrograms(target))];
  const given = process.env['GIT_CONFIG_PARAMETERS'];
  const quoted = settings.map(([key, value]) => `${inQuotes(key)}=${inQuotes(value)}`);
  // Not GIT_CONFIG_KEY_n, which agents keep from their commands as they do every KEY.
  return { GIT_CONFIG_PARAMETERS: [...(given === undefined ? [] : [given]), ...quoted].join(' ') };
}

function inQuotes(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

export type GitSetting = readonly [key: string, value: string];

// A command line each.
const fixed: readonly GitSetting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
];

/** Settings for a folder, with the stamp of the files that hold them. */
const known = new Map<
  string,
  { readonly stamp: string; readonly settings: readonly GitSetting[] }
>();

/**
 * The filters and merge drivers that the repository or one of its submodules names, set to what the
 * user has. Git is asked again when the repository’s settings or its index have changed; each time
 * where further files have a say.
 */
async function ownPrograms(target: GitTarget): Promise<readonly GitSetting[]> {
  const stamp = await stampAround(target.root);
  const last = known.get(target.root);
  if (last !== undefined && last.stamp === stamp) return last.settings;
  const [listed, index, gitFolder] = await Promise.all([
    git(target, ['config', '--null', '--show-scope', '--includes', '--get-regexp', settingNames]),
    git(target, ['ls-files', '-z', '--stage']),
    stamp === null ? null : git(target, ['rev-parse', '--absolute-git-dir']),
  ]);
  const submodules = (index.ok ? index.stdout.toString().split('\0') : [])
    .filter((entry) => entry.startsWith('160000 '))
    .map((entry) => join(target.root, entry.slice(entry.indexOf('\t') + 1)));
  const there = submodules.filter((folder) => existsSync(join(folder, '.git')));
  const inside = await eachLimited(there, (root) => ownPrograms({ ...target, root }));
  const { ofUser, ofRepository } = settingsIn(listed.ok ? listed.stdout.toString() : '');
  const settings = [
    ...[...ofRepository]
      .filter((key) => !isInclude(key))
      .map((key): GitSetting => [key, ofUser.get(key) ?? unset(key)]),
    ...inside.flat(),
  ];
  const isStamped =
    gitFolder?.ok === true && stamp?.startsWith(gitFolder.stdout.toString()) === true;
  const isAll = submodules.length === 0 && ![...ofRepository].some(isInclude);
  if (isStamped && isAll) known.set(target.root, { stamp, settings });
  return settings;
}

const settingNames = String.raw`^filter\.|^merge\..*\.driver$|^include`;

/** It leads to another file of settings. */
function isInclude(key: string): boolean {
  return key.startsWith('include');
}

/**
 * The nearest `.git` with the stamps of its settings and its index, a line each; null where these
 * are not its own plain files.
 */
async function stampAround(root: string): Promise<string | null> {
  const around = gitAround(root);
  if (around === null || !lstatSync(around).isDirectory()) return null;
  const names = ['HEAD', 'config', 'config.worktree', 'index'];
  const [shared, ...found] = await Promise.all(
    ['commondir', ...names].map((name) => lookAt(around, name)),
  );
  if (shared?.kind !== 'absent' || found.some(({ kind }) => kind === 'link')) return null;
  const stamps = await Promise.all(names.map((name) => stampOf(join(around, name))));
  return [around, ...stamps].join('\n');
}

/** Reads `git config --null --show-scope`; of the user’s settings, with their values. */
function settingsIn(listed: string): {
  readonly ofUser: ReadonlyMap<string, string>;
  readonly ofRepository: ReadonlySet<string>;
} {
  const ofUser = new Map<string, string>();
  const ofRepository = new Set<string>();
  const fields = listed.split('\0');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [key = '', value = 'true'] = (fields[at + 1] ?? '').split(/\n(.*)/s);
    if (fields[at] === 'local' || fields[at] === 'worktree') ofRepository.add(key);
    else ofUser.set(key, value);
  }
  return { ofUser, ofRepository };
}

/**
 * An empty command is none; where one is required, git would give up without it. An empty merge
 * driver would drop one side, so that it becomes the merge of lines that git has itself.
 */
function unset(key: string): string {
  if (key.endsWith('.driver')) return 'git merge-file --marker-size=%L %A %O %B';
  return key.endsWith('.required') ? 'false' : '';
}
