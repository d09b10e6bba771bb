import { expect, test } from 'vitest';
import { Receipt } from '../../src/model/receipt.ts';
import type { Synthesis } from '../../src/model/synthesis.ts';
import {
  differencesOf,
  faultyReferences,
  missingText,
  opinionText,
  opinionsOn,
} from '../../src/phases/opinions.ts';
import { samplesOf } from '../helpers/samples.ts';
import { answer, checkedClaim, joined, solution } from './discussion/make.ts';

const vendors = { codex: 'openai', gemini: 'google', claude: 'anthropic' };
const answeredBy = (...agents: (keyof typeof vendors)[]) =>
  agents.map((agent) =>
    Receipt.parse({
      ...Object(samplesOf('receipt').good[0]),
      agent,
      seat: agent,
      vendor: vendors[agent],
      failure: null,
    }),
  );

const first = () =>
  joined([
    answer('codex', { candidates: [solution('codex', 'bucket')] }),
    answer('gemini', { candidates: [solution('gemini', 'gateway')] }),
    answer('claude', { candidates: [solution('claude', 'gateway')] }),
  ]);
const labelOf = (synthesis: Synthesis, part: string) =>
  synthesis.solutions.find(({ name }) => name.includes(part))?.label ?? '?';
type Kind = 'support' | 'oppose';
const held = (label: string, stance: Kind, reasons: string[], more = {}) => ({
  label,
  stance,
  reasons,
  evidence: [],
  ...more,
});
const said = (synthesis: Synthesis, part: string) => {
  const about = synthesis.solutions.find(({ name }) => name.includes(part));
  return about === undefined ? [] : opinionsOn(about, synthesis).map((one) => opinionText(one));
};

const loses = 'bucket.ts loses its counters on restart.';

function second(): Synthesis {
  const previous = first();
  const [bucket, gateway] = [labelOf(previous, 'bucket'), labelOf(previous, 'nginx')];
  const examined = joined(
    [
      answer('codex', { preferred: bucket, stances: [held(gateway, 'support', ['LGTM'])] }),
      answer('gemini', {
        preferred: gateway,
        stances: [
          held(bucket, 'oppose', [loses, 'Its bucket.ts has no test.'], {
            evidence: [checkedClaim('gemini')],
          }),
          held(gateway, 'support', ['deploy/nginx.conf has a zone already.']),
        ],
        adopted: [{ label: bucket, part: 'Its header Retry-After.', evidence: [] }],
      }),
      answer('claude', {
        stances: [
          held(gateway, 'support', [`Smaller than [${bucket}] in deploy/nginx.conf.`], {
            changes: ['Answer 429 instead of 503.'],
          }),
        ],
      }),
    ],
    previous,
  );
  return { ...examined, receipts: answeredBy('codex', 'gemini', 'claude') };
}

test('each solution tells who is for and against it, why, and what shall change, with its state', () => {
  const synthesis = second();
  expect(said(synthesis, 'nginx')).toEqual([
    'claude supports it: Smaller than “Token bucket middleware” in deploy/nginx.conf',
    'codex supports it, which is no vote, as no reason names anything of it, and no evidence was found: LGTM',
    'gemini would build it: deploy/nginx.conf has a zone already',
    'claude asks for a change (O1, open): Answer 429 instead of 503',
  ]);
  expect(said(synthesis, 'bucket')).toEqual([
    'codex would build it',
    'gemini opposes it (O3, open): bucket.ts loses its counters on restart (src/http/app.ts:12 found); (O4, open) Its bucket.ts has no test',
    'gemini would adopt a part of it (O6, open): Its header Retry-After',
  ]);
});

test('what was said before a revision, or by who did not answer since, is told as no vote', () => {
  const before = second();
  const [bucket, gateway] = [labelOf(before, 'bucket'), labelOf(before, 'nginx')];
  const revision = solution('codex', 'bucket', { summary: 'Keep the counters in Redis.' });
  const after = joined(
    [
      answer('codex', { candidates: [revision], preferred: bucket }),
      answer('gemini', { preferred: gateway, stances: [held(bucket, 'support', ['ok'])] }),
    ],
    before,
  );
  const third = { ...after, receipts: answeredBy('codex', 'gemini') };
  expect(said(third, 'bucket')).toContain(
    'gemini objected in round 2 (O3, the solution was revised since): bucket.ts loses its counters on restart (src/http/app.ts:12 found)',
  );
  expect(said(third, 'bucket').join()).toContain('said before the revision of round 3');
  expect(said(third, 'nginx').join()).toContain('as claude did not answer in round 3');
});

test('what another agent answers to an objection is told beside it', () => {
  const before = second();
  const bucket = labelOf(before, 'bucket');
  const after = joined(
    [
      answer('codex', {
        preferred: bucket,
        verdicts: [
          { id: 'O3', verdict: 'wrong', why: 'Redis keeps them (src/http/app.ts:12).' },
          { id: 'O4', verdict: 'holds', why: '' },
        ],
      }),
    ],
    before,
  );
  const third = { ...after, receipts: answeredBy('codex') };
  expect(said(third, 'bucket').join('\n')).toContain(
    'codex finds it wrong: Redis keeps them (src/http/app.ts:12). codex finds that O4 holds',
  );
});

test('an author who revises its solution and would build it has its vote', () => {
  const before = second();
  const bucket = labelOf(before, 'bucket');
  const after = joined(
    [
      answer('codex', {
        candidates: [solution('codex', 'bucket', { summary: 'Keep the counters in Redis.' })],
        preferred: bucket,
        stances: [held(bucket, 'support', ['src/http/bucket.ts keeps them now'])],
      }),
    ],
    before,
  );
  const third = { ...after, receipts: answeredBy('codex') };
  expect(said(third, 'bucket').join('\n')).toMatch(/^codex would build it: src\/http\/bucket/m);
});

test('in round 1 it tells who recommends a solution, and how the comparison sets it apart', () => {
  const synthesis = { ...first(), receipts: answeredBy('codex', 'gemini', 'claude') };
  expect(said(synthesis, 'nginx')).toEqual(['claude recommends it', 'gemini recommends it']);
  const [bucket] = synthesis.solutions.filter(({ name }) => name.includes('bucket'));
  const compared = synthesis.compared.map((pair) => ({
    ...pair,
    difference: 'One needs a proxy.',
  }));
  expect(bucket && differencesOf(bucket, { ...synthesis, compared })).toContain(
    'Not the same as “Limit at the nginx gateway”: One needs a proxy',
  );
});

test('references that failed are told with the words that claimed them, and why', () => {
  const claim = checkedClaim('codex', { status: 'failed', note: 'the file has 9 lines' });
  const [bucket] = joined([
    answer('codex', { candidates: [solution('codex', 'bucket')] }),
  ]).solutions;
  expect(bucket && faultyReferences({ ...bucket, claims: [claim] })).toEqual([
    'src/http/app.ts:12, “Something at src/http/app.ts” (codex): the file has 9 lines',
  ]);
});

test('who did not answer is named with the reason; a person is told whom they skipped', () => {
  const unanswered = [
    { agent: 'gemini', category: 'cancelled', reason: 'it was cancelled' },
    { agent: 'claude', category: 'crashed', reason: 'it ended with exit code 1.' },
  ] as const;
  const receipts = answeredBy('codex');
  expect(missingText({ receipts, unanswered: [...unanswered], absent: [] })).toBe(
    '1 of 3 answered; you skipped gemini; claude did not: it ended with exit code 1',
  );
  expect(missingText({ receipts, unanswered: [], absent: [] })).toBeNull();
});

test('who was skipped in an earlier round stays named until it is heard again', () => {
  const skipped = { agent: 'gemini', category: 'cancelled', reason: 'it was cancelled' } as const;
  const before = { ...first(), unanswered: [skipped] };
  const next = joined([answer('codex')], before);
  expect(missingText({ ...next, receipts: answeredBy('codex') })).toBe(
    '1 of 2 answered; you skipped gemini (round 1)',
  );
  expect(joined([answer('gemini')], before).absent).toEqual([]);
  expect(joined([answer('codex')], next).absent).toEqual([{ ...skipped, round: 1 }]);
});
