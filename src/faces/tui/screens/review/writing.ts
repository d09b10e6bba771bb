import type { PlanComment } from '../../../../model/plan-edit.ts';
import { row, span } from '../../rows.ts';
import { textField } from '../../widgets/text-field/state.ts';
import { aboutOf, addTask, change, nameOfPlace, splitTask } from './changes.ts';
import { editable, listOf, typedValue, valueAt } from './field-value.ts';
import { type Reviewing, dispatch } from './reviewing.ts';
import { chosenField, chosenTask, commentOn } from './chosen.ts';
import type { ReviewState, Writing } from './state.ts';
import { reject } from './verdicts.ts';

/** The chosen field with its text, to be changed. */
export function writeField(reviewing: Reviewing): void {
  const state = reviewing.state.get();
  const field = chosenField(state);
  if (field === null) return;
  open(
    reviewing,
    { kind: 'set', task: state.about, field },
    editable(valueAt(aboutOf(state), field)),
  );
}

/** One more entry of the list that the chosen field is in. */
export function writeEntry(reviewing: Reviewing): void {
  const state = reviewing.state.get();
  const entry = listOf(chosenField(state) ?? '');
  if (entry === null) {
    return reviewing.say(
      row(span('Choose an entry of a list: another one is added to it.', 'warn')),
    );
  }
  const list = valueAt(aboutOf(state), entry.list);
  const length = Array.isArray(list) ? list.length : 0;
  open(reviewing, { kind: 'set', task: state.about, field: `${entry.list}.${length}` }, '');
}

export function writeTask(reviewing: Reviewing): void {
  open(reviewing, { kind: 'add', after: chosenTask(reviewing.state.get()) }, '');
}

/** The first part begins with the title of the whole. */
export function writeParts(reviewing: Reviewing): void {
  const state = reviewing.state.get();
  const task = chosenTask(state);
  const title = state.desk.tasks.find(({ id }) => id === task)?.title ?? '';
  if (task !== null) open(reviewing, { kind: 'split', task, titles: [] }, title);
}

export function writeComment(reviewing: Reviewing): void {
  open(reviewing, { kind: 'comment', task: commentOn(reviewing.state.get()), index: null }, '');
}

/** The chosen comment again. */
export function rewriteComment(reviewing: Reviewing): void {
  const { comments, comment: index } = reviewing.state.get();
  const comment = comments[index];
  if (comment === undefined) writeComment(reviewing);
  else open(reviewing, { kind: 'comment', task: comment.task, index }, comment.text);
}

/** In place of the question whether to leave: Esc leads to the page before it. */
export function writeReason(reviewing: Reviewing): void {
  dispatch(reviewing, { type: 'back' });
  open(reviewing, { kind: 'reject' }, '');
}

/** Esc: the part before, or back without a change. */
export function stepBack(reviewing: Reviewing): void {
  const { writing } = reviewing.state.get();
  const last = writing?.kind === 'split' ? writing.titles.at(-1) : undefined;
  if (writing?.kind !== 'split' || last === undefined) return dispatch(reviewing, { type: 'back' });
  reviewing.field.change(() => textField(last));
  dispatch(reviewing, {
    type: 'rewrite',
    writing: { ...writing, titles: writing.titles.slice(0, -1) },
  });
}

/** Enter: what was written is taken, or stays with the reason why not. */
export async function accept(reviewing: Reviewing): Promise<void> {
  const { writing, busy } = reviewing.state.get();
  if (writing === null || busy) return;
  const { text } = reviewing.field.get();
  switch (writing.kind) {
    case 'set':
      return await acceptField(reviewing, { ...writing, text });
    case 'add':
      return await addTask(reviewing, { after: writing.after, title: text.trim() });
    case 'split':
      return await acceptPart(reviewing, { writing, title: text.trim() });
    case 'comment':
      return acceptComment(reviewing, { writing, text: text.trim() });
    case 'reject':
      return reject(reviewing, text.trim());
  }
}

function open({ state, field }: Reviewing, writing: Writing, text: string): void {
  if (state.get().busy) return;
  field.change(() => textField(text));
  dispatch({ state }, { type: 'write', writing });
}

async function acceptField(
  reviewing: Reviewing,
  place: { readonly task: string | null; readonly field: string; readonly text: string },
): Promise<void> {
  const { task, field, text } = place;
  const state: ReviewState = reviewing.state.get();
  const before = valueAt(aboutOf(state), field);
  if (text === editable(before)) return dispatch(reviewing, { type: 'back' });
  const value = typedValue(text, { before, field });
  const what = value === null ? 'taken out' : before === undefined ? 'added' : 'changed';
  await change(
    reviewing,
    { kind: 'set', task, field, value },
    () => `${nameOfPlace({ task, field })} ${what}.`,
  );
}

/** An empty title ends the list of parts. */
async function acceptPart(
  reviewing: Reviewing,
  {
    writing,
    title,
  }: { readonly writing: Extract<Writing, { kind: 'split' }>; readonly title: string },
): Promise<void> {
  const { task, titles } = writing;
  if (title === '') return await splitTask(reviewing, { task, titles });
  reviewing.field.change(() => textField());
  dispatch(reviewing, { type: 'rewrite', writing: { ...writing, titles: [...titles, title] } });
}

function acceptComment(
  reviewing: Reviewing,
  {
    writing,
    text,
  }: { readonly writing: Extract<Writing, { kind: 'comment' }>; readonly text: string },
): void {
  const { comments } = reviewing.state.get();
  if (text === '') return dispatch(reviewing, { type: 'back' });
  const comment: PlanComment = { task: writing.task, text };
  const next =
    writing.index === null ? [...comments, comment] : comments.with(writing.index, comment);
  dispatch(reviewing, { type: 'comments', comments: next });
  dispatch(reviewing, { type: 'back' });
  const on = writing.task === null ? 'the plan' : writing.task;
  const how = reviewing.question.canRevise
    ? 's sends it to the planner.'
    : 'No planning agent is ready to revise the plan, so it cannot be sent now.';
  reviewing.say(row(span(`Comment on ${on} kept. ${how}`, 'good')));
}
