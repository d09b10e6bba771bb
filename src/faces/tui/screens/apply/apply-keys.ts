// Handles the keys to inspect a result, accept tasks, or have them redone.
import type { TaskOutcome } from '../../../../model/execution.ts';
import { isForPerson } from '../../../../model/execution-summary.ts';
import { type FormValues, readForm } from '../../../../model/form.ts';
import type { SavedComment } from '../../../../model/plan-edit.ts';
import { byHand, methodOfAgent } from '../../../../model/team.ts';
import { counted, wordsOfError } from '../../../../model/wording.ts';
import { taskOfChange } from '../../../../phases/planning/comments.ts';
import { applyForm } from '../../../execution-forms.ts';
import type { AnchoredRow } from '../../document-rows.ts';
import { type Binding, key, minorKey } from '../../key-bindings.ts';
import type { KeyName } from '../../keyboard.ts';
import { clamp } from '../../list-page.ts';
import { type Popup, writingPopup } from '../../popup.tsx';
import { plainText } from '../../screen-rows.ts';
import type { QuestionStage } from '../../screen-state.ts';
import { createStore } from '../../store.ts';
import type { useTools } from '../../tools.tsx';
import { textField } from '../../widgets/text-field/field.ts';
import { openForm } from '../form-screen.tsx';

/** What is open over the question of a result. */
export interface ResultState {
  /** The output of the checks, or the changes of a task or of all; null for none. */
  readonly sheet: { readonly title: string; readonly task: string | null; diff?: string } | null;
  /** The first visible row of the page; null to show the chosen line. */
  readonly top: number | null;
  /** The chosen line of a diff, by its place among those with an anchor. */
  readonly at: number;
  /** The comments that were not sent yet; null until one was written here. */
  readonly comments: readonly SavedComment[] | null;
  readonly popup: Popup | null;
  /** Why the typed text was refused. */
  readonly refused: string | null;
}

const closed = { sheet: null, popup: null, refused: null };

export function openResultStores() {
  return {
    form: openForm(),
    state: createStore<ResultState>({ ...closed, top: 0, at: 0, comments: null }),
    field: createStore(textField()),
  };
}

/** A result at the screen, and what can be done with it. */
export interface ResultTools {
  readonly stage: Pick<QuestionStage<'apply'>, 'question' | 'answer'>;
  readonly stores: ReturnType<typeof openResultStores>;
  readonly say: ReturnType<typeof useTools>['say'];
}

/** The keys that open something, each with what it is for. */
export function resultKeys(result: ResultTools): readonly Binding[] {
  const { tasks } = result.stage.question.result;
  const changed = tasks.filter(({ commit }) => commit !== null);
  const each = (
    [name, does, title]: readonly [KeyName, string, string],
    of: readonly TaskOutcome[],
    run: (result: ResultTools, task: TaskOutcome) => unknown,
  ) => {
    const choose = () => chooseTask(result, { title, of }, (task) => run(result, task));
    return of.length === 0 ? [] : [key([name], does, choose)];
  };
  const again = tasks.filter(({ status }) => status !== 'blocked');
  return [
    key(['o'], 'checks', () => change(result, { ...opened, sheet: { title: '', task: null } })),
    ...(changed.length === 0 ? [] : [key(['d'], 'diff', () => showChanges(result, null))]),
    ...each(['a', 'accept', 'Accept which task?'], tasks.filter(isForPerson), accept),
    ...each(['r', 'retry', 'Have which task done again?'], again, (own, task) => retry(own, task)),
    ...each(['t', 'diff of a task', 'Whose changes?'], changed, showChanges),
  ];
}

const opened = { ...closed, top: 0, at: 0 };

function change({ stores: { state } }: ResultTools, part: Partial<ResultState>): void {
  state.change((now) => ({ ...now, ...part }));
}

export function closeSheet(result: ResultTools): void {
  change(result, closed);
}

/** The keys of a diff: its lines are chosen, commented on, and sent back with what was written about them. */
export function lineKeys(
  result: ResultTools,
  {
    anchors,
    starts,
    line,
    comments,
  }: {
    readonly anchors: readonly string[];
    /** The lines at which the files begin. */
    readonly starts: readonly number[];
    /** The rows of the chosen line. */
    readonly line: readonly AnchoredRow[];
    readonly comments: readonly SavedComment[];
  },
): readonly Binding[] {
  const at = clamp(result.stores.state.get().at, anchors.length);
  const to = (next: number) => () => change(result, { at: clamp(next, anchors.length), top: null });
  const send = () => answerBy(result, { choice: 'comments' });
  return [
    key(['down', 'j'], 'down', to(at + 1)),
    key(['up', 'k'], 'up', to(at - 1), minorKey),
    ...(line.length === 0 ? [] : [key(['c'], 'comment', () => commentOn(result, line, comments))]),
    key(['n', 'tab'], 'next file', to(starts.find((start) => start > at) ?? at)),
    key(
      ['p', 'shift+tab'],
      'previous file',
      to(starts.findLast((start) => start < at) ?? at),
      minorKey,
    ),
    ...(comments.length === 0
      ? []
      : [key(['s'], `send ${counted(comments.length, 'comment')}`, send)]),
  ];
}

/** Opens a comment on a line of the diff; an earlier one is opened again. */
function commentOn(
  result: ResultTools,
  line: readonly AnchoredRow[],
  comments: readonly SavedComment[],
): void {
  const { stage, stores, say } = result;
  const anchor = `diff.${line[0]?.anchor ?? ''}`;
  const quote = line.map(({ cells }) => plainText(cells).trim()).join(' ');
  const known = comments.find((one) => one.anchor === anchor);
  const { sheet } = stores.state.get();
  const task = sheet?.task ?? taskOfChange(anchor, stage.question.result.tasks);
  write(result, {
    title: `A comment on ${task ?? 'the result'}`,
    body: [{ text: quote, tone: 'quiet' }],
    placeholder: 'What should be different, and why',
    does: 'save it',
    text: known?.text ?? '',
    take(text) {
      const comment = { task, text, anchor, quote, ...(known !== undefined && { id: known.id }) };
      stage.question.comment?.(comment).then(
        (saved) => change(result, { comments: saved, popup: null }),
        (error: unknown) => say(`Not saved: ${wordsOfError(error)}`, 'bad'),
      );
    },
  });
}

/** Gives the answer that the values of the form mean, with the tasks that were accepted. */
function answerBy({ stage, stores, say }: ResultTools, values: FormValues): void {
  const asked = applyForm(stage.question, { session: '', steers: true });
  const reading = readForm(asked, { ...stores.form.get().values, ...values });
  if ('answer' in reading) stage.answer(reading.answer);
  else say(reading.refusal, 'bad');
}

async function showChanges(result: ResultTools, task: TaskOutcome | null): Promise<void> {
  const { stage, stores, say } = result;
  const title = task === null ? 'All changes of the result' : `${task.task}  ${task.title}`;
  const sheet = { task: task?.task ?? null, title };
  change(result, { ...opened, top: null, sheet });
  try {
    const diff = await stage.question.readChanges(sheet.task);
    // Another page may have been opened meanwhile.
    if (stores.state.get().sheet === sheet) change(result, { sheet: { ...sheet, diff } });
  } catch (error) {
    closeSheet(result);
    say(`The changes cannot be read: ${wordsOfError(error)}`, 'bad');
  }
}

/** Asks for a task; continues at once if there is only one. */
function chooseTask(
  result: ResultTools,
  { title, of: tasks }: { readonly title: string; readonly of: readonly TaskOutcome[] },
  choose: (task: TaskOutcome) => unknown,
): void {
  const [only, ...others] = tasks;
  if (only !== undefined && others.length === 0) return void choose(only);
  const popup: Popup = {
    title,
    entries: tasks.map(({ task, title: name, status }) => `${task}  ${name} (${status})`),
    keys({ at = 0 }) {
      const chosen = tasks[at];
      return chosen === undefined ? [] : [key(['enter'], 'choose', () => choose(chosen))];
    },
  };
  change(result, { popup, refused: null });
}

function accept(result: ResultTools, { task, title, why }: TaskOutcome): void {
  const { form } = result.stores;
  write(result, {
    title: `Accept ${task}  ${title}`,
    body: [{ text: why, tone: 'warn' }],
    placeholder: 'What you saw that shows it is done',
    does: 'accept it',
    take(because) {
      if (because === '')
        return change(result, { refused: 'Say why: the result and the report keep the reason.' });
      form.change(({ values, ...now }) => {
        const accepted = [values['accepted'] ?? []].flat().map(String);
        return { ...now, values: { ...values, accepted: [...accepted, `${task}: ${because}`] } };
      });
      change(result, { popup: null });
      result.say(`${task} is accepted.`, 'good');
    },
  });
}

function retry(result: ResultTools, outcome: TaskOutcome, by = 0, text = ''): void {
  const { stage, stores } = result;
  const { task, title, why, executor } = outcome;
  const { executors = [], result: seen } = stage.question;
  const tree = seen.kept?.[task];
  const others = executors.filter((name) => name !== executor);
  const ways = [executor ?? '', ...others, ...(tree === undefined ? [] : [byHand])];
  const who = ways[by] ?? '';
  const means = who === byHand ? `By hand, as you changed it in ${tree}` : `By ${who}`;
  const next = () => retry(result, outcome, (by + 1) % ways.length, stores.field.get().text);
  const execution = by === 0 ? {} : { execution: who === byHand ? byHand : methodOfAgent(who) };
  write(result, {
    title: `Have ${task}  ${title} done again`,
    body: [
      { text: why, tone: 'warn' },
      {
        text: 'Everything that builds on it is done again, too. The rest stays as it is.',
        tone: 'quiet',
      },
      { text: by === 0 ? '' : means, tone: 'strong' },
    ],
    placeholder: 'A note for the agent',
    does: 'do it again',
    text,
    more: ways.length < 2 ? [] : [key(['tab'], 'who does it', next)],
    take: (note) => answerBy(result, { choice: 'retry', task, text: note, ...execution }),
  });
}

/** Opens a text field. */
function write(
  result: ResultTools,
  {
    take,
    ...writing
  }: Omit<Parameters<typeof writingPopup>[1], 'accept'> & {
    readonly take: (text: string) => void;
  },
): void {
  const enter = (text: string) => take(text.trim());
  change(result, {
    popup: writingPopup(result.stores.field, { ...writing, accept: enter }),
    refused: null,
  });
}
