// Prepares work trees: copies and links of the user's files, and the set-up, which runs once for what it reads.
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasInstallScripts, setUpTool } from '../../context/package/set-up-tools.ts';
import { lookAt, readPlainFile, textOf } from '../../git/disk.ts';
import { eachLimited } from '../../store/each-limited.ts';
import { filesBelow } from '../../git/made-files.ts';
import { plainPath } from '../../git/paths.ts';
import type { Worktrees } from '../../git/worktrees.ts';
import type { CheckRun } from '../../model/check-record.ts';
import { listed } from '../../model/wording.ts';
import { copyPaths } from '../../store/copy-tree.ts';
import { runSetUp } from './checks.ts';
import type { CheckConditions } from './run-command.ts';
import type { MadeFiles, SharedSetUp } from './shared-set-up.ts';

/** Everything needed to prepare a work tree of an execution. */
export interface TreePreparation {
  readonly trees: Worktrees;
  /** The command with its arguments; empty for none. */
  readonly setup: readonly string[];
  /** Paths in the user’s folder that are copied or linked into the work tree. */
  readonly copy: readonly string[];
  readonly link: readonly string[];
  readonly place: CheckConditions;
  readonly shared: SharedSetUp;
}

/** The command that prepares a work tree failed, or something that it needs is missing. */
export class NotSetUp extends Error {}

/** Reports a failed set-up like a failed check. */
export function failedSetUp({ message: note }: NotSetUp): CheckRun {
  const run = { check: 'set-up', kind: 'command', criterion: null } as const;
  return { ...run, passed: false, note, output: '', ms: 0 };
}

/** The work tree in which the shared set-up runs. */
const sharedTree = 'set-up';

/**
 * Copies, links and sets up the new work tree with this name, which is at a commit. Returns a key of the files
 * that the set-up read there. Throws `NotSetUp`.
 */
export async function prepareTree(
  name: string,
  commit: string,
  preparation: TreePreparation,
): Promise<string> {
  const { trees, setup, copy, link } = preparation;
  if (setup.length + copy.length + link.length === 0) return '';
  const key = await setUpKey(commit, preparation);
  const made = setup.length === 0 ? null : await sharedFor(key, commit, preparation);
  if (made === null) await prepareAlone(name, preparation);
  else {
    await copyOrThrow({ from: made.folder, to: trees.path(name) }, made.paths, preparation);
  }
  return key;
}

/** Runs the set-up again if a known tool would now read other files. Throws `NotSetUp`. */
export async function prepareAgain(
  before: string,
  commit: string,
  preparation: TreePreparation,
): Promise<string> {
  const tool = setUpTool(preparation.setup);
  if (tool === null) return before;
  const key = await setUpKey(commit, preparation);
  if (key !== before && !key.endsWith(wholeTree)) await runOrThrow(preparation);
  return key;
}

const wholeTree = ' whole';

/** A digest of the files that the set-up reads: those of its tool, or all files for an unknown tool. */
function setUpKey(commit: string, preparation: TreePreparation): Promise<string> {
  const { keys } = preparation.shared;
  const known = keys.get(commit);
  if (known !== undefined) return known;
  const key = readKey(commit, preparation);
  keys.set(commit, key);
  return key;
}

async function readKey(commit: string, { trees, setup }: TreePreparation): Promise<string> {
  const tool = setUpTool(setup);
  const manifest = tool?.reads.includes('package.json') === true ? 'package.json' : null;
  const content = manifest === null ? null : await trees.read(commit, manifest);
  const readsAll = tool === null || hasInstallScripts(content?.toString() ?? '');
  return readsAll
    ? `${await trees.fingerprint(commit, null)}${wholeTree}`
    : await trees.fingerprint(commit, tool.reads);
}

/** The files that the shared set-up made; null if this work tree runs its own. */
async function sharedFor(
  key: string,
  commit: string,
  preparation: TreePreparation,
): Promise<MadeFiles | null> {
  const { shared } = preparation;
  const current = (shared.current ??= { key, made: makeShared(commit, preparation) });
  if (current.key !== key) return null;
  const made = await current.made;
  const isThere = made !== null && (await lookAt(made.folder, '.')).kind !== 'absent';
  return isThere ? made : null;
}

async function makeShared(commit: string, preparation: TreePreparation): Promise<MadeFiles | null> {
  const { trees, setup, place } = preparation;
  const { path: folder } = await trees.make(sharedTree, [commit]);
  const { confine = null } = place;
  const own = confine === null ? null : { ...confine, top: trees.top(sharedTree) };
  await prepareAlone(sharedTree, {
    ...preparation,
    place: { ...place, cwd: folder, confine: own },
  });
  const { all } = await trees.untracked(sharedTree);
  const isMovable = setUpTool(setup)?.isMovable ?? !(await namesFolder(folder, all));
  return isMovable ? { folder, paths: all } : null;
}

async function prepareAlone(name: string, preparation: TreePreparation): Promise<void> {
  const { trees, copy, link, place } = preparation;
  const { home } = place;
  const to = trees.path(name);
  const isThere = async (path: string) => (await lookAt(home, path)).kind !== 'absent';
  const [copied, linked] = await Promise.all(
    [copy, link].map(async (paths) => {
      const plain = paths.flatMap((path) => plainPath(path) ?? []);
      const there = await Promise.all(plain.map(isThere));
      return plain.filter((_, at) => there[at] === true);
    }),
  );
  await copyOrThrow({ from: home, to }, copied ?? [], preparation);
  for (const path of linked ?? []) {
    await mkdir(dirname(join(to, path)), { recursive: true });
    await symlink(join(home, path), join(to, path));
  }
  await runOrThrow(preparation);
  const { unignored } = await trees.untracked(name);
  if (unignored.length > 0) throw new NotSetUp(leaves(unignored, preparation));
}

async function copyOrThrow(
  way: { readonly from: string; readonly to: string },
  paths: readonly string[],
  { place: { signal } }: TreePreparation,
): Promise<void> {
  const why = await copyPaths(way, paths, signal);
  if (why !== null) throw new NotSetUp(why);
}

async function runOrThrow({ setup, place }: TreePreparation): Promise<void> {
  const why = await runSetUp(setup, place);
  if (why !== null) throw new NotSetUp(why);
}

function leaves(paths: readonly string[], { setup, link }: TreePreparation): string {
  const linked = paths.find((path) => link.includes(path));
  if (linked !== undefined) {
    return `execution.link names ${linked}, and git does not ignore a link of that name (a pattern that ends in "/" is for folders only), so it would end up in the commits`;
  }
  const by = setup.length === 0 ? 'execution.copy' : `the set-up "${setup.join(' ')}"`;
  return `${by} leaves ${listed(paths.slice(0, 5))}, which git does not ignore, so it would end up in the commits; name it in .gitignore or in .git/info/exclude`;
}

/** The longest file that is read, in bytes: longer files are neither scripts nor settings. */
const mostToRead = 64 * 1024;

/** True if a file or link among some paths contains the name of its folder. */
async function namesFolder(folder: string, paths: readonly string[]): Promise<boolean> {
  const files = (await Promise.all(paths.map((path) => filesBelow(folder, path)))).flat();
  const found = await eachLimited(files, async (path) => {
    const state = await lookAt(folder, path);
    if (state.kind === 'link') return state.target.startsWith(folder);
    if (state.kind !== 'file' || state.size > mostToRead) return false;
    const content = await readPlainFile(folder, path);
    return content !== null && (textOf(content) ?? '').includes(folder);
  });
  return found.includes(true);
}
