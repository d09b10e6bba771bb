import { counted, listed } from '../../../../model/wording.ts';
import { type Reviewing, ask, atWork, change, key, pick, write } from './reviewing.ts';
import { type ReviewState, taskInView, withDesk, withDraft } from './state.ts';

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

/** Takes back the last edit. */
export async function undo(reviewing: Reviewing): Promise<void> {
  await atWork(reviewing, async () => {
    const undone = await reviewing.question.desk.undo();
    if (!undone.ok) return reviewing.say(undone.failure.message, 'warn');
    reviewing.state.change((now) => withDesk(now, undone.value));
    reviewing.say('The last edit is undone.', 'good');
  });
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
          ? sortFiles(reviewing, { task, titles })
          : writePart(reviewing, { task, titles: [...titles, typed.trim()], text: '' }),
      ...(isFirst ? {} : { back: again }),
    },
    text,
  );
}

/** Asks which part each file of the task goes to, if there are any. */
function sortFiles(
  reviewing: Reviewing,
  { task, titles }: { readonly task: string; readonly titles: readonly string[] },
): unknown {
  const parts = counted(titles.length, 'part');
  const split = (files: readonly number[]) =>
    change(
      reviewing,
      { kind: 'split', task, titles, files },
      (added) => `${task} split into ${parts}: ${listed([task, ...added])}.`,
    );
  const paths = reviewing.state.get().desk.tasks.find(({ id }) => id === task)?.files ?? [];
  if (paths.length === 0 || titles.length < 2) return split([]);
  return pick(reviewing, {
    title: `Split ${task}: which part gets which file?`,
    entries: paths.map(({ path }) => path),
    at: 0,
    sorted: { places: titles, of: paths.map(() => 0) },
    does: `split into ${parts}`,
    accept: ({ sorted }) => split(sorted?.of ?? []),
    back: () => writePart(reviewing, { task, titles, text: '' }),
  });
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
