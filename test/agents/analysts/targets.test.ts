import { expect, test } from 'vitest';
import { keywordsOf } from '../../../src/context/keywords.ts';
import { needlesOf } from '../../../src/context/needles.ts';
import type { RelevantFile } from '../../../src/model/context.ts';
import { likelyTargets } from '../../../src/agents/analysts/targets.ts';

function found(...files: readonly (readonly [path: string, score: number])[]): RelevantFile[] {
  return files.map(([path, score]) => ({
    path,
    start: 1,
    end: 1,
    symbols: [],
    score,
    reasons: [],
  }));
}

function planned(task: string, files: readonly RelevantFile[]): readonly string[] {
  const all = [...files.map(({ path }) => path), 'src/time-table.ts', 'src/table-view.ts'];
  return likelyTargets(files, { needles: needlesOf(keywordsOf(task)), all }).map(
    ({ path }) => path,
  );
}

test('what was found for the task much less surely than the best file is not planned', () => {
  const files = found(['src/0.ts', 1], ['src/1.ts', 0.9], ['src/2.ts', 0.71], ['src/3.ts', 0.69]);
  expect(planned('Show the results', files)).toEqual(['src/0.ts', 'src/1.ts', 'src/2.ts']);
});

test('a common word of the task in a name of several words plans no file', () => {
  const files = found(['src/process-table.ts', 1], ['src/table.ts', 0.9], ['src/output.ts', 0.8]);
  expect(planned('Show the results as a table', files)).toEqual(['src/table.ts', 'src/output.ts']);
});

test('more than a common word plans it: the rest of its name, or another word in its folder or symbols', () => {
  const files = found(['src/process-table.ts', 1], ['src/output.ts', 0.8]);
  const both = files.map(({ path }) => path);
  expect(planned('Show the table of each process with its results', files)).toEqual(both);
  const [first, ...others] = files;
  const symbols = ['resultRows'];
  expect(
    planned('Show the results as a table', [...(first ? [{ ...first, symbols }] : []), ...others]),
  ).toEqual(both);
});

test('where a common word is all there is to go by, it plans', () => {
  const files = found(['src/process-table.ts', 1], ['src/output.ts', 0.8]);
  expect(planned('Show a table', files)).toEqual(['src/process-table.ts', 'src/output.ts']);
  expect(planned('Show the results as a table', files.slice(0, 1))).toEqual([
    'src/process-table.ts',
  ]);
});
