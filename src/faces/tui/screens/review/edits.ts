import type { PlanEdit } from '../../../../model/plan-edit.ts';
import { counted, listed } from '../../../../model/wording.ts';
import { editable, fieldName, listOf, typedValue, valueAt } from './fields.ts';
import { type Reviewing, ask, key, write } from './reviewing.ts';
import { type ReviewState, chosenField, taskInView, withDesk, withDraft } from './state.ts';

interface FieldPlace {
  readonly task: string | null;
  readonly field: string;
}

/** Opens the chosen field with its text, to be changed. */
export function editField(reviewing: Reviewing): void {
  const state = reviewing.state.get();
  const field = chosenField(state);
  if (field !== null) writeField(reviewing, { task: state.about, field });
}

/** Opens one more entry of the list that the chosen field is in. */
export function addEntry(reviewing: Reviewing): void {
  const state = reviewing.state.get();
  const entry = listOf(chosenField(state) ?? '');
  if (entry === null) {
    return reviewing.say('Choose a list entry first; a adds another one to its list.', 'warn');
  }
  const list = valueAt(shownObject(state), entry.list);
  const length = Array.isArray(list) ? list.length : 0;
  writeField(reviewing, { task: state.about, field: `${entry.list}.${length}` });
}

/** Asks before the chosen field goes, or the whole entry of the list that it belongs to. */
export function removeField(reviewing: Reviewing): void {
  const state = reviewing.state.get();
  const chosen = chosenField(state);
  if (chosen === null || valueAt(shownObject(state), chosen) === undefined) return;
  const entry = listOf(chosen);
  const field = entry === null ? chosen : `${entry.list}.${entry.index}`;
  const place = { task: state.about, field };
  const remove = () =>
    change(
      reviewing,
      { kind: 'set', ...place, value: null },
      () => `${nameOfPlace(place)} removed.`,
    );
  ask(reviewing, {
    title: `Remove ${nameOfPlace(place)}?`,
    says: [],
    keys: [key(['enter', 'y'], 'remove it', remove)],
  });
}

/** Asks for the title of a new task after the chosen one. */
export function addTask(reviewing: Reviewing): void {
  const { task: after } = reviewing.state.get();
  write(reviewing, {
    title: after === null ? 'A new task' : `A new task after ${after}`,
    placeholder: 'What it does, in a few words',
    lines: 'one',
    does: 'add it',
    accept: (text) =>
      change(
        reviewing,
        { kind: 'add', after, title: text.trim() },
        ([added]) =>
          `${added ?? 'A task'} added; enter on it to say what it does and when it is done.`,
      ),
  });
}

/** Asks for the titles of the parts one after the other; the first begins with that of the whole. */
export function splitTask(reviewing: Reviewing): void {
  const { desk, task: id } = reviewing.state.get();
  const task = desk.tasks.find((one) => one.id === id);
  if (task !== undefined) writePart(reviewing, { task: task.id, titles: [], text: task.title });
}

export function deleteTask(reviewing: Reviewing): void {
  const { desk, task } = reviewing.state.get();
  if (task === null) return;
  const waiting = desk.tasks.filter((other) => other.depends_on.includes(task)).map(({ id }) => id);
  const title = desk.tasks.find(({ id }) => id === task)?.title ?? '';
  const remove = () => change(reviewing, { kind: 'delete', task }, () => `${task} deleted.`);
  ask(reviewing, {
    title: `Delete ${task}?`,
    says: [
      { text: title, tone: 'plain' },
      ...(waiting.length === 0
        ? []
        : [{ text: `${listed(waiting)} will no longer wait for it.`, tone: 'warn' } as const]),
    ],
    keys: [key(['enter', 'y'], 'delete it', remove)],
  });
}

/** Moves the chosen task up or down in the order of the plan. */
export async function moveTask(reviewing: Reviewing, by: 1 | -1): Promise<void> {
  const { desk, task } = reviewing.state.get();
  if (task === null) return;
  const to = desk.tasks.findIndex(({ id }) => id === task) + by;
  if (to < 0 || to >= desk.tasks.length) {
    return reviewing.say(`${task} is the ${by < 0 ? 'first' : 'last'} already.`, 'quiet');
  }
  await change(reviewing, { kind: 'move', task, to }, () => `${task} moved to place ${to + 1}.`);
}

/** Reads the files again, as they are on disk now. */
export async function readAgain(reviewing: Reviewing): Promise<void> {
  await atWork(reviewing, async () => {
    const desk = await reviewing.question.desk.read();
    reviewing.state.change((now) => withDesk(now, desk));
    reviewing.say('The files were read again.', 'quiet');
  });
}

/**
 * Opens the plan file that belongs to what is shown in the user’s editor. What comes back is put
 * in its place if it fits; else it is kept with the reason, and opened again the next time.
 */
export async function openInEditor(
  reviewing: Reviewing,
  file = fileInView(reviewing.state.get()),
): Promise<void> {
  const { state, question, ports } = reviewing;
  await atWork(reviewing, async () => {
    const onDisk = await question.desk.text(file);
    const text = state.get().drafts.find((one) => one.file === file)?.text ?? onDisk;
    const edited = await ports.editText({ name: file.replace('.task/', ''), text });
    if (!edited.ok) return reviewing.say(edited.why, 'warn');
    if (edited.text === onDisk) return dropDraft(reviewing, file, `${file} is unchanged.`);
    const replaced = await question.desk.replace(file, edited.text);
    if (!replaced.ok) {
      state.change((now) => withDraft(now, file, edited.text));
      return askToFix(reviewing, file, replaced.failure.message);
    }
    state.change((now) => withDesk({ ...withDraft(now, file, null), doubt: null }, replaced.value));
    reviewing.say(`${file} is changed.`, 'good');
  });
}

function writeField(reviewing: Reviewing, place: FieldPlace): void {
  const { field } = place;
  const before = valueAt(shownObject(reviewing.state.get()), field);
  const accept = (text: string) => {
    if (text === editable(before))
      return reviewing.state.change((now) => ({ ...now, writing: null }));
    const value = typedValue(text, { before, field });
    const done = value === null ? 'removed' : before === undefined ? 'added' : 'changed';
    return change(
      reviewing,
      { kind: 'set', ...place, value },
      () => `${nameOfPlace(place)} ${done}.`,
    );
  };
  const title = nameOfPlace(place);
  const placeholder = 'Leave empty to remove';
  write(reviewing, { title, placeholder, lines: 'many', does: 'save', accept }, editable(before));
}

/** An empty title ends the parts; Esc goes back to the part before. */
function writePart(
  reviewing: Reviewing,
  {
    task,
    titles,
    text,
  }: { readonly task: string; readonly titles: readonly string[]; readonly text: string },
): void {
  const isFirst = titles.length === 0;
  const isEnough = titles.length > 1;
  const again = () =>
    writePart(reviewing, { task, titles: titles.slice(0, -1), text: titles.at(-1) ?? '' });
  const split = () =>
    change(
      reviewing,
      { kind: 'split', task, titles },
      (added) =>
        `${task} split into ${counted(titles.length, 'part')}: ${listed([task, ...added])}.`,
    );
  write(
    reviewing,
    {
      title: `Split ${task}: the title of part ${titles.length + 1}`,
      earlier: titles,
      placeholder: isEnough ? 'Leave empty to split' : 'What this part does',
      lines: 'one',
      does: isEnough ? 'next part, or split' : 'next part',
      accept: (typed) =>
        typed.trim() === ''
          ? split()
          : writePart(reviewing, { task, titles: [...titles, typed.trim()], text: '' }),
      ...(isFirst ? {} : { back: again }),
    },
    text,
  );
}

/** Lets the desk make an edit; its sentence stands where it was written if it is refused. */
async function change(
  reviewing: Reviewing,
  edit: PlanEdit,
  said: (added: readonly string[]) => string,
): Promise<void> {
  await atWork(reviewing, async () => {
    const { desk: before } = reviewing.state.get();
    const edited = await reviewing.question.desk.edit(edit);
    if (!edited.ok) {
      const refused = edited.failure.message;
      return reviewing.state.change((now) => ({ ...now, refused }));
    }
    const after = edited.value;
    const known = new Set(before.tasks.map(({ id }) => id));
    const added = after.tasks.map(({ id }) => id).filter((id) => !known.has(id));
    reviewing.state.change((now) => {
      const next = withDesk({ ...now, writing: null, doubt: null }, after);
      return edit.kind === 'add' ? { ...next, task: added[0] ?? next.task } : next;
    });
    const wasApproved = before.approvedHash !== null && before.approvedHash === before.hash;
    const isApproved = after.approvedHash === after.hash;
    const note = wasApproved && !isApproved ? ' The plan needs a new approval now.' : '';
    reviewing.say(said(added) + note, 'good');
  });
}

/** One thing at a time asks the desk or the editor; what goes wrong there is said, and nothing is lost. */
async function atWork(reviewing: Reviewing, work: () => Promise<void>): Promise<void> {
  const { state, say } = reviewing;
  if (state.get().busy) return;
  state.change((now) => ({ ...now, busy: true, refused: null }));
  try {
    await work();
  } catch (error) {
    say(`Not done: ${error instanceof Error ? error.message : String(error)}`, 'bad');
  } finally {
    state.change((now) => ({ ...now, busy: false }));
  }
}

function askToFix(reviewing: Reviewing, file: string, why: string): void {
  const drop = () => dropDraft(reviewing, file, 'Your text is discarded; the plan is unchanged.');
  ask(reviewing, {
    title: `What you wrote in ${file} does not fit`,
    says: [
      { text: why, tone: 'bad' },
      { text: 'Your text is kept; the plan is unchanged.', tone: 'plain' },
    ],
    keys: [
      key(['enter', 'e'], 'edit your text again', () => openInEditor(reviewing, file)),
      key(['d'], 'discard it', drop),
    ],
  });
}

function dropDraft(reviewing: Reviewing, file: string, says: string): void {
  reviewing.state.change((now) => ({ ...withDraft(now, file, null), doubt: null }));
  reviewing.say(says, 'quiet');
}

/** The plan file that belongs to what is shown, relative to the session folder. */
function fileInView(state: ReviewState): string {
  if (state.page === 'findings') return state.desk.findings[state.finding]?.file ?? 'plan.json';
  const task = taskInView(state);
  return task === null ? 'plan.json' : `.task/${task}.json`;
}

/** The plan or the task whose fields are shown. */
function shownObject({ desk, about }: ReviewState): unknown {
  return about === null ? desk.plan : desk.tasks.find(({ id }) => id === about);
}

function nameOfPlace({ task, field }: FieldPlace): string {
  return `${task ?? 'plan'} ${fieldName(field)}`;
}
