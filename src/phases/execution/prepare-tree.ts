// Prepares work trees: copies and links of the user's files, and the set-up, which runs once for what it reads.
import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { commandsIn, hasInstallScripts, setUpTool } from '../../context/package/set-up-tools.ts';
import { lookAt, readPlainFile, textOf } from '../../git/disk.ts';
import { eachLimited } from '../../store/each-limited.ts';
import { filesBelow } from '../../git/made-files.ts';
import { plainPath } from '../../git/paths.ts';
import type { Worktrees } from '../../git/worktrees.ts';
import type { CheckRun } from '../../model/check-record.ts';
import { redactFile } from '../../model/secrets.ts';
import { listed } from '../../model/wording.ts';
import { copyPaths } from '../../store/copy-tree.ts';
import { nullIfAbsent } from '../../store/system-error.ts';
import { runSetUp } from './checks.ts';
import { type CheckConditions, NotSetUp, travelling } from './run-command.ts';
import type { MadeFiles, Prepared, SharedSetUp } from './shared-set-up.ts';

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

/** Reports a failed set-up like a failed check. */
export function failedSetUp({ message: note }: NotSetUp): CheckRun {
  const run = { check: 'set-up', kind: 'command', criterion: null } as const;
  return { ...run, passed: false, note, output: '', ms: 0 };
}

/** The work tree in which the shared set-up runs. */
const sharedTree = 'set-up';

/** Copies, links and sets up the new work tree with this name, which is at a commit. Throws `NotSetUp`. */
export async function prepareTree(
  name: string,
  commit: string,
  preparation: TreePreparation,
): Promise<Prepared> {
  const { trees, setup, copy, link, place } = preparation;
  if ((place.elsewhere ?? null) !== null)
    return await prepareElsewhere(commit, randomUUID(), preparation);
  if (setup.length + copy.length + link.length === 0) return [];
  const made = setup.length === 0 ? null : await sharedFor(commit, preparation);
  if (made === null) return await prepareAlone(name, commit, preparation);
  await copyOrThrow({ from: made.folder, to: trees.path(name) }, made.paths, preparation);
  return made.prepared;
}

/**
 * Runs the commands of the set-up again that would now read other files, with those after them. What a command
 * made that no tool is known for, such as a build, is removed before. Throws `NotSetUp`.
 */
export async function prepareAgain(
  name: string,
  { commit, before }: { readonly commit: string; readonly before: Prepared },
  preparation: TreePreparation,
): Promise<Prepared> {
  const { trees, setup, place } = preparation;
  const own = before[0]?.key ?? randomUUID();
  if ((place.elsewhere ?? null) !== null) return await prepareElsewhere(commit, own, preparation);
  const prepared: { key: string; made: readonly string[] }[] = [];
  let isStale = false;
  for (const [at, argv] of commandsIn(setup).entries()) {
    const key = await keyOf(argv, commit, preparation);
    const known = before[at];
    isStale ||= known?.key !== key;
    if (known !== undefined && !isStale) {
      prepared.push(known);
      continue;
    }
    for (const path of known?.made ?? []) {
      await rm(join(trees.path(name), path), { recursive: true, force: true });
    }
    prepared.push({ key, made: await runCommand(name, argv, preparation) });
  }
  return prepared;
}

/** Has the tree set up where checks run, unless that was done under the same key with the same files. */
async function prepareElsewhere(
  commit: string,
  key: string,
  preparation: TreePreparation,
): Promise<Prepared> {
  const { setup, place } = preparation;
  const commands = commandsIn(setup);
  const read = commands.length === 0 ? '' : await sharedKey(commit, preparation);
  const setUp = { key: `${key} ${read}`, commands };
  const end = await place.elsewhere?.check(null, { ...travelling(place), setUp }, place.signal);
  if (typeof end?.why === 'string') throw new NotSetUp(end.why);
  return [{ key, made: [] }];
}

/** Runs one command; returns what it made if no tool is known for it. */
async function runCommand(
  name: string,
  argv: readonly string[],
  { trees, place }: TreePreparation,
): Promise<readonly string[]> {
  const isBuild = setUpTool(argv) === null;
  const before = isBuild ? (await trees.untracked(name)).all : [];
  const why = await runSetUp(argv, place);
  if (why !== null) throw new NotSetUp(why);
  if (!isBuild) return [];
  return (await trees.untracked(name)).all.filter((path) => !before.includes(path));
}

/** A digest of the files that a command of the set-up reads: those of its tool, or all files for any other. */
function keyOf(
  argv: readonly string[],
  commit: string,
  { trees, shared: { keys } }: TreePreparation,
): Promise<string> {
  const tool = setUpTool(argv);
  const name = `${commit} ${tool?.program ?? ''}`;
  const key = keys.get(name) ?? trees.fingerprint(commit, tool?.reads ?? null);
  keys.set(name, key);
  return key;
}

/** A digest of everything that the set-up may read: scripts of the project that an installer runs read anything. */
async function sharedKey(commit: string, preparation: TreePreparation): Promise<string> {
  const { trees, setup } = preparation;
  const commands = commandsIn(setup);
  const readsManifest = commands.some((argv) => setUpTool(argv)?.reads.includes('package.json'));
  const manifest = readsManifest ? await trees.read(commit, 'package.json') : null;
  const all = hasInstallScripts(manifest?.toString() ?? '') ? [[], ...commands] : commands;
  const keys = await Promise.all(all.map((argv) => keyOf(argv, commit, preparation)));
  return keys.join(' ');
}

/** True if a further work tree at a commit needs no run of the set-up, but a copy of what it made. */
export async function isSetUpByCopy(
  commit: string,
  preparation: TreePreparation,
): Promise<boolean> {
  const { setup, place } = preparation;
  const isElsewhere = (place.elsewhere ?? null) !== null;
  return setup.length === 0 || (!isElsewhere && (await sharedFor(commit, preparation)) !== null);
}

/** The files that the shared set-up made; null if this work tree runs its own. */
async function sharedFor(commit: string, preparation: TreePreparation): Promise<MadeFiles | null> {
  const { shared } = preparation;
  const key = await sharedKey(commit, preparation);
  const { made, ...current } = (shared.current ??= { key, made: makeShared(commit, preparation) });
  const files = current.key === key ? await made : null;
  return files !== null && (await isThere(files.folder, '.')) ? files : null;
}

async function makeShared(commit: string, preparation: TreePreparation): Promise<MadeFiles | null> {
  const { trees, setup, place } = preparation;
  const { path: folder } = await trees.make(sharedTree, [commit]);
  const { confine = null } = place;
  const own = confine === null ? null : { ...confine, top: trees.top(sharedTree) };
  const there = { ...preparation, place: { ...place, cwd: folder, confine: own } };
  const prepared = await prepareAlone(sharedTree, commit, there);
  const { all: paths } = await trees.untracked(sharedTree);
  const tools = commandsIn(setup).map(setUpTool);
  const staysHere =
    tools.some((tool) => tool?.isMovable === false) ||
    (tools.includes(null) && (await namesFolder(folder, paths)));
  return staysHere ? null : { folder, paths, prepared };
}

async function isThere(root: string, path: string): Promise<boolean> {
  return (await lookAt(root, path)).kind !== 'absent';
}

async function prepareAlone(
  name: string,
  commit: string,
  preparation: TreePreparation,
): Promise<Prepared> {
  const { trees, copy, link, place } = preparation;
  const { home: from } = place;
  const to = trees.path(name);
  const atHome = async (paths: readonly string[]) => {
    const plain = paths.flatMap((path) => plainPath(path) ?? []);
    const there = await Promise.all(plain.map((path) => isThere(from, path)));
    return plain.filter((_, at) => there[at]);
  };
  await copyOrThrow({ from, to }, await atHome(copy), preparation);
  const linked = await atHome(link);
  const makeLinks = async () => {
    for (const path of linked) {
      if (await isThere(to, path)) continue;
      await mkdir(dirname(join(to, path)), { recursive: true });
      await symlink(join(from, path), join(to, path));
    }
  };
  await makeLinks();
  const prepared = await prepareAgain(name, { commit, before: [] }, preparation);
  // An installer removes what it did not bring.
  await makeLinks();
  const { unignored } = await trees.untracked(name);
  if (unignored.length > 0) throw new NotSetUp(leaves(unignored, preparation));
  return prepared;
}

/** A file of a work tree that holds secrets, with what lays it back. */
export interface SecretFile {
  readonly path: string;
  readonly layBack: () => Promise<void>;
}

/** Takes the ignored files that hold secrets out of a work tree while an agent works there. */
export async function takeSecrets(
  name: string,
  { trees }: Pick<TreePreparation, 'trees'>,
): Promise<readonly SecretFile[]> {
  const tree = trees.path(name);
  const taken: SecretFile[] = [];
  for (const path of (await trees.untracked(name)).all.filter((one) => !one.endsWith('/'))) {
    if (!(await holdsSecrets(tree, path))) continue;
    const file = join(tree, path);
    const { kind, ...seen } = await lookAt(tree, path);
    const content = kind === 'link' ? null : await readFile(file);
    const { mode } = await lstat(file);
    await rm(file);
    taken.push({
      path,
      async layBack() {
        await mkdir(dirname(file), { recursive: true });
        await rm(file, { recursive: true, force: true });
        if (content !== null) await writeFile(file, content, { mode });
        else if ('target' in seen) await symlink(seen.target, file);
      },
    });
  }
  return taken;
}

/** True for a file with a token, a password or the like, by which a copy of it is kept from agents. */
export async function holdsSecrets(root: string, path: string): Promise<boolean> {
  const stats = await nullIfAbsent(stat(join(root, path)));
  if (stats?.isFile() !== true || stats.size > mostToRead) return false;
  const text = textOf(await readFile(join(root, path)));
  return text !== null && redactFile(path, text) !== text;
}

async function copyOrThrow(
  way: { readonly from: string; readonly to: string },
  paths: readonly string[],
  { place: { signal } }: TreePreparation,
): Promise<void> {
  const why = await copyPaths(way, paths, signal);
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
