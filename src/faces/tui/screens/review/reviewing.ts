import type { TuiPorts } from '../../ports.ts';
import type { Row } from '../../rows.ts';
import type { Approve } from '../../state.ts';
import { createStore, type Store } from '../../store.ts';
import { textField } from '../../widgets/text-field/state.ts';
import type { FieldStore } from '../../widgets/text-field/view.tsx';
import { reviewReducer, startingReview, type ReviewAction, type ReviewState } from './state.ts';

/** What the screen knows of one question: it stays while the person looks at the run. */
interface Kept {
  readonly state: Store<ReviewState>;
  readonly field: FieldStore;
}

/** One review at the screen: what is known, and whom it can ask. */
export interface Reviewing extends Kept {
  readonly question: Approve['question'];
  readonly answer: Approve['answer'];
  readonly ports: Pick<TuiPorts, 'editText'>;
  /** Puts one line above the keys; null takes it away. */
  readonly say: (line: Row | null) => void;
  readonly lookAtRun: () => void;
}

const latest = new WeakMap<TuiPorts, Kept & { readonly question: Approve['question'] }>();

/**
 * What is known of a question. One that comes again for the same version, because the files
 * changed or no planner could answer, goes on with the comments and the texts that were written.
 */
export function keptFor(question: Approve['question'], ports: TuiPorts): Kept {
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

export function dispatch({ state }: Pick<Reviewing, 'state'>, action: ReviewAction): void {
  state.change((now) => reviewReducer(now, action));
}
