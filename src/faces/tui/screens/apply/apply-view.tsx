// Shows what was executed and what the review found, and asks whether to apply it.
import { useMemo } from 'react';
import type { ExecutionResult, TaskOutcome } from '../../../../model/execution.ts';
import { applyCommand, objectionsTo, outcomeText } from '../../../../model/execution-summary.ts';
import { documentOf, prose } from '../../../../model/document.ts';
import {
  fileDiffs,
  checksBlocks,
  resultDocument,
} from '../../../../phases/documents/result-document.ts';
import { ChoicePage, type Offer } from '../../choice-page.tsx';
import { type AnchoredRow, documentRows, plainRows } from '../../document-rows.ts';
import { Frame, useBodySize } from '../../frame.tsx';
import { key, minorKey, scrollKeys, useQuestionKeys } from '../../key-bindings.ts';
import { listPage } from '../../list-page.ts';
import { popupKeys } from '../../popup.tsx';
import { emptyRow, factRows, row, span, wrapText } from '../../screen-rows.ts';
import type { ApplyConflict } from '../../../../workflow/view-port.ts';
import { conflictText, resolverNote } from '../../../execution-words.ts';
import type { QuestionProps } from '../../screen-state.ts';
import { useStore } from '../../store.ts';
import { useTools, useTui } from '../../tools.tsx';
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
  const session = useTui(({ progress }) => progress.session ?? '');
  const { width } = useBodySize();
  const result = { ...question.result, accepted: { ...question.result.accepted, ...accepted } };
  const shown = { ...question, result };
  const { program } = useTools().ports;
  const command = `${program} execute ${session}`;
  const isEmpty = result.commit === result.start;
  const { conflict = null } = question;
  const asks = isEmpty
    ? 'Nothing was changed.'
    : conflict === null
      ? 'Apply the result to your work tree?'
      : conflictText(conflict.files);
  const head = wrapText(`${outcomeText(result)}. ${asks}`, {
    width,
    tone: 'strong',
  });
  const applies = applyCommand(result, { session })?.replace(/^conclave/, program) ?? null;
  const later = [
    ...(result.branch === null ? [] : factRows('Branch', result.branch, width)),
    ...(conflict === null
      ? applies === null
        ? []
        : factRows('Later', applies, width)
      : factRows('By hand', conflict.byHand, width)),
    ...factRows('Or', `${command} --discard`, width),
  ];
  const notes = isEmpty ? factRows('Again', command, width) : later;
  const give: Give = (apply, resolver) =>
    answer(
      Object.keys(accepted).length === 0 && resolver === undefined
        ? apply
        : { apply, accepted, ...(resolver !== undefined && { resolve_with: resolver }) },
    );
  const choices = resultChoices({ isEmpty, conflict }, give);
  const [, ...blocks] = resultDocument(shown).blocks;
  const body = plainRows(blocks, { width, folds: 'out' });
  const isUsual = isEmpty || (conflict === null && isWhole(result));
  const usual = isUsual ? 0 : choices.length - 1;
  const page = {
    question,
    store: tools.stores.choice,
    head,
    notes: [emptyRow, ...notes],
    body,
    choices,
    usual,
  };
  return (
    <ChoicePage
      {...page}
      keys={resultKeys(tools)}
      copies={conflict?.byHand ?? (isEmpty ? command : (applies ?? command))}
    />
  );
}

type Give = (apply: boolean, resolver?: string) => void;

function resultChoices(
  { isEmpty, conflict }: { readonly isEmpty: boolean; readonly conflict: ApplyConflict | null },
  give: Give,
): readonly Offer[] {
  const keep = {
    name: 'Keep',
    means: isEmpty ? 'leave the plan as it is' : 'leave it on its own branch for now',
    does: isEmpty ? 'leave it' : 'keep it for now',
    run: () => give(false),
  };
  const apply = {
    name: 'Apply',
    means: 'merge its branch into the branch that is checked out',
    does: 'apply it',
    run: () => give(true),
  };
  if (conflict !== null) {
    const resolving = conflict.resolvers.map((name) => ({
      name,
      means: resolverNote,
      does: `have ${name} resolve it`,
      run: () => give(true, name),
    }));
    return [...resolving, keep];
  }
  return isEmpty ? [keep] : [apply, keep];
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

/** True if most people would apply the result. */
function isWhole(result: ExecutionResult): boolean {
  const { accepted = {} } = result;
  const isGood = ({ task, status }: TaskOutcome) =>
    status === 'completed' || (status === 'unproven' && task in accepted);
  return result.tasks.every(isGood) && objectionsTo(result).length === 0;
}
