import { describe, expect, test } from 'vitest';
import { normalise } from '../../src/agents/answer/normalise.ts';
import { type SchemaName, jsonSchemaOf } from '../../src/model/published.ts';
import { changed, samplesOf } from '../helpers/samples.ts';

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
