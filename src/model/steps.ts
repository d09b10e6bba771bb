// Owns the grammar of steps: their keys, groups, kinds and phases are made and read only here.
import { type Entry, type Step, anyone, at, every, patternsOf, stepsBelow } from './step.ts';

/** The names of questions in the first line of prompts, which an answer repeats. */
export const requestPhases = {
  propose: 'round',
  compare: 'round',
  examine: 'round',
  proof: 'proof',
  plan: 'planning',
  'plan-review': 'plan-review',
  'plan-reply': 'plan-reply',
  'revise-plan': 'revise-plan',
  execute: 'round',
  'code-review': 'code-review',
} as const;
export type RequestPhase = keyof typeof requestPhases;

const stepsUnder = stepsBelow<RequestPhase>;

const start = stepsUnder('session', { phase: 'context' }).whole.calculation;
const session = {
  /** The user’s task text, recorded before anything else. */
  task: { ...start, key: 'task' },
  start,
  /** A later base than that of the start. */
  base: (number: number): Step => ({ ...start, key: `base-${at('number', number)}`, number }),
  end: stepsUnder('end', { phase: 'context' }).whole.calculation,
};

const search = stepsUnder('context', { phase: 'context' });
const context = {
  search: search.whole.calculation,
};

function round(number: number) {
  const group = `round-${at('number', number)}`;
  const { calculation, question, call } = stepsUnder(group, { phase: 'discussion', number });
  return {
    group,
    open: calculation('open'),
    propose: call('propose', 'propose'),
    judges: calculation('judges'),
    compare: call('compare', 'compare', 'to compare the proposals'),
    examine: call('examine', 'examine'),
    synthesis: calculation('synthesis'),
    next: calculation('next'),
    search: calculation('search'),
    clarify: question('clarify'),
  };
}

const given = stepsUnder('given', { phase: 'discussion' });
const verdict = stepsUnder('critique', { phase: 'discussion' });
/** The examination of a plan written outside of the session, and what the user wants after the verdict. */
const critique = {
  given: given.calculation('plan'),
  verdict: verdict.calculation('verdict'),
  next: verdict.calculation('next'),
  revise: verdict.call('revise', 'revise-plan', 'examiners objected to the plan'),
  revised: verdict.calculation('revised'),
};

function alone(name: string, phase: Step['phase'], number: number) {
  return stepsUnder(`${name}-${at('number', number)}`, { phase, number }).whole;
}

const decision = (number: number): Step => alone('decision', 'decision', number).question;
const handOff = (number: number): Step => alone('hand-off', 'execution', number).calculation;
/** Asks the user whether to execute the plan now or later. */
const execute = (number: number): Step => alone('execute', 'execution', number).question;

/** The proofs of a decision, or a new version of them after a review. */
function proof(number: number, review: number | null = null) {
  const path = `proof-${version(number, review)}`;
  const { calculation, question, call } = stepsUnder(path, { phase: 'proof', number, review });
  return {
    begin: calculation('begin'),
    consent: question('consent'),
    authors: calculation('authors'),
    copy: calculation('copy'),
    ask: call('proof', 'proof'),
    base: calculation('base'),
    mend: call('mend-proof', 'proof', 'its tests did not run as foretold'),
    baseAgain: calculation('base-2'),
    write: calculation('write'),
  };
}

/** The plan of a decision, or a new version of it after a review. */
function plan(number: number, review: number | null = null) {
  const path = `plan-${version(number, review)}`;
  const { calculation, call } = stepsUnder(path, { phase: 'planning', number, review });
  return {
    package: calculation('package'),
    before: calculation('before'),
    planners: calculation('planners'),
    ask: call('plan', 'plan'),
    mend: call('mend-plan', 'plan', 'the plan check found problems'),
    write: calculation('write'),
  };
}

/** The reading of a decision’s plan by other vendors, and the reply of its author. */
function reading(number: number) {
  const group = `reading-${at('number', number)}`;
  const { calculation, call } = stepsUnder(group, { phase: 'planning', number });
  return {
    group,
    readers: calculation('readers'),
    before: calculation('before'),
    read: call('read', 'plan-review'),
    found: calculation('found'),
    /** The plan as a person left it before its author replies. */
    current: calculation('current'),
    reply: call('reply', 'plan-reply', 'to answer the readers of its plan'),
    end: calculation('end'),
  };
}

/** The first review of the plan of a decision, or a later one. */
function approval(number: number, review: number | null = null) {
  const path = `approval-${version(number, review)}`;
  const { calculation, whole } = stepsUnder(path, { phase: 'plan-review', number, review });
  return { check: calculation('check'), verdict: whole.question, record: calculation('record') };
}

function version(number: number, review: number | null): string {
  return at('number', number) + (review === null ? '' : `.${at('review', review)}`);
}

function execution(number: number) {
  const group = `execution-${at('number', number)}`;
  const { calculation, question } = stepsUnder(group, { phase: 'execution', number });
  return {
    group,
    open: calculation('open'),
    rehearsal: calculation('rehearsal'),
    /** The joined work with the proofs that no tree of a task held. */
    proven: calculation('proven'),
    /** The tasks that the user has redone. */
    retry: (index: number) => calculation(`retry-${at('index', index)}`),
    result: calculation('result'),
    unconfined: question('unconfined'),
  };
}

/**
 * The checks of all tasks on their joined work, or on its way home, and again after an agent fixed
 * a failure.
 */
function joined(number: number, where: 'execution' | 'apply' | 'accepted' = 'execution') {
  const phase = where === 'execution' ? 'execution' : 'code-review';
  const flow = where === 'execution' ? where : 'apply';
  const path = `${flow}-${at('number', number)}${where === 'accepted' ? '/accepted' : ''}`;
  const { calculation, call } = stepsUnder(path, { phase, number });
  return {
    checks: calculation('joined'),
    fix: call('joined-fix', 'execute', 'the joined work fails its checks'),
    again: calculation('joined-again'),
  };
}

/** The steps of one task in an execution. */
function task(number: number, id: string) {
  const path = `${execution(number).group}/${at('task', id)}`;
  const place = { phase: 'execution', number, task: id } as const;
  const { calculation, question, call } = stepsUnder(path, place);
  return {
    before: calculation('before'),
    /** Its checks at its start with the proofs that their author mended. */
    mended: (index: number) => calculation(`mended-${at('index', index)}`),
    dispute: (index: number) =>
      call(`dispute-${at('index', index)}`, 'proof', 'its tests are red after the work'),
    work: call('work', 'execute'),
    /** The files that it changed until then, and which of them belong to the work. */
    seen: (index: number) => calculation(`seen-${at('index', index)}`),
    /** Its checks on what belongs to the work, and on everything that was changed. */
    after: (index: number) => calculation(`after-${at('index', index)}`),
    all: (index: number) => calculation(`all-${at('index', index)}`),
    fix: (index: number) => call(`fix-${at('index', index)}`, 'execute', 'its checks failed'),
    /** Its checks at the start of the execution, and once more at its own start after the work. */
    base: calculation('base'),
    again: calculation('again'),
    finish: calculation('finish'),
    /** What a person changed by hand in its work tree. */
    byHand: calculation('by-hand'),
    /** Asks what becomes of it after it has failed. */
    failed: question('failed'),
  };
}

/** Merges the work of a task into the result; with an index, that of others into its start. */
function join(number: number, id: string, index: number | null = null) {
  const part = index === null ? 'merge' : `onto-${at('index', index)}`;
  const path = `${execution(number).group}/${at('task', id)}/${part}`;
  const place = { phase: 'execution', number, task: id, isJoin: true } as const;
  const { calculation, call } = stepsUnder(path, place);
  return {
    attempt: calculation('try'),
    conflict: call('conflict', 'execute', 'its work conflicts with that of another task'),
    checks: calculation('checks'),
  };
}

function codeReview(number: number) {
  const group = `review-${at('number', number)}`;
  const { calculation, call } = stepsUnder(group, { phase: 'code-review', number });
  return {
    group,
    reviewers: calculation('reviewers'),
    ask: call('review', 'code-review'),
    result: calculation('result'),
    fix: call('fix-1', 'execute', 'the code review found problems'),
    after: calculation('after'),
    reviewersAgain: calculation('reviewers-2'),
    askAgain: call('review-2', 'code-review', 'its findings were fixed'),
    again: calculation('result-2'),
  };
}

/** Asks the user whether to bring the result home, and does it. */
function apply(number: number) {
  const path = `apply-${at('number', number)}`;
  const { calculation, call, whole } = stepsUnder(path, { phase: 'code-review', number });
  return {
    question: whole.question,
    onto: calculation('onto'),
    conflict: call('conflict', 'execute', 'the result conflicts with what is checked out'),
    resolved: calculation('resolved'),
    /** Takes in what accepted tasks left out of the result; the result with it. */
    accept: calculation('accept'),
    accepted: calculation('accepted'),
    done: calculation('done'),
  };
}

/** The makers of all steps. */
export const steps = {
  session,
  context,
  critique,
  round,
  decision,
  proof,
  plan,
  reading,
  approval,
  handOff,
  execute,
  execution,
  joined,
  task,
  join,
  codeReview,
  apply,
};

/** Makes every step in its form for all numbers and names, by which keys are read. */
const entries = (): Readonly<Record<keyof typeof steps, readonly Entry[]>> => ({
  session: Object.values(session),
  context: Object.values(context),
  critique: Object.values(critique),
  round: Object.values(round(every)),
  decision: [decision(every)],
  proof: [proof(every), proof(every, every)].flatMap((one) => Object.values(one)),
  plan: [plan(every), plan(every, every)].flatMap((one) => Object.values(one)),
  reading: Object.values(reading(every)),
  approval: [approval(every), approval(every, every)].flatMap((one) => Object.values(one)),
  handOff: [handOff(every)],
  execute: [execute(every)],
  execution: Object.values(execution(every)),
  joined: [joined(every), joined(every, 'apply'), joined(every, 'accepted')].flatMap((one) =>
    Object.values(one),
  ),
  task: Object.values(task(every, anyone)),
  join: [join(every, anyone), join(every, anyone, every)].flatMap((one) => Object.values(one)),
  codeReview: Object.values(codeReview(every)),
  apply: Object.values(apply(every)),
});

let patterns: ReturnType<typeof patternsOf> | null = null;

const find = memoize((key) => {
  patterns ??= Object.values(entries()).flat().flatMap(patternsOf);
  for (const { step, match } of patterns) {
    const found = match(key);
    if (found !== null) return { step, parts: found.groups ?? {} };
  }
  return null;
});

/** The step that has this key; null if this version does not know it. */
export const parseStep = memoize(stepIn);

// Thousands of agent events ask for the same step, and each look at a journal asks for all.
function memoize<T>(read: (key: string) => T | null): (key: string) => T | null {
  const known = new Map<string, T | null>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = read(key);
    known.set(key, made);
    return made;
  };
}

function stepIn(key: string): Step | null {
  const found = find(key);
  if (found === null) return null;
  const { step, parts } = found;
  const count = (hole: string) => (parts[hole] === undefined ? null : Number(parts[hole]));
  const group = step.group.replaceAll(/\{(\w+)\}/g, (_, hole: string) => parts[hole] ?? '');
  const place = { group, number: count('number'), review: count('review') };
  const own = { ...place, key, task: parts['task'] ?? null };
  if (step.kind !== 'work') return { ...step, ...own };
  return { ...step, ...own, agent: parts['agent'] ?? '' };
}

/** The steps of the join whose attempt has this key; null for any other key. */
export function joinOf(key: string): ReturnType<typeof join> | null {
  if (!isStep(key, join(every, anyone).attempt, join(every, anyone, every).attempt)) return null;
  const { number, task: id = '', index } = find(key)?.parts ?? {};
  return join(Number(number), id, index === undefined ? null : Number(index));
}

/** True if a key belongs to one of these steps, e.g. of `steps.round(every).synthesis`. */
export function isStep(key: string, ...wanted: readonly Step[]): boolean {
  const step = find(key)?.step;
  return wanted.some((one) => one.key === key || one.key === step?.key);
}

/** The first part of a key or group: steps of an execution run at the same time across groups. */
export function flowOf(key: string): string {
  return key.replace(/\/.*/s, '');
}

/** True for a step in the reading of a plan, which may continue while a person is asked. */
export function isOfReading(key: string): boolean {
  return isStep(`${flowOf(key)}/found`, reading(every).found);
}
