// Shows what was executed and what the review found, and asks whether to apply it.
import { useMemo } from 'react';
import { documentOf, prose } from '../../../../model/document.ts';
import { applyCommand } from '../../../../model/execution-summary.ts';
import type { SavedComment } from '../../../../model/plan-edit.ts';
import { checksBlocks, fileDiffs } from '../../../../phases/documents/result-document.ts';
import { applyForm } from '../../../execution-forms.ts';
import { type AnchoredRow, documentRows } from '../../document-rows.ts';
import { Frame, useBodySize } from '../../frame.tsx';
import { key, minorKey, scrollKeys, useQuestionKeys } from '../../key-bindings.ts';
import { clamp, listPage } from '../../list-page.ts';
import { popupKeys } from '../../popup.tsx';
import { row, span, wrapText } from '../../screen-rows.ts';
import type { QuestionProps } from '../../screen-state.ts';
import { useStore } from '../../store.ts';
import { marks } from '../../theme.ts';
import { useTools, useTui } from '../../tools.tsx';
import { FormScreen } from '../form-screen.tsx';
import {
  closeSheet,
  lineKeys,
  type openResultStores,
  resultKeys,
  type ResultState,
  type ResultTools,
} from './apply-keys.ts';

/** Shows what was executed, and asks whether to apply it now. */
export function ApplyScreen({ stage, stores }: QuestionProps<'apply', typeof openResultStores>) {
  const { say, ports } = useTools();
  const { program } = ports;
  const session = useTui(({ progress }) => progress.session ?? '');
  const state = useStore(stores.state, (now) => now);
  const tools = { stage, stores, say };
  if (state.sheet !== null || state.popup !== null) return <ResultSheet {...{ tools, state }} />;
  const { question } = stage;
  const applies = applyCommand(question.result, { session })?.replace(/^conclave/, program);
  return (
    <FormScreen
      {...stage}
      asked={applyForm(question, { session, steers: true, program })}
      store={stores.form}
      keys={resultKeys(tools)}
      copies={question.conflict?.byHand ?? applies ?? `${program} execute ${session}`}
    />
  );
}

/** Shows the output of the checks, a diff, or a question about a task. */
function ResultSheet({
  tools,
  state,
}: {
  readonly tools: ResultTools;
  readonly state: ResultState;
}) {
  const { state: store } = tools.stores;
  const { sheet, top, popup, refused } = state;
  const { width, height } = useBodySize();
  const { question } = tools.stage;
  const comments = state.comments ?? question.comments?.() ?? [];
  const rows = useMemo(
    () => sheetRows(question, sheet, { width, comments }),
    [question, sheet, width, comments],
  );
  const anchors = [...new Set(rows.flatMap(({ anchor }) => anchor ?? []))];
  const isDiff = sheet?.diff !== undefined;
  const place = (anchor: string) => anchors.indexOf(anchor);
  const page = listPage(
    rows.map(({ cells, anchor }) => ({
      cells,
      item: isDiff && anchor !== null ? place(anchor) : null,
    })),
    { chosen: state.at, top, height },
  );
  const line = rows.filter(({ anchor }) => anchor === anchors[clamp(state.at, anchors.length)]);
  const keys =
    popup === null
      ? [
          key(['esc', 'q'], 'back', () => closeSheet(tools)),
          ...(isDiff
            ? lineKeys(tools, { anchors, starts: fileStarts(rows).map(place), line, comments })
            : []),
          ...scrollKeys(page, (to) => store.change((now) => ({ ...now, top: to }))),
          ...resultKeys(tools).map((binding) => ({ ...binding, ...minorKey })),
        ]
      : popupKeys(popup, {
          change: (next) => store.change((now) => ({ ...now, popup: next })),
          close: () => store.change((now) => ({ ...now, popup: null, refused: null })),
        });
  const bindings = useQuestionKeys(question, keys);
  return <Frame {...{ bindings, popup, refused }} rows={page.rows} />;
}

function sheetRows(
  { result }: ResultTools['stage']['question'],
  sheet: ResultState['sheet'],
  { width, comments }: { readonly width: number; readonly comments: readonly SavedComment[] },
): readonly AnchoredRow[] {
  if (sheet === null) return [];
  const { title, diff } = sheet;
  if (title === '') return documentRows(checksBlocks(result), { width, folds: 'open' });
  if (diff === undefined)
    return [{ cells: row(span('Reading the changes …', 'quiet')), anchor: null }];
  const { blocks } = documentOf(title, [prose(title), ...fileDiffs(diff)]);
  const rows = documentRows(blocks, { width: width - 2, folds: 'open' });
  return rows.flatMap((one, at) => {
    const isLast = one.anchor !== null && rows[at + 1]?.anchor !== one.anchor;
    const own = isLast ? comments.filter(({ anchor }) => anchor === `diff.${one.anchor}`) : [];
    const notes = own.flatMap(({ text }) =>
      wrapText(`${marks.comment} ${text}`, { width: width - 2, indent: 4, tone: 'accent' }),
    );
    return [one, ...notes.map((cells) => ({ cells, anchor: null }))];
  });
}

/** The anchors at which a file starts. */
function fileStarts(rows: readonly AnchoredRow[]): readonly string[] {
  const heads = rows.filter(({ cells }) => cells.some(({ file }) => file !== undefined));
  return heads.flatMap(({ anchor }) => anchor ?? []);
}
