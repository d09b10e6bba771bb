// Lists the shapes that have a JSON Schema in `schemas/`, that of `conclave.toml` included.
import { z } from 'zod';
import { Approval } from './decision.ts';
import { ContextPackage } from './context-package.ts';
import { CodebaseContext } from './context.ts';
import { Critique, RevisedPlan } from './critique.ts';
import { Event } from './event.ts';
import { InputEvent } from './input-event.ts';
import { ExecutionContext } from './execution-context.ts';
import { CodeReview, ExecutionResult, ReviewAnswer } from './execution.ts';
import { AskedPlanReply, PlanReading, PlanReply, PlanReviewAnswer } from './plan-reading.ts';
import { AskedPlanAnswer, AskedPlanChanges, Plan, PlanAnswer, PlanChanges } from './plan.ts';
import { ComparisonAnswer, Examination, Proposal } from './proposal.ts';
import { ProofAnswer, ProofSet } from './proof.ts';
import { Receipt } from './receipt.ts';
import { SessionState } from './session.ts';
import { Synthesis } from './synthesis.ts';
import { Task } from './task.ts';
import { AgentName } from './ids.ts';
import { keyIn, tableOf, tomlTables } from './setting.ts';
import { shapeOf } from './setting-shape.ts';
import { settingsList } from './settings.ts';

/** `conclave.toml` and `config.toml`: every setting, all optional. */
export const Config = tableShape('');

/** A table with its settings and subtables; an empty path means the whole file. */
function tableShape(path: string): z.ZodObject {
  const fields = settingsList
    .filter((setting) => tableOf(setting) === path)
    .flatMap((setting) => {
      const { about, alias } = setting;
      const shape = shapeOf(setting).optional();
      const other = shape.describe(`another name of ${keyIn(setting)}`);
      const field = [keyIn(setting), shape.describe(about)] as const;
      return alias === undefined ? [field] : [field, [alias, other] as const];
    });
  const tables = tomlTables.flatMap(({ path: inner, about }) => {
    const isFamily = inner.endsWith('.*');
    const name = isFamily ? inner.slice(0, -2) : inner;
    if (tableOf({ path: name }) !== path) return [];
    const shape = isFamily ? z.record(nameShape(inner), tableShape(inner)) : tableShape(inner);
    return [[keyIn({ path: name }), shape.optional().describe(about)] as const];
  });
  return z.strictObject(Object.fromEntries<z.ZodType>([...fields, ...tables]));
}

function nameShape(path: string): z.ZodType<string, string> {
  return path === 'agents.*' ? AgentName : z.string();
}

/** Every shape with a published JSON Schema in `schemas/`, by its name. */
export const publishedShapes = {
  approval: Approval,
  'code-review': CodeReview,
  'codebase-context': CodebaseContext,
  'comparison-answer': ComparisonAnswer,
  config: Config,
  'context-package': ContextPackage,
  critique: Critique,
  event: Event,
  examination: Examination,
  'execution-context': ExecutionContext,
  'execution-result': ExecutionResult,
  'input-event': InputEvent,
  plan: Plan,
  'plan-answer': PlanAnswer,
  'plan-changes': PlanChanges,
  'plan-changes-request': AskedPlanChanges,
  'plan-reading': PlanReading,
  'plan-reply': PlanReply,
  'plan-reply-request': AskedPlanReply,
  'plan-review-answer': PlanReviewAnswer,
  'plan-request': AskedPlanAnswer,
  proof: ProofSet,
  'proof-answer': ProofAnswer,
  proposal: Proposal,
  receipt: Receipt,
  'review-answer': ReviewAnswer,
  'revised-plan': RevisedPlan,
  'session-state': SessionState,
  synthesis: Synthesis,
  task: Task,
} as const;

export type SchemaName = keyof typeof publishedShapes;

/** The shorter forms that agents are asked for, by the answers that are read. */
export const askedForms: Readonly<Partial<Record<SchemaName, SchemaName>>> = {
  'plan-answer': 'plan-request',
  'plan-changes': 'plan-changes-request',
  'plan-reply': 'plan-reply-request',
};

/** The names of all published schemas. */
export const schemaNames: readonly SchemaName[] = Object.keys(publishedShapes).filter(isSchemaName);

function isSchemaName(name: string): name is SchemaName {
  return Object.hasOwn(publishedShapes, name);
}

/** The JSON Schema (draft 2020-12) that is generated from a shape and committed. */
export function jsonSchemaOf(name: SchemaName): Record<string, unknown> {
  const { $schema, ...schema } = z.toJSONSchema(publishedShapes[name], {
    target: 'draft-2020-12',
    io: 'input',
  });
  return {
    $schema,
    $id: `https://conclave.invalid/schemas/${name}.schema.json`,
    title: name,
    ...schema,
  };
}
