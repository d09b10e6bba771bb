import { render } from 'ink';
import type { View } from '../../workflow/view.ts';
import { App } from './app.tsx';
import { callAttention } from './attention.ts';
import { Keyboard } from './keyboard.tsx';
import type { TuiPorts } from './ports.ts';
import { LooksProvider } from './rows-view.tsx';
import { plainText } from './rows.ts';
import { endRows } from './screens/end/view.tsx';
import {
  type Again,
  startingState,
  type Choice,
  type Stage,
  type TuiState,
  withStage,
  withTime,
} from './state.ts';
import { createStore, type Store } from './store.ts';
import { themeFor } from './theme.ts';
import { TuiToolsProvider } from './tools.tsx';
import { tuiView } from './view.ts';

/** The terminal UI while it is open. */
export interface Tui {
  readonly view: View;
  /** What was chosen on the first screen, or `again` on one for a task; null where the person left. */
  chosen(again?: Again): Promise<Choice | null>;
  /** Shows how the session ended until a key is pressed. */
  showEnd(): Promise<void>;
  /** Gives the terminal back as it was; nothing happens the second time. */
  close(): Promise<void>;
  /** Rejects where drawing failed, which is a bug. */
  readonly failed: Promise<never>;
}

/** With what the terminal UI begins. */
export type FirstScreen = 'start' | 'resume' | 'review' | 'run';

/** Columns of the last words: never broken, so that they can be copied. */
const lastWidth = 1000;

/** How often the clocks on the screen move, in ms. */
const tick = 1000;

/** Takes the terminal and shows its first frame. */
export function openTui({
  ports,
  environment,
  opens,
}: {
  readonly ports: TuiPorts;
  readonly environment: NodeJS.ProcessEnv;
  /** The first screen: what is asked there is `chosen`. */
  readonly opens: FirstScreen;
}): Tui {
  const store = createStore<TuiState>(startingState(run, Date.now()));
  const first = begun(store, (answer) => firstStage(opens, answer));
  // Else what is typed right after the first frame would be echoed, and its Enter a line feed.
  process.stdin.setRawMode(true);
  const app = render(
    <LooksProvider value={themeFor(environment)}>
      <TuiToolsProvider store={store} ports={ports}>
        <Keyboard>
          <App />
        </Keyboard>
      </TuiToolsProvider>
    </LooksProvider>,
    { alternateScreen: true, incrementalRendering: true, exitOnCtrlC: false, maxFps: 15 },
  );
  const out = process.stdout;
  const giveTitleBack = callAttention({ store, out, environment, wanted: ports.notifies() });
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
      return await begun(store, (answer) => ({ kind: 'start', answer, again }));
    },
    async showEnd() {
      await offer(store, (answer) => ({ kind: 'end', answer }));
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

/** What stays in the terminal after the screens are gone; what went wrong is said on stderr. */
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

/** The run is shown as soon as something was chosen. */
async function begun(
  store: Store<TuiState>,
  stageFor: (answer: (given: Choice | null) => void) => Stage,
): Promise<Choice | null> {
  const { promise, resolve } = Promise.withResolvers<Choice | null>();
  const answer = (given: Choice | null) => {
    const task = given?.kind === 'task' ? given.task : '';
    store.change((state) => ({ ...withStage(state, run), progress: { ...state.progress, task } }));
    resolve(given);
  };
  store.change((state) => withStage(state, stageFor(answer)));
  return await promise;
}

async function offer<Answer>(
  store: Store<TuiState>,
  stageFor: (answer: (given: Answer) => void) => Stage,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  store.change((state) => withStage(state, stageFor(resolve)));
  return await promise;
}
