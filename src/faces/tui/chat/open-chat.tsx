// Takes over the terminal for a conversation, and gives it back.
import type { TuiPorts } from '../ports.ts';
import { startingState, type TuiState } from '../screen-state.ts';
import { createStore } from '../store.ts';
import { renderScreens } from '../terminal.tsx';
import { chatMoves } from './chat-moves.ts';
import { type ChatState, runningTurn, type ChatEnd, type ChatPorts } from './chat-state.ts';
import { ChatScreen } from './chat-view.tsx';

const tick = 1000;

/** Shows the conversation until the person leaves it or hands it over. Rejects if drawing failed. */
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
  /** Ends the chat and the current turn. */
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
  const screen = <ChatScreen chat={chat} moves={moves} />;
  const app = renderScreens(screen, { store, ports: terminal, environment });
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
