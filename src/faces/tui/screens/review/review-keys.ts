// Handles the keys of the review.
import { type Popup, popupKeys } from '../../popup.tsx';
import { type Binding, key, minorKey, scrollKeys } from '../../key-bindings.ts';
import type { ListPage } from '../../list-page.ts';
import {
  changeLine,
  moveTask,
  openInEditor,
  readAgain,
  removeLine,
  showVersions,
  undo,
} from './review-edits.ts';
import type { ReviewTools } from './review-tools.ts';
import {
  type Change,
  closeOne,
  linkIn,
  moveBy,
  moveSection,
  moveTo,
  toggleFold,
  unsent,
} from './review-state.ts';
import {
  leave,
  reject,
  rejectVerb,
  sendComments,
  verdictKeys,
  writeComment,
} from './give-verdict.ts';

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
