import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type AnswerInput, readAnswer } from '../../../src/agents/answer/read-answer.ts';
import { normalise } from '../../../src/agents/answer/normalise.ts';
import { Examination, Proposal } from '../../../src/model/proposal.ts';
import { type SchemaName, jsonSchemaOf } from '../../../src/model/published.ts';
import { type SchemaCheck, schemaCheck } from '../../../src/store/published-schemas.ts';
import { changed, samplesOf } from '../../helpers/samples.ts';

const [proposal] = samplesOf('proposal').good;
const [examination] = samplesOf('examination').good;
const session = Proposal.parse(proposal).session;

let check: SchemaCheck;
beforeAll(async () => {
  check = await schemaCheck({});
});

function read(
  value: unknown,
  expected: AnswerInput<unknown>['expected'] = { session, round: 1 },
): ReturnType<typeof readAnswer<Proposal>> {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return readAnswer({ text, expected, schemaName: 'proposal', check, shape: Proposal });
}

test('reads a good answer of each kind', () => {
  expect(read(proposal)).toEqual({
    ok: true,
    value: { value: proposal, repaired: false, notes: [] },
  });
  const text = `\`\`\`json\n${JSON.stringify(examination)}\n\`\`\``;
  const expected = { session, round: 2 };
  const question = { text, expected, schemaName: 'examination', check } as const;
  expect(readAnswer({ ...question, shape: Examination })).toEqual({
    ok: true,
    value: { value: examination, repaired: false, notes: [] },
  });
});

describe('an answer to another question is wrong', () => {
  test.each<[string, string, unknown, string]>([
    ['session', '/session', 'MCP-other', `session "MCP-other" instead of "${session}"`],
    ['round', '/round', 2, 'round 2 instead of 1'],
    ['round as text', '/round', '2', 'round 2 instead of 1'],
  ])('by its %s', (_name, at, given, difference) => {
    const reason = `the answer is for another question: ${difference}`;
    expect(read(changed(proposal, at, given))).toMatchObject({
      ok: false,
      failure: { category: 'wrong-answer', reason },
    });
  });

  test('even if nothing else about it fits', () => {
    expect(read({ session, round: 7 })).toMatchObject({ failure: { category: 'wrong-answer' } });
  });
});

describe('an answer that does not fit is invalid, with what to mend', () => {
  test.each<[string, unknown, readonly string[]]>([
    [
      'missing claims',
      changed(proposal, '/solutions/0/claims', undefined),
      ['/solutions/0/claims is missing; it must be a list'],
    ],
    [
      'two faults',
      changed(changed(proposal, '/solutions/0/risk', 'purple'), '/solutions/0/effort', 'blue'),
      [
        '/solutions/0/effort must be one of "low", "medium", "high", not "blue"',
        '/solutions/0/risk must be one of "low", "medium", "high", not "purple"',
      ],
    ],
  ])('%s', (_name, value, errors) => {
    const result = read(value);
    expect(result).toMatchObject({ ok: false, failure: { category: 'invalid-answer' } });
    expect(result).toHaveProperty(['failure', 'errors'], expect.arrayContaining([...errors]));
    expect(result).toHaveProperty(['failure', 'errors', 'length'], errors.length);
    expect(result).toHaveProperty(['failure', 'reason'], expect.stringMatching(/^the answer /));
  });

  test('an optional field that is missing, where an extension asks for it', () => {
    const missing = { pointer: '/recommended', message: 'is missing' };
    const strict = { ...check, check: () => [missing] };
    const text = JSON.stringify(changed(proposal, '/recommended', undefined));
    const question = { text, expected: {}, schemaName: 'proposal', shape: Proposal } as const;
    expect(readAnswer({ ...question, check: strict })).toMatchObject({
      failure: { errors: ['/recommended is missing'] },
    });
  });

  test('names at most twenty errors and counts the rest', () => {
    const claims = Array.from({ length: 30 }, () => ({ statement: 'x', line: 1, quote: '' }));
    const result = read(changed(proposal, '/solutions/0/claims', claims));
    expect(result).toHaveProperty(['failure', 'errors', 'length'], 21);
    expect(result).toHaveProperty(['failure', 'errors', '20'], '… and 10 more');
  });
});

test('mutated answers never crash it', () => {
  const text = JSON.stringify(proposal);
  const edit = fc.record({
    at: fc.nat(text.length),
    drop: fc.nat(30),
    put: fc.oneof(
      fc.string(),
      fc.constantFrom(...'{ } [ ] " , : null \\ ``` 1e999 __proto__'.split(' ')),
    ),
  });
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 5 }), (edits) => {
      const mutated = edits.reduce(
        (before, { at, drop, put }) => before.slice(0, at) + put + before.slice(at + drop),
        text,
      );
      const result = read(mutated);
      const outcome = result.ok ? result.value.value : result.failure.reason;
      expect(outcome).not.toBe('');
      expect(() => (result.ok ? Proposal.parse(outcome) : outcome)).not.toThrow();
    }),
    { numRuns: 1000 },
  );
});

const solution = '/solutions/0';
const tasks = `${solution}/implementation_plan/tasks`;

describe('leaves alone what has no one meaning', () => {
  test.each<[string, SchemaName, string, unknown]>([
    ['a feasibility over 100', 'proposal', `${solution}/feasibility`, 101],
    ['a negative feasibility', 'proposal', `${solution}/feasibility`, -5],
    ['an unknown level', 'proposal', `${solution}/effort`, 'purple'],
    ['missing claims', 'proposal', `${solution}/claims`, undefined],
    ['missing stances', 'examination', '/stances', undefined],
    ['a missing stance', 'examination', '/stances/0/stance', undefined],
    ['missing tasks', 'proposal', tasks, undefined],
    ['missing criteria', 'plan-answer', '/tasks/0/convergence/criteria', undefined],
    ['numeric text where text is asked for', 'proposal', `${solution}/name`, '42'],
  ])('%s', (_name, schema, at, given) => {
    const [good] = samplesOf(schema).good;
    const value = changed(good, at, given);
    expect(normalise(value, jsonSchemaOf(schema)).value).toEqual(value);
  });

  test.each<SchemaName>(['proposal', 'examination', 'plan-answer', 'plan', 'task'])(
    'a good %s, of which it notes nothing either',
    (name) => {
      for (const value of samplesOf(name).good) {
        const before = structuredClone(value);
        expect(normalise(value, jsonSchemaOf(name))).toEqual({ value: before, notes: [] });
        expect(value).toEqual(before);
      }
    },
  );
});

test('the action of a reply to a finding is never taken from those of files', () => {
  const reply = { finding: 'F1', reason: 'It is handed over.', evidence: [] };
  const { value, notes } = normalise({ replies: [reply] }, jsonSchemaOf('plan-reply'));
  expect(value).toMatchObject({ replies: [reply] });
  expect(JSON.stringify([value, notes])).not.toContain('modify');
});
