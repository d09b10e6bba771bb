// Shows how the session ended, and what can be done next.
import { useState } from 'react';
import { taskBadges } from '../../../phases/documents/badges.ts';
import { endBlocks, nextCommand } from '../../end-document.ts';
import { readablePlanFile } from '../../short-forms.ts';
import { plainRows } from '../document-rows.ts';
import { Frame, useBodySize } from '../frame.tsx';
import { key, scrollKeys } from '../key-bindings.ts';
import { listPage, rowsOfItem } from '../list-page.ts';
import type { Progress } from '../progress/progress.ts';
import { emptyRow, row, span, type Row } from '../screen-rows.ts';
import type { End } from '../screen-state.ts';
import { useTui } from '../tools.tsx';

/** Shows the end of the session, and the next commands. */
export function EndScreen({ stage }: { readonly stage: End }) {
  const progress = useTui((state) => state.progress);
  const { width, height } = useBodySize();
  const [top, scroll] = useState(0);
  const page = listPage(rowsOfItem(null, endRows(progress, width)), { top, height });
  const close = key(['enter', 'q', 'esc', 'ctrl+c'], 'close', () => stage.answer(null));
  const bindings = [close, ...scrollKeys(page, scroll)];
  return <Frame bindings={bindings} rows={page.rows} copies={copiedFrom(progress)} />;
}

/** The text to copy: the next command, or the path of the plan. */
function copiedFrom({ end }: Progress): string | null {
  if (end === null) return null;
  return nextCommand(end) ?? (end.plan === null ? end.session : readablePlanFile(end.plan));
}

/** The end of the session, its files on disk, and the next commands. */
export function endRows({ end, execution, ...told }: Progress, width: number): readonly Row[] {
  if (end === null) return [row(span('The session has ended.'))];
  const tasks =
    execution?.tasks.map((task) => ({ ...task, badge: taskBadges[task.state] })) ?? null;
  const blocks = endBlocks({ ...told, end, tasks });
  return blocks.flatMap((block, at) => [
    ...(at === 0 || block === null ? [] : [emptyRow]),
    ...plainRows([block], { width }),
  ]);
}
