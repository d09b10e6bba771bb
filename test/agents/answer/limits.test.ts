import { expect, test } from 'vitest';
import { normalise } from '../../../src/agents/answer/normalise.ts';
import type { SchemaName } from '../../../src/model/published.ts';
import { schemaCheck } from '../../../src/store/published-schemas.ts';
import { changed, samplesOf } from '../../helpers/samples.ts';

const schemas = await schemaCheck({});
const many = (count: number, of: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => of(index + 1));
const sample = (name: SchemaName) => samplesOf(name).good[0];
const claim = { statement: 'It is so', path: 'a.ts', line: 1, quote: 'a' };
const finding = Object(samplesOf('review-answer').good[1]).findings[0];
const [task] = Object(sample('plan-answer')).tasks;

test.each([
  [
    'proposal',
    '/solutions',
    3,
    many(5, (index) => ({ ...Object(sample('proposal')).solutions[0], name: `Way ${index}` })),
  ],
  ['proposal', '/questions', 20, many(4_000, (index) => `Is it ${index}?`)],
  ['proposal', '/solutions/0/claims', 60, many(200, () => claim)],
  ['proposal', '/solutions/0/pros', 400, many(5_000, (index) => `Good ${index}`)],
  ['examination', '/questions', 20, many(21, (index) => `Is it ${index}?`)],
  ['plan-answer', '/tasks', 60, many(61, (index) => ({ ...task, id: `TASK-${index}` }))],
  ['review-answer', '/findings', 40, many(41, () => finding)],
] as const)('%s: of %s, %i are kept, with a note', (name, at, most, entries) => {
  const answer = changed(sample(name), at, entries);
  const { value, notes } = normalise(answer, schemas.schema(name));
  const kept = at
    .split('/')
    .slice(1)
    .reduce<unknown>((inner, key) => Object(inner)[key], value);
  expect(kept).toHaveLength(most);
  const field = at.split('/').at(-1);
  expect(notes).toContain(`${field}: ${entries.length} given, ${most} kept`);
});

test('a command keeps all of its words', () => {
  const argv = many(1_000, (index) => `a${index}`);
  const answer = changed(sample('plan-answer'), '/tasks/0/checks', [{ kind: 'command', argv }]);
  const { value } = normalise(answer, schemas.schema('plan-answer'));
  expect(Object(value).tasks[0].checks[0].argv).toHaveLength(1_000);
});
