// Draws screens on the terminal, with the tools and the keyboard that all of them have.
import { render, useStdout } from 'ink';
import { type ReactNode, useEffect } from 'react';
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
      <Redraw />
      <Keyboard />
      {screens}
    </TuiToolsProvider>,
    {
      // Ink would draw nothing before the end where `CI` is set, as it is in some containers.
      interactive: true,
      alternateScreen: true,
      incrementalRendering: true,
      exitOnCtrlC: false,
      maxFps: 15,
    },
  );
}

/** The time without another resize after which the drawing fits the new size, in ms. */
const settled = 150;

const fromTheFirstCell = '\u001b[H\u001b[J';

/**
 * Redraws the whole screen when the terminal changed its size. Ink draws changes from where it left
 * the cursor, but a resized terminal may move rows and cursor in its own way. The signal also
 * arrives if the size changed back before it was read.
 */
function Redraw() {
  const { write } = useStdout();
  useEffect(() => {
    let timer: NodeJS.Timeout | undefined;
    const onResize = () => {
      clearTimeout(timer);
      timer = setTimeout(() => write(fromTheFirstCell), settled);
    };
    // A stopped program gets no signal when its terminal is resized.
    const onContinue = () => process.emit('SIGWINCH', 'SIGWINCH');
    process.on('SIGWINCH', onResize);
    process.on('SIGCONT', onContinue);
    return () => {
      clearTimeout(timer);
      process.off('SIGWINCH', onResize);
      process.off('SIGCONT', onContinue);
    };
  }, [write]);
  return null;
}
