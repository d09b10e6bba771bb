// Does what a person wants in the chat: asks, switches, hands over, leaves.
import type { Store } from '../store.ts';
import { type ChatCommand, chatCommandIn } from './chat-commands.ts';
import {
  type ChatState,
  runningTurn,
  withActivity,
  withLastTurn,
  withQuestion,
  type ChatEnd,
  type ChatPorts,
  type ChatReply,
} from './chat-state.ts';

interface ScreenTools {
  readonly copy: (text: string) => void;
  readonly help: () => void;
}

export interface ChatMoves {
  /** Handles the typed text; false if it stays in the field. */
  send(typed: string, tools: ScreenTools): boolean;
  copyAnswer(copy: ScreenTools['copy']): void;
  /** Stops the current turn, or else leaves; a typed text is not lost by a single key. */
  stopOrLeave(hasText: boolean): void;
  /** Ends the current turn; resolves when it is over. */
  close(): Promise<void>;
}

const leavingNote = 'Press it again to leave. Your text will be lost.';

/** Makes the moves of a chat; `end` is called once, `fail` with a bug. */
export function chatMoves(
  chat: Store<ChatState>,
  {
    ports,
    end,
    fail,
  }: {
    readonly ports: ChatPorts;
    readonly end: (how: ChatEnd) => void;
    readonly fail: (error: unknown) => void;
  },
): ChatMoves {
  let stop: AbortController | null = null;
  let running = Promise.resolve();
  const say = (note: string | null) => chat.change((now) => ({ ...now, note }));

  async function ask(question: string): Promise<void> {
    stop = new AbortController();
    const { signal } = stop;
    const { tool, who, role, session } = chat.get();
    chat.change((now) => withQuestion({ ...now, now: Date.now() }, question));
    const onActivity = (activity: string) => chat.gather((now) => withActivity(now, activity));
    const request = { tool, who, role, session, question, signal, onActivity };
    const reply = await ports.ask(request);
    stop = null;
    chat.change((now) => withReply(now, reply));
  }

  function copyAnswer(copy: ScreenTools['copy']): void {
    const last = chat.get().turns.findLast(({ answer }) => answer !== '');
    if (last === undefined) say('There is no answer yet.');
    else copy(last.answer);
  }

  function act(command: ChatCommand, { copy, help }: ScreenTools): boolean {
    const { tool, session } = chat.get();
    say(null);
    switch (command.kind) {
      case 'who': {
        const why = ports.whyUnknown(command.name, tool);
        chat.change((now) => ({
          ...now,
          note: why,
          ...(why === null ? { who: command.name } : {}),
        }));
        return why === null;
      }
      case 'role':
        ports.whyNoRole(command.name).then((why) => {
          const role = why === null ? { role: command.name } : {};
          chat.change((now) => ({ ...now, note: why, ...role }));
        }, fail);
        return true;
      case 'tool':
        chat.change((now) => ({ ...now, tool: command.tool }));
        return true;
      case 'plan':
        if (session === null) say('There is nothing to plan yet; ask something first.');
        else end({ kind: 'plan', session, task: command.task });
        return session !== null;
      case 'copy':
        copyAnswer(copy);
        return true;
      case 'undo':
        if (session === null) say('There is nothing to undo yet.');
        else ports.undo(session).then(say, fail);
        return true;
      case 'help':
        help();
        return true;
      case 'leave':
        end({ kind: 'leave', session });
        return true;
      case 'unknown':
        say(command.why);
        return false;
    }
  }

  return {
    send(typed, tools) {
      const busy = runningTurn(chat.get());
      if (busy !== null) {
        say(`${busy.who} is still answering; Esc stops it.`);
        return false;
      }
      const command = chatCommandIn(typed);
      if (command !== null) return act(command, tools);
      running = ask(typed).catch(fail);
      return true;
    },
    copyAnswer,
    stopOrLeave(hasText) {
      const { note, session } = chat.get();
      if (stop !== null) stop.abort();
      else if (hasText && note !== leavingNote) say(leavingNote);
      else end({ kind: 'leave', session });
    },
    async close() {
      stop?.abort();
      await running;
    },
  };
}

function withReply(state: ChatState, reply: ChatReply): ChatState {
  if (!reply.ok) {
    return {
      ...withLastTurn(state, { state: 'failed', facts: [reply.why] }),
      note: null,
    };
  }
  const { session, state: ended, who, answer, facts } = reply;
  const turn = { state: ended, who, answer, facts };
  return { ...withLastTurn(state, turn), session, note: null };
}
