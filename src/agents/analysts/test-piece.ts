import { kindOf } from '../../context/file-kinds.ts';
import { shortNames } from '../../git/paths.ts';
import type { TestMap } from '../../context/tests-of.ts';
import type { PlannedFile } from '../../model/proposal.ts';
import { listed } from '../../model/wording.ts';
import type { Piece } from './pieces.ts';

/** The test files that go with some sources: those to extend and those to create. */
export interface TestFiles {
  readonly existing: readonly string[];
  readonly created: readonly { readonly path: string; readonly like: string }[];
}

const mostTests = 6;

/**
 * Tests by the sources’ names; where none of the sources has one, a new one for the first, placed
 * as a sibling’s test is.
 */
export function testFilesOf(paths: readonly string[], map: TestMap): TestFiles {
  const sources = paths.filter((path) => kindOf(path) === 'source');
  const tests = new Set(sources.flatMap((source) => map.of(source).slice(0, 2)));
  const [first] = sources;
  const fresh = tests.size > 0 || first === undefined ? null : map.newFor(first);
  return { existing: [...tests].slice(0, mostTests), created: fresh === null ? [] : [fresh] };
}

/** The piece that extends and creates the tests after everything else, or null without any. */
export function testPiece({ existing, created }: TestFiles, after: readonly Piece[]): Piece | null {
  const files: PlannedFile[] = [
    ...existing.map((file) => ({ file, action: 'modify' as const })),
    ...created.map(({ path }) => ({ file: path, action: 'create' as const })),
  ];
  if (files.length === 0) return null;
  const [like] = created.map((test) => test.like);
  const placed = like === undefined ? '' : ` A new file of tests stands where ${like} shows.`;
  return {
    name: `${existing.length > 0 ? 'Extend' : 'Write'} the tests: ${listed(shortNames(files.slice(0, 3).map(({ file }) => file)))}`,
    files,
    keyPoint: `A new case covers the change and fails without it.${placed}`,
    after,
  };
}
