// Checks values against our shapes and against the user's extensions of these.
import { z } from 'zod';
import { Stopped } from '../model/failure.ts';
import { type SchemaName, askedForms, publishedShapes } from '../model/published.ts';
import { misfitsIn } from './schema-findings.ts';
import {
  findingOf,
  ourSchema,
  readUserSchema,
  type Schema,
  type SchemaFinding,
  UnusableSchema,
  type UserSchema,
} from './user-schema.ts';

/**
 * Checks values against the shapes that the published JSON Schemas are made from, and against the
 * user's extensions of these.
 */
export interface SchemaCheck {
  /** Everything that does not fit; empty if the value is good. */
  check(name: SchemaName, value: unknown): readonly SchemaFinding[];
  /** The published schema, without the user's extension. */
  schema(name: SchemaName): Schema;
  /** The schema that agents are sent: without the fields that they are not asked for. */
  asked(name: SchemaName): Schema;
  /** The user’s own addition to the schema of plan or task, or null. */
  extension(name: 'plan' | 'task'): Schema | null;
}

export interface SchemaExtensions {
  /** Paths of JSON Schemas that must hold in addition to ours. */
  readonly plan?: string | undefined;
  readonly task?: string | undefined;
}

/**
 * Loads the extensions. An extension may `$ref` ours by its `$id`
 * (`https://conclave.invalid/schemas/NAME.schema.json`) and be of draft 2020-12 or draft-07; one
 * that cannot be used stops with a config failure that names the file. Nothing is fetched.
 */
export async function schemaCheck({
  extensions = {},
}: {
  readonly extensions?: SchemaExtensions;
}): Promise<SchemaCheck> {
  const plan = await readExtension(extensions.plan);
  const task = await readExtension(extensions.task);
  return {
    check(name, value) {
      const own = misfitsIn(value, publishedShapes[name]).map((misfit) => findingOf(misfit));
      // An extension that repeats ours by `$ref` finds the same misfits again.
      const found = new Set(own.map(({ pointer }) => pointer));
      const more = extensionFindings({ name, value, plan, task });
      return [...own, ...more.filter(({ pointer }) => !found.has(pointer))];
    },
    schema: ourSchema,
    asked: (name) => ourSchema(askedForms[name] ?? name),
    extension: (name) => (name === 'plan' ? plan : task)?.schema ?? null,
  };
}

async function readExtension(file: string | undefined): Promise<UserSchema | null> {
  if (file === undefined) return null;
  try {
    return await readUserSchema(file);
  } catch (error) {
    if (!(error instanceof UnusableSchema)) throw error;
    const message = `The schema extension ${error.message}.`;
    throw new Stopped({ reason: 'config', file, message });
  }
}

/** Checks with the extensions of both plan and task: a planner’s answers hold tasks and mostly a plan. */
function extensionFindings(given: {
  readonly name: SchemaName;
  readonly value: unknown;
  readonly plan: UserSchema | null;
  readonly task: UserSchema | null;
}): readonly SchemaFinding[] {
  const { name, value, plan, task } = given;
  if (name === 'plan') return extra(plan, value, '');
  if (name === 'task') return extra(task, value, '');
  const answer = ofPlanner.has(name) ? PlanParts.safeParse(value) : null;
  if (answer === null || !answer.success) return [];
  const own = answer.data.plan === null ? [] : extra(plan, answer.data.plan, '/plan');
  return [
    ...own.filter(({ pointer }) => !isDerived(pointer)),
    ...answer.data.tasks.flatMap((entry, index) => extra(task, entry, `/tasks/${index}`)),
  ];
}

const ofPlanner: ReadonlySet<SchemaName> = new Set(['plan-answer', 'plan-changes', 'plan-reply']);

const PlanParts = z.object({ plan: z.unknown(), tasks: z.array(z.unknown()) });

/** True for fields of a plan that are filled in after the answer. */
function isDerived(pointer: string): boolean {
  return /^\/plan\/(?:task_ids|task_count|_metadata)(?:\/|$)/.test(pointer);
}

function extra(extension: UserSchema | null, value: unknown, at: string): readonly SchemaFinding[] {
  return extension === null ? [] : extension.check(value, at);
}
