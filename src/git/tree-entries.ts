import { isUtf8 } from 'node:buffer';
import { git, type GitPlace } from './git.ts';
import { recordsOf } from './git-status.ts';
import { isOwnFolder } from './paths.ts';

/** One file or link of a commit. The mark has git’s hash of its content. */
export interface CommittedFile {
  readonly path: string;
  readonly mark: `blob ${string}`;
  readonly link: boolean;
  /** The submodule that has it, as a path below the place; empty for the repository itself. */
  readonly submodule: string;
}

/** What a commit has, in git’s order. */
export interface TreeEntries {
  readonly files: readonly CommittedFile[];
  /** With the commit that is checked out there. */
  readonly submodules: readonly { readonly path: string; readonly commit: string }[];
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
