import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { git, type GitPlace } from './git.ts';
import { recordsOf } from './git-status.ts';
import { isOwnFolder } from './paths.ts';

/** One file of a commit. `id` is git’s hash of its content. */
interface CommittedFile {
  readonly id: string;
  readonly link: boolean;
}

export type CommitTree = ReadonlyMap<string, CommittedFile>;

/**
 * The files of a commit below the place by path, or null if git does not know the commit.
 * Submodules and names that are not UTF-8 are left out.
 */
export async function commitTree(place: GitPlace, commit: string): Promise<CommitTree | null> {
  const answer = await git(place, ['ls-tree', '-r', '-z', commit]);
  if (!answer.ok) return null;
  const tree = new Map<string, CommittedFile>();
  for (const record of recordsOf(answer.stdout)) {
    const tab = record.indexOf(0x09);
    const name = record.subarray(tab + 1);
    const [mode, type, id] = record.toString('latin1', 0, tab).split(' ');
    if (type !== 'blob' || id === undefined || !isUtf8(name)) continue;
    const path = name.toString('utf8');
    if (!isOwnFolder(path)) tree.set(path, { id, link: mode === '120000' });
  }
  return tree;
}

/** The content of a committed file by its id, or null if git cannot give it. */
export async function committedContent(place: GitPlace, id: string): Promise<Buffer | null> {
  const answer = await git(place, ['cat-file', 'blob', id]);
  return answer.ok ? answer.stdout : null;
}

/** True if git would give this content that id: the file on disk is still the committed one. */
export function isContentOf(id: string, content: Buffer): boolean {
  const hash = createHash(id.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex') === id;
}
