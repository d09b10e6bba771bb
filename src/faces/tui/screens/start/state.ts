import type { Forecast } from '../../../../model/event.ts';
import type { AgentStanding } from '../../ports.ts';
import { replaced, type TextField } from '../../widgets/text-field/field.ts';

export interface StartState {
  readonly standings: readonly AgentStanding[];
  /** Of earlier sessions, the latest first. */
  readonly tasks: readonly string[];
  /** What earlier sessions here used; null where that is not known. */
  readonly forecast: Forecast | null;
  /** Null until they were asked for and came. */
  readonly files: readonly string[] | null;
  /** Which earlier task was recalled; null while the text is one’s own. */
  readonly recalled: number | null;
  /** What was written before the first one was recalled. */
  readonly draft: string;
  /** The place in the list of files. */
  readonly chosen: number;
  /** The place of the `@` whose list was closed. */
  readonly closed: number | null;
  /** One sentence for the person; gone with the next key. */
  readonly note: string | null;
  /** A saved session is looked for instead. */
  readonly isPicking: boolean;
  /** Who was switched on, in that order; null while the settings decide. */
  readonly asked: readonly string[] | null;
  /** The models that were typed, by agent. */
  readonly models: Readonly<Record<string, string>>;
  /** The agent that the keys are for; null while they are for the task. */
  readonly agentAt: number | null;
  /** The model of that agent is typed. */
  readonly isNaming: boolean;
}

export const startingStart: StartState = {
  standings: [],
  tasks: [],
  forecast: null,
  files: null,
  recalled: null,
  draft: '',
  chosen: 0,
  closed: null,
  note: null,
  isPicking: false,
  asked: null,
  models: {},
  agentAt: null,
  isNaming: false,
};

/** Files that are listed at most. */
const mostMatches = 8;

/** Who will be asked in the first round, in order, as far as it is known. */
export function firstRound({ standings, asked }: StartState): readonly AgentStanding[] {
  const turnOf = ({ name, turn }: AgentStanding) =>
    asked === null ? (turn ?? -1) : asked.indexOf(name);
  return standings.filter((one) => turnOf(one) >= 0).toSorted((a, b) => turnOf(a) - turnOf(b));
}

/** Switches an agent on, as the last one who is asked, or off. */
export function switched(
  state: StartState,
  { name, state: now }: AgentStanding,
): Partial<StartState> {
  const names = firstRound(state).map((one) => one.name);
  const others = names.filter((one) => one !== name);
  if (!names.includes(name)) {
    if (now !== 'ready') return { note: `${name} is not ready to be asked.` };
    return { asked: [...names, name], note: null };
  }
  if (others.length === 0) return { note: 'At least one agent has to be asked.' };
  return { asked: others, note: null };
}

/** An earlier (1) or a later (-1) task, or the draft again; null where there is none. */
export function recalled(
  { recalled: from, tasks, draft: before }: StartState,
  { text, step }: { readonly text: string; readonly step: 1 | -1 },
): { readonly at: number | null; readonly draft: string; readonly text: string } | null {
  const at = (from ?? -1) + step;
  const draft = from === null ? text : before;
  if (at === -1) return { at: null, draft: '', text: draft };
  const task = tasks[at];
  return task === undefined ? null : { at, draft, text: task };
}

/** The `@` and what was typed behind it, up to the cursor. */
interface Mention {
  readonly start: number;
  readonly typed: string;
}

export function mentionIn({ text, cursor }: TextField): Mention | null {
  const before = text.slice(Math.max(0, cursor - 1024), cursor);
  const typed = /(?:^|[\s(])@([^\s@]*)$/u.exec(before)?.[1];
  return typed === undefined ? null : { start: cursor - typed.length - 1, typed };
}

/** The files below the field; null where no list is open. */
export interface FileList {
  readonly mention: Mention;
  readonly paths: readonly string[];
  readonly chosen: number;
}

export function fileList(state: StartState, field: TextField): FileList | null {
  const mention = mentionIn(field);
  if (mention === null || mention.start === state.closed || state.files === null) return null;
  const paths = fileMatches(state.files, mention.typed, mostMatches);
  return { mention, paths, chosen: Math.max(0, Math.min(state.chosen, paths.length - 1)) };
}

/** The field with the chosen path in the place of what was typed; null where nothing fits. */
export function withPath(field: TextField, { mention, paths, chosen }: FileList): TextField | null {
  const path = paths[chosen];
  if (path === undefined) return null;
  return replaced(field, { from: mention.start, to: field.cursor, by: `${path} ` });
}

/** The paths that fit what was typed of one, best first, at most `most`. */
export function fileMatches(
  paths: readonly string[],
  typed: string,
  most: number,
): readonly string[] {
  const wanted = typed.toLowerCase();
  return paths
    .map((path) => ({ path, cost: costOf(path.toLowerCase(), wanted) }))
    .filter(({ cost }) => cost < Infinity)
    .toSorted((a, b) => a.cost - b.cost || a.path.length - b.path.length)
    .slice(0, most)
    .map(({ path }) => path);
}

/** Names that begin with it, then those that contain it, then paths, then its letters in order. */
function costOf(path: string, wanted: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith(wanted)) return 0;
  if (name.includes(wanted)) return 1;
  if (path.includes(wanted)) return 2;
  let at = -1;
  for (const letter of wanted) {
    at = path.indexOf(letter, at + 1);
    if (at === -1) return Infinity;
  }
  return 3;
}
