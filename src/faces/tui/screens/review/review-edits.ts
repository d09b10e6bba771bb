// Changes the plan: a line of a task, the order of tasks, or all of it as Markdown; and goes back to versions.
import { blockAt, textOf } from '../../../../model/document.ts';
import { blockingIn } from '../../../../model/finding.ts';
import type { Json } from '../../../../model/json.ts';
import { type PlanEdit, fieldText } from '../../../../model/plan-edit.ts';
import { counted } from '../../../../model/wording.ts';
import { proofAt } from '../../../../phases/documents/proof-section.ts';
import { changeText, planChanges } from '../../../../phases/planning/editing/plan-changes.ts';
import {
  editByMarkdown,
  entriesOf,
  entryToEdit,
  readEntry,
} from '../../../../phases/planning/editing/plan-markdown.ts';
import { compareVersions } from '../../../../phases/planning/plan-desk.ts';
import { proofFile } from '../../../../phases/proof/proof-files.ts';
import { shorten } from '../../../short-forms.ts';
import { key } from '../../key-bindings.ts';
import { type ReviewTools, whileBusy, change, open, write } from './review-tools.ts';
import { type ReviewState, blocksOn, closeOne, taskInView, withDesk } from './review-state.ts';

/** The title of a task or an entry of one of its lists, as a line of the page shows it. */
interface LineField {
  readonly task: string;
  /** As a person names it: `title`, `files.1`. */
  readonly path: string;
  /** The name of the list; null for the title. */
  readonly list: string | null;
  /** As it is edited; empty for an entry that is still to come, null if it has no such form. */
  readonly text: string | null;
}

/** The field that the chosen line shows; null if only the Markdown has it. With `adds`, a new entry of its list. */
function fieldAt(state: ReviewState, adds = false): LineField | null {
  const task = state.desk.tasks.find(({ id }) => id === taskInView(state));
  if (task === undefined) return null;
  if (state.anchor === task.id) {
    return adds ? null : { task: task.id, path: 'title', list: null, text: task.title };
  }
  for (const part of blockAt(blocksOn(state), task.id)?.blocks ?? []) {
    const list = textOf(part.line);
    const { path, entries } = entriesOf(task, list) ?? { path: '', entries: [] };
    if (path === '' || blockAt([part], state.anchor) === undefined) continue;
    const lines = part.blocks.flatMap(({ blocks }) => blocks);
    const at = adds
      ? entries.length
      : lines.findIndex((line) => blockAt([line], state.anchor) !== undefined);
    const text = adds ? '' : entryToEdit(list, entries[at]);
    return at === -1 ? null : { task: task.id, path: `${path}.${at}`, list, text };
  }
  return null;
}

const otherwise =
  'Here titles, files, steps, criteria and checks of a task can be changed; e opens all of the plan.';

/** Opens the text of the chosen line, or that of a new entry in its list. */
export function changeLine(reviewing: ReviewTools, { adds = false } = {}): void {
  const field = fieldAt(reviewing.state.get(), adds);
  if (field === null || field.text === null) return reviewing.say(otherwise, 'quiet');
  const { task, path, text } = field;
  write(reviewing, {
    title: `${task} ${fieldText(path)}`,
    text,
    placeholder: 'An empty text removes it',
    does: 'save',
    accept: (typed) => takeTyped(reviewing, field, typed.trim()),
  });
}

function takeTyped(reviewing: ReviewTools, field: LineField, typed: string): unknown {
  if (typed === field.text) return reviewing.state.change(closeOne);
  if (field.list === null || typed === '') return setField(reviewing, field, typed || null);
  const read = readEntry(field.list, typed);
  if ('value' in read) return setField(reviewing, field, read.value);
  return reviewing.state.change((now) => ({ ...now, refused: read.fault }));
}

/** Takes the chosen entry out of its list. */
export function removeLine(reviewing: ReviewTools): unknown {
  const field = fieldAt(reviewing.state.get());
  if (field === null || field.list === null) return reviewing.say(otherwise, 'quiet');
  return setField(reviewing, field, null);
}

/** Sets a field; null removes it. */
async function setField(
  reviewing: ReviewTools,
  { task, path, text }: LineField,
  value: Json,
): Promise<void> {
  const done = value === null ? 'removed' : text === '' ? 'added' : 'changed';
  const said = `${task} ${fieldText(path)} ${done}.`;
  await edit(reviewing, { kind: 'set', task, field: path, value }, () => said);
}

/** Moves the task of the chosen line up or down in the order of the plan. */
export async function moveTask(reviewing: ReviewTools, by: 1 | -1): Promise<void> {
  const state = reviewing.state.get();
  const id = taskInView(state);
  if (id === null) return reviewing.say('Choose a task first; J and K move it.', 'warn');
  const { tasks } = state.desk;
  const to = tasks.findIndex((task) => task.id === id) + by;
  if (to < 0 || to >= tasks.length) {
    return reviewing.say(`${id} is already the ${by < 0 ? 'first' : 'last'} task.`, 'quiet');
  }
  await edit(reviewing, { kind: 'move', task: id, to }, () => `${id} moved to place ${to + 1}.`);
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
 * Opens the plan as Markdown in the user’s editor, the code of a proof on its line, or the file that cannot be read. A text that does not fit is
 * not lost: it can be edited again until it fits or is discarded.
 */
export async function openInEditor(reviewing: ReviewTools, draft?: string): Promise<void> {
  const { state, say, ports, question } = reviewing;
  const { desk } = question;
  const seen = state.get().desk;
  const proof = proofAt(seen.plan, state.get().anchor);
  const isWhole = seen.plan !== null && proof === undefined;
  const own = proof === undefined ? blockingIn(seen)[0]?.file : proofFile(proof);
  const file = isWhole ? 'plan.md' : (own ?? 'plan.json');
  await whileBusy(reviewing, async () => {
    const onDisk = isWhole ? await desk.markdown() : await desk.text(file);
    const edited = await ports.editText({
      name: file.replace(/^\.task\/|\.txt$/, ''),
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
    if (!replaced.ok) {
      return open(reviewing, {
        title: `What you wrote in ${file} cannot be taken`,
        body: [
          { text: replaced.failure.message, tone: 'bad' },
          { text: 'The plan is unchanged. Your text is kept until you discard it.', tone: 'plain' },
        ],
        keys: () => [
          key(['enter', 'e', 'esc', 'n'], 'edit it again', () => openInEditor(reviewing, text)),
          key(['d'], 'discard it', () => state.change(closeOne)),
        ],
      });
    }
    state.change((now) => withDesk({ ...now, popup: null }, replaced.value));
    say(
      proof === undefined
        ? 'The plan is changed. u undoes it.'
        : `${proof.id} is changed. It runs at the base before an approval.`,
      'good',
    );
  });
}

/** Shows the versions: Enter compares one with another, r restores it as a new one. */
export function showVersions(reviewing: ReviewTools): void {
  const { versions, version: now } = reviewing.state.get().desk;
  if (versions.length === 0) return reviewing.say('There is no earlier version yet.', 'quiet');
  const all = [...versions, now];
  const last = all.length - 2;
  open(reviewing, {
    title: 'Versions of the plan',
    entries: all.map((one) => `Version ${one}${one === now ? ' (this one)' : ''}`),
    at: last,
    keys({ at = last }) {
      const chosen = all[at] ?? now;
      return [
        key(['enter'], 'compare it', () => compareWith(reviewing, chosen)),
        ...(chosen === now
          ? []
          : [key(['r'], 'restore it as a new version', () => restore(reviewing, chosen))]),
      ];
    },
  });
}

function compareWith(reviewing: ReviewTools, from: number): void {
  const { versions, version: now } = reviewing.state.get().desk;
  const others = [...versions, now].filter((one) => one !== from);
  const last = others.length - 1;
  open(reviewing, {
    title: `Compare version ${from} with which one?`,
    entries: others.map((one) => `Version ${one}`),
    at: last,
    keys: ({ at = last }) => [
      key(['enter'], 'compare them', () => compare(reviewing, [from, others[at] ?? now])),
    ],
  });
}

async function compare(reviewing: ReviewTools, two: readonly number[]): Promise<void> {
  const { state, question, say } = reviewing;
  const [from = 0, to = 0] = two.toSorted((a, b) => a - b);
  await whileBusy(reviewing, async () => {
    const compared = await compareVersions(question.desk, from, to);
    if (compared === null) return say('This version cannot be read.', 'bad');
    state.change((old) => ({ ...closeOne(old), compared }));
  });
}

async function restore(reviewing: ReviewTools, version: number): Promise<void> {
  const files = await reviewing.question.desk.version(version);
  if (files === null) return reviewing.say(`Version ${version} cannot be read.`, 'bad');
  await edit(
    reviewing,
    { kind: 'whole', ...files, restores: version },
    (now) => `Version ${now.desk.version} has the content of version ${version}.`,
  );
}

async function edit(
  reviewing: ReviewTools,
  wanted: PlanEdit,
  done: (now: ReviewState) => string,
): Promise<void> {
  await change(
    reviewing,
    () => reviewing.question.desk.edit(wanted),
    (now) => `${done(now)} u undoes it.`,
  );
}
