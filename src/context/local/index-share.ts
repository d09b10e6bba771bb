import { diskReader, type Wanted } from './contents.ts';
import { fileTextOf, fileTextKinds, skipped } from './file-text.ts';
import { segmentWriter, type SegmentWriter } from './segment-writer.ts';
import type { Content } from './stored-contents.ts';
import { turnsUntil } from './turns.ts';

/** An array, or what makes its members when they are asked for. */
export interface WantedFiles {
  readonly length: number;
  at(index: number): Wanted | undefined;
}

/** Files that several threads index, each the next ones that nobody has taken. */
export interface SharedFiles {
  /** Absolute. */
  readonly root: string;
  readonly wanted: WantedFiles;
  /** How many are taken: one number in memory that all threads see. */
  readonly taken: Int32Array;
  /** By file: 1 where the disk had it byte for byte. All threads see it. */
  readonly found: Uint8Array;
}

const atOnce = 16;
/** Postings that are collected in memory before they are written. */
const mostPostings = 500_000;

/**
 * Indexes files until none is left; returns how many were read. Those that the disk does not have
 * as they are marked are left out. Rejects with the signal’s reason when that is aborted.
 */
export async function indexShare(
  { root, wanted, taken, found }: SharedFiles,
  to: { readonly add: (parts: readonly Buffer[]) => void; readonly signal: AbortSignal },
): Promise<number> {
  const disk = diskReader(root);
  let writer: SegmentWriter | null = null;
  let count = 0;
  const turns = turnsUntil(to.signal);
  for (;;) {
    const from = Atomics.add(taken, 0, atOnce);
    if (from >= wanted.length) break;
    writer ??= segmentWriter();
    for (let at = from; at < Math.min(from + atOnce, wanted.length); at++) {
      const file = wanted.at(at);
      const read = file === undefined ? null : disk(file);
      if (file === undefined || read === null) continue;
      addFile(writer, file, read.content);
      if (read.same) found[at] = 1;
      count++;
      if (turns.isDue()) await turns.take();
    }
    if (writer.size >= mostPostings) {
      to.add(writer.finish());
      writer = null;
    }
  }
  if (writer !== null && writer.documents > 0) to.add(writer.finish());
  return count;
}

/** Adds one content. */
export function addFile(
  writer: SegmentWriter,
  file: Wanted,
  content: Exclude<Content, null>,
): void {
  const text =
    content === 'huge' ? skipped('huge') : fileTextOf(file, content, (taken) => writer.take(taken));
  if (text.definitions !== null) writer.addBlocks(text.definitions);
  let payload = '';
  for (const { name, line } of text.definitions ?? []) {
    payload += payload === '' ? `${line} ${name}` : `\n${line} ${name}`;
  }
  const kind = fileTextKinds.indexOf(text.kind);
  writer.endDocument({ key: file.key, lines: text.lines, kind, payload });
}
