// Reads the commands after a slash that a person types in the chat.
import type { ChatTool } from './chat-state.ts';

/** What a person wants instead of asking a question. */
export type ChatCommand =
  | { readonly kind: 'who'; readonly name: string }
  | { readonly kind: 'role'; readonly name: string }
  | { readonly kind: 'tool'; readonly tool: ChatTool }
  | { readonly kind: 'plan'; readonly task: string }
  | { readonly kind: 'copy' }
  | { readonly kind: 'undo' }
  | { readonly kind: 'help' }
  | { readonly kind: 'leave' }
  /** `why` is a sentence. */
  | { readonly kind: 'unknown'; readonly why: string };

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

/** The commands that start like the text; empty if the text is a question. */
export function commandsLike(text: string): readonly (typeof chatCommands)[number][] {
  const [word = ''] = text.trimStart().split(/\s/, 1);
  if (!word.startsWith('/') || text.includes('\n')) return [];
  return chatCommands.filter((one) => one.word.split(' ', 1)[0]?.startsWith(word));
}

/** Reads a command; null for a question, which may start with a path such as `/etc/hosts`. */
export function chatCommandIn(text: string): ChatCommand | null {
  const [, word = '', rest = ''] = /^(\/[a-z]+|\?|exit|quit|:q)(?:\s+([^]*))?$/.exec(text) ?? [];
  if (word === '') return null;
  const name = rest.trim();
  switch (word) {
    case '/model':
    case '/agent':
      return name === ''
        ? missing('/model takes the name of an agent or a model.')
        : { kind: 'who', name };
    case '/role':
      return name === '' ? missing('/role takes the name of a role.') : { kind: 'role', name };
    case '/work':
    case '/consult':
      return { kind: 'tool', tool: word === '/work' ? 'work' : 'consult' };
    case '/plan':
      return { kind: 'plan', task: name };
    case '/copy':
      return { kind: 'copy' };
    case '/undo':
      return { kind: 'undo' };
    case '/help':
    case '?':
      return { kind: 'help' };
    case '/quit':
    case '/exit':
    case 'exit':
    case 'quit':
    case ':q':
      return name === '' ? { kind: 'leave' } : null;
    default:
      return { kind: 'unknown', why: `There is no command ${word}; ? lists them.` };
  }
}

function missing(why: string): ChatCommand {
  return { kind: 'unknown', why };
}
