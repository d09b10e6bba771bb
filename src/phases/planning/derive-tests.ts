import { kindOf, languageFamily } from '../../context/file-kinds.ts';
import type { TestMap } from '../../context/tests-of.ts';
import type { BuildFact } from '../../model/context.ts';

const most = 3;

/** The first three tests of some files by the map, without those files themselves. */
export function testsOf(paths: readonly string[], map: TestMap): string[] {
  const sources = paths.filter((path) => kindOf(path) === 'source');
  const tests = new Set(sources.flatMap((path) => map.of(path)));
  return [...tests].filter((test) => !paths.includes(test)).slice(0, most);
}

/**
 * The project’s own command for such tests, as its files state it: that of the nearest folder
 * above them, for their language before one for any. Null where no file states one.
 */
export function testCommand(tests: readonly string[], facts: readonly BuildFact[]): string | null {
  const [first] = tests;
  if (first === undefined) return null;
  const family = languageFamily(first);
  const [best] = facts
    .filter(({ kind, folder }) => kind === 'test' && isAbove(folder, tests))
    .filter(({ language }) => language === null || language === family)
    .toSorted((a, b) => b.folder.length - a.folder.length || ownFirst(a) - ownFirst(b));
  if (best === undefined) return null;
  return best.folder === '' ? best.value : `cd ${best.folder} && ${best.value}`;
}

function isAbove(folder: string, paths: readonly string[]): boolean {
  return folder === '' || paths.every((path) => path.startsWith(`${folder}/`));
}

function ownFirst({ language }: BuildFact): number {
  return language === null ? 1 : 0;
}
