import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JudgedSolution, Voice } from '../../../src/phases/discussion/support.ts';
import { type ConvergenceInput, converge } from '../../../src/phases/discussion/converge.ts';
import { checkedClaim, heldStance } from './make.ts';

const runs = { numRuns: 1000 };
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
});
const voice: fc.Arbitrary<Voice> = fc.record({
  agent,
  kind: fc.constantFrom('model', 'model', 'model', 'analyst' as const),
  vendor,
});
const input: fc.Arbitrary<ConvergenceInput> = fc.record({
  round: fc.integer({ min: 1, max: 4 }),
  voices: fc.uniqueArray(voice, { maxLength: 5, selector: (one) => one.agent }),
  solutions: fc.array(judged, { maxLength: 4 }),
  newInsights: fc.boolean(),
  revised: fc.boolean(),
  questions: fc.array(fc.constantFrom('Which store?', ' '), { maxLength: 2 }),
});
const withSolution = input.filter(({ solutions }) => solutions.length > 0);

function changed(
  given: ConvergenceInput,
  index: number,
  change: (solution: JudgedSolution) => JudgedSolution,
): ConvergenceInput {
  const at = index % given.solutions.length;
  const solutions = given.solutions.map((solution, i) => (i === at ? change(solution) : solution));
  return { ...given, solutions };
}

function raises(before: ConvergenceInput, after: ConvergenceInput): boolean {
  return converge(after).score > converge(before).score;
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
    newInsights: false,
    revised: false,
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
      const given = { round: 1, newInsights: true, revised: false, questions: [] };
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
        revised: fc.constant(given.revised),
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
  });
}
