import { isContentMark, type MarkedFile } from '../../git/content-mark.ts';
import { wantedFile } from './contents.ts';
import type { WantedFiles } from './index-share.ts';

/**
 * Wanted files as one text, path and mark by turns: as objects, a thread would take longer to get
 * them than to index some thousands.
 */
export type WantedList = string;

/** Of many files each thread needs only the keys of those that it takes. */
export function wantedFiles(files: readonly MarkedFile[]): WantedFiles {
  return {
    length: files.length,
    at(index) {
      const file = files[index];
      return file === undefined ? undefined : wantedFile(file);
    },
  };
}

export function wantedList(files: readonly MarkedFile[]): WantedList {
  return files.map(({ path, mark }) => `${path}\0${mark}`).join('\0');
}

export function wantedIn(list: WantedList): WantedFiles {
  const texts = list.split('\0');
  return {
    length: texts.length / 2,
    at(index) {
      const path = texts[2 * index] ?? '';
      const mark = texts[2 * index + 1] ?? '';
      return isContentMark(mark) ? wantedFile({ path, mark }) : undefined;
    },
  };
}
