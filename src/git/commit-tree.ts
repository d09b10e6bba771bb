// Lists the files of a commit, including those of its submodules.
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { lookAt, withoutLinks } from './disk.ts';
import { eachLimited } from '../store/each-limited.ts';
import { git, type GitTarget, recordsOf } from './git.ts';
import { isOwnFolder, joinPath } from './paths.ts';

/** A file or link in a commit. */
interface CommittedFile {
  /** Git’s hash of its content. */
  readonly id: string;
  readonly isLink: boolean;
  /** The path of the submodule that has it, below the place; empty for the repository itself. */
  readonly submodule: string;
}

/** The files of a commit by their paths. */
export type CommitTree = ReadonlyMap<string, CommittedFile>;

/**
 * The files of a commit below the place, or null if git does not know the commit. For a submodule
 * that is checked out, they are those of the commit recorded for it. Names that are not UTF-8 are
 * left out.
 */
export async function commitTree(target: GitTarget, commit: string): Promise<CommitTree | null> {
  const key = `${target.root}\n${commit}`;
  const last = inUse.get(key)?.deref();
  if (last !== undefined) return last;
  const entries = await treeEntries(target, commit);
  if (entries === null) return null;
  const { files, submodules } = entries;
  if (submodules.size === 0) {
    inUse.set(key, new WeakRef(files));
    return files;
  }
  const inner = await eachLimited([...submodules], async ([path, recorded]) => {
    const inside = await openSubmodule(target, path);
    const tree = inside === null ? null : await commitTree(inside, recorded);
    return [...(tree ?? [])].map(([name, file]) => {
      const submodule = joinPath(path, file.submodule);
      return [joinPath(path, name), { ...file, submodule }] as const;
    });
  });
  return new Map([...files, ...inner.flat()]);
}

/** Trees without submodules that are still in use, by folder and commit. */
const inUse = new Map<string, WeakRef<CommitTree>>();

/** True if a commit was read in this folder and has no submodules below it. */
export function hasNoSubmodules({ root }: Pick<GitTarget, 'root'>, commit: string | null): boolean {
  return inUse.get(`${root}\n${commit}`)?.deref() !== undefined;
}

/** Entries of a commit itself, without those of its submodules. */
interface TreeEntries {
  readonly files: CommitTree;
  /** The commit that is recorded for each submodule, by its path. */
  readonly submodules: ReadonlyMap<string, string>;
}

/** Entries of a commit below the folder, or null if git does not know the commit. */
async function treeEntries(target: GitTarget, commit: string): Promise<TreeEntries | null> {
  const answer = await git(target, ['ls-tree', '-r', '-z', commit]);
  if (!answer.ok) return null;
  const files = new Map<string, CommittedFile>();
  const submodules = new Map<string, string>();
  for (const record of recordsOf(answer.stdout)) {
    const entry = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(isUtf8(record) ? record.toString('utf8') : '');
    const [, mode, kind, id = '', path = ''] = entry ?? [];
    if (entry === null || isOwnFolder(path)) continue;
    if (kind === 'commit') submodules.set(path, id);
    else files.set(path, { id, isLink: mode === '120000', submodule: '' });
  }
  return { files, submodules };
}

/**
 * The folder in which git is asked about a submodule; null if it is not checked out or a link leads
 * there.
 */
export async function openSubmodule(
  { root, signal }: GitTarget,
  path: string,
): Promise<GitTarget | null> {
  if ((await withoutLinks(root, path)) !== path) return null;
  const { kind } = await lookAt(root, joinPath(path, '.git'));
  return kind === 'file' || kind === 'other' ? { root: join(root, path), signal } : null;
}

/** The content of a committed file, or null if git cannot give it. */
export async function committedContent(
  { root, signal }: GitTarget,
  { id, submodule }: CommittedFile,
): Promise<Buffer | null> {
  const answer = await git({ root: join(root, submodule), signal }, ['cat-file', 'blob', id]);
  return answer.ok ? answer.stdout : null;
}

/** True if git would give this content that id, i.e. the file on disk is still the committed one. */
export function isContentOf(id: string, content: Buffer): boolean {
  const hash = createHash(id.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex') === id;
}
