import type { PlanEdit } from '../../../../model/plan-edit.ts';
import { counted, listed } from '../../../../model/wording.ts';
import { row, span } from '../../rows.ts';
import { wordsOf } from './document.ts';
import { listOf, valueAt } from './field-value.ts';
import { type Reviewing, dispatch } from './reviewing.ts';
import { chosenField, chosenTask } from './chosen.ts';
import type { ReviewState } from './state.ts';

/** Lets the desk make an edit; its sentence stands where it was written if it is refused. */
export async function change(
  reviewing: Reviewing,
  edit: PlanEdit,
  said: (after: ReviewState, added: readonly string[]) => string,
): Promise<void> {
  const { state, question } = reviewing;
  const before = state.get();
  if (before.busy) return;
  dispatch(reviewing, { type: 'busy' });
  await guarded(reviewing, async () => {
    const edited = await question.desk.edit(edit);
    if (!edited.ok) {
      return dispatch(reviewing, { type: 'refused', why: edited.failure.message });
    }
    // What was open for this edit only is closed before its effect is shown.
    if (['write', 'confirm'].includes(state.get().page)) dispatch(reviewing, { type: 'back' });
    dispatch(reviewing, { type: 'desk', desk: edited.value });
    const known = new Set(before.desk.tasks.map(({ id }) => id));
    const added = edited.value.tasks.map(({ id }) => id).filter((id) => !known.has(id));
    const after = state.get();
    reviewing.say(row(span(said(after, added) + approvalNote(before, after), 'good')));
  });
}

/** Runs what asks the desk or the editor; what goes wrong there is said, and nothing is lost. */
export async function guarded(reviewing: Reviewing, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    dispatch(reviewing, { type: 'idle' });
    reviewing.say(
      row(span(`Not done: ${error instanceof Error ? error.message : String(error)}`, 'bad')),
    );
  }
}

/** Moves the chosen task up or down in the order of the plan. */
export async function moveTask(reviewing: Reviewing, by: 1 | -1): Promise<void> {
  const state = reviewing.state.get();
  const task = chosenTask(state);
  const at = state.desk.tasks.findIndex(({ id }) => id === task);
  const to = at + by;
  if (task === null) return;
  if (to < 0 || to >= state.desk.tasks.length) {
    return reviewing.say(
      row(span(`${task} is the ${by < 0 ? 'first' : 'last'} already.`, 'quiet')),
    );
  }
  await change(reviewing, { kind: 'move', task, to }, () => `${task} moved to place ${to + 1}.`);
}

export async function deleteTask(reviewing: Reviewing, task: string): Promise<void> {
  await change(reviewing, { kind: 'delete', task }, () => `${task} deleted.`);
}

/** Takes a field out, or the whole entry of the list that it belongs to. */
export async function removeField(
  reviewing: Reviewing,
  place: { readonly task: string | null; readonly field: string },
): Promise<void> {
  const edit: PlanEdit = { kind: 'set', ...place, value: null };
  await change(reviewing, edit, () => `${nameOfPlace(place)} taken out.`);
}

export async function splitTask(
  reviewing: Reviewing,
  { task, titles }: { readonly task: string; readonly titles: readonly string[] },
): Promise<void> {
  await change(
    reviewing,
    { kind: 'split', task, titles: [...titles] },
    (_, added) =>
      `${task} split into ${counted(titles.length, 'part')}: ${listed([task, ...added])}.`,
  );
}

/** The new task is the chosen one at once. */
export async function addTask(
  reviewing: Reviewing,
  { after, title }: { readonly after: string | null; readonly title: string },
): Promise<void> {
  await change(reviewing, { kind: 'add', after, title }, (_, [added]) => {
    if (added !== undefined) dispatch(reviewing, { type: 'choose', task: added });
    return `${added ?? 'A task'} added; enter on it to say what it does and when it is done.`;
  });
}

/** Reads the files again, as they are on disk now. */
export async function readAgain(reviewing: Reviewing): Promise<void> {
  if (reviewing.state.get().busy) return;
  dispatch(reviewing, { type: 'busy' });
  await guarded(reviewing, async () => {
    const desk = await reviewing.question.desk.read();
    dispatch(reviewing, { type: 'desk', desk });
    reviewing.say(row(span('Read again.', 'quiet')));
  });
}

/** What `d` takes out on the page of fields; null where nothing stands there. */
export function removable(
  state: ReviewState,
): { readonly task: string | null; readonly field: string } | null {
  const field = chosenField(state);
  if (field === null || valueAt(aboutOf(state), field) === undefined) return null;
  const entry = listOf(field);
  return { task: state.about, field: entry === null ? field : `${entry.list}.${entry.index}` };
}

/** The plan or the task whose fields are shown. */
export function aboutOf({ desk, about }: ReviewState): unknown {
  return about === null ? desk.plan : desk.tasks.find(({ id }) => id === about);
}

export function nameOfPlace({
  task,
  field,
}: {
  readonly task: string | null;
  readonly field: string;
}): string {
  return `${task ?? 'plan'} ${wordsOf(field)}`;
}

function approvalNote(before: ReviewState, { desk }: ReviewState): string {
  const held = before.desk.approvedHash !== null && before.desk.approvedHash === before.desk.hash;
  return held && desk.hash !== desk.approvedHash ? ' The plan needs a new approval now.' : '';
}
