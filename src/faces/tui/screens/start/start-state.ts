// Holds the task being typed, the files behind an `@`, the commands behind a `/`, and who is asked first.
import type { Forecast } from '../../../../model/event.ts';
import type { Popup } from '../../popup.tsx';
import { clamp } from '../../list-page.ts';
import type { AgentState } from '../../ports.ts';
import { replaceRange, type TextField, textField } from '../../widgets/text-field/field.ts';

export interface StartState {
  readonly standings: readonly AgentState[];
  /** The usage of earlier sessions here; null where it is not known. */
  readonly forecast: Forecast | null;
  /** Null until they were asked for and came. */
  readonly files: readonly string[] | null;
  /** Tasks of earlier sessions here, the latest first. */
  readonly earlier: readonly string[];
  /** The one of them that stands in the field; null where none does. */
  readonly earlierAt: number | null;
  /** A text of many lines is shown whole. */
  readonly isUnfolded: boolean;
  /** The place in the list of files or commands. */
  readonly chosen: number;
  /** The place of the `@` whose list was closed. */
  readonly closed: number | null;
  /** One sentence for the person; gone with the next key. */
  readonly note: string | null;
  /** A saved session is looked for instead. */
  readonly isPicking: boolean;
  /** Agents that were switched on, in that order; null while the settings decide. */
  readonly asked: readonly string[] | null;
  readonly models: Readonly<Record<string, string>>;
  /** The agent that the keys are for; null while they are for the task. */
  readonly agentAt: number | null;
  /** The model of that agent is typed in it. */
  readonly popup: Popup | null;
}

export const startingStart: StartState = {
  standings: [],
  forecast: null,
  files: null,
  earlier: [],
  earlierAt: null,
  isUnfolded: false,
  chosen: 0,
  closed: null,
  note: null,
  isPicking: false,
  asked: null,
  models: {},
  agentAt: null,
  popup: null,
};

const mostMatches = 8;

/** The agents of the first round, in order, as far as they are known. */
export function firstRound({ standings, asked }: StartState): readonly AgentState[] {
  const turnOf = ({ name, turn }: AgentState) =>
    asked === null ? (turn ?? -1) : asked.indexOf(name);
  return standings.filter((one) => turnOf(one) >= 0).toSorted((a, b) => turnOf(a) - turnOf(b));
}

/** Switches an agent on, as the last one who is asked, or off. */
export function switchAgent(
  state: StartState,
  { name, state: now }: AgentState,
): Partial<StartState> {
  const names = firstRound(state).map((one) => one.name);
  if (!names.includes(name)) {
    if (now !== 'ready') return { note: `${name} is not ready to be asked.` };
    return { asked: [...names, name], note: null };
  }
  if (names.length === 1) return { note: 'At least one agent has to be asked.' };
  return { asked: names.filter((one) => one !== name), note: null };
}

/** The files that are offered for an `@` and what was typed behind it. */
export interface FileList {
  /** The place of the `@`. */
  readonly start: number;
  readonly paths: readonly string[];
  readonly chosen: number;
}

/** The text typed behind an `@`, up to the cursor; null where the cursor is not behind one. */
export function mentionIn({ text, cursor }: TextField): string | null {
  return /(?:^|[\s(])@([^\s@]*)$/u.exec(text.slice(0, cursor))?.[1] ?? null;
}

export function fileList(state: StartState, field: TextField): FileList | null {
  const typed = mentionIn(field);
  if (typed === null || state.files === null) return null;
  const start = field.cursor - typed.length - 1;
  if (start === state.closed) return null;
  const paths = fileMatches(state.files, typed);
  return { start, paths, chosen: clamp(state.chosen, paths.length) };
}

/** The field with the chosen path in the place of what was typed; null where nothing fits. */
export function withPath(field: TextField, { start, paths, chosen }: FileList): TextField | null {
  const path = paths[chosen];
  if (path === undefined) return null;
  return replaceRange(field, { from: start, to: field.cursor, by: `${path} ` });
}

/** The paths that contain what was typed: names that begin with it first, then all names, then folders. */
export function fileMatches(paths: readonly string[], typed: string): readonly string[] {
  const wanted = typed.toLowerCase();
  const rankOf = (path: string) => {
    const at = path.slice(path.lastIndexOf('/') + 1).indexOf(wanted);
    return at === -1 ? 2 : Math.min(at, 1);
  };
  return paths
    .map((path) => ({ path, rank: rankOf(path.toLowerCase()) }))
    .filter(({ path }) => path.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.rank - b.rank || a.path.length - b.path.length)
    .slice(0, mostMatches)
    .map(({ path }) => path);
}

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
