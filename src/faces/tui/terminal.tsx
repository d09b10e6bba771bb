// Draws screens on the terminal, with the tools and the keyboard that all of them have.
import { render } from 'ink';
import type { ReactNode } from 'react';
import { openKeyboard } from './keyboard.ts';
import type { TuiPorts } from './ports.ts';
import type { TuiState } from './screen-state.ts';
import { createStore, perQuestion, type Store } from './store.ts';
import { paintFor, showsLinks } from './theme.ts';
import { TuiToolsProvider } from './tools.tsx';
import { Keyboard } from './use-keyboard.ts';

/** Takes over the terminal and draws the first frame; the caller unmounts it. */
export function renderScreens(
  screens: ReactNode,
  {
    store,
    ports,
    environment,
  }: {
    readonly store: Store<TuiState>;
    readonly ports: TuiPorts;
    readonly environment: NodeJS.ProcessEnv;
  },
) {
  // Otherwise the terminal would echo what is typed right after the first frame, and Enter would be
  // a line feed.
  process.stdin.setRawMode(true);
  return render(
    <TuiToolsProvider
      store={store}
      keyboard={openKeyboard()}
      answerableSince={perQuestion(() => createStore<number | null>(null))}
      ports={ports}
      paint={paintFor(environment)}
      links={showsLinks(environment)}
    >
      <Keyboard />
      {screens}
    </TuiToolsProvider>,
    { alternateScreen: true, incrementalRendering: true, exitOnCtrlC: false, maxFps: 15 },
  );
}
