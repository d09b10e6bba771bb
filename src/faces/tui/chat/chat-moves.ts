// Does what a person wants in the chat: asks, switches, hands over, leaves.
import { listed } from '../../../model/wording.ts';
import type { Store } from '../store.ts';
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

  /** Does what a command says; false if it cannot be done, which is said. */
  function act({ word, rest }: Command, { copy, help }: ScreenTools): boolean {
    const { tool, session } = chat.get();
    const refuse = (why: string) => {
      say(why);
      return false;
    };
    say(null);
    switch (word) {
      case '/model': {
        if (rest === '') return refuse('/model takes the name of an agent or a model.');
        const why = ports.whyUnknown(rest, tool);
        if (why !== null) return refuse(why);
        chat.change((now) => ({ ...now, who: rest }));
        return true;
      }
      case '/role':
        if (rest === '') return refuse('/role takes the name of a role.');
        ports.whyNoRole(rest).then((why) => {
          const role = why === null ? { role: rest } : {};
          chat.change((now) => ({ ...now, note: why, ...role }));
        }, fail);
        return true;
      case '/work':
      case '/consult':
        chat.change((now) => ({ ...now, tool: word === '/work' ? 'work' : 'consult' }));
        return true;
      case '/plan':
        if (session === null) return refuse('There is nothing to plan yet; ask something first.');
        end({ kind: 'plan', session, task: rest });
        return true;
      case '/copy':
        copyAnswer(copy);
        return true;
      case '/undo':
        if (session === null) say('There is nothing to undo yet.');
        else ports.undo(session).then(say, fail);
        return true;
      case '/help':
        help();
        return true;
      case '/quit':
        end({ kind: 'leave', session });
        return true;
      default:
        return refuse(`There is no command ${word}; there are ${listed(commandWords)}.`);
    }
  }

  return {
    send(typed, tools) {
      const busy = runningTurn(chat.get());
      if (busy !== null) {
        say(`${busy.who} is still answering; Esc stops it.`);
        return false;
      }
      const command = commandIn(typed);
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

/** The commands with what each does, as they are listed. */
export const chatCommands = [
  { word: '/model NAME', does: 'ask another agent or model' },
  { word: '/role NAME', does: 'answer in another role' },
  { word: '/work', does: 'let it act in this folder' },
  { word: '/consult', does: 'only ask for its opinion' },
  { word: '/plan [TASK]', does: 'plan what this led to' },
  { word: '/copy', does: 'copy the last answer' },
  { word: '/undo', does: 'bring back the files that the last turn changed' },
  { word: '/quit', does: 'leave' },
] as const;

const commandWords = chatCommands.map(({ word }) => word.split(' ', 1)[0] ?? word);

/** The commands that start like the text; empty if the text is a question. */
export function commandsLike(text: string): readonly (typeof chatCommands)[number][] {
  const [word = ''] = text.trimStart().split(/\s/, 1);
  if (!word.startsWith('/') || text.includes('\n')) return [];
  return chatCommands.filter((one) => one.word.split(' ', 1)[0]?.startsWith(word));
}

interface Command {
  readonly word: string;
  /** The text after the command word. */
  readonly rest: string;
}

/** Reads a command; null for a question, which may start with a path such as `/etc/hosts`. */
function commandIn(text: string): Command | null {
  const [, typed = '', rest = ''] = /^(\/[a-z]+|\?|exit|quit|:q)(?:\s+([^]*))?$/.exec(text) ?? [];
  const word = otherWords[typed] ?? typed;
  return word === '' || (word === '/quit' && rest !== '') ? null : { word, rest: rest.trim() };
}

const otherWords: Readonly<Record<string, string>> = {
  '/agent': '/model',
  '?': '/help',
  '/exit': '/quit',
  exit: '/quit',
  quit: '/quit',
  ':q': '/quit',
};
