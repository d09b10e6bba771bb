import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isObject } from '../../src/model/json.ts';
import { PlanAnswer } from '../../src/model/plan.ts';
import { jsonSchemaOf } from '../../src/model/published.ts';
import { schemaCheck } from '../../src/store/published-schemas.ts';
import { samplesOf } from '../helpers/samples.ts';

test('a planner is asked for the fields that the request explains, and for few of them', async () => {
  const schemas = await schemaCheck({});
  const names = fieldsIn(schemas.asked('plan-answer'));
  const template = readFileSync(new URL('../../templates/plan.md', import.meta.url), 'utf8');
  const unexplained = names.filter((name) => !new RegExp(`\\b${name}\\b`).test(template));
  expect(unexplained).toEqual([]);
  expect(names.length).toBeLessThan(75);
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
