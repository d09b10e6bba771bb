// Shows what was executed and what the review found, and asks whether to apply it.
import { useMemo } from 'react';
import { documentOf, prose } from '../../../../model/document.ts';
import { applyCommand, outcomeText } from '../../../../model/execution-summary.ts';
import {
  checksBlocks,
  fileDiffs,
  resultDocument,
} from '../../../../phases/documents/result-document.ts';
import { ChoicePage } from '../../choice-page.tsx';
import { type AnchoredRow, documentRows, plainRows } from '../../document-rows.ts';
import { Frame, useBodySize } from '../../frame.tsx';
import { key, minorKey, scrollKeys, useQuestionKeys } from '../../key-bindings.ts';
import { clamp, listPage } from '../../list-page.ts';
import { popupKeys } from '../../popup.tsx';
import type { SavedComment } from '../../../../model/plan-edit.ts';
import { row, span, wrapText } from '../../screen-rows.ts';
import { marks } from '../../theme.ts';
import { applyForm } from '../../../execution-forms.ts';
import type { QuestionProps } from '../../screen-state.ts';
import { useStore } from '../../store.ts';
import { useTools, useTui } from '../../tools.tsx';
import { offersOf } from '../form-screen.tsx';
import { closeSheet, lineKeys, resultKeys, type ResultTools } from './apply-keys.ts';
import type { openResultStores, ResultState } from './apply-state.ts';

/** Shows what was executed, and asks whether to apply it now. */
export function ApplyScreen({ stage, stores }: QuestionProps<'apply', typeof openResultStores>) {
  const { say } = useTools();
  const state = useStore(stores.state, (now) => now);
  const shared = { result: { stage, stores, say }, state };
  return state.sheet === null && state.popup === null ? (
    <ResultQuestion {...shared} />
  ) : (
    <ResultSheet {...shared} />
  );
}

interface Shared {
  readonly result: ResultTools;
  readonly state: ResultState;
}

function ResultQuestion({ result: tools, state: { accepted } }: Shared) {
  const { question, answer } = tools.stage;
  const { width } = useBodySize();
  const { program } = useTools().ports;
  const session = useTui(({ progress }) => progress.session ?? '');
  const values = { accepted: Object.entries(accepted).map((one) => one.join(': ')) };
  const first = applyForm(question, { session, steers: true, program });
  const asked = first.after?.(values) ?? first;
  const { choices, usual, notes } = offersOf(asked, values, answer, width);
  const result = { ...question.result, accepted: { ...question.result.accepted, ...accepted } };
  const asks = `${outcomeText(result)}. ${asked.form.asks}`;
  const applies = applyCommand(result, { session })?.replace(/^conclave/, program);
  const [, ...blocks] = resultDocument({ ...question, result }).blocks;
  return (
    <ChoicePage
      {...{ question, store: tools.stores.choice, choices, usual, notes }}
      head={wrapText(asks, { width, tone: 'strong' })}
      body={plainRows(blocks, { width, folds: 'out' })}
      keys={resultKeys(tools)}
      copies={question.conflict?.byHand ?? applies ?? `${program} execute ${session}`}
    />
  );
}

/** Shows the output of the checks, a diff, or a question about a task. */
function ResultSheet({ result: tools, state }: Shared) {
  const { stores, stage } = tools;
  const { sheet, top, popup, refused } = state;
  const { width, height } = useBodySize();
  const { question } = stage;
  const comments = state.comments ?? question.comments?.() ?? [];
  const rows = useMemo(
    () => sheetRows(question, sheet, { width, comments }),
    [question, sheet, width, comments],
  );
  const anchors = [...new Set(rows.flatMap(({ anchor }) => anchor ?? []))];
  const isDiff = sheet?.kind === 'changes';
  const place = (anchor: string) => anchors.indexOf(anchor);
  const page = listPage(
    rows.map(({ cells, anchor }) => ({
      cells,
      item: isDiff && anchor !== null ? place(anchor) : null,
    })),
    { chosen: state.at, top, height },
  );
  const line = rows.filter(({ anchor }) => anchor === anchors[clamp(state.at, anchors.length)]);
  const close = () => closeSheet(tools);
  const scroll = (to: number) => stores.state.change((now) => ({ ...now, top: to }));
  const keys =
    popup === null
      ? [
          key(['esc', 'q'], 'back', close),
          ...(isDiff
            ? lineKeys(tools, { anchors, starts: fileStarts(rows).map(place), line, comments })
            : []),
          ...scrollKeys(page, scroll),
          ...resultKeys(tools).map((binding) => ({ ...binding, ...minorKey })),
        ]
      : popupKeys(popup, {
          change: (next) => stores.state.change((now) => ({ ...now, popup: next })),
          close: () => stores.state.change((now) => ({ ...now, popup: null, refused: null })),
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
  if (sheet.kind === 'output') return documentRows(checksBlocks(result), { width, folds: 'open' });
  const { title, diff } = sheet;
  if (diff === null) return [{ cells: row(span('Reading the changes …', 'quiet')), anchor: null }];
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
