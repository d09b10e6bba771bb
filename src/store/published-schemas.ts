import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { type SchemaName, published, schemaNames } from '../model/published.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { ajvWith } from './ajv.ts';
import { type Extension, type Schema, readExtension } from './schema-extension.ts';
import { type SchemaFinding, schemaFindings } from './schema-findings.ts';

export type { SchemaFinding } from './schema-findings.ts';

/** Checks values against the published JSON Schemas and the user's extensions of them. */
export interface SchemaCheck {
  /** Everything that does not fit; empty if the value is good. */
  check(name: SchemaName, value: unknown): readonly SchemaFinding[];
  /** The published schema, without the user's extension. */
  schema(name: SchemaName): Schema;
  /** The user's own addition to the schema of plan or task; null where there is none. */
  extension(name: 'plan' | 'task'): Schema | null;
}

export interface SchemaExtensions {
  /** Paths of JSON Schemas that must hold in addition to ours. */
  readonly plan?: string | undefined;
  readonly task?: string | undefined;
}

/**
 * Loads ajv and the extensions. An extension may `$ref` ours by its `$id`
 * (`https://conclave.invalid/schemas/NAME.schema.json`); one that cannot be used stops with a
 * config failure.
 */
export async function schemaCheck({
  extensions = {},
}: {
  readonly extensions?: SchemaExtensions;
}): Promise<SchemaCheck> {
  const ajv = await ajvWith('strict');
  // The shape says at once whether a value is good; only to tell what is wrong is its schema compiled.
  const compiled = remembered((name: SchemaName) => ajv.compile(publishedSchema(name)));
  const plan = await extended(extensions.plan);
  const task = await extended(extensions.task);
  return {
    check: (name, value) =>
      distinct([
        ...(published[name].safeParse(value).success ? [] : findingsOf(compiled(name), value)),
        ...extensionFindings({ name, value, plan, task }),
      ]),
    schema: publishedSchema,
    extension: (name) => (name === 'plan' ? plan : task)?.schema ?? null,
  };
}

const publishedSchema = remembered((name: SchemaName): Schema => {
  const file = join(packageRoot(), 'schemas', `${name}.schema.json`);
  return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')));
});

async function extended(file: string | undefined): Promise<Extension | null> {
  return file === undefined ? null : readExtension(file, schemaNames.map(publishedSchema));
}

function findingsOf(validate: ValidateFunction, value: unknown): readonly SchemaFinding[] {
  return validate(value) ? [] : schemaFindings(validate.errors ?? []);
}

/** A planner's answer holds a plan and tasks, so the extensions of both count for it as well. */
function extensionFindings(given: {
  readonly name: SchemaName;
  readonly value: unknown;
  readonly plan: Extension | null;
  readonly task: Extension | null;
}): readonly SchemaFinding[] {
  const { name, value, plan, task } = given;
  if (name === 'plan') return extra(plan, value, '');
  if (name === 'task') return extra(task, value, '');
  const answer = name === 'plan-answer' ? PlanParts.safeParse(value) : null;
  if (answer === null || !answer.success) return [];
  return [
    ...extra(plan, answer.data.plan, '/plan').filter(({ pointer }) => !isDerived(pointer)),
    ...answer.data.tasks.flatMap((entry, index) => extra(task, entry, `/tasks/${index}`)),
  ];
}

const PlanParts = z.object({ plan: z.unknown(), tasks: z.array(z.unknown()) });

/** These fields of a plan are filled in after the answer. */
function isDerived(pointer: string): boolean {
  return /^\/plan\/(?:task_ids|task_count|_metadata)(?:\/|$)/.test(pointer);
}

function extra(extension: Extension | null, value: unknown, at: string): readonly SchemaFinding[] {
  if (extension === null) return [];
  return findingsOf(extension.validate, value).map(({ pointer, message }) => ({
    pointer: `${at}${pointer}`,
    message,
  }));
}

/** An extension that repeats ours by `$ref` finds the same again. */
function distinct(findings: readonly SchemaFinding[]): readonly SchemaFinding[] {
  const byText = findings.map((one) => [`${one.pointer}\n${one.message}`, one] as const);
  return [...new Map(byText).values()];
}

function remembered<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = make(key);
    known.set(key, value);
    return value;
  };
}
