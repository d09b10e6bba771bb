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
import { listPage } from '../../list-page.ts';
import { popupKeys } from '../../popup.tsx';
import { row, span, wrapText } from '../../screen-rows.ts';
import { applyForm } from '../../../execution-forms.ts';
import type { QuestionProps } from '../../screen-state.ts';
import { useStore } from '../../store.ts';
import { useTools, useTui } from '../../tools.tsx';
import { offersOf } from '../form-screen.tsx';
import { closeSheet, fileKeys, resultKeys, type ResultTools } from './apply-keys.ts';
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
  const first = applyForm(question, { session, steers: true });
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
  const rows = useMemo(() => sheetRows(question, sheet, width), [question, sheet, width]);
  const page = listPage(
    rows.map(({ cells }) => ({ cells, item: null })),
    { top, height },
  );
  const close = () => closeSheet(tools);
  const scroll = (to: number) => stores.state.change((now) => ({ ...now, top: to }));
  const keys =
    popup === null
      ? [
          key(['esc', 'q'], 'back', close),
          ...(sheet?.kind === 'changes' ? fileKeys(tools, fileStarts(rows), page) : []),
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
  width: number,
): readonly AnchoredRow[] {
  if (sheet === null) return [];
  if (sheet.kind === 'output') return documentRows(checksBlocks(result), { width, folds: 'open' });
  const { title, diff } = sheet;
  if (diff === null) return [{ cells: row(span('Reading the changes …', 'quiet')), anchor: null }];
  const { blocks } = documentOf(title, [prose(title), ...fileDiffs(diff)]);
  return documentRows(blocks, { width, folds: 'open' });
}

/** The rows at which a file starts. */
function fileStarts(rows: readonly AnchoredRow[]): readonly number[] {
  return rows.flatMap(({ cells }, at) =>
    cells.some(({ file }) => file !== undefined) ? [at] : [],
  );
}
