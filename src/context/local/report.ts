import type { LeftOut } from '../../git/walk.ts';
import type { CommitIndex } from './commit-index.ts';
import type { FileIndex } from './file-index.ts';
import { fileTextKinds } from './file-text.ts';

/** What a search looked at, in numbers of files and commits. */
export interface IndexReport extends LeftOut {
  readonly files: number;
  /** Contents and commits that were read now; the rest was in the index. */
  readonly filesRead: number;
  readonly commits: number;
  readonly commitsRead: number;
  /** Files whose content is not searched, by why. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Files of whose content only the head is searched. */
  readonly long: number;
  /** Files whose content there was no time to read. */
  readonly unread: number;
}

export function indexReport(found: {
  readonly files: FileIndex;
  readonly commits: CommitIndex;
  readonly leftOut: LeftOut;
}): IndexReport {
  const { files, commits, leftOut } = found;
  const { unlisted, refused } = leftOut;
  return {
    files: files.paths.length,
    filesRead: files.read,
    commits: commits.ids.length,
    commitsRead: commits.read,
    ...kindsIn(files),
    unlisted,
    refused,
    unread: files.unread,
  };
}

function kindsIn({
  traits,
  documents,
  numbers,
  unread,
}: FileIndex): Pick<IndexReport, 'skipped' | 'long'> {
  const counts = new Map<string, number>();
  const add = (kind: string, count: number): void => {
    if (count > 0) counts.set(kind, (counts.get(kind) ?? 0) + count);
  };
  /** By document: how many files have it. */
  const having = new Uint32Array(documents.count);
  for (const number of numbers) if (number !== -1) having[number] = (having[number] ?? 0) + 1;
  let long = 0;
  for (const part of documents.parts) {
    for (let index = 0; index < part.numbers.length; index++) {
      const number = part.numbers[index] ?? -1;
      if (number === -1) continue;
      const files = having[number] ?? 0;
      const kind = fileTextKinds[part.segment.document(index).kind] ?? 'text';
      if (kind === 'long') long += files;
      else if (kind !== 'text') add(kind, files);
    }
  }
  const placed = having.reduce((a, b) => a + b, 0);
  // By their names: their contents are not asked for.
  const generated = traits.filter(({ isGenerated }) => isGenerated).length;
  const binary = traits.filter(({ isBinary, isGenerated }) => isBinary && !isGenerated).length;
  add('generated', generated);
  add('binary', binary);
  add('unreadable', traits.length - placed - generated - binary - unread);
  return { skipped: Object.fromEntries(counts), long };
}
