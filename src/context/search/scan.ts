import { eachLimited } from '../../git/each-limited.ts';
import { readPlainFile } from '../../git/disk.ts';
import { remembered, type FindHits } from './hits.ts';
import { nameCharacter } from './terms.ts';

/** Reads each file: needs no other program, and finds the same. */
export const scanHits: FindHits = async ({ root, paths, pattern, signal }, take) => {
  const fits = fittingNames(pattern);
  await eachLimited(paths, async (path) => {
    signal.throwIfAborted();
    const content = await readPlainFile(root, path);
    if (content === null || content.includes(0)) return;
    for (const hit of hitsIn(content.toString('utf8'), fits)) take({ path, ...hit });
  });
};

/** Whether a name fits the pattern. */
export type FitsName = (name: string) => boolean;

export function fittingNames(pattern: string): FitsName {
  const whole = new RegExp(pattern, 'iu');
  return remembered((name) => whole.test(name));
}

const names = new RegExp(`${nameCharacter}+`, 'gu');

/** The names in a text that fit, with their lines from 1. */
export function* hitsIn(
  text: string,
  fits: FitsName,
): Generator<{ readonly line: number; readonly name: string }> {
  let line = 1;
  let end = text.indexOf('\n');
  for (const match of text.matchAll(names)) {
    for (; end !== -1 && end < match.index; end = text.indexOf('\n', end + 1)) line++;
    if (fits(match[0])) yield { line, name: match[0] };
  }
}
