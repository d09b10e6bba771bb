import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Synthesis } from '../../../src/model/synthesis.ts';
import { answer, checkedClaim, joined, solution } from './make.ts';

const idea = fc.constantFrom('bucket', 'gateway', 'library', 'quota' as const);
const told = fc.record({
  idea,
  feasibility: fc.double({ min: 0, max: 1, noNaN: true }),
  effort: fc.constantFrom('low', 'medium', 'high' as const),
  failed: fc.nat({ max: 3 }),
});
const round = fc.dictionary(
  fc.constantFrom('codex', 'gemini', 'claude', 'house'),
  fc.uniqueArray(told, { maxLength: 2, selector: (one) => one.idea }),
);
type Told = typeof told extends fc.Arbitrary<infer T> ? T : never;
const answersOf = (drawn: Readonly<Record<string, readonly Told[]>>) =>
  Object.entries(drawn).map(([agent, all]) =>
    answer(agent, {
      candidates: all.map(({ idea: which, failed, ...parts }) =>
        solution(agent, which, {
          ...parts,
          claims: Array.from({ length: failed }, (_, line) =>
            checkedClaim(agent, { line: line + 1, status: 'failed', found_line: null }),
          ),
        }),
      ),
    }),
  );

test('the order of the answers makes no difference', () => {
  const shuffled = round.chain((drawn) => {
    const all = answersOf(drawn);
    return fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length }),
    );
  });
  fc.assert(
    fc.property(shuffled, ([given, other]) => {
      expect(joined(other)).toEqual(joined(given));
    }),
    { numRuns: 60 },
  );
});

test('every synthesis fits its shape, and the best solution is the one converged on', () => {
  fc.assert(
    fc.property(round, (drawn) => {
      const synthesis = joined(answersOf(drawn));
      Synthesis.parse(synthesis);
      const scores = synthesis.solutions.map((one) => one.rank_score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      if (synthesis.convergence.recommendation !== 'converged') return;
      expect(synthesis.solutions[0]?.source_cli.length).toBeGreaterThanOrEqual(2);
    }),
    { numRuns: 60 },
  );
});

test('in later rounds, too, the order of the answers makes no difference', () => {
  const previous = joined([
    answer('codex', { candidates: [solution('codex', 'bucket'), solution('codex', 'quota')] }),
    answer('gemini', { candidates: [solution('gemini', 'bucket')] }),
    answer('claude', { candidates: [solution('claude', 'library')] }),
  ]);
  const stance = fc.record({
    label: fc.constantFrom('A', 'B', 'C', 'D'),
    stance: fc.constantFrom('support', 'oppose', 'unsure' as const),
    reasons: fc.array(fc.constantFrom('Counters are lost on restart.', 'LGTM'), { maxLength: 1 }),
    evidence: fc.constant([]).map(() => []),
  });
  const drawn = fc.record({
    stances: fc.array(stance, { maxLength: 4 }),
    revision: fc.option(fc.tuple(idea, fc.constantFrom(0.2, 0.9))),
    questions: fc.array(fc.constantFrom('Is Redis allowed?', 'Which limit?'), { maxLength: 2 }),
    searchTerms: fc.array(fc.constantFrom('rateLimit', 'RateLimit', 'store'), { maxLength: 2 }),
  });
  const later = fc.tuple(drawn, drawn, drawn).map((all) =>
    all.map(({ revision, ...parts }, index) => {
      const agent = ['codex', 'gemini', 'claude'][index] ?? '';
      const candidates =
        revision === null ? [] : [solution(agent, revision[0], { feasibility: revision[1] })];
      return answer(agent, { ...parts, candidates });
    }),
  );
  const shuffled = later.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: 3 })),
  );
  fc.assert(
    fc.property(shuffled, ([given, other]) => {
      const all = joined(given, previous);
      expect(Synthesis.parse(all)).toEqual(all);
      expect(joined(other, previous)).toEqual(all);
    }),
    { numRuns: 80 },
  );
});

const relation = fc.constantFrom('variant', 'different', 'unclear' as const);

test('likeness alone never converges, and no variant changes a score', () => {
  fc.assert(
    fc.property(round, relation, (drawn, related) => {
      const answers = answersOf(drawn);
      const { convergence, solutions } = joined(answers, null, related);
      expect(convergence.recommendation).not.toBe('converged');
      expect(convergence).toEqual(joined(answers, null, 'different').convergence);
      const wanted = solutions.filter(({ preferred_by: by = [] }) => by.length > 0);
      expect(wanted.every(({ source_cli: authors }) => authors.length === 1)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
