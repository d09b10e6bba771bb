import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { lookAt, withoutLinks } from './disk.ts';
import { eachLimited } from './each-limited.ts';
import { git, type GitPlace } from './git.ts';
import { recordsOf } from './git-status.ts';
import { isOwnFolder, joined } from './paths.ts';

/** One file or link of a commit. The mark has git’s hash of its content. */
export interface CommittedFile {
  readonly path: string;
  readonly mark: `blob ${string}`;
  readonly link: boolean;
  /** The submodule that has it, as a path below the place; empty for the repository itself. */
  readonly submodule: string;
}

/** What a commit has, in git’s order. */
interface TreeEntries {
  readonly files: readonly CommittedFile[];
  /** With the commit that is checked out there. */
  readonly submodules: readonly { readonly path: string; readonly commit: string }[];
}

/** The files of a commit. */
export interface CommitTree {
  /** Each path once, in their order. */
  readonly files: readonly CommittedFile[];
  get(path: string): CommittedFile | undefined;
}

export const emptyTree: CommitTree = treeOf([]);

/**
 * The files of a commit below the place, or null if git does not know the commit. Those of a
 * submodule that is checked out are of the commit that is named for it. Names that are not UTF-8
 * are left out.
 */
export async function commitTree(place: GitPlace, commit: string): Promise<CommitTree | null> {
  const entries = await treeEntries(place, commit);
  if (entries === null) return null;
  const { files, submodules } = entries;
  const inner = await eachLimited(submodules, async (submodule) => {
    const inside = await submodulePlace(place, submodule.path);
    const tree = inside === null ? null : await commitTree(inside, submodule.commit);
    return (tree?.files ?? []).map((file) => ({
      ...file,
      path: joined(submodule.path, file.path),
      submodule: joined(submodule.path, file.submodule),
    }));
  });
  return treeOf(inner.length === 0 ? files : [...files, ...inner.flat()]);
}

/** Where git is asked about a submodule, or null where none is checked out or a link leads there. */
export async function submodulePlace(
  { root, signal }: GitPlace,
  path: string,
): Promise<GitPlace | null> {
  if ((await withoutLinks(root, path)) !== path) return null;
  const { kind } = await lookAt(root, joined(path, '.git'));
  return kind === 'file' || kind === 'other' ? { root: join(root, path), signal } : null;
}

/** What a commit has below the place, or null if git does not know the commit. */
export async function treeEntries(place: GitPlace, commit: string): Promise<TreeEntries | null> {
  const answer = await git(place, ['ls-tree', '-r', '-z', commit]);
  return answer.ok ? entriesIn(textOf(answer.stdout)) : null;
}

/** Without the paths that are not UTF-8. */
function textOf(stdout: Buffer): string {
  if (isUtf8(stdout)) return stdout.toString('utf8');
  return [...recordsOf(stdout)]
    .filter(isUtf8)
    .map((record) => `${record.toString('utf8')}\0`)
    .join('');
}

/** Reads `mode type id`, a tab, the path and a NUL, again and again. Nothing is copied. */
function entriesIn(text: string): TreeEntries {
  const files: CommittedFile[] = [];
  const submodules: { path: string; commit: string }[] = [];
  let start = 0;
  for (let end = text.indexOf('\0'); end !== -1; end = text.indexOf('\0', start)) {
    const tab = text.indexOf('\t', start);
    const path = text.slice(tab + 1, end);
    const named = text.slice(start + modeLength, tab);
    if (!isOwnFolder(path)) {
      if (isBlob(named)) {
        files.push({ path, mark: named, link: text.startsWith('120000', start), submodule: '' });
      } else submodules.push({ path, commit: named.slice(named.indexOf(' ') + 1) });
    }
    start = end + 1;
  }
  return { files, submodules };
}

/** With the blank after it. */
const modeLength = 7;

function isBlob(text: string): text is `blob ${string}` {
  return text.startsWith('blob ');
}

function treeOf(listed: readonly CommittedFile[]): CommitTree {
  // Git orders by bytes, which is another order only for the rarest letters.
  const isSorted = listed.every(({ path }, at) => at === 0 || (listed[at - 1]?.path ?? '') < path);
  const files = isSorted ? listed : sorted(listed);
  return {
    files,
    get(path) {
      let [from, end] = [0, files.length];
      while (from < end) {
        const middle = (from + end) >>> 1;
        if ((files[middle]?.path ?? '') < path) from = middle + 1;
        else end = middle;
      }
      const found = files[from];
      return found?.path === path ? found : undefined;
    },
  };
}

function sorted(files: readonly CommittedFile[]): readonly CommittedFile[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The content of a committed file, or null if git cannot give it. */
export async function committedContent(
  { root, signal }: GitPlace,
  { mark, submodule }: CommittedFile,
): Promise<Buffer | null> {
  const answer = await git({ root: join(root, submodule), signal }, [
    'cat-file',
    ...mark.split(' '),
  ]);
  return answer.ok ? answer.stdout : null;
}

/** True if git would give this content that id: the file on disk is still the committed one. */
export function isContentOf(id: string, content: Buffer): boolean {
  const hash = createHash(id.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${content.length}\0`).update(content).digest('hex') === id;
}
