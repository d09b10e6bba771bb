import { posix } from 'node:path';
import { isTest } from '../../context/file-kinds.ts';
import { languageOf } from '../../context/package/languages.ts';
import type { BuildFact } from '../../model/context.ts';

const most = 3;

/** The known tests of some files, by name: `test/store/journal.test.ts` is of `src/journal.ts`. */
export function testsOf(paths: readonly string[], knownTests: readonly string[]): string[] {
  const own = new Set(paths);
  const names = new Set(paths.filter((path) => !isTest(path)).map(subject));
  return knownTests
    .filter((test) => !own.has(test) && names.has(subject(test)))
    .toSorted((a, b) => nearness(b, paths) - nearness(a, paths) || (a < b ? -1 : 1))
    .slice(0, most);
}

/**
 * The project’s own command for such tests, as its files state it: that of the nearest folder
 * above them, for their language before one for any. Null where no file states one.
 */
export function testCommand(tests: readonly string[], facts: readonly BuildFact[]): string | null {
  const [first] = tests;
  if (first === undefined) return null;
  const family = languageOf(first)?.family ?? null;
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

/** What a file is about: its name without endings and without the mark of a test. */
function subject(path: string): string {
  const [name = ''] = posix.basename(path).replace(/^\.+/, '').split('.');
  return name
    .toLowerCase()
    .replace(/^test_/, '')
    .replace(/[_-](?:test|spec)$/, '');
}

function nearness(test: string, paths: readonly string[]): number {
  const folders = new Set(test.split('/'));
  return Math.max(0, ...paths.map((path) => path.split('/').filter((f) => folders.has(f)).length));
}
