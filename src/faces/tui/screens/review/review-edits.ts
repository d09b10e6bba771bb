// Changes tasks, fields and whole files of the plan.
import type { Json } from '../../../../model/json.ts';
import type { PlanEdit } from '../../../../model/plan-edit.ts';
import { counted, listed } from '../../../../model/wording.ts';
import { changeText, planChanges } from '../../../../phases/planning/editing/plan-changes.ts';
import { editByMarkdown } from '../../../../phases/planning/editing/plan-markdown.ts';
import { shorten } from '../../../short-forms.ts';
import { key } from '../../key-bindings.ts';
import {
  editableText,
  fieldName,
  listValues,
  listOf,
  readTypedValue,
  valueAt,
} from './plan-fields.ts';
import { type ReviewTools, whileBusy, change, open, write } from './review-tools.ts';
import {
  type ReviewState,
  currentField,
  currentFinding,
  currentTask,
  closeOne,
  objectInView,
  withDesk,
} from './review-state.ts';

/** Asks for the title of a new task after the chosen one. */
export function addTask(reviewing: ReviewTools): void {
  const after = currentTask(reviewing.state.get())?.id ?? null;
  write(reviewing, {
    title: after === null ? 'A new task' : `A new task after ${after}`,
    placeholder: 'What it does, in a few words',
    does: 'add it',
    accept: (title) =>
      edit(
        reviewing,
        { kind: 'add', after, title },
        (now) => `${currentTask(now)?.id ?? ''} added.`,
      ),
  });
}

/** Asks for the title of the part to split off, then which files go to it. */
export function splitTask(reviewing: ReviewTools): void {
  const task = currentTask(reviewing.state.get());
  if (task === undefined) return;
  const { id, title, files = [] } = task;
  const split = (part: string, moved: readonly number[] = []) => {
    const parts = files.map((_, index) => (moved.includes(index) ? 1 : 0));
    return edit(
      reviewing,
      { kind: 'split', task: id, titles: [title, part], files: parts },
      (now) => `${id} split into ${listed([id, currentTask(now)?.id ?? ''])}.`,
    );
  };
  const chooseFiles = (part: string): void =>
    open(reviewing, {
      title: `Split ${id}: which files go to "${part}"?`,
      entries: files.map(({ path }) => path),
      ticked: [],
      keys: ({ ticked }) => [
        key(['enter'], 'split it', () => split(part, ticked)),
        key(['esc'], 'back to the title', () => writeTitle(part)),
      ],
    });
  const hasChoice = files.length > 0;
  const writing = {
    title: `Split ${id}: the title of the new part`,
    placeholder: 'What is done in it, after the rest',
    does: hasChoice ? 'choose its files' : 'split it',
    accept: (part: string) =>
      hasChoice && part.trim() !== '' ? chooseFiles(part.trim()) : split(part),
  };
  const writeTitle = (part: string) => write(reviewing, writing, part);
  writeTitle('');
}

export function deleteTask(reviewing: ReviewTools): void {
  const state = reviewing.state.get();
  const task = currentTask(state);
  if (task === undefined) return;
  const { id, title } = task;
  const { tasks } = state.desk;
  const waiting = tasks.filter((other) => other.depends_on.includes(id)).map((one) => one.id);
  const note = { text: `${listed(waiting)} will no longer wait for it.`, tone: 'warn' } as const;
  const remove = () => edit(reviewing, { kind: 'delete', task: id }, () => `${id} deleted.`);
  open(reviewing, {
    title: `Delete ${id}?`,
    body: [{ text: title, tone: 'plain' }, ...(waiting.length === 0 ? [] : [note])],
    keys: () => [key(['enter', 'y'], 'delete it', remove)],
  });
}

/** Moves the chosen task up or down in the order of the plan. */
export async function moveTask(reviewing: ReviewTools, by: 1 | -1): Promise<void> {
  const state = reviewing.state.get();
  const task = currentTask(state);
  if (task === undefined) return;
  const { id } = task;
  const { tasks } = state.desk;
  const to = tasks.indexOf(task) + by;
  if (to < 0 || to >= tasks.length) {
    return reviewing.say(`${id} is already the ${by < 0 ? 'first' : 'last'} task.`, 'quiet');
  }
  await edit(reviewing, { kind: 'move', task: id, to }, () => `${id} moved to place ${to + 1}.`);
}

/** Opens the chosen field for editing. */
export function editField(reviewing: ReviewTools): void {
  const path = currentField(reviewing.state.get())?.path ?? null;
  if (path !== null) editPath(reviewing, path);
}

/** Opens a new entry of the list that the chosen field is in. */
export function addEntry(reviewing: ReviewTools): void {
  const state = reviewing.state.get();
  const entry = listOf(currentField(state)?.path ?? '');
  if (entry === null) {
    return reviewing.say('Choose a list entry first; a adds another one to its list.', 'warn');
  }
  const list = valueAt(objectInView(state), entry.list);
  editPath(reviewing, `${entry.list}.${Array.isArray(list) ? list.length : 0}`);
}

/** Removes the chosen field, or the whole list entry that it belongs to. */
export async function removeField(reviewing: ReviewTools): Promise<void> {
  const state = reviewing.state.get();
  const path = currentField(state)?.path ?? '';
  if (valueAt(objectInView(state), path) === undefined) return;
  const entry = listOf(path);
  await setPath(reviewing, entry === null ? path : `${entry.list}.${entry.index}`, null);
}

/** Undoes the last edit. */
export async function undo(reviewing: ReviewTools): Promise<void> {
  const { plan, tasks } = reviewing.state.get().desk;
  await change(
    reviewing,
    () => reviewing.question.desk.undo(),
    (now) => undoneText({ plan, tasks }, now.desk),
  );
}

/** Says what an undo changed: `Undone: TASK-001 title: "Add the flag" → "Add it".` */
function undoneText(before: Desk, after: Desk): string {
  if (before.plan === null || after.plan === null) return 'The last edit is undone.';
  const changes = planChanges({ ...before, plan: before.plan }, { ...after, plan: after.plan });
  const [first] = changes;
  if (first === undefined) return 'The last edit is undone.';
  const others = changes.length === 1 ? '' : ` and ${counted(changes.length - 1, 'more change')}`;
  return `Undone: ${shorten(changeText(first), 120)}${others}.`;
}

type Desk = Pick<ReviewState['desk'], 'plan' | 'tasks'>;

/** Reads the current files from disk again. */
export async function readAgain(reviewing: ReviewTools): Promise<void> {
  await change(
    reviewing,
    async () => ({ ok: true, value: await reviewing.question.desk.read() }),
    () => 'The files were read again.',
  );
}

/**
 * Opens the plan as Markdown in the user’s editor, or the file that cannot be read. A text that does not fit is
 * not lost: it can be edited again until it fits or is discarded.
 */
export async function openInEditor(
  reviewing: ReviewTools,
  file = fileInView(reviewing.state.get()),
  draft?: string,
): Promise<void> {
  const { state, say, ports, question } = reviewing;
  const { desk } = question;
  const isWhole = file === 'plan.md';
  await whileBusy(reviewing, async () => {
    const onDisk = isWhole ? await desk.markdown() : await desk.text(file);
    const edited = await ports.editText({
      name: file.replace('.task/', ''),
      text: draft ?? onDisk,
    });
    if (!edited.ok) return say(edited.why, 'warn');
    const { text } = edited;
    if (text === onDisk) {
      state.change((now) => ({ ...now, popup: null }));
      return say('The plan is unchanged.', 'quiet');
    }
    const replaced = isWhole
      ? await editByMarkdown(text, (whole) => desk.edit(whole))
      : await desk.replace(file, text);
    if (!replaced.ok) return askToFix(reviewing, { file, text, why: replaced.failure.message });
    state.change((now) => withDesk({ ...now, popup: null }, replaced.value));
    say('The plan is changed. u undoes it.', 'good');
  });
}

/** Shows the versions: Enter compares one with another, r restores it as a new one. */
export function showVersions(reviewing: ReviewTools): void {
  const { versions, version: now } = reviewing.state.get().desk;
  if (versions.length === 0) return reviewing.say('There is no earlier version yet.', 'quiet');
  const all = [...versions, now];
  const entries = all.map((one) => `Version ${one}${one === now ? ' (this one)' : ''}`);
  const at = all.length - 2;
  open(reviewing, {
    title: 'Versions of the plan',
    entries,
    at,
    keys: ({ at: chosen = at }) => [
      key(['enter'], 'compare it', () => compareWith(reviewing, all[chosen] ?? now)),
      ...(all[chosen] === now
        ? []
        : [
            key(['r'], 'restore it as a new version', () => restore(reviewing, all[chosen] ?? now)),
          ]),
    ],
  });
}

function compareWith(reviewing: ReviewTools, from: number): void {
  const { versions, version: now } = reviewing.state.get().desk;
  const others = [...versions, now].filter((one) => one !== from);
  open(reviewing, {
    title: `Compare version ${from} with which one?`,
    entries: others.map((one) => `Version ${one}`),
    at: others.length - 1,
    keys: ({ at = others.length - 1 }) => [
      key(['enter'], 'compare them', () => compare(reviewing, from, others[at] ?? now)),
    ],
  });
}

async function compare(reviewing: ReviewTools, ...two: readonly [number, number]): Promise<void> {
  const { state, question, say } = reviewing;
  const [from = 0, to = 0] = two.toSorted((a, b) => a - b);
  await whileBusy(reviewing, async () => {
    const { plan, tasks, version: now } = state.get().desk;
    const present = plan === null ? null : { plan, tasks };
    const filesOf = async (one: number) =>
      one === now ? present : await question.desk.version(one);
    const [before, after] = [await filesOf(from), await filesOf(to)];
    if (!before || !after) return say('This version cannot be read.', 'bad');
    const changes = planChanges(before, after);
    const title = `Version ${to}: ${counted(changes.length, 'change')} since version ${from}`;
    state.change((old) => ({ ...closeOne(old), page: 'changes', compared: { title, changes } }));
  });
}

async function restore(reviewing: ReviewTools, version: number): Promise<void> {
  const { desk } = reviewing.question;
  const files = await desk.version(version);
  if (files === null) return reviewing.say(`Version ${version} cannot be read.`, 'bad');
  await edit(
    reviewing,
    { kind: 'whole', ...files, restores: version },
    (now) => `Version ${now.desk.version} has the content of version ${version}.`,
  );
}

function askToFix(
  reviewing: ReviewTools,
  { file, text, why }: { readonly file: string; readonly text: string; readonly why: string },
): void {
  open(reviewing, {
    title: `What you wrote in ${file} cannot be taken`,
    body: [
      { text: why, tone: 'bad' },
      { text: 'The plan is unchanged. Your text is kept until you discard it.', tone: 'plain' },
    ],
    keys: () => [
      key(['enter', 'e', 'esc', 'n'], 'edit it again', () => openInEditor(reviewing, file, text)),
      key(['d'], 'discard it', () => reviewing.state.change(closeOne)),
    ],
  });
}

/** The whole plan, or while it cannot be read the file of the chosen finding. */
function fileInView(state: ReviewState): string {
  return state.desk.plan === null ? (currentFinding(state)?.file ?? 'plan.json') : 'plan.md';
}

/** Edits a path: a value from a fixed set is picked, any other is typed. */
function editPath(reviewing: ReviewTools, path: string): void {
  const state = reviewing.state.get();
  const before = valueAt(objectInView(state), path);
  const title = nameOf(state, path);
  const values = choicesFor(state, path);
  if (values.length === 0) {
    const accept = (text: string) => setPath(reviewing, path, readTypedValue(text, path, before));
    const placeholder = 'An empty text removes it';
    return write(
      reviewing,
      { title, placeholder, does: 'save', accept },
      editableText(before, path),
    );
  }
  const take = (at: number) => setPath(reviewing, path, values[at] ?? null);
  open(reviewing, {
    title,
    entries: values.map(String),
    at: Math.max(
      0,
      values.findIndex((value) => value === before),
    ),
    keys: ({ at = 0 }) => [key(['enter'], 'choose it', () => take(at))],
  });
}

/** The values that a field may have if they are fixed; a task depends on other tasks of the plan. */
function choicesFor({ desk, about }: ReviewState, path: string): readonly (string | boolean)[] {
  const task = desk.tasks.find(({ id }) => id === about);
  if (task === undefined) return listValues('plan', path);
  if (!/^depends_on\.\d+$/.test(path)) return listValues('task', path);
  const known = task.depends_on.filter((need) => need !== valueAt(task, path));
  return desk.tasks.map(({ id }) => id).filter((id) => id !== about && !known.includes(id));
}

/** Sets the value at a path; null removes it. */
async function setPath(reviewing: ReviewTools, path: string, value: Json): Promise<void> {
  const state = reviewing.state.get();
  const before = valueAt(objectInView(state), path);
  if (editableText(value) === editableText(before ?? null)) return reviewing.state.change(closeOne);
  const done = value === null ? 'removed' : before === undefined ? 'added' : 'changed';
  const said = `${nameOf(state, path)} ${done}.`;
  await edit(reviewing, { kind: 'set', task: state.about, field: path, value }, () => said);
}

function nameOf({ about }: ReviewState, path: string): string {
  return `${about ?? 'plan'} ${fieldName(path)}`;
}

async function edit(
  reviewing: ReviewTools,
  wanted: PlanEdit,
  done: (now: ReviewState) => string,
): Promise<void> {
  const { desk } = reviewing.question;
  await change(
    reviewing,
    () => desk.edit(wanted),
    (now) => `${done(now)} u undoes it.`,
  );
}
