// Handles the keys on each page of the review.
import { type Popup, popupKeys } from '../../popup.tsx';
import { type Binding, key, minorKey, scrollKeys } from '../../key-bindings.ts';
import { type ListPage, clamp } from '../../list-page.ts';
import {
  addEntry,
  addTask,
  deleteTask,
  editField,
  moveTask,
  openInEditor,
  readAgain,
  showVersions,
  removeField,
  splitTask,
  undo,
} from './review-edits.ts';
import type { ReviewTools } from './review-tools.ts';
import {
  type Change,
  type ReviewState,
  currentFinding,
  currentLine,
  currentTask,
  closeOne,
  moveBy,
  openTab,
  tabs,
  taskInView,
  toFinding,
  toggleFold,
  withFields,
} from './review-state.ts';
import {
  leave,
  reject,
  rejectVerb,
  rewriteComment,
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
  const bindings =
    popup === null ? openPageKeys(reviewing, page) : popupKeys(popup, { change, close });
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

/** The keys of the page come first, then those of all pages. */
function openPageKeys(reviewing: ReviewTools, page: ListPage): readonly Binding[] {
  const { state } = reviewing;
  const { page: open } = state.get();
  const to = bindChange(reviewing);
  const move = (by: number) => to(moveBy(by, page.items));
  const moves = [
    key(['down', 'j'], 'down', move(1), minorKey),
    key(['up', 'k'], 'up', move(-1), minorKey),
    key(['home'], 'first', move(-Infinity), minorKey),
    key(['end'], 'last', move(Infinity), minorKey),
  ];
  const scroll = scrollKeys(page, (top) => state.change((now) => ({ ...now, top })));
  return [
    ...ownKeys(reviewing),
    ...(page.items.length === 0 ? [] : moves),
    ...(open === 'fields' ? textKeys(reviewing) : tabKeys(reviewing)),
    ...scroll.map((binding) => ({ ...binding, ...minorKey })),
    open === 'overview'
      ? key(['esc', 'q'], 'leave', () => leave(reviewing))
      : key(['esc', 'q'], 'back', to(closeOne)),
  ];
}

function ownKeys(reviewing: ReviewTools): readonly Binding[] {
  const state = reviewing.state.get();
  const to = bindChange(reviewing);
  switch (state.page) {
    case 'overview': {
      const { plan } = state.desk;
      return [
        ...verdictKeys(reviewing, ['enter']),
        ...(plan === null ? [] : [key(['i'], 'edit fields', to(withFields(taskInView(state))))]),
        key(['space'], 'open or close', to(toggleFold), minorKey),
      ];
    }
    case 'tasks':
      return taskKeys(reviewing);
    case 'fields':
      return fieldKeys(reviewing);
    case 'changes':
      return [key(['enter'], 'to the overview', to(closeOne), { decides: true })];
    case 'findings': {
      const finding = currentFinding(state);
      const place = finding === undefined ? null : toFinding(state, finding);
      return [
        ...(place === null ? [] : [key(['enter'], 'open the place', to(place))]),
        ...verdictKeys(reviewing, []).filter(({ keys }) => keys.length > 0),
      ];
    }
    case 'comments':
      if (state.comments.length === 0) return [];
      return [
        key(['enter'], 'change it', () => rewriteComment(reviewing)),
        key(['s'], 'send comments', () => sendComments(reviewing), { decides: true }),
      ];
  }
}

function taskKeys(reviewing: ReviewTools): readonly Binding[] {
  const state = reviewing.state.get();
  const task = currentTask(state);
  if (task === undefined) return [];
  const { asGraph } = state;
  const to = bindChange(reviewing);
  const turn: Change = (now) => ({ ...now, asGraph: !asGraph, top: null });
  return [
    key(['enter'], 'open', to(withFields(task.id))),
    key(['g'], asGraph ? 'list' : 'graph', to(turn)),
    key(['a'], 'add', () => addTask(reviewing)),
    key(['p'], 'split', () => splitTask(reviewing)),
    key(['d'], 'delete', () => deleteTask(reviewing)),
    key(['K', 'shift+up'], 'move up', () => moveTask(reviewing, -1), minorKey),
    key(['J', 'shift+down'], 'move down', () => moveTask(reviewing, 1), minorKey),
  ];
}

function fieldKeys(reviewing: ReviewTools): readonly Binding[] {
  const { about, desk } = reviewing.state.get();
  const at = desk.tasks.findIndex(({ id }) => id === about);
  const task = (index: number) => () => {
    const next = desk.tasks[clamp(index, desk.tasks.length)];
    if (next !== undefined) reviewing.state.change(withFields(next.id));
  };
  const others = [
    key(['right', 'l', 'tab'], 'next task', task(at + 1)),
    key(['left', 'h', 'shift+tab'], 'previous task', task(at - 1), minorKey),
  ];
  return [
    key(['enter'], 'edit', () => editField(reviewing)),
    key(['a'], 'add an entry', () => addEntry(reviewing)),
    key(['d'], 'remove', () => removeField(reviewing)),
    ...(about === null ? [] : others),
  ];
}

/** The keys of every page that has a tab. */
function tabKeys(reviewing: ReviewTools): readonly Binding[] {
  const state = reviewing.state.get();
  const { comments, page } = state;
  const at = tabs.findIndex((tab) => tab === page);
  const to = bindChange(reviewing);
  const sending = comments.length > 0 ? { decides: true } : minorKey;
  return [
    key(['tab', 'right', 'l'], 'next page', to(openTab(at + 1))),
    key(['shift+tab', 'left', 'h'], 'previous page', to(openTab(at - 1)), minorKey),
    ...textKeys(reviewing),
    key(['s'], 'send comments', () => sendComments(reviewing), sending),
    key(['v'], 'the run', reviewing.lookAtRun),
    ...tabs.map((tab, index) => key([String(index + 1)], tab, to(openTab(index)), minorKey)),
    key(['x'], rejectVerb(state), () => reject(reviewing), minorKey),
    key(['r'], 'read the files again', () => readAgain(reviewing), minorKey),
  ];
}

function textKeys(reviewing: ReviewTools): readonly Binding[] {
  return [
    key(['c'], 'comment', () => writeComment(reviewing, lineInView(reviewing.state.get()))),
    key(['e'], 'edit as Markdown', () => openInEditor(reviewing)),
    key(['u'], 'undo the last edit', () => undo(reviewing), minorKey),
    key(['V'], 'versions', () => showVersions(reviewing), minorKey),
  ];
}

/** The line that a comment hangs on: that under the cursor on the page of the whole plan. */
function lineInView(state: ReviewState) {
  return state.page === 'overview' ? currentLine(state) : undefined;
}

function bindChange({ state }: ReviewTools): (next: Change) => () => void {
  return (next) => () => state.change(next);
}
