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
import { pieces, planAnswer, trials } from './three-rounds.ts';

const sample = (name: 'plan' | 'task') => Object(samplesOf(name).good[1]);
const [first, ...others] = planAnswer.tasks;

const revisionOfA = { revises: 'A', ...listSolution() };

/** Answers with every field that a shape of ours knows, asked for or not. */
const full: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  propose: {
    recommended: listSolution().name,
    solutions: [listSolution()],
    questions: ['Which form? [pretty | compact]'],
    assumptions: [{ question: 'Which form?', assumption: 'Compact.' }],
  },
  examine: {
    ...stances({ A: 'support' }, { preferred: 'A', revision: revisionOfA }),
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

/** Those of them that are read otherwise than the answer without a slip, each reading once. */
async function readings(slips: readonly Slip[]): Promise<readonly Slip[]> {
  const check = await schemaCheck({});
  const seen = new Set<string>();
  const read = (kind: string, answer: unknown): string => {
    const expected = { session: 'MCP-x', ...(kind === 'plan' ? {} : { round: 1 }) };
    const given = { text: JSON.stringify(answer), expected, check };
    const result = readers[kind]?.(given);
    return `${kind} ${JSON.stringify(result?.ok === true ? result.value.value : result?.failure.category)}`;
  };
  for (const kind of kinds) seen.add(read(kind, full[kind]));
  return slips.filter((slip) => {
    const known = seen.size;
    return seen.add(read(slip.kind, slipped(slip, full[slip.kind]))).size > known;
  });
}

type Given = Pick<Parameters<typeof readAnswer>[0], 'text' | 'expected' | 'check'>;
type Read = ReturnType<typeof readAnswer<unknown>>;

const readers: Readonly<Record<string, (given: Given) => Read>> = {
  propose: (given) => readAnswer({ ...given, schemaName: 'proposal', shape: Proposal }),
  examine: (given) => readAnswer({ ...given, schemaName: 'examination', shape: Examination }),
  plan: (given) => readAnswer({ ...given, schemaName: 'plan-answer', shape: PlanAnswer }),
};

/** Why a session ends in a bug after a slip, or cannot go on, or asks again; null if all is well. */
async function faultOf(rig: Rig, slip: Slip): Promise<string | null> {
  const replies: Replies = ({ phase }) =>
    phase === slip.kind ? slipped(slip, full[phase]) : full[phase];
  try {
    const ran = await scriptedSession(rig, replies);
    const again = await scriptedSession(rig, replies, ran.id);
    if (ran.end.exitCode === 1 || again.end.exitCode === 1) return 'ended with 1';
    return ran.end.end === 'done' && again.calls.length > 0 ? 'asked again' : null;
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    rmSync(join(rig.repo, '.workflow'), { recursive: true, force: true });
  }
}

/** About so many of the slips, spread over all of them. */
function spread(slips: readonly Slip[], count: number): readonly Slip[] {
  const every = Math.max(1, Math.floor(slips.length / count));
  return slips.filter((_, index) => index % every === 0);
}

/** Tries every so many-th of the slips, from one on, in two projects side by side. */
async function faultsAmong(
  slips: readonly Slip[],
  { piece, of }: { readonly piece: number; readonly of: number },
): Promise<readonly unknown[]> {
  const mine = slips.filter((_, at) => at % of === piece - 1);
  const lanes = await Promise.all(
    [0, 1].map(async (lane) => {
      const rig = await todoRig();
      configureVendors(rig, { alpha: {}, beta: {} });
      const faults: unknown[] = [];
      for (const slip of mine.filter((_, at) => at % 2 === lane)) {
        const fault = await faultOf(rig, slip);
        if (fault !== null) faults.push({ slip, fault });
      }
      return faults;
    }),
  );
  return lanes.flat();
}

// About 1,500 are read otherwise, each in a session of two seconds.
test.each(pieces(singles.length, 500))(
  'one wrong value in any field of any answer ends no run and no session ($piece/$of)',
  async (share) => {
    const all = spread(singles, trials(singles.length));
    const slips = await readings(all);
    expect(slips.length).toBeGreaterThan(all.length * 0.5);
    expect(await faultsAmong(spread(slips, trials(slips.length, 15)), share)).toEqual([]);
  },
);

test('two of them in one answer neither', async () => {
  const slips = await readings(pairs(trials(4_000)));
  const whole = { piece: 1, of: 1 };
  expect(await faultsAmong(spread(slips, trials(300, 150)), whole)).toEqual([]);
});
