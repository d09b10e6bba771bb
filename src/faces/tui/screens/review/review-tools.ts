// Runs one review: holds its state while the person looks at the run, and asks the person and the desk.
import type { Result } from '../../../../model/failure.ts';
import { wordsOfError } from '../../../../model/wording.ts';
import type { PlanOnDesk } from '../../../../workflow/view-port.ts';
import { type Popup, writingPopup } from '../../popup.tsx';
import type { TuiPorts } from '../../ports.ts';
import type { QuestionStage } from '../../screen-state.ts';
import { type Store, createStore } from '../../store.ts';
import type { Tone } from '../../theme.ts';
import { textField } from '../../widgets/text-field/field.ts';
import type { FieldStore } from '../../widgets/text-field/field-view.tsx';
import { type ReviewState, startingReview, withDesk, withNews } from './review-state.ts';

/** The state of the screen for one question; it is kept while the person looks at the run. */
export interface ReviewStores {
  readonly state: Store<ReviewState>;
  readonly field: FieldStore;
}

/** A review at the screen: its state, and what it can ask for. */
export interface ReviewTools extends ReviewStores {
  readonly question: QuestionStage<'approve'>['question'];
  readonly answer: QuestionStage<'approve'>['answer'];
  readonly ports: Pick<TuiPorts, 'editText'>;
  /** Shows a line above the keys; null removes it. */
  readonly say: (text: string | null, tone?: Tone) => void;
  readonly lookAtRun: () => void;
}

/** Holds the state of the latest question. */
export function openReviews(): (question: QuestionStage<'approve'>['question']) => ReviewStores {
  let latest: (ReviewStores & { readonly question: QuestionStage<'approve'>['question'] }) | null =
    null;
  return (question) => {
    if (latest?.question === question) return latest;
    const state = createStore(startingAfter(latest?.state.get(), question));
    latest = { question, state, field: createStore(textField()) };
    followReading(question, state);
    return latest;
  };
}

/** The state of a new question. If the author answered the readers, the answers are shown first. */
function startingAfter(
  before: ReviewState | undefined,
  { seen, rejected }: QuestionStage<'approve'>['question'],
): ReviewState {
  const start = startingReview(seen, rejected);
  if (before === undefined) return start;
  const isAnswered = before.replier !== null && seen.version === (seen.reading?.version ?? 0);
  return isAnswered
    ? { ...start, anchor: 'findings', toggled: new Set(['findings.closed']) }
    : start;
}

/** Shows the readers’ findings as they come. An interruption ends the review itself. */
function followReading(
  { reading }: QuestionStage<'approve'>['question'],
  state: Store<ReviewState>,
): void {
  reading
    ?.follow((news) => state.change((now) => withNews(now, news, reading.author)))
    .catch(() => state.change((now) => ({ ...now, waitsFor: [] })));
}

/** Opens a question or a list in front of the page. */
export function open({ state }: ReviewTools, popup: Popup): void {
  state.change((now) => ({ ...now, popup, refused: null, top: null }));
}

/** Opens a text field in front of the page. */
export function write(reviewing: ReviewTools, writing: Parameters<typeof writingPopup>[1]): void {
  open(reviewing, writingPopup(reviewing.field, writing));
}

/** Asks the desk for a change; a refusal is shown with the typed text. */
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

/** Ignores all keys while the desk or the editor is at work; nothing is lost if that fails. */
export async function whileBusy(reviewing: ReviewTools, work: () => Promise<void>): Promise<void> {
  const { state, say } = reviewing;
  state.change((now) => ({ ...now, busy: true, refused: null }));
  try {
    await work();
  } catch (error) {
    say(`Not done: ${wordsOfError(error)}`, 'bad');
  } finally {
    state.change((now) => ({ ...now, busy: false }));
  }
}
