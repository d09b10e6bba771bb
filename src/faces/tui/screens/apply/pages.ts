// Shows the output of every check of a result, and its changes by file.
import type { ExecutionResult } from '../../../../model/execution.ts';
import { counted } from '../../../../model/wording.ts';
import { emptyRow, row, span, type Row, wrapText } from '../../rows.ts';
import { checkRows, diffRows, taskLooks } from '../run/tasks.ts';

/** All checks of all tasks, with everything that is kept of what they printed. */
export function outputRows(
  { tasks, broken }: Pick<ExecutionResult, 'tasks' | 'broken'>,
  width: number,
): readonly Row[] {
  return [
    ...(broken === undefined ? [] : [...wrapText(broken, { width, tone: 'bad' }), emptyRow]),
    ...tasks.flatMap(({ task, title, status, why, before, after, rerun = [] }) => {
      const [mark, tone] = taskLooks[status];
      const checks = [
        ...checkRows('Checks before the work', before, width),
        ...checkRows('Checks after the work', after, width),
        ...checkRows('Checks with the tests as they were before', rerun, width),
      ];
      return [
        row(span(`${mark} `, tone), span(`${task}  `, 'quiet'), span(title, 'strong')),
        ...(why === '' ? [] : wrapText(why, { width, tone, indent: 2 })),
        ...(checks.length === 0 ? [row(span('  no check was run', 'quiet'))] : checks),
        emptyRow,
      ];
    }),
  ];
}

/** A diff in git’s own form, below the files that it changes. */
export function changeRows(
  { title, diff }: { readonly title: string; readonly diff: string },
  width: number,
): readonly Row[] {
  const lines = diff.trimEnd().split('\n');
  const files = lines.flatMap((line) => /^diff --git "?a\/.* "?b\/(.*?)"?$/.exec(line)?.[1] ?? []);
  return [
    ...wrapText(title, { width, tone: 'strong' }),
    row(span(files.length === 0 ? 'nothing was changed' : counted(files.length, 'file'), 'quiet')),
    ...files.flatMap((file) => wrapText(file, { width, indent: 2 })),
    ...(files.length === 0 ? [] : [emptyRow, ...diffRows(lines, { width, indent: 0 })]),
  ];
}

/** The rows at which a file begins. */
export function fileStarts(rows: readonly Row[]): readonly number[] {
  return rows.flatMap(([first], at) =>
    first?.text.startsWith('diff --git ') === true ? [at] : [],
  );
}
