// Reads HEAD and every uncommitted path, including those in submodules.
import { isUtf8 } from 'node:buffer';
import type { Result } from '../model/failure.ts';
import { openSubmodule } from './commit-tree.ts';
import { eachLimited } from '../store/each-limited.ts';
import { type GitTarget, git, recordsOf } from './git.ts';
import { guardGit } from './guard.ts';
import { isOwnFolder, joinPath } from './paths.ts';

/** An uncommitted path of the work tree. */
interface StatusEntry {
  /** The path relative to the root; bytes that are not UTF-8 are shown as `\xNN`. */
  readonly path: string;
  /** The name as it is on disk. */
  readonly raw: Buffer;
  /** False if the name is not UTF-8, so that no JSON file can hold it. */
  readonly readable: boolean;
  /** Git’s code for a submodule, e.g. `S.M.`; `N...` for everything else. */
  readonly submodule: string;
  /** The id of HEAD’s content at the path; null if there is none, or the path is not tracked. */
  readonly committed: string | null;
}

interface WorkTreeStatus {
  /** The commit; null before the first one. */
  readonly commit: string | null;
  readonly entries: readonly StatusEntry[];
}

/**
 * Reads HEAD and every uncommitted path below the place, which lies at `prefix` in the work tree. A
 * failure is git’s own line.
 */
export async function workTreeStatus(
  target: GitTarget,
  prefix: string,
): Promise<Result<WorkTreeStatus, { readonly reason: string }>> {
  const answer = await guardGit(target, [...statusArgs, '.']);
  if (!answer.ok) return { ok: false, failure: answer };
  return { ok: true, value: readStatus(answer.stdout, Buffer.byteLength(prefix)) };
}

/** Leaves out how far a branch is ahead of another, for which git would have to walk the history. */
const statusArgs =
  'status --porcelain=v2 -z --branch --no-ahead-behind --untracked-files=all --no-renames --ignore-submodules=none --'.split(
    ' ',
  );

/** Reads `git status --porcelain=v2 -z --branch`; its paths start at the top of the work tree. */
function readStatus(stdout: Buffer, prefixBytes: number): WorkTreeStatus {
  let commit: string | null = null;
  const entries = new Map<string, StatusEntry>();
  for (const record of recordsOf(stdout)) {
    const head = /^# branch\.oid ([0-9a-f]+)$/.exec(record.toString('latin1'));
    if (head?.[1] !== undefined) commit = head[1];
    const entry = entryOf(record, prefixBytes);
    if (entry !== null && !isOwnFolder(entry.path)) entries.set(entry.path, entry);
  }
  return { commit, entries: [...entries.values()] };
}

/** Fields before the path, by the letter that starts a record. */
const fieldsBefore: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };

function entryOf(record: Buffer, prefixBytes: number): StatusEntry | null {
  const fields = fieldsBefore[String.fromCharCode(record[0] ?? 0)];
  if (fields === undefined) return null;
  let at = 0;
  for (let field = 0; field < fields; field++) at = record.indexOf(0x20, at) + 1;
  const raw = Buffer.from(record.subarray(at + prefixBytes));
  if (raw.length === 0) return null;
  const submodule = record.toString('latin1', 5, 9);
  return {
    path: nameOf(raw),
    raw,
    readable: isUtf8(raw),
    submodule: fields === 1 ? 'N...' : submodule,
    committed: committedIn(record),
  };
}

/** The seventh field of a record on one tracked path; an id of zeros means nothing. */
function committedIn(record: Buffer): string | null {
  const [kind, , , , , , id = ''] = record.toString('latin1').split(' ', 7);
  return kind === '1' && /[1-9a-f]/.test(id) ? id : null;
}

function nameOf(raw: Buffer): string {
  if (isUtf8(raw)) return raw.toString('utf8');
  return raw
    .toString('latin1')
    .replace(/[\x80-\xff]/g, (char) => `\\x${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

/**
 * The uncommitted paths in the submodules among these uncommitted paths: files of a submodule are
 * compared with the commit that HEAD records for it.
 */
export async function changesInSubmodules(
  target: GitTarget,
  entries: readonly StatusEntry[],
): Promise<readonly string[]> {
  const submodules = entries.filter(isSubmodule);
  const changes = await eachLimited(submodules, async ({ path, committed }) => {
    const inside = await openSubmodule(target, path);
    const changed = inside === null ? [] : await changesSince(committed, inside);
    return changed.map((name) => joinPath(path, name)).filter((name) => !isOwnFolder(name));
  });
  return changes.flat();
}

function isSubmodule({ submodule }: StatusEntry): boolean {
  return submodule.startsWith('S');
}

/** Lists the changes since a commit; without one, every file counts as changed. */
async function changesSince(commit: string | null, target: GitTarget): Promise<readonly string[]> {
  const status = await workTreeStatus(target, '');
  if (!status.ok) return [];
  const { entries } = status.value;
  const tracked =
    commit === null
      ? namesIn(await git(target, ['ls-files', '-z', '--recurse-submodules']))
      : await listChanges(target, commit);
  const own = entries
    .filter((entry) => entry.readable && !isSubmodule(entry))
    .map(({ path }) => path);
  const deeper = await changesInSubmodules(target, entries);
  return [...new Set([...own, ...tracked, ...deeper])];
}

/** Tracked files below the folder that differ from a commit; empty if git cannot tell. */
export async function listChanges(target: GitTarget, commit: string): Promise<readonly string[]> {
  return namesIn(await guardGit(target, [...differences, commit, '--', '.']));
}

/** Compares a commit with the work tree without starting any program that a setting names. */
const differences =
  'diff --name-only -z --no-renames --no-ext-diff --no-textconv --relative --ignore-submodules=all'.split(
    ' ',
  );

function namesIn(answer: Awaited<ReturnType<typeof git>>): readonly string[] {
  const names = answer.ok ? [...recordsOf(answer.stdout)] : [];
  return names.filter((name) => isUtf8(name)).map(String);
}
