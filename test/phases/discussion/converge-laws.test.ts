import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Voice } from '../../../src/phases/discussion/votes.ts';
import {
  type ConvergenceInput,
  type SettlingSolution,
  converge,
} from '../../../src/phases/discussion/converge.ts';
import { checkedClaim, heldStance } from './make.ts';

type JudgedSolution = SettlingSolution & {
  estimates: NonNullable<SettlingSolution['estimates']>;
  preferred_by: string[];
};
type Input = Omit<ConvergenceInput, 'solutions'> & {
  readonly solutions: readonly JudgedSolution[];
};

const runs = { numRuns: 300 };
const agents = ['codex', 'gemini', 'claude', 'copilot', 'opencode', 'local'];
const agent = fc.constantFrom(...agents);
const vendor = fc.constantFrom('openai', 'google', 'anthropic', 'OpenAI', '', null);
const status = fc.constantFrom('verified', 'moved', 'planned', 'failed' as const);
const reason = fc.constantFrom(
  'It reuses the existing limiter.',
  'Breaks resuming of sessions.',
  'Agreed, looks good',
  '',
);
const stance = fc
  .record({
    agent,
    stance: fc.constantFrom('support', 'oppose', 'unsure' as const),
    reasons: fc.array(reason, { maxLength: 2 }),
    evidence: fc.array(
      status.map((found) => checkedClaim('x', { status: found })),
      { maxLength: 3 },
    ),
  })
  .map(heldStance);
const estimate = fc.record({
  agent,
  kind: fc.constantFrom('model', 'model', 'model', 'analyst' as const),
  feasibility: fc.double({ min: 0, max: 1, noNaN: true }),
  effort: fc.constantFrom('low', 'medium', 'high' as const),
  risk: fc.constantFrom('low', 'medium', 'high' as const),
  sound: fc.nat({ max: 30 }),
  failed: fc.oneof(fc.constant(0), fc.nat({ max: 8 })),
});
const judged: fc.Arbitrary<JudgedSolution> = fc.record({
  name: fc.constantFrom('Token bucket', 'Gateway', 'Library'),
  estimates: fc.array(estimate, { minLength: 1, maxLength: 4 }),
  stances: fc.uniqueArray(stance, { maxLength: 5, selector: (held) => held.agent }),
  preferred_by: fc.uniqueArray(agent, { maxLength: 4 }),
  id: fc.constantFrom('S1', 'S2', 'S3', 'S4'),
});
const remark = fc.record({
  id: fc.constantFrom('O1', 'O2', 'O3'),
  kind: fc.constantFrom('objection', 'change', 'note' as const),
  solution: fc.constantFrom('S1', 'S2', 'S3', 'S4'),
  state: fc.constantFrom('open', 'revised', 'met', 'withdrawn' as const),
});
const voice: fc.Arbitrary<Voice> = fc.record({
  agent,
  kind: fc.constantFrom('model', 'model', 'model', 'analyst' as const),
  vendor,
});
const input: fc.Arbitrary<Input> = fc.record({
  round: fc.integer({ min: 1, max: 4 }),
  voices: fc.uniqueArray(voice, { maxLength: 5, selector: (one) => one.agent }),
  solutions: fc.array(judged, { maxLength: 4 }),
  remarks: fc.array(remark, { maxLength: 3 }),
  newInsights: fc.boolean(),
  isStuck: fc.boolean(),
  questions: fc.array(fc.constantFrom('Which store?', ' '), { maxLength: 2 }),
});
const withSolution = input.filter(({ solutions }) => solutions.length > 0);

function changed(
  given: Input,
  index: number,
  change: (solution: JudgedSolution) => JudgedSolution,
): Input {
  const at = index % given.solutions.length;
  const solutions = given.solutions.map((solution, i) => (i === at ? change(solution) : solution));
  return { ...given, solutions };
}

function raises(before: ConvergenceInput, after: ConvergenceInput): boolean {
  const was = converge(before);
  // The score of a tie is that of the solution that was chosen by rule; without the tie it is the best one's.
  return was.chosen_by_rule === undefined && converge(after).score > was.score;
}

test('the score lies between 0 and 1 and is a number, also without answers', () => {
  fc.assert(
    fc.property(input, (given) => {
      const { score } = converge(given);
      expect(score >= 0 && score <= 1).toBe(true);
    }),
    runs,
  );
  const empty = converge({
    round: 1,
    voices: [],
    solutions: [],
    remarks: [],
    newInsights: false,
    isStuck: true,
    questions: [],
  });
  expect(empty).toMatchObject({ score: 0, recommendation: 'continue', vendors: [] });
});

test('fewer than two known vendors never converge', () => {
  fc.assert(
    fc.property(input, fc.constantFrom('openai', null), (given, only) => {
      const voices = given.voices.map((one) => ({ ...one, vendor: only }));
      const { recommendation, score } = converge({ ...given, voices });
      expect(recommendation).not.toBe('converged');
      expect(score).toBeLessThanOrEqual(0.5);
    }),
    runs,
  );
});

const unwanted = (solution: JudgedSolution): JudgedSolution => ({ ...solution, preferred_by: [] });

test('what nobody would build is never converged on, and to list it changes nothing', () => {
  fc.assert(
    fc.property(input, judged, (given, other) => {
      const solutions = given.solutions.map(unwanted);
      expect(converge({ ...given, solutions }).recommendation).not.toBe('converged');
      const first = { ...given, round: 1 };
      const more = { ...first, solutions: [...first.solutions, unwanted(other)] };
      expect(converge(more).score).toBe(converge(first).score);
    }),
    runs,
  );
});

test('round 1 converges only on what every model recommends', () => {
  const models = ['codex', 'gemini', 'claude'];
  const drawn = fc.record({
    answering: fc.subarray(models, { minLength: 1 }),
    recommending: fc.subarray(models),
    other: judged,
  });
  fc.assert(
    fc.property(drawn, ({ answering, recommending, other }) => {
      const voices = answering.map((one) => ({ agent: one, kind: 'model' as const, vendor: one }));
      const sure = { kind: 'model' as const, feasibility: 1, sound: 9, failed: 0 };
      const level = { effort: 'low' as const, risk: 'low' as const };
      const estimates = recommending.map((one) => ({ agent: one, ...sure, ...level }));
      const shared = { name: 'Ours', estimates, stances: [], preferred_by: recommending };
      const solutions = [shared, { ...other, preferred_by: [] }];
      const given = { round: 1, remarks: [], newInsights: true, isStuck: true, questions: [] };
      const isWhole = answering.length > 1 && answering.every((one) => recommending.includes(one));
      const expected = isWhole ? 'converged' : 'continue';
      expect(converge({ ...given, voices, solutions }).recommendation).toBe(expected);
    }),
    runs,
  );
});

test('an added opposition never raises the score', () => {
  fc.assert(
    fc.property(withSolution, fc.nat(), voice, stance, (given, at, who, held) => {
      const newcomer = { ...who, agent: 'newcomer' };
      const opposedBy = (name: string) =>
        changed(given, at, (solution) => ({
          ...solution,
          stances: [
            ...solution.stances.filter((one) => one.agent !== name),
            heldStance({ ...held, agent: name, stance: 'oppose', reasons: ['It loses counters.'] }),
          ],
        }));
      expect(raises(given, opposedBy(who.agent))).toBe(false);
      const voices = [...given.voices, newcomer];
      expect(raises(given, { ...opposedBy(newcomer.agent), voices })).toBe(false);
    }),
    runs,
  );
});

test('a failed claim more never raises the score', () => {
  fc.assert(
    fc.property(withSolution, fc.nat(), fc.nat(), (given, at, which) => {
      const claimFails = changed(given, at, (solution) => ({
        ...solution,
        estimates: solution.estimates.map((one, index) =>
          index === which % solution.estimates.length ? { ...one, failed: one.failed + 1 } : one,
        ),
      }));
      expect(raises(given, claimFails)).toBe(false);
      const evidenceFails = changed(given, at, (solution) => ({
        ...solution,
        stances: solution.stances.map((one, index) =>
          index === which % solution.stances.length
            ? heldStance({
                ...one,
                evidence: [...one.evidence, checkedClaim('x', { status: 'failed' })],
              })
            : one,
        ),
      }));
      expect(raises(given, evidenceFails)).toBe(false);
    }),
    runs,
  );
});

test('trivial agreement does not raise the score, nor does a solution that is listed twice', () => {
  const trivial = fc.constantFrom('', '  ', 'LGTM', 'Good approach.', 'I agree with this design');
  fc.assert(
    fc.property(withSolution, fc.nat(), agent, fc.array(trivial), (given, at, who, reasons) => {
      const empty = heldStance({ agent: who, stance: 'support', reasons, evidence: [] });
      const agreeing = changed(given, at, (solution) =>
        solution.stances.some((held) => held.agent === who)
          ? solution
          : { ...solution, stances: [...solution.stances, empty] },
      );
      expect(raises(given, agreeing)).toBe(false);
      const solutions = [...given.solutions, ...given.solutions];
      expect(raises(given, { ...given, solutions })).toBe(false);
    }),
    runs,
  );
});

test('the order of answers, solutions and stances makes no difference but to the reasons', () => {
  const shuffledInput = input.chain((given) =>
    fc.record({
      given: fc.constant(given),
      shuffled: fc.record({
        round: fc.constant(given.round),
        newInsights: fc.constant(given.newInsights),
        remarks: whole(given.remarks),
        isStuck: fc.constant(given.isStuck),
        voices: whole(given.voices),
        questions: whole(given.questions),
        solutions: whole(given.solutions).chain((solutions) =>
          fc.tuple(...solutions.map(shuffledSolution)),
        ),
      }),
    }),
  );
  fc.assert(
    fc.property(shuffledInput, ({ given, shuffled }) => {
      expect({ ...converge(shuffled), reasons: [] }).toEqual({ ...converge(given), reasons: [] });
    }),
    runs,
  );
});

/** Codex and Gemini support all of these, and each prefers what it is told to. */
const tied = fc
  .uniqueArray(
    fc.record({
      id: fc.constantFrom('S1', 'S2', 'S3', 'S4'),
      author: fc.constantFrom('codex', 'gemini'),
      by: fc.subarray(['codex', 'gemini'], { minLength: 1 }),
      risk: fc.constantFrom('low', 'medium', 'high' as const),
      effort: fc.constantFrom('low', 'medium', 'high' as const),
    }),
    { minLength: 2, maxLength: 4, selector: ({ id }) => id },
  )
  .map((all) =>
    all.map(({ id, author, by, risk, effort }): JudgedSolution => ({
      id,
      name: `Way ${id}`,
      estimates: [
        { agent: author, kind: 'model', feasibility: 0.8, effort, risk, sound: 9, failed: 0 },
      ],
      stances: ['codex', 'gemini'].map((who) =>
        heldStance({
          agent: who,
          stance: 'support',
          reasons: ['It reuses the limiter.'],
          evidence: [],
        }),
      ),
      preferred_by: by,
    })),
  );
const two = (['openai', 'google'] as const).map((vendorOf, at) => {
  return { agent: ['codex', 'gemini'][at] ?? '', kind: 'model' as const, vendor: vendorOf };
});
const tie = fc.record({
  round: fc.constant(2),
  voices: fc.constant(two),
  solutions: tied,
  remarks: fc.array(remark, { maxLength: 4 }),
  newInsights: fc.boolean(),
  isStuck: fc.constant(true),
  questions: fc.constant([]),
});

test('a tie ends by rule, whatever the order, and converges unless an objection to the choice is open', () => {
  const shuffled = tie.chain((given) =>
    fc.tuple(fc.constant(given), whole(given.solutions), whole(given.remarks)),
  );
  fc.assert(
    fc.property(shuffled, ([given, solutions, remarks]) => {
      const { chosen_by_rule: chosen, recommendation } = converge(given);
      expect(given.solutions.map(({ id }) => id)).toContain(chosen?.solution);
      expect(new Set([chosen?.solution, ...(chosen?.over ?? [])])).toEqual(
        new Set(given.solutions.map(({ id }) => id)),
      );
      const open = given.remarks.some(
        (one) =>
          one.kind === 'objection' && one.state === 'open' && one.solution === chosen?.solution,
      );
      expect(recommendation).toBe(open ? 'continue' : 'converged');
      const again = converge({ ...given, solutions, remarks });
      expect(again.chosen_by_rule?.solution).toBe(chosen?.solution);
    }),
    runs,
  );
});

/** What each rule of a tie compares, in their order; the higher value wins. */
function valuesOf(
  { remarks }: Input,
  { id, preferred_by, estimates }: JudgedSolution,
): readonly number[] {
  const [author] = estimates;
  const level = { low: 0, medium: 1, high: 2 };
  const changes = remarks.filter(
    (one) => one.kind === 'change' && one.state === 'open' && one.solution === id,
  );
  return [
    preferred_by.length,
    Number(preferred_by.some((name) => name !== author?.agent)),
    -changes.length,
    -level[author?.risk ?? 'low'],
    -level[author?.effort ?? 'low'],
  ];
}

test('of a tie no rule that comes later overrules one that comes first', () => {
  fc.assert(
    fc.property(tie, (given) => {
      const { chosen_by_rule: chosen } = converge(given);
      const values = given.solutions.map((one) => ({ one, values: valuesOf(given, one) }));
      const best = values.find(({ one }) => one.id === chosen?.solution)?.values ?? [];
      for (const { values: others } of values) {
        const first = best.findIndex((value, at) => value !== others[at]);
        expect(first === -1 || (best[first] ?? 0) > (others[first] ?? 0)).toBe(true);
      }
    }),
    runs,
  );
});

test('nothing converges on a text that was revised in the same round', () => {
  fc.assert(
    fc.property(input, (given) => {
      const solutions = given.solutions.map((one) => ({ ...one, revised_in: given.round }));
      const { recommendation, chosen_by_rule } = converge({ ...given, solutions });
      expect(recommendation).not.toBe('converged');
      expect(chosen_by_rule).toBeUndefined();
    }),
    runs,
  );
});

test('an analyst changes nothing', () => {
  fc.assert(
    fc.property(withSolution, fc.nat(), estimate, (given, at, said) => {
      const analyst = { agent: 'structure', kind: 'analyst' as const, vendor: null };
      const joined = changed(given, at, (solution) => ({
        ...solution,
        estimates: [...solution.estimates, { ...said, ...analyst }],
      }));
      const after = converge({ ...joined, voices: [...given.voices, analyst] });
      expect(after).toEqual(converge(given));
    }),
    runs,
  );
});

function whole<T>(list: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...list], { minLength: list.length });
}

function shuffledSolution(solution: JudgedSolution): fc.Arbitrary<JudgedSolution> {
  return fc.record({
    name: fc.constant(solution.name),
    estimates: whole(solution.estimates),
    stances: whole(solution.stances),
    preferred_by: whole(solution.preferred_by),
    id: fc.constant(solution.id ?? ''),
  });
}
