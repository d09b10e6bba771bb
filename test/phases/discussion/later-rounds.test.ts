import { expect, test } from 'vitest';
import type { Synthesis } from '../../../src/model/synthesis.ts';
import { answer, checkedClaim, joined, solution } from './make.ts';

const named = (synthesis: Synthesis, part: string) =>
  synthesis.solutions.find(({ name }) => name.includes(part));
const labelOf = (synthesis: Synthesis, part: string) => named(synthesis, part)?.label ?? '?';

const apart = () =>
  joined([
    answer('codex', {
      candidates: [
        solution('codex', 'bucket', {
          claims: [checkedClaim('codex', { status: 'failed', found_line: null })],
        }),
      ],
    }),
    answer('gemini', { candidates: [solution('gemini', 'gateway')] }),
    answer('claude', { candidates: [solution('claude', 'library')] }),
  ]);
const stance = (
  previous: Synthesis,
  part: string,
  kind: 'support' | 'oppose' | 'unsure',
  reasons: string[] = ['Mounting it in src/http/app.ts reuses the router.'],
) => ({ label: labelOf(previous, part), stance: kind, reasons, evidence: [] });

test('support of all vendors converges, and the solution keeps its id', () => {
  const previous = apart();
  const synthesis = joined(
    [
      answer('codex', { preferred: labelOf(previous, 'bucket') }),
      answer('gemini', { stances: [stance(previous, 'bucket', 'support')] }),
      answer('claude', { stances: [stance(previous, 'bucket', 'support')] }),
    ],
    previous,
  );
  expect(synthesis.convergence).toMatchObject({ recommendation: 'converged', new_insights: false });
  expect(synthesis.solutions[0]?.preferred_by).toEqual(['codex']);
  expect(synthesis.solutions[0]?.id).toBe(named(previous, 'bucket')?.id);
  expect(synthesis.solutions[0]?.stances.map(({ agent }) => agent)).toEqual(['claude', 'gemini']);
  expect(synthesis.cross_verification.agreements).toEqual([
    'The vendors anthropic, google and openai support “Token bucket middleware”, and nobody opposes it.',
  ]);
});

test('support, opposition and doubt on one solution make a disagreement with its reasons', () => {
  const previous = apart();
  const synthesis = joined(
    [
      answer('codex', { stances: [stance(previous, 'bucket', 'support')] }),
      answer('gemini', {
        stances: [
          stance(previous, 'bucket', 'oppose', ['The counters of bucket.ts are lost on restart.']),
        ],
      }),
      answer('claude', { stances: [stance(previous, 'bucket', 'unsure')] }),
    ],
    previous,
  );
  expect(synthesis.cross_verification).toMatchObject({
    agreements: [],
    disagreements: [
      '“Token bucket middleware”: openai supports it (Mounting it in src/http/app.ts reuses the router); google opposes it (The counters of bucket.ts are lost on restart).',
    ],
  });
  expect(synthesis.convergence).toMatchObject({ recommendation: 'continue', new_insights: true });
  expect(synthesis.clarification_questions[0]).toBe(
    'The agents disagree about “Token bucket middleware”. Does it fit what you want? One objection: The counters of bucket.ts are lost on restart.',
  );
});

test('another preference than before is a new insight', () => {
  const previous = apart();
  const preferring = (part: string) =>
    joined([answer('codex', { preferred: labelOf(previous, part) })], previous).convergence;
  expect(preferring('bucket').new_insights).toBe(false);
  expect(preferring('gateway').new_insights).toBe(true);
});

test('a revision replaces its author’s text and claims under the same id', () => {
  const previous = apart();
  const before = named(previous, 'bucket');
  const revised = solution('codex', 'bucket', {
    name: 'Token bucket middleware with a store',
    claims: [checkedClaim('codex')],
  });
  const synthesis = joined([answer('codex', { candidates: [revised] })], previous);
  const after = named(synthesis, 'bucket');
  expect(after).toMatchObject({ id: before?.id, name: 'Token bucket middleware with a store' });
  expect(after?.claims).toMatchObject([{ status: 'verified' }]);
  expect(after?.feasibility).toBeGreaterThan(before?.feasibility ?? 1);
  expect(synthesis.solutions).toHaveLength(3);
});

test('a revision of a shared solution keeps what the co-author said', () => {
  const previous = joined([
    answer('codex', {
      candidates: [solution('codex', 'bucket', { claims: [checkedClaim('codex')] })],
    }),
    answer('gemini', {
      candidates: [
        solution('gemini', 'bucket', { feasibility: 0.4, claims: [checkedClaim('gemini')] }),
      ],
    }),
  ]);
  const revised = solution('codex', 'bucket', {
    name: 'Token bucket, second form',
    feasibility: 1,
  });
  const synthesis = joined([answer('codex', { candidates: [revised] })], previous);
  expect(synthesis.solutions).toMatchObject([
    {
      id: 'S1',
      name: 'Token bucket, second form',
      source_cli: ['codex', 'gemini'],
      feasibility: 0.7,
      claims: [{ agent: 'gemini' }],
    },
  ]);
});

test('a revision that names no solution of before is a new one with an id of its round', () => {
  const previous = apart();
  const synthesis = joined(
    [
      answer('codex', {
        candidates: [solution('codex', 'quota', { feasibility: 1 })],
        revises: null,
      }),
    ],
    previous,
  );
  expect(named(synthesis, 'quota')?.id).toBe('S2.1');
  expect(synthesis.convergence.new_insights).toBe(true);
  expect(synthesis.solutions).toHaveLength(3);
  expect(synthesis.notes).toHaveLength(1);
});

test('a stance holds until its agent takes another one', () => {
  const first = apart();
  const second = joined(
    [answer('gemini', { stances: [stance(first, 'bucket', 'oppose')] })],
    first,
  );
  const third = joined(
    [answer('claude', { stances: [stance(second, 'bucket', 'support')] })],
    second,
  );
  expect(named(third, 'bucket')?.stances).toMatchObject([
    { agent: 'claude', stance: 'support' },
    { agent: 'gemini', stance: 'oppose' },
  ]);
  expect(third.convergence.recommendation).not.toBe('converged');
  const fourth = joined(
    [answer('gemini', { stances: [stance(third, 'bucket', 'support')] })],
    third,
  );
  expect(named(fourth, 'bucket')?.stances.map((held) => held.stance)).toEqual([
    'support',
    'support',
  ]);
});

const again = (before: Synthesis) =>
  joined(
    [
      answer('codex', { stances: [stance(before, 'gateway', 'oppose')] }),
      answer('gemini', { stances: [stance(before, 'bucket', 'oppose')] }),
    ],
    before,
  );

test('a round that repeats itself brings no new insight', () => {
  const previous = apart();
  const second = again(previous);
  expect(second.convergence.new_insights).toBe(true);
  expect(again(second).convergence.new_insights).toBe(false);
});

test.each([
  ['a support without evidence', 'support', [], false],
  ['a doubt', 'unsure', [], false],
  ['an opposition', 'oppose', [], true],
  ['a support with new evidence', 'support', [checkedClaim('gemini')], true],
  [
    'a support with failed evidence',
    'support',
    [checkedClaim('gemini', { status: 'failed', found_line: null })],
    false,
  ],
] as const)('%s is a new insight: %s, %j, %s', (_, kind, evidence, expected) => {
  const previous = apart();
  const stances = [{ ...stance(previous, 'bucket', kind), evidence: [...evidence] }];
  const synthesis = joined([answer('gemini', { stances })], previous);
  expect(synthesis.convergence.new_insights).toBe(expected);
});
