import type { PlanEdit } from '../../../../model/plan-edit.ts';
import type { Binding } from '../../keys.ts';
import type { TuiPorts } from '../../ports.ts';
import type { Approve } from '../../state.ts';
import { type Store, createStore } from '../../store.ts';
import type { Tone } from '../../theme.ts';
import { textField } from '../../widgets/text-field/field.ts';
import type { FieldStore } from '../../widgets/text-field/view.tsx';
import {
  type Doubt,
  type Picker,
  type ReviewState,
  type Writing,
  startingReview,
  uncovered,
  withDesk,
} from './state.ts';

/** What the screen knows of one question: it stays while the person looks at the run. */
interface Stores {
  readonly state: Store<ReviewState>;
  readonly field: FieldStore;
}

/** One review at the screen: what is known, and whom it can ask. */
export interface Reviewing extends Stores {
  readonly question: Approve['question'];
  readonly answer: Approve['answer'];
  readonly ports: Pick<TuiPorts, 'editText'>;
  /** Puts one line above the keys; an empty text takes it away. */
  readonly say: (text: string, tone?: Tone) => void;
  readonly lookAtRun: () => void;
}

const latest = new WeakMap<
  Reviewing['ports'],
  Stores & { readonly question: Approve['question'] }
>();

/**
 * What is known of a question. One that comes again for the same version, because the files
 * changed or no planner could answer, goes on with the comments and the texts that were written.
 */
export function storesFor(question: Approve['question'], ports: Reviewing['ports']): Stores {
  const known = latest.get(ports);
  if (known?.question === question) return known;
  const before = known?.state.get();
  const start = startingReview(question.seen, question.rejected);
  const isSame = before !== undefined && before.desk.version === question.seen.version;
  const { comments, drafts } = isSame ? before : start;
  const made = {
    state: createStore({ ...start, comments, drafts }),
    field: createStore(textField()),
  };
  latest.set(ports, { ...made, question });
  return made;
}

/** Opens a text in front of the page, with what it begins with. */
export function write({ state, field }: Reviewing, writing: Writing, text = ''): void {
  if (state.get().busy) return;
  field.change(() => textField(text));
  state.change((now) => ({ ...now, ...uncovered, writing, scroll: 0 }));
}

/** Asks in front of the page. */
export function ask({ state }: Reviewing, doubt: Doubt): void {
  state.change((now) => ({ ...now, ...uncovered, doubt, scroll: 0 }));
}

/** Lets one thing be chosen in front of the page. */
export function pick({ state }: Reviewing, picker: Picker): void {
  if (!state.get().busy) state.change((now) => ({ ...now, ...uncovered, picker, scroll: 0 }));
}

/** A key of this screen; what it does may take its time. */
export function key(
  keys: Binding['keys'],
  does: string,
  run: () => unknown,
  more: Pick<Binding, 'minor' | 'decides' | 'ownPress'> = {},
): Binding {
  return { keys, does, run: () => void run(), ...more };
}

/** Lets the desk make an edit; its sentence stands where it was written if it is refused. */
export async function change(
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
      const next = withDesk({ ...now, ...uncovered }, after);
      return edit.kind === 'add' ? { ...next, task: added[0] ?? next.task } : next;
    });
    const wasApproved = before.approvedHash !== null && before.approvedHash === before.hash;
    const isApproved = after.approvedHash === after.hash;
    const note = wasApproved && !isApproved ? ' The plan needs a new approval now.' : '';
    reviewing.say(`${said(added)}${note} u undoes it.`, 'good');
  });
}

/** One thing at a time asks the desk or the editor; what goes wrong there is said, and nothing is lost. */
export async function atWork(reviewing: Reviewing, work: () => Promise<void>): Promise<void> {
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
