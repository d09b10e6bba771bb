import { describe, expect, test } from 'vitest';
import { normalise } from '../../src/agents/answer/normalise.ts';
import { type SchemaName, jsonSchemaOf } from '../../src/model/published.ts';
import { changed, samplesOf } from '../helpers/samples.ts';

const solution = '/solutions/0';
const tasks = `${solution}/implementation_plan/tasks`;

describe('puts small slips right', () => {
  test.each<[string, SchemaName, string, unknown, unknown]>([
    ['a feasibility as text', 'proposal', `${solution}/feasibility`, '0.8', 0.8],
    ['a feasibility in percent', 'proposal', `${solution}/feasibility`, 85, 0.85],
    ['a feasibility in percent as text', 'proposal', `${solution}/feasibility`, '85', 0.85],
    ['a feasibility of 100', 'proposal', `${solution}/feasibility`, 100, 1],
    ['a line as text', 'proposal', `${solution}/claims/0/line`, ' 42 ', 42],
    ['an effort in another case', 'proposal', `${solution}/effort`, 'Low', 'low'],
    ['a risk in capitals', 'proposal', `${solution}/risk`, ' HIGH ', 'high'],
    ['a stance in another case', 'examination', '/stances/0/stance', 'Support', 'support'],
    ['a level that is capital in a plan', 'plan', '/complexity', 'low', 'Low'],
    ['missing questions', 'proposal', '/questions', undefined, []],
    ['null questions', 'proposal', '/questions', null, []],
    ['missing pros', 'proposal', `${solution}/pros`, undefined, []],
    ['missing needs', 'proposal', `${solution}/dependencies/external`, undefined, []],
    ['a missing depends_on', 'proposal', `${tasks}/0/depends_on`, undefined, []],
    ['a missing key point', 'proposal', `${tasks}/0/key_point`, undefined, null],
    ['a missing revision', 'examination', '/revision', undefined, null],
    ['a line that is null', 'proposal', `${tasks}/0/files/0/line`, null, undefined],
    ['a depends_on missing in a plan', 'plan-answer', '/tasks/0/depends_on', undefined, []],
    ['a slip inside a revision', 'examination', '/revision/risk', 'Medium', 'medium'],
    ['null for an optional field', 'task', '/priority', null, undefined],
  ])('%s', (_name, schema, at, given, expected) => {
    const [good] = samplesOf(schema).good;
    expect(normalised(schema, changed(good, at, given))).toEqual(changed(good, at, expected));
  });

  test('inside the branch of a union that a tag names', () => {
    const [good] = samplesOf('task').good;
    const checks = [
      { kind: 'test', path: 'a.ts', name: null },
      { kind: 'none', path: null },
    ];
    expect(normalised('task', changed(good, '/checks', checks))).toEqual(
      changed(good, '/checks', [
        { kind: 'test', path: 'a.ts' },
        { kind: 'none', path: null },
      ]),
    );
  });
});

describe('leaves alone what has no one meaning', () => {
  test.each<[string, SchemaName, string, unknown]>([
    ['a feasibility over 100', 'proposal', `${solution}/feasibility`, 101],
    ['a negative feasibility', 'proposal', `${solution}/feasibility`, -5],
    ['a feasibility in words', 'proposal', `${solution}/feasibility`, 'high'],
    ['a percent sign', 'proposal', `${solution}/feasibility`, '85%'],
    ['a range of lines', 'proposal', `${solution}/claims/0/line`, '12-15'],
    ['an empty line', 'proposal', `${solution}/claims/0/line`, ''],
    ['an unknown level', 'proposal', `${solution}/effort`, 'tiny'],
    ['a number as a level', 'proposal', `${solution}/effort`, 1],
    ['missing claims', 'proposal', `${solution}/claims`, undefined],
    ['null claims', 'proposal', `${solution}/claims`, null],
    ['missing solutions', 'proposal', '/solutions', undefined],
    ['missing stances', 'examination', '/stances', undefined],
    ['a missing stance', 'examination', '/stances/0/stance', undefined],
    ['missing tasks', 'proposal', tasks, undefined],
    ['missing criteria', 'plan-answer', '/tasks/0/convergence/criteria', undefined],
    ['a missing name', 'proposal', `${solution}/name`, undefined],
    ['a missing number', 'proposal', `${solution}/feasibility`, undefined],
    ['text where a list is asked for', 'proposal', '/questions', 'none'],
    ['numeric text where text is asked for', 'proposal', `${solution}/name`, '42'],
    ['an unknown field', 'proposal', '/own', { a: null }],
  ])('%s', (_name, schema, at, given) => {
    const [good] = samplesOf(schema).good;
    const value = changed(good, at, given);
    expect(normalised(schema, value)).toEqual(value);
  });

  test.each<SchemaName>(['proposal', 'examination', 'plan-answer', 'plan', 'task'])(
    'a good %s, which it does not touch either',
    (name) => {
      for (const value of samplesOf(name).good) {
        const before = structuredClone(value);
        expect(normalised(name, value)).toEqual(before);
        expect(value).toEqual(before);
      }
    },
  );
});

function normalised(name: SchemaName, value: unknown): unknown {
  return normalise(value, jsonSchemaOf(name));
}
