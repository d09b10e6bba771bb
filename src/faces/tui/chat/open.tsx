// Takes the terminal for a conversation, and gives it back.
import { render } from 'ink';
import { openKeyboard } from '../keyboard.ts';
import type { TuiPorts } from '../ports.ts';
import { startingState, type TuiState } from '../state.ts';
import { createStore, perQuestion } from '../store.ts';
import { paintFor, showsLinks } from '../theme.ts';
import { TuiToolsProvider } from '../tools.tsx';
import { Keyboard } from '../use-keyboard.ts';
import { useRedrawAfterResize } from '../use-redraw.ts';
import { type ChatMoves, chatMoves } from './moves.ts';
import type { ChatEnd, ChatPorts } from './ports.ts';
import { type ChatState, runningTurn } from './state.ts';
import { ChatScreen } from './view.tsx';

const tick = 1000;

/** Shows the conversation until the person leaves it or hands it on. Rejects where drawing failed. */
export async function showChat({
  start,
  ports,
  terminal,
  environment,
  signal,
}: {
  readonly start: ChatState;
  readonly ports: ChatPorts;
  readonly terminal: TuiPorts;
  readonly environment: NodeJS.ProcessEnv;
  /** Ends the chat, and the turn that runs. */
  readonly signal: AbortSignal;
}): Promise<ChatEnd> {
  const store = createStore<TuiState>(startingState({ kind: 'run' }, Date.now()));
  const chat = createStore<ChatState>(start);
  const { promise: ended, resolve, reject } = Promise.withResolvers<ChatEnd>();
  const moves = chatMoves(chat, { ports, end: resolve, fail: reject });
  const onAbort = () => {
    resolve({ kind: 'leave', session: chat.get().session });
  };
  signal.addEventListener('abort', onAbort, { once: true });
  process.stdin.setRawMode(true);
  const app = render(
    <TuiToolsProvider
      store={store}
      keyboard={openKeyboard()}
      answerableSince={perQuestion(() => createStore<number | null>(null))}
      ports={terminal}
      paint={paintFor(environment)}
      links={showsLinks(environment)}
    >
      <Keyboard />
      <Chat chat={chat} moves={moves} />
    </TuiToolsProvider>,
    { alternateScreen: true, incrementalRendering: true, exitOnCtrlC: false, maxFps: 15 },
  );
  const gone = app.waitUntilExit();
  gone.catch(reject);
  const clock = setInterval(() => {
    if (runningTurn(chat.get()) !== null) chat.gather((now) => ({ ...now, now: Date.now() }));
  }, tick);
  try {
    return await ended;
  } finally {
    await moves.close();
    signal.removeEventListener('abort', onAbort);
    clearInterval(clock);
    store.close();
    chat.close();
    app.unmount();
    await gone.catch(() => undefined);
  }
}

function Chat(
  props: Readonly<{ chat: ReturnType<typeof createStore<ChatState>>; moves: ChatMoves }>,
) {
  useRedrawAfterResize();
  return <ChatScreen {...props} />;
}
