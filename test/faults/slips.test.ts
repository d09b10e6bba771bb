// Puts a wrong value into every field of every answer: no run may end in a bug, or not go on.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAnswer } from '../../src/agents/answer/read-answer.ts';
import { PlanAnswer } from '../../src/model/plan.ts';
import { Examination, Proposal } from '../../src/model/proposal.ts';
import { schemaCheck } from '../../src/store/published-schemas.ts';
import type { Rig } from '../helpers/rig.ts';
import { changed, samplesOf } from '../helpers/samples.ts';
import { type Replies, scriptedSession } from '../helpers/scripted-session.ts';
import { fieldsOf, wrongValues } from '../helpers/slips.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { configureVendors, listSolution, stances } from '../helpers/vendors.ts';
import { planAnswer, trials } from './three-rounds.ts';


const sample = (name: 'plan' | 'task') => Object(samplesOf(name).good[1]);
const [first, ...others] = planAnswer.tasks;

/** Answers with every field that a shape of ours knows, asked for or not. */
const full: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  propose: {
    recommended: listSolution().name,
    solutions: [listSolution()],
    questions: ['Which form? [pretty | compact]'],
    assumptions: [{ question: 'Which form?', assumption: 'Compact.' }],
  },
  examine: {
    ...stances({ A: 'support' }, { preferred: 'A', revision: listSolution() }),
    adopt: [{ solution: 'A', part: 'its test', evidence: listSolution().claims }],
    search_terms: ['listTodos'],
    questions: ['Which form?'],
    assumptions: [{ question: 'Which form?', assumption: 'Compact.' }],
  },
  plan: {
    ...planAnswer,
    plan: {
      ...sample('plan'),
      removed_tasks: [{ id: 'TASK-009', title: 'Gone' }],
      ...planAnswer.plan,
    },
    tasks: [{ ...sample('task'), ...first }, ...others],
  },
};
const kinds = Object.keys(full);

interface Slip {
  readonly kind: string;
  /** Each a pointer and the number of a wrong value. */
  readonly puts: readonly (readonly [at: string, value: number])[];
}

const singles: readonly Slip[] = kinds.flatMap((kind) =>
  fieldsOf(full[kind]).flatMap((at) =>
    wrongValues.map((_, value): Slip => ({ kind, puts: [[at, value]] })),
  ),
);

/** So many pairs of slips in one answer, spread over all that there are. */
function pairs(count: number): readonly Slip[] {
  return Array.from({ length: count }, (_, index): Slip => {
    const one = singles[(index * 7919) % singles.length];
    const same = singles.filter(({ kind }) => kind === one?.kind);
    const other = same[(index * 104_729 + 13) % same.length];
    return { kind: one?.kind ?? '', puts: [...(one?.puts ?? []), ...(other?.puts ?? [])] };
  });
}

/** Longer places first, so that the shorter one does not take them away. */
function slipped({ puts }: Slip, answer: unknown): unknown {
  return puts
    .toSorted(([a], [b]) => b.length - a.length)
    .reduce((value, [at, wrong]) => changed(value, at, wrongValues[wrong]), answer);
}

/** The replies with one that slips; without agreement in round 1 where round 2 is to be reached. */
function repliesWith(slip: Slip): Replies {
  return ({ phase }) => {
    const kind = phase;
    return kind === slip.kind ? slipped(slip, full[kind]) : full[kind];
  };
}

/** Its number of fields that are read otherwise than without a slip, each reading once. */
async function readings(slips: readonly Slip[]): Promise<readonly Slip[]> {
  const schemas = await schemaCheck({});
  const seen = new Set<string>();
  const read = (kind: string, answer: unknown) => {
    const [schemaName, shape] = formOf(kind);
    const expected = { session: 'MCP-x', ...(kind === 'plan' ? {} : { round: 1 }) };
    const text = JSON.stringify(answer);
    const result = readAnswer({ text, expected, schemaName, shape, check: schemas });
    return `${kind} ${JSON.stringify(result.ok ? result.value.value : result.failure.category)}`;
  };
  for (const kind of kinds) seen.add(read(kind, full[kind]));
  return slips.filter((slip) => {
    const known = seen.size;
    return seen.add(read(slip.kind, slipped(slip, full[slip.kind]))).size > known;
  });
}

function formOf(kind: string) {
  if (kind === 'propose') return ['proposal', Proposal] as const;
  return kind === 'examine' ? (['examination', Examination] as const) : (['plan-answer', PlanAnswer] as const);
}

/** The slips after which a session ends in a bug, or cannot be resumed. */
async function faultsOf(rig: Rig, slips: readonly Slip[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const slip of slips) {
    const replies = repliesWith(slip);
    try {
      const ran = await scriptedSession(rig, replies);
      const again = await scriptedSession(rig, replies, ran.id);
      if (ran.end.exitCode === 1 || again.end.exitCode === 1) faults.push(JSON.stringify(slip));
      if (ran.end.end === 'done' && again.calls.length > 0) faults.push(`asked again: ${JSON.stringify(slip)}`);
    } catch (error) {
      faults.push(`${JSON.stringify(slip)}: ${error instanceof Error ? error.stack?.slice(0, 600) : ''}`);
    }
    rmSync(join(rig.repo, '.workflow'), { recursive: true, force: true });
  }
  return faults;
}

test('one', async () => {
  const rig = await todoRig();
  configureVendors(rig, { alpha: {}, beta: {} });
  const some = (await readings(singles));
  console.log(singles.length, some.length);
  const lane = Number(process.env['LANE'] ?? 0), of = Number(process.env['OF'] ?? 40);
  const mine = some.filter((_, i) => i % of === lane);
  const since = performance.now();
  const faults = await faultsOf(rig, mine);
  console.log(mine.length, performance.now() - since);
  console.log(faults.join('\n\n'));
});
