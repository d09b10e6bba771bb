// Lists the commands of the start screen that a `/` opens, and steps through the tasks of earlier sessions.
import { clamp } from '../../list-page.ts';
import { type TextField, textField } from '../../widgets/text-field/field.ts';
import type { StartState } from './state.ts';

/** A command behind a `/`. */
interface StartCommand {
  readonly word: string;
  readonly does: string;
}

const startCommands: readonly StartCommand[] = [
  { word: '/sessions', does: 'go on with a saved session' },
  { word: '/agents', does: 'choose who is asked, and by which models' },
  { word: '/help', does: 'all keys' },
  { word: '/quit', does: 'leave' },
];

export interface CommandMenu {
  readonly commands: readonly StartCommand[];
  readonly chosen: number;
}

/** The commands that begin with what was typed; null where the text is no such word. */
export function commandMenu(state: StartState, { text }: TextField): CommandMenu | null {
  if (!/^\/[a-z]*$/.test(text)) return null;
  const commands = startCommands.filter(({ word }) => word.startsWith(text));
  return commands.length === 0 ? null : { commands, chosen: clamp(state.chosen, commands.length) };
}

/** True where the field holds nothing of the person’s own: then ↑ and ↓ lead through earlier tasks. */
export function showsEarlier({ earlier, earlierAt }: StartState, { text }: TextField): boolean {
  return earlier.length > 0 && (text === '' || isEarlier(earlier, earlierAt, text));
}

function isEarlier(earlier: readonly string[], at: number | null, text: string): boolean {
  return at !== null && textField(earlier[at]).text === text;
}

/** The next earlier task, or the one after it; an empty field after the latest. */
export function stepEarlier(
  { earlier, earlierAt }: StartState,
  step: 1 | -1,
): { readonly at: number | null; readonly field: TextField } {
  const next = Math.min((earlierAt ?? -1) + step, earlier.length - 1);
  return next < 0
    ? { at: null, field: textField() }
    : { at: next, field: textField(earlier[next]) };
}
