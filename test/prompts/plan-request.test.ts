import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isObject } from '../../src/model/json.ts';
import { PlanAnswer } from '../../src/model/plan.ts';
import { jsonSchemaOf } from '../../src/model/published.ts';
import { schemaCheck } from '../../src/store/published-schemas.ts';
import { samplesOf } from '../helpers/samples.ts';

/** Stand in the line about the fields to repeat, or where a critique has none, or explain themselves. */
const plain: ReadonlySet<string> = new Set([
  'session',
  'round',
  'phase',
  'part',
  'revises',
  'first',
  'second',
]);

/** A template with the parts that it includes. */
function templateText(name: string): string {
  const text = readFileSync(new URL(`../../templates/${name}.md`, import.meta.url), 'utf8');
  return text.replace(/\{\{> ([\w-]+)\}\}/g, (_place, part: string) =>
    templateText(`parts/${part}`),
  );
}

test.each([
  ['propose', 'proposal'],
  ['compare', 'comparison-answer'],
  ['examine', 'examination'],
  ['critique', 'examination'],
  ['plan', 'plan-answer'],
  ['plan-review', 'plan-review-answer'],
  ['critique-revise', 'revised-plan'],
  ['review', 'review-answer'],
] as const)('the %s request explains each field that its answer has', async (template, name) => {
  const schemas = await schemaCheck({});
  // A revision is a solution, whose form the request to propose explains.
  const known = template === 'propose' ? [] : fieldsIn(schemas.asked('proposal'));
  const asked = fieldsIn(schemas.asked(name)).filter((field) => !known.includes(field));
  const text = templateText(template);
  const unexplained = asked.filter((field) => !new RegExp(`\\b${field}\\b`).test(text));
  expect(unexplained.filter((field) => !plain.has(field))).toEqual([]);
});

test('a planner is asked for few of the fields that are read', async () => {
  const schemas = await schemaCheck({});
  const names = fieldsIn(schemas.asked('plan-answer'));
  expect(names.length).toBeLessThan(80);
  expect(fieldsIn(jsonSchemaOf('plan-answer')).length).toBeGreaterThan(2 * names.length - 10);
});

test('what a planner is not asked for is read all the same', () => {
  const [good] = samplesOf('plan-answer').good;
  const answer = PlanAnswer.parse(good);
  const more = {
    code_skeleton: { interfaces: [{ name: 'Health' }] },
    rationale: { tradeoffs: 'x' },
  };
  const tasks = answer.tasks.map((task) => ({ ...task, ...more }));
  const plan = { ...answer.plan, rollback_plan: { strategy: 'git_revert', steps: [] } };
  expect(PlanAnswer.parse({ ...answer, plan, tasks })).toMatchObject({ plan, tasks });
});

function fieldsIn(schema: unknown): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(fieldsIn);
  if (!isObject(schema)) return [];
  const { properties } = schema;
  const own = isObject(properties) ? Object.keys(properties) : [];
  return [...own, ...Object.values(schema).flatMap(fieldsIn)];
}
