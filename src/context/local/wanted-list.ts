import { isContentMark } from '../content-mark.ts';
import { wantedFile, type Wanted } from './contents.ts';
import type { WantedFiles } from './index-share.ts';

/**
 * Wanted files as one text, path and mark by turns: as objects, a thread would take longer to get
 * them than to index some thousands.
 */
export type WantedList = string;

export function wantedList(files: readonly Wanted[]): WantedList {
  return files.map(({ path, mark }) => `${path}\0${mark}`).join('\0');
}

export function wantedIn(list: WantedList): WantedFiles {
  const texts = list.split('\0');
  return {
    length: texts.length / 2,
    at(index) {
      const [path = '', mark = ''] = texts.slice(2 * index, 2 * index + 2);
      return isContentMark(mark) ? wantedFile(path, mark) : undefined;
    },
  };
}
