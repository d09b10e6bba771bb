// Handles the keys to inspect a result, accept tasks, or have them redone.
import type { TaskOutcome } from '../../../../model/execution.ts';
import { type Binding, key, minorKey } from '../../key-bindings.ts';
import type { KeyName } from '../../keyboard.ts';
import { clamp } from '../../list-page.ts';
import type { Popup } from '../../popup.tsx';
import type { SavedComment } from '../../../../model/plan-edit.ts';
import { taskOfChange } from '../../../../phases/planning/comments.ts';
import { counted } from '../../../../model/wording.ts';
import type { AnchoredRow } from '../../document-rows.ts';
import { plainText } from '../../screen-rows.ts';
import type { QuestionStage } from '../../screen-state.ts';
import { messageOf, type useTools } from '../../tools.tsx';
import { textField } from '../../widgets/text-field/field.ts';
import type { openResultStores, ResultState } from './apply-state.ts';
import { isForPerson } from '../../../../model/execution-summary.ts';
import { byHand, methodOfAgent } from '../../../../model/team.ts';

/** A result at the screen, and what can be done with it. */
export interface ResultTools {
  readonly stage: Pick<QuestionStage<'apply'>, 'question' | 'answer'>;
  readonly stores: ReturnType<typeof openResultStores>;
  readonly say: ReturnType<typeof useTools>['say'];
}

/** The keys that open something, each with what it is for. */
export function resultKeys(result: ResultTools): readonly Binding[] {
  const { tasks } = result.stage.question.result;
  const open = tasks.filter(isForPerson);
  const again = tasks.filter(({ status }) => status !== 'blocked');
  const changed = tasks.filter(({ commit }) => commit !== null);
  const each = (
    name: KeyName,
    { does, title, of }: { does: string; title: string; of: readonly TaskOutcome[] },
    run: (result: ResultTools, task: TaskOutcome) => unknown,
  ) => {
    const choose = () => chooseTask(result, { title, of }, (task) => run(result, task));
    return of.length === 0 ? [] : [key([name], does, choose)];
  };
  return [
    key(['o'], 'checks', () => show(result, { kind: 'output' })),
    ...(changed.length === 0 ? [] : [key(['d'], 'diff', () => showChanges(result, null))]),
    ...each('a', { does: 'accept', title: 'Accept which task?', of: open }, accept),
    ...each('r', { does: 'retry', title: 'Have which task done again?', of: again }, (own, task) =>
      retry(own, task),
    ),
    ...each('t', { does: 'diff of a task', title: 'Whose changes?', of: changed }, showChanges),
  ];
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
  const { state } = result.stores;
  const at = clamp(state.get().at, anchors.length);
  const move = (by: number) => () =>
    state.change((now) => ({ ...now, at: clamp(at + by, anchors.length), top: null }));
  return [
    key(['down', 'j'], 'down', move(1)),
    key(['up', 'k'], 'up', move(-1), minorKey),
    ...(line.length === 0 ? [] : [key(['c'], 'comment', () => commentOn(result, line, comments))]),
    ...fileKeys(result, starts, at),
    ...(comments.length === 0
      ? []
      : [
          key(['s'], `send ${counted(comments.length, 'comment')}`, () =>
            sendBack(result, comments),
          ),
        ]),
  ];
}

/** Opens a comment on a line of the diff; an earlier one is opened again. */
function commentOn(
  result: ResultTools,
  line: readonly AnchoredRow[],
  comments: readonly SavedComment[],
): void {
  const { stage, stores, say } = result;
  const at = line[0]?.anchor ?? '';
  const anchor = `diff.${at}`;
  const quote = line.map(({ cells }) => plainText(cells).trim()).join(' ');
  const known = comments.find((one) => one.anchor === anchor);
  const { sheet } = stores.state.get();
  const named = sheet?.kind === 'changes' ? sheet.task : null;
  const task = named ?? taskOfChange(anchor, stage.question.result.tasks);
  write(result, {
    title: `A comment on ${task ?? 'the result'}`,
    body: [{ text: quote, tone: 'quiet' }],
    placeholder: 'What should be different, and why',
    does: 'save it',
    text: known?.text ?? '',
    take(text) {
      const comment = { task, text, anchor, quote, ...(known !== undefined && { id: known.id }) };
      stage.question.comment?.(comment).then(
        (saved) => stores.state.change((now) => ({ ...now, comments: saved, popup: null })),
        (error: unknown) => say(`Not saved: ${messageOf(error)}`, 'bad'),
      );
      return null;
    },
  });
}

/** Has the tasks done again that comments are about. */
function sendBack({ stage, stores }: ResultTools, comments: readonly SavedComment[]): void {
  const tasks = [...new Set(comments.flatMap(({ task }) => task ?? []))];
  const { accepted } = stores.state.get();
  stage.answer({ apply: false, accepted, retry: { tasks, note: '' } });
}

/** The keys of a diff that lead from file to file; `starts` are the lines at which the files begin. */
function fileKeys(
  { stores: { state } }: ResultTools,
  starts: readonly number[],
  at: number,
): readonly Binding[] {
  const to = (line: number | undefined) => () =>
    state.change((now) => ({ ...now, at: line ?? now.at, top: null }));
  if (starts.length === 0) return [];
  return [
    key(['n', 'tab'], 'next file', to(starts.find((start) => start > at))),
    key(['p', 'shift+tab'], 'previous file', to(starts.findLast((start) => start < at)), minorKey),
  ];
}

export function closeSheet({ stores: { state } }: Pick<ResultTools, 'stores'>): void {
  state.change((now) => ({ ...now, sheet: null, popup: null, refused: null }));
}

function show({ stores: { state } }: ResultTools, sheet: ResultState['sheet']): void {
  state.change((now) => ({
    ...now,
    sheet,
    top: sheet?.kind === 'changes' ? null : 0,
    at: 0,
    popup: null,
  }));
}

async function showChanges(result: ResultTools, task: TaskOutcome | null): Promise<void> {
  const { stage, stores, say } = result;
  const title = task === null ? 'All changes of the result' : `${task.task}  ${task.title}`;
  const waiting = { kind: 'changes', task: task?.task ?? null, title, diff: null } as const;
  show(result, waiting);
  try {
    const diff = await stage.question.readChanges(task?.task ?? null);
    // Another page may have been opened meanwhile.
    stores.state.change((now) =>
      now.sheet === waiting ? { ...now, sheet: { ...waiting, diff } } : now,
    );
  } catch (error) {
    closeSheet(result);
    say(`The changes cannot be read: ${messageOf(error)}`, 'bad');
  }
}

/** Asks for a task; continues at once if there is only one. */
function chooseTask(
  { stores: { state } }: ResultTools,
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
  state.change((now) => ({ ...now, popup, refused: null }));
}

function accept(result: ResultTools, { task, title, why }: TaskOutcome): void {
  const { stores, say } = result;
  write(result, {
    title: `Accept ${task}  ${title}`,
    body: [{ text: why, tone: 'warn' }],
    placeholder: 'What you saw that shows it is done',
    does: 'accept it',
    take(because) {
      if (because === '') return 'Say why: the result and the report keep the reason.';
      stores.state.change((now) => ({
        ...now,
        popup: null,
        accepted: { ...now.accepted, [task]: because },
      }));
      say(`${task} is accepted.`, 'good');
      return null;
    },
  });
}

function retry(result: ResultTools, outcome: TaskOutcome, by = 0): void {
  const { stage, stores } = result;
  const { task, title, why, executor } = outcome;
  const { executors = [], result: seen } = stage.question;
  const tree = seen.kept?.[task];
  const others = executors.filter((name) => name !== executor);
  const ways = [executor ?? '', ...others, ...(tree === undefined ? [] : [byHand])];
  const who = ways[by] ?? '';
  const means = who === byHand ? `By hand, as you changed it in ${tree}` : `By ${who}`;
  const next = () => {
    const typed = stores.field.get();
    retry(result, outcome, (by + 1) % ways.length);
    stores.field.change(() => typed);
  };
  const method = by === 0 ? {} : { execution_method: methodOfAgent(who) };
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
    more: ways.length < 2 ? [] : [key(['tab'], 'who does it', next)],
    take(note) {
      const { accepted } = stores.state.get();
      stage.answer({ apply: false, accepted, retry: { tasks: [task], note, ...method } });
      return null;
    },
  });
}

/** Opens a text field; `take` returns why a text is refused, or null. */
function write(
  { stores: { state, field } }: ResultTools,
  {
    body = [],
    placeholder,
    does,
    title,
    take,
    text = '',
    more = [],
  }: Pick<Popup, 'title' | 'body'> & {
    readonly placeholder: string;
    readonly does: string;
    readonly text?: string;
    readonly more?: readonly Binding[];
    readonly take: (text: string) => string | null;
  },
): void {
  field.change(() => textField(text));
  const enter = () => {
    const refused = take(field.get().text.trim());
    if (refused !== null) state.change((now) => ({ ...now, refused }));
  };
  const popup: Popup = {
    title,
    body: body.filter((one) => one.text !== ''),
    writes: { field, placeholder },
    keys: () => [key(['enter'], does, enter), ...more],
  };
  state.change((now) => ({ ...now, popup, refused: null }));
}
