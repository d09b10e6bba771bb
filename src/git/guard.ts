// Keeps git from starting filters, merge drivers, hooks and monitors that only a repository names.
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quoteForShell } from '../model/wording.ts';
import { eachLimited } from '../store/each-limited.ts';
import { gitFolders, settingsAround, type SettingsAround } from './git-folders.ts';
import { git, type GitTarget } from './git.ts';
import { indexListing, linksIn } from './index-links.ts';

/**
 * Runs a command that compares the work tree, which is where git starts filters. People unpack
 * archives and share folders: a program that only the repository's own configuration names is not
 * started. Filters of the user or the machine, like that of git-lfs, are.
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
  const quoted = settings.map(([key, value]) => `${quoteForShell(key)}=${quoteForShell(value)}`);
  // GIT_CONFIG_KEY_n would not do: agents withhold it from their commands like every KEY.
  return { GIT_CONFIG_PARAMETERS: [...(given === undefined ? [] : [given]), ...quoted].join(' ') };
}

export type GitSetting = readonly [key: string, value: string];

// The value of each of these settings may be a command line.
const fixed: readonly GitSetting[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
];

/** The programs that settings of the repository name, each reset to the user’s own value. */
interface OwnSettings {
  readonly settings: readonly GitSetting[];
  /** The keys `user.name` and `user.email`, as far as they are set at any level. */
  readonly author: ReadonlySet<string>;
}

const known = new Map<string, OwnSettings & { readonly stamp: string }>();

/**
 * The filters and merge drivers that the repository or one of its submodules names, reset to the
 * user’s own values.
 */
async function ownPrograms(target: GitTarget): Promise<readonly GitSetting[]> {
  if (!mayFindRepository(target)) return [];
  const around = await settingsAround(target);
  const { GIT_INDEX_FILE: given } = target.variables ?? {};
  const index = around === null ? null : (given ?? join(around.own, 'index'));
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

/** False if git surely finds no repository from a folder: none has a `.git`, nor the files of a bare one. */
function mayFindRepository({ root, variables }: GitTarget): boolean {
  if ((variables ?? process.env)['GIT_DIR'] !== undefined || !existsSync(root)) return true;
  for (let at = realpathSync(root); ; at = dirname(at)) {
    if (['.git', 'HEAD'].some((name) => existsSync(join(at, name)))) return true;
    if (at === dirname(at)) return false;
  }
}

/** The settings from which git knows the author of a commit made there. */
export async function authorSettings(target: GitTarget): Promise<ReadonlySet<string>> {
  return (await ownSettings(target, await settingsAround(target))).author;
}

/**
 * Asks git again when the repository’s settings have changed, and every time if they include
 * further files. Linked work trees share the answer, unless an included file may depend on the
 * branch.
 */
async function ownSettings(target: GitTarget, around: SettingsAround | null): Promise<OwnSettings> {
  const isLinked = around !== null && around.own !== around.common;
  const shared = isLinked ? `${around.common} linked` : (around?.own ?? '');
  const last = known.get(shared);
  if (last !== undefined && last.stamp === around?.stamp) return last;
  const [listed, isThere] = await Promise.all([
    git(target, ['config', '--null', '--show-scope', '--includes', '--get-regexp', settingNames]),
    around !== null &&
      (isLinked || target.variables?.['GIT_DIR'] !== undefined || leadsTo(target, around)),
  ]);
  const { ofUser, ofRepository } = settingsIn(listed.ok ? listed.stdout.toString() : '');
  const all = [...ofUser.keys(), ...ofRepository];
  const own = {
    settings: [...ofRepository]
      .filter((key) => !isInclude(key) && !isOfAuthor(key))
      .map((key): GitSetting => [key, ofUser.get(key) ?? unset(key)]),
    author: new Set(all.filter(isOfAuthor)),
  };
  // The command ends with 1 if there are none.
  const isKnown = isThere && (listed.ok || listed.exitCode === 1);
  const includes = isLinked ? all : [...ofRepository];
  if (around !== null && isKnown && !includes.some(isInclude)) {
    known.set(shared, { stamp: around.stamp, ...own });
  }
  if (around !== null && isKnown && !isLinked && !all.some(isInclude)) {
    // Without included files, what is checked out makes no difference to a linked work tree.
    const stamp = around.stamp.split('\n').slice(0, -1).join('\n');
    known.set(`${around.common} linked`, { stamp, ...own });
  }
  return own;
}

const settingNames = String.raw`^filter\.|^merge\..*\.driver$|^include|^user\.(name|email)$`;

/** True for a setting that includes another settings file. */
function isInclude(key: string): boolean {
  return key.startsWith('include');
}

function isOfAuthor(key: string): boolean {
  return key === 'user.name' || key === 'user.email';
}

/** True if git uses this `.git`; it skips one that it cannot use for the next one above. */
async function leadsTo(target: GitTarget, { own }: SettingsAround): Promise<boolean> {
  const folders = await gitFolders(target).catch(() => null);
  return folders?.own === own;
}

/** Reads `git config --null --show-scope`, keeping the values of the user’s settings. */
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
 * The value that disables a program. An empty command disables it, but git fails if the filter is
 * required. An empty merge driver would drop one side, so it becomes git’s own merge of lines.
 */
function unset(key: string): string {
  if (key.endsWith('.driver')) return 'git merge-file --marker-size=%L %A %O %B';
  return key.endsWith('.required') ? 'false' : '';
}
