// Reads the JSON Schemas of users, and checks values against them.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { Text } from '../model/plain-shapes.ts';
import { isObject } from '../model/json.ts';
import { type SchemaName, schemaNames } from '../model/published.ts';
import { wordsOfError } from '../model/wording.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { type Misfit, misfitsOfSchema } from './schema-findings.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** A place in a value that does not fit its schema. */
export interface SchemaFinding {
  /** JSON pointer to the field; empty for the whole value. */
  readonly pointer: string;
  /** The expected and the received value, short enough for a repair prompt. */
  readonly message: string;
}

/** A JSON Schema that a user supplies. */
export interface UserSchema {
  readonly schema: Schema;
  /** Finds everything that does not fit, with its pointers prefixed by `at`. */
  check(value: unknown, at?: string): readonly SchemaFinding[];
}

/** A schema that cannot be used; the message names its file and begins in the middle of a sentence. */
export class UnusableSchema extends Error {
  constructor(what: string, error: unknown) {
    super(`${what}: ${wordsOfError(error)}`);
  }
}

/** Reads the schema in a file. Throws `UnusableSchema`. */
export async function readUserSchema(file: string): Promise<UserSchema> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UnusableSchema('cannot be read', error);
  });
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new UnusableSchema('is not valid JSON', error);
  }
  return await userSchema(content);
}

/**
 * Takes a value as a schema, of draft 2020-12 or draft-07; it may `$ref` ours by their `$id`.
 * Nothing is fetched. Throws `UnusableSchema`. ajv takes about 40 ms to load, hence only on demand.
 */
export async function userSchema(content: unknown, mostMs = 2000): Promise<UserSchema> {
  const { success, data: schema } = z.record(Text, z.unknown()).safeParse(content);
  if (!success) throw new UnusableSchema('is not a JSON Schema', 'expected an object');
  // A bundle exposes a CommonJS module as `default` only, Node by its names as well.
  const { default: module } = await import('ajv/dist/2020.js');
  const { default: formats } = await import('ajv-formats');
  const draft07 = await import('ajv/dist/refs/json-schema-draft-07.json', {
    with: { type: 'json' },
  });
  // JSON Schema ignores unknown keywords, such as notes for readers.
  const options = { strict: false, allErrors: true, verbose: true, logger: false } as const;
  const ajv = new module.Ajv2020(options);
  formats.default(ajv);
  ajv.addMetaSchema(draft07.default);
  for (const name of schemaNames) ajv.addSchema(ourSchema(name), undefined, false, false);
  try {
    const validate = ajv.compile(schema);
    const find = (value: unknown) =>
      validate(value) ? [] : misfitsOfSchema(validate.errors ?? []);
    let isSlow = false;
    return {
      schema,
      check(value, at = '') {
        const misfits = isSlow ? null : withinLimit(mostMs, () => find(value));
        isSlow = misfits === null;
        if (misfits === null) return [{ pointer: at, message: uncheckable }];
        return misfits.map((misfit) => findingOf(misfit, at));
      },
    };
  } catch (error) {
    throw new UnusableSchema('is not a usable JSON Schema', error);
  }
}

/** The message for a value that a user’s schema takes too long to check. */
export const uncheckable = 'cannot be checked within 2 s; make the patterns of the schema simpler';

/**
 * Runs `find` for at most `timeout` ms; null if it takes longer. A pattern may run forever, and
 * only a script can be interrupted.
 */
function withinLimit<T>(timeout: number, find: () => T): T | null {
  let found: T | null = null;
  try {
    runInNewContext('find()', { find: () => void (found = find()) }, { timeout });
  } catch (error) {
    if (!isObject(error) || error['code'] !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
  }
  return found;
}

const schemas = new Map<SchemaName, Schema>();

/** Reads a schema of ours once. */
export function ourSchema(name: SchemaName): Schema {
  const file = join(packageRoot(), 'schemas', `${name}.schema.json`);
  const schema =
    schemas.get(name) ?? z.record(Text, z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')));
  schemas.set(name, schema);
  return schema;
}

/** Makes the finding of a misfit, with its pointer prefixed by `at`. */
export function findingOf({ path, message }: Misfit, at = ''): SchemaFinding {
  const parts = path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
  return { pointer: [at, ...parts].join('/'), message };
}
