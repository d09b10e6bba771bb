import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Voice } from '../../../src/phases/discussion/answers.ts';
import {
  type ConvergenceInput,
  converge,
} from '../../../src/phases/discussion/converge.ts';
import type { Judged } from '../../../src/phases/discussion/standing.ts';
import { checkedClaim } from './make.ts';

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
const stance = fc.record({
  agent,
  stance: fc.constantFrom('support', 'oppose', 'unsure' as const),
  reasons: fc.array(reason, { maxLength: 2 }),
  evidence: fc.array(
    status.map((found) => checkedClaim('x', { status: found })),
    { maxLength: 3 },
  ),
});
const estimate = fc.record({
  agent,
  kind: fc.constantFrom('model', 'model', 'model', 'analyst' as const),
  feasibility: fc.double({ min: 0, max: 1, noNaN: true }),
  effort: fc.constantFrom('low', 'medium', 'high' as const),
  risk: fc.constantFrom('low', 'medium', 'high' as const),
  sound: fc.nat({ max: 30 }),
  failed: fc.oneof(fc.constant(0), fc.nat({ max: 8 })),
});
const judged: fc.Arbitrary<Judged> = fc.record({
  name: fc.constantFrom('Token bucket', 'Gateway', 'Library'),
  estimates: fc.array(estimate, { minLength: 1, maxLength: 4 }),
  stances: fc.array(stance, { maxLength: 5 }),
});
const voice: fc.Arbitrary<Voice> = fc.record({
  agent,
  kind: fc.constantFrom('model', 'model', 'model', 'analyst' as const),
  vendor,
});
const input: fc.Arbitrary<ConvergenceInput> = fc.record({
  round: fc.integer({ min: 1, max: 4 }),
  voices: fc.array(voice, { maxLength: 5 }),
  solutions: fc.array(judged, { maxLength: 4 }),
  newInsights: fc.boolean(),
  revised: fc.boolean(),
  questions: fc.array(fc.constantFrom('Which store?', ' '), { maxLength: 2 }),
});
const withSolution = input.filter(({ solutions }) => solutions.length > 0);

function changed(
  given: ConvergenceInput,
  index: number,
  change: (solution: Judged) => Judged,
): ConvergenceInput {
  const at = index % given.solutions.length;
  const solutions = given.solutions.map((solution, i) => (i === at ? change(solution) : solution));
  return { ...given, solutions };
}

function neverRaises(before: ConvergenceInput, after: ConvergenceInput): void {
  expect(converge(after).score).toBeLessThanOrEqual(converge(before).score);
}

describe('laws of convergence', () => {
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

  test('converged means a high score, two supporting vendors and no opposition', () => {
    let seen = 0;
    fc.assert(
      fc.property(input, (given) => {
        const { recommendation, score, vendors } = converge(given);
        if (recommendation !== 'converged') return;
        seen += 1;
        expect(score).toBeGreaterThanOrEqual(0.8);
        expect(vendors.length).toBeGreaterThanOrEqual(2);
      }),
      { numRuns: 4000 },
    );
    expect(seen).toBeGreaterThan(20);
  });

  test('an added opposition never raises the score', () => {
    fc.assert(
      fc.property(withSolution, fc.nat(), voice, stance, (given, at, who, held) => {
        const newcomer = { ...who, agent: 'newcomer' };
        const opposedBy = (name: string) =>
          changed(given, at, (solution) => ({
            ...solution,
            stances: [...solution.stances, { ...held, agent: name, stance: 'oppose' as const }],
          }));
        neverRaises(given, opposedBy(who.agent));
        const voices = [...given.voices, newcomer];
        neverRaises(given, { ...opposedBy(newcomer.agent), voices });
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
        neverRaises(given, claimFails);
        const evidenceFails = changed(given, at, (solution) => ({
          ...solution,
          stances: solution.stances.map((one, index) =>
            index === which % solution.stances.length
              ? { ...one, evidence: [...one.evidence, checkedClaim('x', { status: 'failed' })] }
              : one,
          ),
        }));
        neverRaises(given, evidenceFails);
      }),
      runs,
    );
  });

  test('trivial agreement does not raise the score', () => {
    const trivial = fc.constantFrom('', '  ', 'LGTM', 'Good approach.', 'I agree with this design');
    fc.assert(
      fc.property(withSolution, fc.nat(), agent, fc.array(trivial), (given, at, who, reasons) => {
        const empty = { agent: who, stance: 'support' as const, reasons, evidence: [] };
        neverRaises(
          given,
          changed(given, at, (solution) => ({ ...solution, stances: [...solution.stances, empty] })),
        );
        neverRaises(
          given,
          changed(given, at, (solution) => ({
            ...solution,
            stances: [...solution.stances, ...solution.stances],
          })),
        );
        neverRaises(given, { ...given, solutions: [...given.solutions, ...given.solutions] });
        neverRaises(given, { ...given, voices: [...given.voices, ...given.voices] });
      }),
      runs,
    );
  });

  test('a second agent of the same vendor adds nothing to what the first one supports', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), (copies) => {
        const voices = Array.from({ length: copies }, (_, index) => ({
          agent: `model-${index}`,
          kind: 'model' as const,
          vendor: 'openai',
        }));
        const stances = voices.map((one) => ({
          agent: one.agent,
          stance: 'support' as const,
          reasons: ['It reuses the existing limiter.'],
          evidence: [],
        }));
        const solutions = [{ name: 'Token bucket', estimates: [], stances }];
        const given = { round: 2, newInsights: false, revised: false, questions: [] };
        expect(converge({ ...given, voices, solutions }).score).toBe(0.5);
      }),
    );
  });

  test('the order of answers, solutions and stances makes no difference', () => {
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
        expect(converge(shuffled)).toEqual(converge(given));
      }),
      runs,
    );
  });

  test('an analyst changes nothing', () => {
    fc.assert(
      fc.property(withSolution, fc.nat(), estimate, stance, (given, at, said, held) => {
        const analyst = { agent: 'structure', kind: 'analyst' as const, vendor: null };
        const joined = changed(given, at, (solution) => ({
          ...solution,
          estimates: [...solution.estimates, { ...said, ...analyst }],
          stances: [...solution.stances, { ...held, agent: 'structure' }],
        }));
        const after = converge({ ...joined, voices: [...given.voices, analyst] });
        expect(after).toEqual(converge(given));
      }),
      runs,
    );
  });
});

describe('recommendation', () => {
  const supports = (who: string) => ({
    agent: who,
    stance: 'support' as const,
    reasons: ['It reuses the existing limiter.'],
    evidence: [],
  });
  const opposes = (who: string) => ({ ...supports(who), stance: 'oppose' as const });
  const by = (who: string, failed = 0) => ({
    agent: who,
    kind: 'model' as const,
    feasibility: 0.3,
    effort: 'low' as const,
    risk: 'low' as const,
    sound: 8,
    failed,
  });
  const vendors = { codex: 'openai', gemini: 'google', claude: 'anthropic' };
  const asked = (
    who: readonly (keyof typeof vendors)[],
    solutions: readonly Judged[],
    parts: Partial<ConvergenceInput> = {},
  ) =>
    converge({
      round: 2,
      voices: who.map((one) => ({ agent: one, kind: 'model' as const, vendor: vendors[one] })),
      solutions,
      newInsights: true,
      revised: false,
      questions: [],
      ...parts,
    });

  test('perfect agreement of two vendors converges in round 1, whatever the feasibility', () => {
    const shared = { name: 'Token bucket', estimates: [by('codex'), by('gemini')], stances: [] };
    expect(asked(['codex', 'gemini'], [shared], { round: 1 })).toMatchObject({
      score: 1,
      recommendation: 'converged',
      vendors: ['google', 'openai'],
    });
  });

  test.each([
    [0, 1, 'converged'],
    [4, 0.8, 'converged'],
    [5, 0.762, 'continue'],
    [8, 0.333, 'continue'],
  ])('%i failed references beside 16 that hold: %d, %s', (failed, score, recommendation) => {
    const shared = {
      name: 'Token bucket',
      estimates: [by('codex', failed), by('gemini')],
      stances: [],
    };
    expect(asked(['codex', 'gemini'], [shared])).toMatchObject({ score, recommendation });
  });

  test('two of three vendors are not enough while the third is silent', () => {
    const shared = { name: 'Token bucket', estimates: [by('codex')], stances: [supports('gemini')] };
    expect(asked(['codex', 'gemini', 'claude'], [shared])).toMatchObject({
      score: 0.667,
      recommendation: 'continue',
    });
  });

  test('one opposition keeps a solution from convergence', () => {
    const stances = [supports('gemini'), opposes('claude')];
    const shared = { name: 'Token bucket', estimates: [by('codex')], stances };
    expect(asked(['codex', 'gemini', 'claude'], [shared])).toMatchObject({
      score: 0.333,
      recommendation: 'continue',
    });
  });

  test('opposition to another solution does not disturb the agreement', () => {
    const shared = { name: 'Token bucket', estimates: [by('codex')], stances: [supports('gemini')] };
    const other = { name: 'Gateway', estimates: [by('gemini')], stances: [opposes('codex')] };
    expect(asked(['codex', 'gemini'], [other, shared]).recommendation).toBe('converged');
  });

  test('a model of unknown vendor can object, but not add to the agreement', () => {
    const unknown = { agent: 'house', kind: 'model' as const, vendor: null };
    const voices = [{ agent: 'codex', kind: 'model' as const, vendor: 'openai' }, unknown];
    const shared = { name: 'Token bucket', estimates: [by('codex'), by('house')], stances: [] };
    expect(asked([], [shared], { voices })).toMatchObject({
      score: 0.5,
      recommendation: 'continue',
      vendors: ['openai'],
    });
    const opposed = { ...shared, estimates: [by('codex')], stances: [opposes('house')] };
    expect(asked([], [opposed], { voices }).score).toBe(0.25);
  });

  test('a new question of an agent asks for the user, unless the agents have converged', () => {
    const alone = { name: 'Token bucket', estimates: [by('codex')], stances: [] };
    const questions = ['Is Redis allowed?'];
    expect(asked(['codex', 'gemini'], [alone], { questions }).recommendation).toBe(
      'user_input_needed',
    );
    const shared = { ...alone, stances: [supports('gemini')] };
    expect(asked(['codex', 'gemini'], [shared], { questions }).recommendation).toBe('converged');
  });

  test('two vendors that oppose each other’s solution need the user once neither moves', () => {
    const mine = { name: 'Token bucket', estimates: [by('codex')], stances: [opposes('gemini')] };
    const yours = { name: 'Gateway', estimates: [by('gemini')], stances: [opposes('codex')] };
    const both = (parts: Partial<ConvergenceInput>) =>
      asked(['codex', 'gemini'], [mine, yours], parts).recommendation;
    expect(both({})).toBe('user_input_needed');
    expect(both({ revised: true })).toBe('continue');
    expect(both({ round: 1 })).toBe('continue');
  });

  test('failed evidence carries no support', () => {
    const evidence = [checkedClaim('gemini', { status: 'failed' })];
    const claimed = { ...supports('gemini'), evidence };
    const shared = { name: 'Token bucket', estimates: [by('codex')], stances: [claimed] };
    expect(asked(['codex', 'gemini'], [shared]).score).toBe(0.5);
  });

  test('the reasons name the share, the opposition and what is missing', () => {
    const alone = { name: 'Token bucket', estimates: [by('codex', 2)], stances: [opposes('gemini')] };
    expect(asked(['codex', 'gemini'], [alone]).reasons).toEqual([
      'Score 0.20: “Token bucket” has the support of 1 of 2 vendors, google against it, and its references held to 80 %.',
      'No solution has the support of two vendors.',
    ]);
  });
});

function whole<T>(list: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...list], { minLength: list.length });
}

function shuffledSolution(solution: Judged): fc.Arbitrary<Judged> {
  return fc.record({
    name: fc.constant(solution.name),
    estimates: whole(solution.estimates),
    stances: whole(solution.stances),
  });
}
