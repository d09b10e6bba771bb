// Holds the task being typed, the files behind an `@`, the commands behind a `/`, and who is asked first.
import type { Forecast } from '../../../../model/event.ts';
import type { Popup } from '../../popup.tsx';
import { clamp } from '../../list-page.ts';
import type { AgentState } from '../../ports.ts';
import { replaceRange, type TextField, textField } from '../../widgets/text-field/field.ts';

export interface StartState {
  readonly standings: readonly AgentState[];
  /** The usage of earlier sessions here; null if it is unknown. */
  readonly forecast: Forecast | null;
  /** The files; null until they were requested and read. */
  readonly files: readonly string[] | null;
  /** Tasks of earlier sessions here, the latest first. */
  readonly earlier: readonly string[];
  /** The index of the earlier task in the field, or null. */
  readonly earlierAt: number | null;
  /** The position in the list of files or commands. */
  readonly chosen: number;
  /** The position of the `@` whose list was closed. */
  readonly closed: number | null;
  /** A sentence for the person; it disappears with the next key. */
  readonly note: string | null;
  /** True while a saved session is searched for instead. */
  readonly isPicking: boolean;
  /** Agents that were switched on, in order; null while the settings decide. */
  readonly asked: readonly string[] | null;
  readonly models: Readonly<Record<string, string>>;
  /** The agent that receives keys; null while the task does. */
  readonly agentAt: number | null;
  /** The popup in which the model of that agent is typed. */
  readonly popup: Popup | null;
}

export const startingStart: StartState = {
  standings: [],
  forecast: null,
  files: null,
  earlier: [],
  earlierAt: null,
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

/** The agents of the first round that are known, in order. */
export function firstRound({ standings, asked }: StartState): readonly AgentState[] {
  const turnOf = ({ name, turn }: AgentState) =>
    asked === null ? (turn ?? -1) : asked.indexOf(name);
  return standings.filter((one) => turnOf(one) >= 0).toSorted((a, b) => turnOf(a) - turnOf(b));
}

/** Switches an agent on, as the last one that is asked, or off. */
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

/** What is offers for a `/` or an `@`. */
export interface Offers {
  /** Commands with what each does, or paths. */
  readonly entries: readonly (readonly [text: string, does: string])[];
  /** The position of the `@`; null for commands. */
  readonly start: number | null;
  readonly chosen: number;
}

/** The text typed after an `@`, up to the cursor; null if the cursor is not after one. */
export function mentionIn({ text, cursor }: TextField): string | null {
  return /(?:^|[\s(])@([^\s@]*)$/u.exec(text.slice(0, cursor))?.[1] ?? null;
}

/** The commands that start with the typed text, or the files for an `@`; null for any other text. */
export function offersFor(state: StartState, field: TextField): Offers | null {
  const { text, cursor } = field;
  const commands = startCommands.filter(([word]) => text.startsWith('/') && word.startsWith(text));
  if (commands.length > 0)
    return { entries: commands, start: null, chosen: clamp(state.chosen, commands.length) };
  const typed = mentionIn(field);
  if (typed === null || state.files === null) return null;
  const start = cursor - typed.length - 1;
  if (start === state.closed) return null;
  const entries = fileMatches(state.files, typed).map((path) => [path, ''] as const);
  return { entries, start, chosen: clamp(state.chosen, entries.length) };
}

/** The field with the chosen entry in place of what was typed for it; null if nothing matches. */
export function withOffer(field: TextField, { entries, chosen, start }: Offers): TextField | null {
  const [text] = entries[chosen] ?? [];
  if (text === undefined) return null;
  return start === null
    ? textField(text)
    : replaceRange(field, { from: start, to: field.cursor, by: `${text} ` });
}

/** The paths that contain the typed text: names that start with it first, then all names, then folders. */
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

const startCommands: Offers['entries'] = [
  ['/sessions', 'go on with a saved session'],
  ['/agents', 'choose who is asked, and by which models'],
  ['/help', 'all keys'],
  ['/quit', 'leave'],
];

/** True if the field has no text of the person’s own: then ↑ and ↓ step through earlier tasks. */
export function showsEarlier({ earlier, earlierAt }: StartState, { text }: TextField): boolean {
  return earlier.length > 0 && (text === '' || isEarlier(earlier, earlierAt, text));
}

function isEarlier(earlier: readonly string[], at: number | null, text: string): boolean {
  return at !== null && textField(earlier[at]).text === text;
}

/** Steps to the next earlier or later task; after the latest one, the field is empty. */
export function stepEarlier(
  { earlier, earlierAt }: StartState,
  step: 1 | -1,
): { readonly at: number | null; readonly field: TextField } {
  const next = Math.min((earlierAt ?? -1) + step, earlier.length - 1);
  return next < 0
    ? { at: null, field: textField() }
    : { at: next, field: textField(earlier[next]) };
}
