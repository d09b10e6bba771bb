// Makes every step and every call of the catalogue once, for tests that go through all of them.
import { type Call, type Step, tries } from '../../src/model/step.ts';
import { steps } from '../../src/model/steps.ts';

interface Names {
  readonly number: number;
  readonly review: number;
  readonly index: number;
  readonly task: string;
  readonly agent: string;
  readonly seat: string;
}

const usual = {
  number: 2,
  review: 3,
  index: 1,
  task: 'TASK-001',
  agent: 'codex',
  seat: 'claude',
} as const;

type Entry = string | Step | Call | ((index: number) => Step | Call);

/** One maker that is missing here does not compile. */
function entriesOf({ number, review, index, task }: Names): readonly Entry[] {
  const all: Readonly<Record<keyof typeof steps, readonly Entry[]>> = {
    session: Object.values(steps.session),
    context: Object.values(steps.context),
    critique: Object.values(steps.critique),
    round: Object.values(steps.round(number)),
    decision: [steps.decision(number)],
    proof: [steps.proof(number), steps.proof(number, review)].flatMap((one) => Object.values(one)),
    plan: [...Object.values(steps.plan(number)), ...Object.values(steps.plan(number, review))],
    reading: Object.values(steps.reading(number)),
    approval: [
      ...Object.values(steps.approval(number)),
      ...Object.values(steps.approval(number, review)),
    ],
    handOff: [steps.handOff(number)],
    execute: [steps.execute(number)],
    execution: Object.values(steps.execution(number)),
    joined: [steps.joined(number), steps.joined(number, 'apply')].flatMap((one) =>
      Object.values(one),
    ),
    task: Object.values(steps.task(number, task)),
    join: [
      ...Object.values(steps.join(number, task)),
      ...Object.values(steps.join(number, task, index)),
    ],
    codeReview: Object.values(steps.codeReview(number)),
    apply: Object.values(steps.apply(number)),
  };
  return Object.values(all).flat();
}

function made(names: Names): readonly (Step | Call)[] {
  return entriesOf(names).flatMap((entry) => {
    if (typeof entry === 'string') return [];
    return typeof entry === 'function' ? entry(names.index) : entry;
  });
}

export function everyCall(names: Names = usual): readonly Call[] {
  return made(names).flatMap((one) => ('by' in one ? one : []));
}

export function everyStep(names: Names = usual): readonly Step[] {
  const { agent, seat, index } = names;
  const alone = made(names).flatMap((one) => ('by' in one ? [] : one));
  const ofCalls = everyCall(names).flatMap((call) => [
    ...tries.map((attempt) => call.by(agent, attempt)),
    call.wait(agent),
    call.login(agent),
    call.backup(seat, agent),
    call.next(seat, index),
  ]);
  return [...alone, ...ofCalls];
}
