import { isTest, testedStem } from './file-kinds.ts';
import { stemOf } from '../git/paths.ts';

/** Folders of material for tests, wherever they are. */
const material = /(?:^|\/)(?:__)?(?:fixtures?|snapshots?|test[-_]?data)(?:__)?\//i;
/** Folders that hold material where they are below a folder of tests. */
const materialBelow =
  /(?:^|\/)(?:__)?(?:tests?|specs?|e2e)(?:__)?\/(?:[^/]+\/)*(?:corpus|data|examples?|expected|golden|highlighted|inputs?|outputs?|resources|samples?|sources?)\//i;
/** Code that tests share, or that makes a folder of them a package. */
const shared = /^(?:__init__|conftest|mod)$/;
/** Runners of Python and Go go by the names of files alone. */
const namedOnly = /(?:^|\/)(?!test)[^/]*\.py$|\.go$/;

/**
 * True for a test file that a test runner runs, by its path alone. Material that tests read is
 * none, and a file below such a folder of tests only where its name has the mark of a test.
 */
export function isRunTest(path: string): boolean {
  if (!isTest(path) || material.test(path)) return false;
  if (isMarked(path)) return true;
  return !namedOnly.test(path) && !materialBelow.test(path) && !shared.test(stemOf(path));
}

function isMarked(path: string): boolean {
  return testedStem(path) !== stemOf(path).toLowerCase();
}
