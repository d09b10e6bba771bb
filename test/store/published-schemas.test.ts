import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type SchemaName, publishedShapes } from '../../src/model/published.ts';
import { type SchemaCheck, schemaCheck } from '../../src/store/published-schemas.ts';
import { misfitsIn } from '../../src/store/schema-findings.ts';
import { changed, samplesOf } from '../helpers/samples.ts';
import { cpuFloors } from '../helpers/cpu-floors.ts';
import { failureOf } from './room.ts';

const names = Object.keys(publishedShapes).filter(
  (name): name is SchemaName => name in publishedShapes,
);
const [plan] = samplesOf('plan').good;
const [task] = samplesOf('task').good;
const [planAnswer] = samplesOf('plan-answer').good;

let check: SchemaCheck;
let folder: string;
beforeAll(async () => {
  check = await schemaCheck({});
  folder = await mkdtemp(join(tmpdir(), 'conclave-schemas-'));
});
afterAll(() => rm(folder, { recursive: true }));

function lines(name: SchemaName, value: unknown, by: SchemaCheck = check): readonly string[] {
  return by.check(name, value).map(({ pointer, message }) => `${pointer} ${message}`);
}

async function extension(content: unknown): Promise<string> {
  const file = join(folder, `${Math.random()}.json`);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test.each(names)('%s: good samples fit, and each bad one has a finding at its place', (name) => {
  const { good, bad } = samplesOf(name);
  for (const value of good) expect(lines(name, value)).toEqual([]);
  for (const { why, at, value } of bad) {
    const findings = check.check(name, value);
    expect(findings.every(({ message }) => message !== '' && message.length < 700)).toBe(true);
    const isNear = (pointer: string) => pointer.startsWith(at) || at.startsWith(pointer);
    expect(
      findings.some(({ pointer }) => isNear(pointer)),
      why,
    ).toBe(true);
  }
});

describe('says what a place must be and what it is', () => {
  test.each<[string, string, unknown, readonly string[]]>([
    ['a wrong type', '/description', 3, ['/description must be text, not 3']],
    ['a missing field', '/description', undefined, ['/description is missing; it must be text']],
    [
      'an unknown word',
      '/priority',
      'High',
      ['/priority must be one of "critical", "high", "medium", "low", not "High"'],
    ],
    [
      'an extra field',
      '/convergence/done',
      true,
      [
        '/convergence/done is not a known field; known are criteria, verification, definition_of_done',
      ],
    ],
    [
      'a moment',
      '/executed_at',
      'today',
      ['/executed_at must be a moment like "2026-11-21T08:00:00Z", not "today"'],
    ],
    [
      'a union of types',
      '/scope',
      { a: 1, b: 2 },
      ['/scope must be text or a list, not an object with a, b'],
    ],
    [
      'the closest branch of a union',
      '/implementation',
      [{ step: 1 }],
      ['/implementation/0/description is missing; it must be text'],
    ],
    [
      'the branch that a tag names',
      '/checks',
      [{ kind: 'file', path: 1 }],
      [
        '/checks/0/path must be text, not 1',
        '/checks/0/exists is missing; it must be true or false',
      ],
    ],
    [
      'another kind of value',
      '/checks',
      ['npm test'],
      ['/checks/0 must be an object, not "npm test"'],
    ],
    ['a list by its length', '/title', ['a'], ['/title must be text, not a list of 1']],
    ['an empty text', '/title', '', ['/title must not be empty']],
  ])('%s', (_name, at, put, expected) => {
    expect(lines('task', changed(task, at, put))).toEqual(expected);
  });

  test.each<[string, z.ZodType, unknown, string]>([
    [
      'null beside a kind',
      z.strictObject({ b: z.int() }).nullable(),
      'none',
      'must be null or an object, not "none"',
    ],
    [
      'null beside words',
      z.enum(['a', 'b']).nullable(),
      3,
      'must be null or one of "a", "b", not 3',
    ],
    [
      'null for what is missing',
      z.object({}).nullable(),
      undefined,
      'is missing; it must be null or an object',
    ],
    ['no null for a bound', z.number().max(3).nullable(), 4, 'must be at most 3, not 4'],
    ['an integer', z.int(), 'x', 'must be an integer, not "x"'],
    ['an integer that is missing', z.int(), undefined, 'is missing; it must be an integer'],
    [
      'how many entries',
      z.array(z.int()).min(2),
      [1],
      'must be at least 2 entries, not a list of 1',
    ],
    ['how long a text is', z.string().min(3), '', 'must be at least 3 characters long, not ""'],
  ])('%s', (_name, shape, value, expected) => {
    const at = z.object({ list: z.array(z.union([z.string(), z.object({ a: shape })])) });
    expect(misfitsIn({ list: [{ a: value }] }, at)).toEqual([
      { path: ['list', 0, 'a'], message: expected },
    ]);
  });

  test('what is wrong with the name of an entry', () => {
    expect(misfitsIn({ '': 1 }, z.record(z.string().min(1), z.int()))).toEqual([
      { path: [''], message: 'has a name that must not be empty' },
    ]);
  });

  test.each([[{ kind: 'shell' }], [{ argv: ['ls'] }]])('all tags for %j', (one) => {
    const [line] = lines('task', changed(task, '/checks', [one]));
    for (const kind of ['command', 'test', 'file', 'symbol', 'text', 'manual']) {
      expect(line).toContain(`"${kind}"`);
    }
  });

  test('long values are cut, control characters shown by their numbers, slashes escaped', () => {
    const value = `\u001B[31m\u202E${'é'.repeat(500)}`;
    const [line = ''] = lines('task', changed(task, '/priority', value));
    expect(line).toContain('\\u001b[31m\\u202e');
    expect(line).toContain('é…');
    expect(line.length).toBeLessThan(200);
    expect(lines('task', changed(task, '/test', { commands: { 'a/b~c': 1 } }))).toEqual([
      '/test/commands/a~1b~0c must be text, not 1',
    ]);
  });
});

test('reports thousands of faults in linear time', () => {
  const faulty = changed(
    task,
    '/checks',
    Array.from({ length: 20_000 }, () => ({ kind: 'no' })),
  );
  const before = cpuFloors();
  expect(check.check('task', faulty)).toHaveLength(20_000);
  expect(cpuFloors() - before).toBeLessThan(80);
});

describe('an extension', () => {
  const owner = { type: 'object', required: ['owner'], properties: { owner: { type: 'string' } } };

  test('holds in addition to ours', async () => {
    const extended = await schemaCheck({ extensions: { task: await extension(owner) } });
    expect(lines('task', task, extended)).toEqual(['/owner is missing; it must be text']);
    expect(lines('task', changed(task, '/owner', 'me'), extended)).toEqual([]);
    expect(lines('task', changed(changed(task, '/owner', 'me'), '/title', 1), extended)).toEqual([
      '/title must be text, not 1',
    ]);
    expect(lines('plan', plan, extended)).toEqual([]);
    expect(extended.extension('task')).toEqual(owner);
    expect(extended.schema('task')).toEqual(check.schema('task'));
  });

  test('may refer to ours, and a fault is then reported once', async () => {
    const file = await extension({
      allOf: [{ $ref: 'https://conclave.invalid/schemas/plan.schema.json' }],
      required: ['milestones'],
    });
    const extended = await schemaCheck({ extensions: { plan: file } });
    expect(lines('plan', changed(plan, '/summary', undefined), extended)).toEqual([
      '/summary is missing; it must be text',
      '/milestones is missing',
    ]);
  });

  test.each([
    { $schema: 'http://json-schema.org/draft-07/schema#' },
    { $schema: 'https://json-schema.org/draft/2020-12/schema' },
    { _extension_guide: { owner: 'Who answers for it.' } },
  ])('may have %j', async (more) => {
    const extended = await schemaCheck({
      extensions: { plan: await extension({ ...more, ...owner }) },
    });
    expect(lines('plan', plan, extended)).toEqual(['/owner is missing; it must be text']);
  });

  test.each<[string, unknown, unknown, readonly string[]]>([
    ['enum', { enum: ['a', 2] }, 'b', ['/x must be one of "a", 2, not "b"']],
    ['const', { const: 'a' }, 'b', ['/x must be "a", not "b"']],
    ['type', { type: ['integer', 'null'] }, 'b', ['/x must be an integer or null, not "b"']],
    [
      'required',
      { required: ['y'], properties: { y: { enum: ['a', 'b'] } } },
      {},
      ['/x/y is missing; it must be one of "a", "b"'],
    ],
    [
      'additional',
      { additionalProperties: false, properties: { y: true } },
      { z: 1 },
      ['/x/z is not a known field; known are y'],
    ],
    [
      'names',
      { propertyNames: { pattern: '^a' } },
      { b: 1 },
      ['/x/b must match pattern "^a", not "b"'],
    ],
    [
      'branches',
      { anyOf: [{ type: 'string' }, { type: 'array' }] },
      1,
      ['/x must be text, not 1', '/x must be a list, not 1'],
    ],
    [
      'oneOf of more than one',
      { oneOf: [{ type: 'string' }, { minLength: 1 }] },
      'b',
      ['/x must match exactly one schema in oneOf, not "b"'],
    ],
  ])('says what %s wants', async (_name, schema, value, expected) => {
    const file = await extension({ properties: { x: schema } });
    const extended = await schemaCheck({ extensions: { task: file } });
    expect(lines('task', changed(task, '/x', value), extended)).toEqual(expected);
  });

  test('counts for a planner’s answer as well, but not for the fields that are filled in later', async () => {
    const ours = { $ref: 'https://conclave.invalid/schemas/plan.schema.json' };
    const extended = await schemaCheck({
      extensions: {
        plan: await extension({ ...ours, ...owner }),
        task: await extension(owner),
      },
    });
    expect(lines('plan-answer', planAnswer, extended)).toEqual([
      '/plan/owner is missing; it must be text',
      '/tasks/0/owner is missing; it must be text',
      '/tasks/1/owner is missing; it must be text',
    ]);
    expect(lines('plan-answer', 'nonsense', extended)).toEqual([
      ' must be an object, not "nonsense"',
    ]);
  });

  test.each<[string, unknown, RegExp]>([
    ['no JSON', '{"type": ', /is not valid JSON/],
    ['a list', [1], /is not a JSON Schema: expected an object/],
    ['an unknown type', { type: 'text' }, /is not a usable JSON Schema/],
    [
      'an unknown reference',
      { $ref: 'https://conclave.invalid/x.json' },
      /can't resolve reference/,
    ],
    ['another dialect', { $schema: 'https://example.com/dialect' }, /no schema with key or ref/],
    ['a broken pattern', { properties: { a: { pattern: '(' } } }, /is not a usable JSON Schema/],
  ])('that is %s stops with one sentence that names the file', async (_name, content, message) => {
    const file = await extension(content);
    const failure = await failureOf(schemaCheck({ extensions: { plan: file } }));
    expect(failure).toMatchObject({ reason: 'config', file });
    expect(failure).toHaveProperty('message', expect.stringMatching(message));
    expect(failure).toHaveProperty(
      'message',
      expect.stringMatching(/^The schema extension [^\n]+\.$/),
    );
  });
});
