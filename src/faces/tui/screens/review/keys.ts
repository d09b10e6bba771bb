import type { Binding } from '../../keys.ts';
import { brokeLine } from '../../widgets/text-field/view.tsx';
import {
  addEntry,
  addTask,
  deleteTask,
  editField,
  moveTask,
  openInEditor,
  readAgain,
  removeField,
  splitTask,
} from './edits.ts';
import type { PageRows } from './page.ts';
import { type Reviewing, key } from './reviewing.ts';
import {
  type ReviewState,
  type Tab,
  clamp,
  closed,
  movedBy,
  onTab,
  placeOfFinding,
  tabs,
  withFields,
  withNeighbour,
} from './state.ts';
import {
  approve,
  deleteComment,
  leave,
  rewriteComment,
  sendComments,
  writeComment,
} from './verdicts.ts';

/** The keys of what is open; the next one takes the notice and a refusal away. */
export function reviewKeys(reviewing: Reviewing, page: PageRows): readonly Binding[] {
  const { state, say } = reviewing;
  return keysOf(reviewing, page).map((binding) => ({
    ...binding,
    run() {
      say('');
      // The refusal of a text stays with the text.
      if (state.get().writing === null) state.change((now) => ({ ...now, refused: null }));
      binding.run();
    },
  }));
}

/** Enter in a text. */
export function accept({ state, field }: Reviewing): unknown {
  const { writing, busy } = state.get();
  return busy ? undefined : writing?.accept(field.get().text);
}

/** The tables of the pages, each from its own keys to those that all have. */
function keysOf(reviewing: Reviewing, page: PageRows): readonly Binding[] {
  const { writing, doubt, page: open } = reviewing.state.get();
  const back = changing(reviewing, closed);
  if (writing !== null) {
    const enter = () => brokeLine(reviewing.field) || accept(reviewing);
    return [key(['enter'], writing.does, enter), key(['esc'], 'back', writing.back ?? back)];
  }
  if (doubt !== null) return [...doubt.keys, key(['esc', 'n'], 'back', back)];
  const end = key(['esc', 'q'], open === 'overview' ? 'leave' : 'back', () =>
    open === 'overview' ? leave(reviewing) : back(),
  );
  const turning = scrollKeys(reviewing, page);
  if (open === 'fields') return [...fieldKeys(reviewing), ...turning, end];
  return [...ownKeys(reviewing, open), ...commonKeys(reviewing), ...turning, end];
}

function ownKeys(reviewing: Reviewing, tab: Tab): readonly Binding[] {
  switch (tab) {
    case 'overview':
      return overviewKeys(reviewing);
    case 'tasks':
      return taskKeys(reviewing);
    case 'findings':
      return findingKeys(reviewing);
    case 'changes':
      return [key(['enter'], 'to the overview', changing(reviewing, closed), { decides: true })];
    case 'comments':
      return commentKeys(reviewing);
  }
}

const minor = { minor: true };

function overviewKeys(reviewing: Reviewing): readonly Binding[] {
  const { approvedHash, hash } = reviewing.state.get().desk;
  const does = approvedHash !== null && approvedHash === hash ? 'keep it approved' : 'approve';
  const fields = changing(reviewing, (now) => withFields(now, { of: null, field: null }));
  return [
    key(['enter'], does, () => approve(reviewing), { decides: true, ownPress: true }),
    key(['i'], 'edit fields', fields),
  ];
}

function taskKeys(reviewing: Reviewing): readonly Binding[] {
  const open = changing(reviewing, (now) => withFields(now, { of: now.task, field: null }));
  const turn = changing(reviewing, (now) => ({ ...now, asGraph: !now.asGraph, scroll: 0 }));
  const { asGraph } = reviewing.state.get();
  return [
    key(['enter'], 'open', open),
    key(['g'], asGraph ? 'list' : 'graph', turn),
    ...moveKeys(reviewing),
    key(['a'], 'add', () => addTask(reviewing)),
    key(['p'], 'split', () => splitTask(reviewing)),
    key(['d'], 'delete', () => deleteTask(reviewing)),
    key(['K', 'shift+up'], 'move up', () => moveTask(reviewing, -1), minor),
    key(['J', 'shift+down'], 'move down', () => moveTask(reviewing, 1), minor),
  ];
}

function findingKeys(reviewing: Reviewing): readonly Binding[] {
  const place = placeOfFinding(reviewing.state.get());
  if (place === null) return moveKeys(reviewing);
  const open = changing(reviewing, (now) => withFields(now, place));
  return [key(['enter'], 'open the place', open), ...moveKeys(reviewing)];
}

function commentKeys(reviewing: Reviewing): readonly Binding[] {
  if (reviewing.state.get().comments.length === 0) return [];
  return [
    key(['enter'], 'change it', () => rewriteComment(reviewing)),
    key(['s'], 'send comments', () => sendComments(reviewing), { decides: true }),
    key(['d'], 'delete it', () => deleteComment(reviewing)),
    ...moveKeys(reviewing),
  ];
}

function fieldKeys(reviewing: Reviewing): readonly Binding[] {
  const beside = (by: 1 | -1) => changing(reviewing, (now) => withNeighbour(now, by));
  const others = [
    key(['right', 'l', 'tab'], 'next task', beside(1)),
    key(['left', 'h', 'shift+tab'], 'task before', beside(-1), minor),
  ];
  return [
    key(['enter'], 'edit', () => editField(reviewing)),
    ...moveKeys(reviewing),
    key(['a'], 'add an entry', () => addEntry(reviewing)),
    key(['d'], 'remove', () => removeField(reviewing)),
    ...textKeys(reviewing),
    ...(reviewing.state.get().about === null ? [] : others),
  ];
}

/** What every page between which the tabs lead has. */
function commonKeys(reviewing: Reviewing): readonly Binding[] {
  const hasComments = reviewing.state.get().comments.length > 0;
  const beside = (by: number) =>
    changing(reviewing, (now) => {
      const at = tabs.findIndex((tab) => tab === now.page) + by + tabs.length;
      return onTab(now, tabs[at % tabs.length] ?? 'overview');
    });
  return [
    key(['tab', 'right', 'l'], 'next page', beside(1)),
    key(['shift+tab', 'left', 'h'], 'page before', beside(-1), minor),
    ...textKeys(reviewing),
    key(
      ['s'],
      'send comments',
      () => sendComments(reviewing),
      hasComments ? { decides: true } : minor,
    ),
    key(['v'], 'the run', reviewing.lookAtRun),
    ...tabs.map((tab, index) =>
      key(
        [String(index + 1)],
        tab,
        changing(reviewing, (now) => onTab(now, tab)),
        minor,
      ),
    ),
    key(['r'], 'read the files again', () => readAgain(reviewing), minor),
  ];
}

function textKeys(reviewing: Reviewing): readonly Binding[] {
  return [
    key(['c'], 'comment', () => writeComment(reviewing)),
    key(['e'], 'open in $EDITOR', () => openInEditor(reviewing)),
  ];
}

function moveKeys(reviewing: Reviewing): readonly Binding[] {
  const move = (by: number) => changing(reviewing, (now) => movedBy(now, by));
  return [
    key(['down', 'j'], 'down', move(1), minor),
    key(['up', 'k'], 'up', move(-1), minor),
    key(['home'], 'first', move(-Infinity), minor),
    key(['end'], 'last', move(Infinity), minor),
  ];
}

function scrollKeys(reviewing: Reviewing, { base, most, height }: PageRows): readonly Binding[] {
  const by = (rows: number) =>
    changing(reviewing, (now) => ({
      ...now,
      scroll: clamp(base + now.scroll + rows, most + 1) - base,
    }));
  return [
    key(['pagedown', 'space'], 'page down', by(height - 1), minor),
    key(['pageup'], 'page up', by(1 - height), minor),
    // Where they choose nothing.
    key(['down', 'j'], 'down', by(1), minor),
    key(['up', 'k'], 'up', by(-1), minor),
  ];
}

function changing({ state }: Reviewing, next: (now: ReviewState) => ReviewState): () => void {
  return () => state.change(next);
}
