// Defines one step, and makes its key.
import type { Phase } from './phase.ts';

/**
 * `work` is an agent run: paid, so its result is kept even when the input changed.
 * `question` is put to the user again when its input changed.
 * `calculation` is anything else that is not pure; the recorded result wins.
 */
export const stepKinds = ['work', 'question', 'calculation'] as const;
export type StepKind = (typeof stepKinds)[number];

/** Names of the tries in keys; if two have the same ending, the longer one comes first. */
export const tries = ['retry', 'full-repair', 'repair', ''] as const;
export type Try = (typeof tries)[number];

/** A kind of agent call, as prompts and people name it. */
interface CallWords<Prompt extends string = string> {
  /** The name in the first line of its prompts. */
  readonly prompt: Prompt;
  /** Why an agent that has already answered is called like this; null if that needs no mention. */
  readonly again: string | null;
}

/** Where a step belongs; null for a part that does not apply. */
interface Place {
  readonly phase: Phase;
  /** Steps of one group may run at the same time and replay in any order, e.g. `round-2`. */
  readonly group: string;
  /** The number of the round, the decision or the execution, from 1. */
  readonly number: number | null;
  /** The number of the review of the plan. */
  readonly review: number | null;
  readonly task: string | null;
  /** True for a step that joins the work of tasks. */
  readonly isJoin: boolean;
}

/**
 * A step. The shape of its result is not here, because it may belong to a phase: the code that runs
 * the step passes the shape with it.
 */
export type Step = Place & {
  /** A name with counters that never reset, e.g. `round-2/examine/codex`. Unique in one run. */
  readonly key: string;
} & (
    | { readonly kind: 'question'; readonly call: null }
    /** `call` is the call that the step belongs to, e.g. as the wait before a retry. */
    | { readonly kind: 'calculation'; readonly call: CallWords | null }
    | {
        readonly kind: 'work';
        readonly call: CallWords;
        readonly agent: string;
        readonly attempt: Try;
      }
  );

/** A call that can be sent to any agent, with its steps. */
export interface Call<Prompt extends string = string> extends CallWords<Prompt> {
  readonly group: string;
  readonly name: string;
  /** The start of the keys of its steps, e.g. `round-2/examine`. */
  readonly path: string;
  by(agent: string, attempt?: Try): Step;
  /** The wait before a retry. */
  wait(agent: string): Step;
  /** The wait for a person to log an agent in. */
  login(agent: string): Step;
  /** Records whether an agent could take the seat of another one that reached its limit. */
  backup(seat: string, agent: string): Step;
  /** Records the agent that takes the seat at that turn. */
  next(seat: string, turn: number): Step;
}

/** Matches all numbers: `steps.round(every).open` is the first step of any round. */
export const every = Infinity;
/** Matches all names. */
export const anyone = '*';

const named = '[A-Za-z0-9][A-Za-z0-9_-]*';
const counted = String.raw`\d+`;
/** The variable parts of keys, with a pattern for each. */
const holes = {
  number: counted,
  review: counted,
  index: counted,
  turn: counted,
  task: named,
  seat: named,
  agent: `(?!seat-)${named}`,
};

/** A part of a key, or a placeholder if it matches all values. */
export function at(hole: keyof typeof holes, value: number | string): string {
  return value === every || value === anyone ? `{${hole}}` : `${value}`;
}

/** The makers of the steps whose keys begin with a path. */
export function stepsBelow<Prompt extends string>(
  path: string,
  belongs: Pick<Place, 'phase'> & Partial<Place>,
) {
  const place = { group: path, number: null, review: null, task: null, isJoin: false, ...belongs };
  const calculation = (key: string): Step => ({ ...place, key, kind: 'calculation', call: null });
  // A question has its own group, because nothing else runs while it waits.
  const question = (key: string): Step => ({
    ...place,
    group: key,
    key,
    kind: 'question',
    call: null,
  });
  return {
    whole: { calculation: calculation(path), question: question(path) },
    calculation: (name: string) => calculation(`${path}/${name}`),
    question: (name: string) => question(`${path}/${name}`),
    call: (name: string, prompt: Prompt, again: string | null = null) =>
      callIn(place, name, { prompt, again }),
  };
}

function callIn<Prompt extends string>(
  place: Place,
  name: string,
  call: CallWords<Prompt>,
): Call<Prompt> {
  const path = `${place.group}/${name}`;
  const calculation = (part: string): Step => ({
    ...place,
    key: `${path}/${part}`,
    kind: 'calculation',
    call,
  });
  return {
    ...call,
    group: place.group,
    name,
    path,
    by(agent, attempt = '') {
      const key = `${path}/${at('agent', agent)}${attempt === '' ? '' : `-${attempt}`}`;
      return { ...place, key, kind: 'work', call, agent, attempt };
    },
    wait: (agent) => calculation(`${at('agent', agent)}-wait`),
    login: (agent) => calculation(`${at('agent', agent)}-login`),
    backup: (seat, agent) => calculation(`seat-${at('seat', seat)}-backup-${at('agent', agent)}`),
    next: (seat, turn) => calculation(`seat-${at('seat', seat)}-next-${at('turn', turn)}`),
  };
}

/** A step, or a maker of steps, in a group of the catalogue. */
export type Entry = string | Step | Call | ((index: number) => Step | Call);

/** All steps of an entry, each with the pattern of its key for all numbers and names. */
export function patternsOf(entry: Entry) {
  return stepsIn(entry).map(patternOf);
}

/** All steps of an entry; those with more specific keys come first. */
function stepsIn(entry: Entry): readonly Step[] {
  if (typeof entry === 'string') return [];
  if (typeof entry === 'function') return stepsIn(entry(every));
  if (!('by' in entry)) return [entry];
  const seat = [entry.next(anyone, every), entry.backup(anyone, anyone)];
  const waits = [entry.wait(anyone), entry.login(anyone)];
  return [...seat, ...waits, ...tries.map((attempt) => entry.by(anyone, attempt))];
}

/** The pattern is made when a key of that beginning is read: most runs read few kinds of keys. */
function patternOf(step: Step) {
  const [begin = ''] = step.key.split('{');
  let pattern: RegExp | null = null;
  const match = (key: string) =>
    key.startsWith(begin) ? (pattern ??= expressionOf(step)).exec(key) : null;
  return { step, match };
}

function expressionOf({ key }: Step): RegExp {
  const text = key
    .replaceAll('.', String.raw`\.`)
    .replaceAll(/\{(\w+)\}/g, (_, hole: keyof typeof holes) => `(?<${hole}>${holes[hole]})`);
  return new RegExp(`^${text}$`);
}
