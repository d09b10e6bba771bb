// Takes over the terminal, shows the current screen, and gives the terminal back; implements the port `View`.
import { lazy, Suspense } from 'react';
import { type View, wholeQuestion } from '../../workflow/view-port.ts';
import { callAttention } from './attention.ts';
import type { TuiPorts } from './ports.ts';
import { plainText } from './screen-rows.ts';
import { EndScreen, endRows } from './screens/end.tsx';
import { RunScreen } from './screens/run/run-view.tsx';
import { SessionsScreen } from './screens/sessions-screen.tsx';
import { StartScreen } from './screens/start/start-screen.tsx';
import {
  type RetryTask,
  startingState,
  type Choice,
  type Stage,
  type TuiState,
  withEvent,
  withStage,
  withTime,
} from './screen-state.ts';
import { createStore, type Store } from './store.ts';
import { renderScreens } from './terminal.tsx';
import { useTui } from './tools.tsx';

export interface Tui {
  readonly view: View;
  /** The choice on the first screen, or with `again` on one for a task; null if the person left. */
  chosen(again?: RetryTask): Promise<Choice | null>;
  /** Shows how the session ended until a key is pressed. */
  showEnd(): Promise<void>;
  /** Restores the terminal; does nothing the second time. */
  close(): Promise<void>;
  /** Rejects if drawing failed, which is a bug. */
  readonly failed: Promise<never>;
}

export type FirstScreen = 'start' | 'resume' | 'review' | 'execute' | 'run';

/** The width of the last words, which are not wrapped, so that they can be copied. */
const lastWidth = 1000;

const tick = 1000;

/** Takes over the terminal and shows its first frame. */
export function openTui({
  ports,
  environment,
  opens,
}: {
  readonly ports: TuiPorts;
  readonly environment: NodeJS.ProcessEnv;
  /** The first screen; its answer is `chosen`. */
  readonly opens: FirstScreen;
}): Tui {
  const store = createStore<TuiState>(startingState(run, Date.now()));
  const first = chooseFirst(store, (answer) => firstStage(opens, answer));
  const app = renderScreens(<App QuestionScreen={loadQuestionScreen()} />, {
    store,
    ports,
    environment,
  });
  const wanted = ports.notifies();
  const giveTitleBack = callAttention({ store, out: process.stdout, wanted });
  const gone = app.waitUntilExit();
  const failure = Promise.withResolvers<never>();
  gone.catch(failure.reject);
  let isClosed = false;
  const clock = setInterval(() => store.gather((state) => withTime(state, Date.now())), tick);
  return {
    view: tuiView(store),
    async chosen(again) {
      if (again === undefined) return await first;
      store.change(() => startingState(run, Date.now()));
      return await chooseFirst(store, (answer) => ({ kind: 'start', answer, again }));
    },
    async showEnd() {
      await askStage<null>(store, (answer) => ({ kind: 'end', answer }));
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      clearInterval(clock);
      giveTitleBack();
      store.close();
      app.unmount();
      await gone.catch(() => undefined);
      process.stdout.write(lastWords(store.get()));
    },
    failed: failure.promise,
  };
}

/** The text that remains in the terminal after the screens. Failures are printed on stderr instead. */
function lastWords({ progress }: TuiState): string {
  const { end } = progress;
  if (end === null || end.end === 'failed' || end.end === 'interrupted') return '';
  return endRows(progress, lastWidth)
    .map((line) => `${plainText(line)}\n`)
    .join('');
}

const run: Stage = { kind: 'run' };

function firstStage(opens: FirstScreen, answer: (given: Choice | null) => void): Stage {
  if (opens === 'run') return run;
  return opens === 'start'
    ? { kind: 'start', answer }
    : { kind: 'sessions', purpose: opens, isFirst: true, answer };
}

/** Asks on the first screen, and shows the run once something was chosen. */
async function chooseFirst(
  store: Store<TuiState>,
  stageFor: (answer: (given: Choice | null) => void) => Stage,
): Promise<Choice | null> {
  const given = await askStage(store, stageFor);
  const task = given?.kind === 'task' ? given.task : '';
  store.change((state) => ({ ...withStage(state, run), progress: { ...state.progress, task } }));
  return given;
}

/** Folds events into the state, and shows each question as a stage until it is answered or withdrawn. */
function tuiView(store: Store<TuiState>): View {
  async function ask<Answer>(
    signal: AbortSignal,
    stageFor: (answer: (given: Answer) => void) => Stage,
  ): Promise<Answer> {
    signal.throwIfAborted();
    try {
      return await askStage(store, stageFor, signal);
    } finally {
      store.change((state) => withStage(state, run));
    }
  }
  return {
    show: (event) => store.gather((state) => withEvent(state, event)),
    readsAlong: true,
    logsIn: true,
    steers: true,
    letsUnconfined: true,
    takesConsent: true,
    clarify: (question, signal) => ask(signal, (answer) => ({ kind: 'clarify', question, answer })),
    async decide(asked, signal) {
      const question = await wholeQuestion(asked);
      return await ask(signal, (answer) => ({ kind: 'decide', question, answer }));
    },
    async approve(asked, signal) {
      const question = await wholeQuestion(asked);
      return await ask(signal, (answer) => ({ kind: 'approve', question, answer }));
    },
    async execute(asked, signal) {
      const question = await wholeQuestion(asked);
      return await ask(signal, (answer) => ({ kind: 'execute', question, answer }));
    },
    async apply(asked, signal) {
      const question = await wholeQuestion(asked);
      return await ask(signal, (answer) => ({ kind: 'apply', question, answer }));
    },
    choose: (question, signal) => ask(signal, (answer) => ({ kind: 'choose', question, answer })),
  };
}

async function askStage<Answer>(
  store: Store<TuiState>,
  stageFor: (answer: (given: Answer) => void) => Stage,
  signal?: AbortSignal,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const withdraw = () => reject(signal?.reason);
  signal?.addEventListener('abort', withdraw, { once: true });
  store.change((state) => withStage(state, stageFor(resolve)));
  return await promise.finally(() => signal?.removeEventListener('abort', withdraw));
}

function App({
  QuestionScreen,
}: {
  readonly QuestionScreen: ReturnType<typeof loadQuestionScreen>;
}) {
  const stage = useTui((state) => state.stage);
  const besides = useTui((state) => state.besides);
  if (stage.kind === 'run' || besides === 'run') return <RunScreen />;
  if (stage.kind === 'start') return <StartScreen stage={stage} />;
  if (stage.kind === 'sessions') return <SessionsScreen stage={stage} />;
  if (stage.kind === 'end') return <EndScreen stage={stage} />;
  return (
    <Suspense fallback={<RunScreen />}>
      <QuestionScreen stage={stage} />
    </Suspense>
  );
}

/**
 * Loads the question screens with the first question: they are most of the code, and the first
 * frame does not need them.
 */
function loadQuestionScreen() {
  return lazy(async () => {
    const { openQuestionScreen } = await import('./screens/question-screen.tsx');
    return { default: openQuestionScreen() };
  });
}
