import { type Binding, scrollKeys } from '../../keys.ts';
import {
  addTask,
  deleteTask,
  moveTask,
  openInEditor,
  readAgain,
  splitTask,
  undo,
} from './edits.ts';
import { addEntry, editField, removeField } from './field-edits.ts';
import type { PageRows } from './page.ts';
import { type Reviewing, key } from './reviewing.ts';
import {
  type Change,
  type Picker,
  type ReviewState,
  closed,
  movedBy,
  onTab,
  pickedBy,
  withFields,
  placeOfFinding,
  scrolledBy,
  tabs,
  withNeighbour,
} from './state.ts';
import {
  rejects,
  approve,
  deleteComment,
  leave,
  reject,
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

const minor = { minor: true };

/** What lies in front of the page has keys of its own; else those of the page, then what all have. */
function keysOf(reviewing: Reviewing, page: PageRows): readonly Binding[] {
  const { writing, doubt, picker, page: open } = reviewing.state.get();
  const to = changing(reviewing);
  if (writing !== null) {
    const enter = () => accept(reviewing);
    return [key(['enter'], writing.does, enter), key(['esc'], 'back', writing.back ?? to(closed))];
  }
  if (doubt !== null) return [...doubt.keys, key(['esc', 'n'], 'back', to(closed))];
  if (picker !== null) return pickerKeys(reviewing, picker);
  const isFirst = open === 'overview';
  return [
    ...pageKeys(reviewing, open),
    ...(open === 'fields' ? [] : tabKeys(reviewing)),
    ...pageScrollKeys(reviewing, page),
    key(['esc', 'q'], isFirst ? 'leave' : 'back', isFirst ? () => leave(reviewing) : to(closed)),
  ];
}

function pickerKeys(reviewing: Reviewing, picker: Picker): readonly Binding[] {
  const to = changing(reviewing);
  const places = [
    key(['right', 'l', 'space'], 'next part', to(pickedBy(1, true))),
    key(['left', 'h'], 'part before', to(pickedBy(-1, true)), minor),
  ];
  return [
    key(['enter'], picker.does, () => picker.accept(picker)),
    key(['down', 'j'], 'down', to(pickedBy(1))),
    key(['up', 'k'], 'up', to(pickedBy(-1))),
    ...(picker.sorted === undefined ? [] : places),
    key(['esc'], 'back', picker.back ?? to(closed)),
  ];
}

function pageKeys(reviewing: Reviewing, page: ReviewState['page']): readonly Binding[] {
  const to = changing(reviewing);
  switch (page) {
    case 'overview':
      return overviewKeys(reviewing);
    case 'tasks':
      return taskKeys(reviewing);
    case 'fields':
      return fieldKeys(reviewing);
    case 'changes':
      return [key(['enter'], 'to the overview', to(closed), { decides: true })];
    case 'findings': {
      const place = placeOfFinding(reviewing.state.get());
      const open = place === null ? [] : [key(['enter'], 'open the place', to(withFields(place)))];
      return [...open, ...moveKeys(reviewing)];
    }
    case 'comments':
      if (reviewing.state.get().comments.length === 0) return [];
      return [
        key(['enter'], 'change it', () => rewriteComment(reviewing)),
        key(['s'], 'send comments', () => sendComments(reviewing), { decides: true }),
        key(['d'], 'delete it', () => deleteComment(reviewing)),
        ...moveKeys(reviewing),
      ];
  }
}

function overviewKeys(reviewing: Reviewing): readonly Binding[] {
  const { approvedHash, hash } = reviewing.state.get().desk;
  const does = approvedHash !== null && approvedHash === hash ? 'keep it approved' : 'approve';
  const fields = changing(reviewing)(withFields({ of: null, field: null }));
  return [
    key(['enter'], does, () => approve(reviewing), { decides: true, ownPress: true }),
    key(['i'], 'edit fields', fields),
  ];
}

function taskKeys(reviewing: Reviewing): readonly Binding[] {
  const { asGraph, task } = reviewing.state.get();
  const to = changing(reviewing);
  return [
    key(['enter'], 'open', to(withFields({ of: task, field: null }))),
    key(
      ['g'],
      asGraph ? 'list' : 'graph',
      to((now) => ({ ...now, asGraph: !asGraph, scroll: 0 })),
    ),
    ...moveKeys(reviewing),
    key(['a'], 'add', () => addTask(reviewing)),
    key(['p'], 'split', () => splitTask(reviewing)),
    key(['d'], 'delete', () => deleteTask(reviewing)),
    key(['K', 'shift+up'], 'move up', () => moveTask(reviewing, -1), minor),
    key(['J', 'shift+down'], 'move down', () => moveTask(reviewing, 1), minor),
  ];
}

function fieldKeys(reviewing: Reviewing): readonly Binding[] {
  const to = changing(reviewing);
  const others = [
    key(['right', 'l', 'tab'], 'next task', to(withNeighbour(1))),
    key(['left', 'h', 'shift+tab'], 'task before', to(withNeighbour(-1)), minor),
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
function tabKeys(reviewing: Reviewing): readonly Binding[] {
  const { comments, page } = reviewing.state.get();
  const at = tabs.findIndex((tab) => tab === page);
  const to = changing(reviewing);
  const sending = comments.length > 0 ? { decides: true } : minor;
  return [
    key(['tab', 'right', 'l'], 'next page', to(onTab(at + 1))),
    key(['shift+tab', 'left', 'h'], 'page before', to(onTab(at - 1)), minor),
    ...textKeys(reviewing),
    key(['s'], 'send comments', () => sendComments(reviewing), sending),
    key(['v'], 'the run', reviewing.lookAtRun),
    ...tabs.map((tab, index) => key([String(index + 1)], tab, to(onTab(index)), minor)),
    key(['x'], rejects(reviewing), () => reject(reviewing), minor),
    key(['r'], 'read the files again', () => readAgain(reviewing), minor),
  ];
}

function textKeys(reviewing: Reviewing): readonly Binding[] {
  return [
    key(['c'], 'comment', () => writeComment(reviewing)),
    key(['e'], 'open in $EDITOR', () => openInEditor(reviewing)),
    key(['u'], 'undo the last edit', () => undo(reviewing), minor),
  ];
}

function moveKeys(reviewing: Reviewing): readonly Binding[] {
  const to = changing(reviewing);
  return [
    key(['down', 'j'], 'down', to(movedBy(1)), minor),
    key(['up', 'k'], 'up', to(movedBy(-1)), minor),
    key(['home'], 'first', to(movedBy(-Infinity)), minor),
    key(['end'], 'last', to(movedBy(Infinity)), minor),
  ];
}

/** Up and down scroll where they choose nothing. */
function pageScrollKeys({ state }: Reviewing, page: PageRows): readonly Binding[] {
  const scroll = (rows: number) => state.change(scrolledBy(rows, page));
  return scrollKeys(scroll, page.height - 1).map((binding) => ({ ...binding, minor: true }));
}

function changing({ state }: Reviewing): (next: Change) => () => void {
  return (next) => () => state.change(next);
}
