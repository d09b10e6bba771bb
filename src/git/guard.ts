// Keeps git from starting filters, merge drivers, hooks and monitors that only a repository names.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { eachLimited } from '../store/each-limited.ts';
import { gitFolders, settingsAround, type SettingsAround } from './git-folders.ts';
import { git, type GitTarget } from './git.ts';
import { indexListing, linksIn } from './index-links.ts';

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

/** The programs that settings of the repository name, each set to what the user has. */
interface OwnSettings {
  readonly settings: readonly GitSetting[];
  /** Name and address of the author are set, by whomever. */
  readonly isNamed: boolean;
}

const known = new Map<string, OwnSettings & { readonly stamp: string }>();

/** The filters and merge drivers that the repository or one of its submodules names, set to what the user has. */
async function ownPrograms(target: GitTarget): Promise<readonly GitSetting[]> {
  const around = await settingsAround(target);
  const index = around === null ? null : join(around.own, 'index');
  const [{ settings }, links] = await Promise.all([
    ownSettings(target, around),
    linksIn({ root: target.root, index }, async () => {
      const listed = await git(target, indexListing);
      return listed.ok ? listed.stdout.toString() : null;
    }),
  ]);
  const submodules = links.map(({ path }) => join(target.root, path));
  const there = submodules.filter((folder) => existsSync(join(folder, '.git')));
  const inside = await eachLimited(there, (root) => ownPrograms({ ...target, root }));
  return [...settings, ...inside.flat()];
}

/** True where git knows the author of a commit made there. */
export async function isAuthorNamed(target: GitTarget): Promise<boolean> {
  const around = await settingsAround(target);
  return around !== null && (await ownSettings(target, around)).isNamed;
}

/**
 * Git is asked again when the repository’s settings have changed; each time where further files have a
 * say. Linked work trees share the answer, unless one of these may go by the branch.
 */
async function ownSettings(target: GitTarget, around: SettingsAround | null): Promise<OwnSettings> {
  const isLinked = around !== null && around.own !== around.common;
  const shared = isLinked ? `${around.common} linked` : target.root;
  const last = known.get(shared);
  if (last !== undefined && last.stamp === around?.stamp) return last;
  const [listed, isThere] = await Promise.all([
    git(target, ['config', '--null', '--show-scope', '--includes', '--get-regexp', settingNames]),
    around !== null && (isLinked || leadsTo(target, around)),
  ]);
  const { ofUser, ofRepository } = settingsIn(listed.ok ? listed.stdout.toString() : '');
  const all = [...ofUser.keys(), ...ofRepository];
  const own = {
    settings: [...ofRepository]
      .filter((key) => !isInclude(key) && !isOfAuthor(key))
      .map((key): GitSetting => [key, ofUser.get(key) ?? unset(key)]),
    isNamed: new Set(all.filter(isOfAuthor)).size === 2,
  };
  // It ends with 1 where there are none.
  const isKnown = isThere && (listed.ok || listed.exitCode === 1);
  const includes = isLinked ? all : [...ofRepository];
  if (around !== null && isKnown && !includes.some(isInclude)) {
    known.set(shared, { stamp: around.stamp, ...own });
  }
  return own;
}

const settingNames = String.raw`^filter\.|^merge\..*\.driver$|^include|^user\.(name|email)$`;

/** It leads to another file of settings. */
function isInclude(key: string): boolean {
  return key.startsWith('include');
}

function isOfAuthor(key: string): boolean {
  return key === 'user.name' || key === 'user.email';
}

/** A `.git` that git cannot use is passed over for the next one above. */
async function leadsTo(target: GitTarget, { own }: SettingsAround): Promise<boolean> {
  const folders = await gitFolders(target).catch(() => null);
  return folders?.own === own;
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
