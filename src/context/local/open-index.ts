import { join } from 'node:path';
import { makeFolder, openStore, type SegmentStore } from './segment-store.ts';

/** The index of one repository while it is used. */
export interface OpenIndex {
  /** Absolute. */
  readonly folder: string;
  readonly files: SegmentStore;
  readonly commits: SegmentStore;
  /** Sentences on what was wrong with it, each once. */
  readonly notes: ReadonlySet<string>;
  close(): void;
}

/** Throws a system error where the folder cannot be had. */
export function openIndex(folder: string): OpenIndex {
  const notes = new Set<string>();
  const note = (sentence: string): void => void notes.add(sentence);
  makeFolder(folder, note);
  const files = openStore(join(folder, 'files'), note);
  const commits = openStore(join(folder, 'commits'), note);
  return {
    folder,
    files,
    commits,
    notes,
    close() {
      files.close();
      commits.close();
    },
  };
}
