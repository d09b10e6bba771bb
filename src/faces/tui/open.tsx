import { render } from 'ink';
import type { View } from '../../workflow/view.ts';
import { App } from './app.tsx';
import { ToolsProvider } from './context.ts';
import { LooksProvider } from './looks.ts';
import type { TuiPorts } from './ports.ts';
import type { Stage } from './stage.ts';
import { type TuiState, startingState, withStage } from './state.ts';
import { type Store, createStore } from './store.ts';
import { themeFor } from './theme.ts';
import { tuiView } from './view.ts';

/** The terminal UI while it is open. */
export interface Tui {
  readonly view: View;
  /** The task that was typed; null where the person left. */
  askTask(): Promise<string | null>;
  /** Shows how the session ended until a key is pressed. */
  showEnd(): Promise<void>;
  /** Gives the terminal back as it was; nothing happens the second time. */
  close(): Promise<void>;
  /** Rejects where drawing failed, which is a bug. */
  readonly failed: Promise<never>;
}

/** How often the clocks on the screen move, in ms. */
const tick = 1000;

/** Takes the terminal and shows its first frame. */
export function openTui({
  ports,
  environment,
}: {
  readonly ports: TuiPorts;
  readonly environment: NodeJS.ProcessEnv;
}): Tui {
  const store = createStore<TuiState>(startingState({ kind: 'run' }, Date.now()));
  const app = render(
    <LooksProvider value={themeFor(environment)}>
      <ToolsProvider value={{ store, ports }}>
        <App />
      </ToolsProvider>
    </LooksProvider>,
    { alternateScreen: true, incrementalRendering: true, exitOnCtrlC: false, maxFps: 15 },
  );
  const gone = app.waitUntilExit();
  const failure = Promise.withResolvers<never>();
  gone.catch(failure.reject);
  const clock = setInterval(() => store.gather(moved), tick);
  return {
    view: tuiView(store),
    askTask: () => offer(store, (answer) => ({ kind: 'start', answer })),
    async showEnd() {
      await offer(store, (answer) => ({ kind: 'end', answer }));
    },
    async close() {
      clearInterval(clock);
      store.close();
      app.unmount();
      await gone.catch(() => undefined);
    },
    failed: failure.promise,
  };
}

function moved(state: TuiState): TuiState {
  const { progress } = state;
  return progress.startedAt === null || progress.end !== null
    ? state
    : { ...state, now: Date.now() };
}

async function offer<Answer>(
  store: Store<TuiState>,
  stageFor: (answer: (given: Answer) => void) => Stage,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>();
  store.change((state) => withStage(state, stageFor(resolve)));
  return await promise;
}
