// Shows the plan under review on one page, with the comments beside their lines, and handles its keys.
import { Frame, useBodySize } from '../../frame.tsx';
import { useQuestionKeys, type Binding, key, minorKey, scrollKeys } from '../../key-bindings.ts';
import type { QuestionStage } from '../../screen-state.ts';
import { useStore } from '../../store.ts';
import { useTools, useTui } from '../../tools.tsx';
import type { ReviewStores, ReviewTools } from './review-tools.ts';
import {
  currentLine,
  type ReviewState,
  blocksOn,
  linesOn,
  chosenIndex,
  type Change,
  closeOne,
  linkIn,
  moveBy,
  moveSection,
  moveTo,
  toggleFold,
  unsent,
} from './review-state.ts';
import { type Line, list, prose } from '../../../../model/document.ts';
import { findingText } from '../../../../model/finding.ts';
import { stateFacts } from '../../../../phases/documents/plan-state.ts';
import { commentNotes } from '../../../../phases/planning/comments.ts';
import { documentRows, plainRows } from '../../document-rows.ts';
import { type ItemRow, type ListPage, listPage, rowsOfItem } from '../../list-page.ts';
import { type Row, cutTo, emptyRow, wrapText } from '../../screen-rows.ts';
import { marks } from '../../theme.ts';
import { type Popup, popupKeys } from '../../popup.tsx';
import {
  changeLine,
  moveTask,
  openInEditor,
  readAgain,
  removeLine,
  showVersions,
  undo,
} from './review-edits.ts';
import {
  leave,
  reject,
  rejectVerb,
  sendComments,
  verdictKeys,
  writeComment,
} from './give-verdict.ts';

/** Shows the plan files to be read, changed, commented on and approved. */
export function ReviewScreen({
  stage,
  stores,
}: {
  readonly stage: QuestionStage<'approve'>;
  readonly stores: ReviewStores;
}) {
  const { ports, say, lookAtRun } = useTools();
  const { question, answer } = stage;
  const state = useStore(stores.state, (now) => now);
  const reviewing = { ...stores, question, answer, ports, say, lookAtRun };
  const page = pageOf(state, useBodySize());
  const bindings = useQuestionKeys(question, reviewKeys(reviewing, page));
  const session = useTui(({ progress }) => progress.session);
  const command = session === null ? null : `${ports.program} review ${session}`;
  const { popup, busy, refused } = state;
  const copies = currentLine(state)?.text ?? command;
  return <Frame {...{ bindings, popup, refused, busy, copies }} rows={page.rows} />;
}

/** The page without popups; below it, why the last edit was refused. */
export function pageOf(
  state: ReviewState,
  { width, height }: { readonly width: number; readonly height: number },
): ListPage {
  const { top, refused } = state;
  const why = refused === null ? [] : wrapText(refused, { width, tone: 'bad' });
  const page = listPage(pageRows(state, width - 2), {
    chosen: chosenIndex(state),
    top,
    height: Math.max(1, height - why.length),
  });
  return { ...page, rows: [...page.rows, ...why].map((line) => cutTo(line, width)) };
}

function pageRows(state: ReviewState, width: number): readonly ItemRow[] {
  const { desk, rejected, waitsFor, compared, toggled } = state;
  if (desk.plan === null) return rowsOfItem(null, unreadableRows(state, width));
  const lines = linesOn(state);
  const notes = commentNotes(desk.comments, desk.document);
  const notesOn = (anchor: string) =>
    rowsOfItem(
      null,
      (notes.get(anchor) ?? []).flatMap((text) =>
        wrapText(`${marks.comment} ${text}`, { width, indent: 2, tone: 'accent' }),
      ),
    );
  const head =
    compared === null ? stateFacts({ ...desk, rejected, waitsFor }) : prose(compared.title);
  const rows = documentRows(blocksOn(state), { width, toggled });
  return [
    ...rowsOfItem(0, plainRows([head], { width })),
    ...(compared === null ? notesOn('') : []),
    ...rowsOfItem(null, [emptyRow]),
    ...rows.flatMap(({ cells, anchor }, at) => {
      const item = anchor === null ? null : lines.indexOf(anchor);
      const isLast = anchor !== null && rows[at + 1]?.anchor !== anchor;
      return [{ cells, item }, ...(isLast ? notesOn(anchor) : [])];
    }),
  ];
}

function unreadableRows({ desk }: ReviewState, width: number): readonly Row[] {
  const faults = desk.findings.map(({ file, pointer, message }): Line => {
    const text = findingText({ file: file + pointer, message });
    return [{ badge: '', mark: marks.failed, tone: 'bad' }, text];
  });
  return [
    ...wrapText('The files on disk cannot be read as a plan.', { width, tone: 'bad' }),
    emptyRow,
    ...plainRows([list(faults)], { width }),
    emptyRow,
    ...wrapText('Press e to mend the first of these files.', { width, tone: 'quiet' }),
  ];
}

/** The keys of what is open. The next key removes the notice, and any refusal except that of a text. */
export function reviewKeys(reviewing: ReviewTools, page: ListPage): readonly Binding[] {
  const { state, say } = reviewing;
  const { popup } = state.get();
  const change = (next: Popup) => state.change((now) => ({ ...now, popup: next }));
  const close = () => state.change(closeOne);
  const bindings = popup === null ? pageKeys(reviewing, page) : popupKeys(popup, { change, close });
  return bindings.map((binding) => ({
    ...binding,
    run() {
      if (state.get().busy) return;
      say(null);
      if (popup?.writes === undefined) state.change((now) => ({ ...now, refused: null }));
      binding.run();
    },
  }));
}

function pageKeys(reviewing: ReviewTools, page: ListPage): readonly Binding[] {
  const { state } = reviewing;
  const now = state.get();
  const to = (next: Change) => () => state.change(next);
  const link = linkIn(now);
  const moves = [
    key(['down', 'j'], 'down', to(moveBy(1)), minorKey),
    key(['up', 'k'], 'up', to(moveBy(-1)), minorKey),
    key(['home'], 'first', to(moveBy(-Infinity)), minorKey),
    key(['end'], 'last', to(moveBy(Infinity)), minorKey),
    ...scrollKeys(page, (top) => state.change((old) => ({ ...old, top }))),
  ];
  const reading = [
    key(['space'], 'open or close', to(toggleFold), minorKey),
    key(['tab'], 'next part', to(moveSection(1))),
    key(['shift+tab'], 'part before', to(moveSection(-1)), minorKey),
    ...(link === undefined ? [] : [key(['right', 'l'], `go to ${link}`, to(moveTo(link)))]),
  ];
  if (now.compared !== null) {
    return [
      key(['enter', 'esc', 'q'], 'to the plan', to(closeOne), { decides: true }),
      ...reading,
      ...moves,
    ];
  }
  const sending = unsent(now).length > 0 ? { decides: true } : minorKey;
  return [
    ...verdictKeys(reviewing),
    key(['c'], 'comment', () => writeComment(reviewing)),
    key(['s'], 'send comments', () => sendComments(reviewing), sending),
    key(['e'], 'edit as Markdown', () => openInEditor(reviewing)),
    key(['i'], 'change the line', () => changeLine(reviewing)),
    ...reading,
    key(['a'], 'add a line', () => changeLine(reviewing, { adds: true }), minorKey),
    key(['d'], 'remove the line', () => removeLine(reviewing), minorKey),
    key(['K', 'shift+up'], 'move the task up', () => moveTask(reviewing, -1), minorKey),
    key(['J', 'shift+down'], 'move the task down', () => moveTask(reviewing, 1), minorKey),
    key(['u'], 'undo the last edit', () => undo(reviewing), minorKey),
    key(['V'], 'versions', () => showVersions(reviewing), minorKey),
    key(['v'], 'the run', reviewing.lookAtRun, minorKey),
    ...moves.map((binding) => ({ ...binding, ...minorKey })),
    key(['x'], rejectVerb(now), () => reject(reviewing), minorKey),
    key(['r'], 'read the files again', () => readAgain(reviewing), minorKey),
    key(['esc', 'q'], 'leave', () => leave(reviewing), minorKey),
  ];
}
