// Checks values against our shapes and against JSON Schemas of the user.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { Stopped } from '../model/failure.ts';
import { type SchemaName, askedForms, publishedShapes, schemaNames } from '../model/published.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { type Misfit, misfitsIn, misfitsOfSchema } from './schema-findings.ts';

type Schema = Readonly<Record<string, unknown>>;

/** One place in a value that does not fit its schema. */
export interface SchemaFinding {
  /** JSON pointer to the field; empty for the whole value. */
  readonly pointer: string;
  /** The expected and the received value, short enough for a repair prompt. */
  readonly message: string;
}

/**
 * Checks values against the shapes that the published JSON Schemas are made from, and against the
 * user's extensions of these.
 */
export interface SchemaCheck {
  /** Everything that does not fit; empty if the value is good. */
  check(name: SchemaName, value: unknown): readonly SchemaFinding[];
  /** The published schema, without the user's extension. */
  schema(name: SchemaName): Schema;
  /** The schema that agents are sent: without what they are not asked for. */
  asked(name: SchemaName): Schema;
  /** The user's own addition to the schema of plan or task; null where there is none. */
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
      // An extension that repeats ours by `$ref` finds the same again.
      const found = new Set(own.map(({ pointer }) => pointer));
      const more = extensionFindings({ name, value, plan, task });
      return [...own, ...more.filter(({ pointer }) => !found.has(pointer))];
    },
    schema: publishedSchema,
    asked: (name) => publishedSchema(askedForms[name] ?? name),
    extension: (name) => (name === 'plan' ? plan : task)?.schema ?? null,
  };
}

function findingOf({ path, message }: Misfit, at = ''): SchemaFinding {
  const parts = path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
  return { pointer: [at, ...parts].join('/'), message };
}

const schemas = new Map<SchemaName, Schema>();

/** Read once. */
function publishedSchema(name: SchemaName): Schema {
  const file = join(packageRoot(), 'schemas', `${name}.schema.json`);
  const schema =
    schemas.get(name) ??
    z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')));
  schemas.set(name, schema);
  return schema;
}

interface Extension {
  readonly schema: Schema;
  readonly validate: ValidateFunction;
}

/** ajv takes about 40 ms to load, hence only on demand. */
async function readExtension(file: string | undefined): Promise<Extension | null> {
  if (file === undefined) return null;
  const schema = await readSchema(file);
  // A bundle gives a CommonJS module as `default` only, Node by its names as well.
  const { default: module } = await import('ajv/dist/2020.js');
  const { default: formats } = await import('ajv-formats');
  const draft07 = await import('ajv/dist/refs/json-schema-draft-07.json', {
    with: { type: 'json' },
  });
  // As JSON Schema has it: unknown keywords, such as notes for readers, check nothing.
  const options = { strict: false, allErrors: true, verbose: true, logger: false } as const;
  const ajv = new module.Ajv2020(options);
  formats.default(ajv);
  ajv.addMetaSchema(draft07.default);
  for (const name of schemaNames) ajv.addSchema(publishedSchema(name), undefined, false, false);
  try {
    return { schema, validate: ajv.compile(schema) };
  } catch (error) {
    throw unusable(file, 'is not a usable JSON Schema', error);
  }
}

async function readSchema(file: string): Promise<Schema> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unusable(file, 'cannot be read', error);
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw unusable(file, 'is not valid JSON', error);
  }
  const parsed = z.record(z.string(), z.unknown()).safeParse(content);
  if (!parsed.success) throw unusable(file, 'is not a JSON Schema', 'expected an object');
  return parsed.data;
}

function unusable(file: string, what: string, error: unknown): Stopped {
  const why = error instanceof Error ? error.message : String(error);
  const message = `The schema extension ${what}: ${why}.`;
  return new Stopped({ reason: 'config', file, message });
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
  if (extension === null || extension.validate(value)) return [];
  return misfitsOfSchema(extension.validate.errors ?? []).map((misfit) => findingOf(misfit, at));
}
