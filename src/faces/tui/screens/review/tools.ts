// Runs one review: holds its state while the run is looked at, and asks the person and the desk.
import type { Result } from '../../../../model/failure.ts';
import type { PlanOnDesk } from '../../../../workflow/view.ts';
import type { Popup } from '../../popup.tsx';
import { key } from '../../keys.ts';
import type { TuiPorts } from '../../ports.ts';
import type { QuestionStage } from '../../state.ts';
import { type Store, createStore } from '../../store.ts';
import type { Tone } from '../../theme.ts';
import { messageOf } from '../../tools.tsx';
import { textField } from '../../widgets/text-field/field.ts';
import type { FieldStore } from '../../widgets/text-field/view.tsx';
import { type ReviewState, startingReview, withDesk } from './state.ts';

/** The state of the screen for one question; it stays while the person looks at the run. */
export interface ReviewStores {
  readonly state: Store<ReviewState>;
  readonly field: FieldStore;
}

/** One review at the screen: its state, and what it can ask for. */
export interface ReviewTools extends ReviewStores {
  readonly question: QuestionStage<'approve'>['question'];
  readonly answer: QuestionStage<'approve'>['answer'];
  readonly ports: Pick<TuiPorts, 'editText'>;
  /** Shows one line above the keys; null takes it away. */
  readonly say: (text: string | null, tone?: Tone) => void;
  readonly lookAtRun: () => void;
}

/**
 * Holds the state of the latest question. The comments stay where the same version is asked about
 * again, because the files changed or no planner could answer.
 */
export function openReviews(): (question: QuestionStage<'approve'>['question']) => ReviewStores {
  let latest: (ReviewStores & { readonly question: QuestionStage<'approve'>['question'] }) | null =
    null;
  return (question) => {
    if (latest?.question === question) return latest;
    const before = latest?.state.get();
    const comments = before?.desk.version === question.seen.version ? before.comments : [];
    latest = {
      question,
      state: createStore({ ...startingReview(question.seen, question.rejected), comments }),
      field: createStore(textField()),
    };
    return latest;
  };
}

/** Opens a question or a list in front of the page. */
export function open({ state }: ReviewTools, popup: Popup): void {
  state.change((now) => ({ ...now, popup, refused: null, top: null }));
}

interface Writing {
  readonly title: string;
  readonly placeholder: string;
  /** A few words for what Enter does. */
  readonly does: string;
  readonly accept: (text: string) => unknown;
}

/** Opens a text in front of the page. */
export function write(
  reviewing: ReviewTools,
  { title, placeholder, does, accept }: Writing,
  text = '',
): void {
  const { field } = reviewing;
  field.change(() => textField(text));
  const enter = () => accept(field.get().text);
  open(reviewing, {
    title,
    writes: { field, placeholder },
    keys: () => [key(['enter'], does, enter)],
  });
}

/** Asks the desk for a change; a refusal is shown with what was typed for it. */
export async function change(
  reviewing: ReviewTools,
  ask: () => Promise<Result<PlanOnDesk, { readonly message: string }>>,
  done: (now: ReviewState) => string,
): Promise<void> {
  const { state, say } = reviewing;
  await whileBusy(reviewing, async () => {
    const { hash, approvedHash } = state.get().desk;
    const changed = await ask();
    if (!changed.ok) {
      const refused = changed.failure.message;
      return state.change((now) => ({ ...now, refused }));
    }
    state.change((now) => withDesk({ ...now, popup: null }, changed.value));
    const isStale = hash !== null && hash === approvedHash && hash !== changed.value.hash;
    say(`${done(state.get())}${isStale ? ' The plan needs a new approval now.' : ''}`, 'good');
  });
}

/** While the desk or the editor is at work, no key does anything; nothing is lost if it fails. */
export async function whileBusy(reviewing: ReviewTools, work: () => Promise<void>): Promise<void> {
  const { state, say } = reviewing;
  state.change((now) => ({ ...now, busy: true, refused: null }));
  try {
    await work();
  } catch (error) {
    say(`Not done: ${messageOf(error)}`, 'bad');
  } finally {
    state.change((now) => ({ ...now, busy: false }));
  }
}
