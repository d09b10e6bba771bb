import { kindOf } from '../../context/file-kinds.ts';
import { shortNames } from '../../context/paths.ts';
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

/** Tests by the sources’ names; where there is none, a new one placed as a sibling’s test is. */
export function testFilesOf(sources: readonly string[], map: TestMap): TestFiles {
  const existing = new Set<string>();
  const created = new Map<string, string>();
  for (const source of sources.filter((path) => kindOf(path) === 'source')) {
    const tests = map.of(source);
    const fresh = tests.length === 0 ? map.newFor(source) : null;
    for (const test of tests.slice(0, 2)) existing.add(test);
    if (fresh !== null) created.set(fresh.path, fresh.like);
  }
  return {
    existing: [...existing].slice(0, mostTests),
    created: [...created].slice(0, mostTests).map(([path, like]) => ({ path, like })),
  };
}

/** The piece that extends and creates the tests after everything else, or null without any. */
export function testPiece({ existing, created }: TestFiles, after: readonly Piece[]): Piece | null {
  const files: PlannedFile[] = [
    ...existing.map((file) => ({ file, action: 'modify' as const })),
    ...created.map(({ path }) => ({ file: path, action: 'create' as const })),
  ];
  if (files.length === 0) return null;
  const likes = [...new Set(created.map(({ like }) => like))];
  return {
    name: `${existing.length > 0 ? 'Extend' : 'Write'} the tests: ${listed(shortNames(files.slice(0, 3).map(({ file }) => file)))}`,
    files,
    keyPoint: likes.length > 0 ? `New tests stand where ${listed(likes.slice(0, 2))} shows.` : null,
    after,
  };
}
