import { readFile } from 'node:fs/promises';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { Stopped } from '../model/failure.ts';
import { ajvWith } from './ajv.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** A user's JSON Schema that must hold in addition to one of ours. */
export interface Extension {
  readonly schema: Schema;
  readonly validate: ValidateFunction;
}

/**
 * Reads and compiles an extension. It may `$ref` one of `ours` by its `$id` and be of draft
 * 2020-12 or draft-07; one that cannot be used stops with a config failure that names the file.
 * Nothing is fetched.
 */
export async function readExtension(file: string, ours: readonly Schema[]): Promise<Extension> {
  const schema = await readSchema(file);
  const ajv = await ajvWith('lenient');
  const draft07 = await import('ajv/dist/refs/json-schema-draft-07.json', {
    with: { type: 'json' },
  });
  ajv.addMetaSchema(draft07.default);
  for (const one of ours) ajv.addSchema(one, undefined, false, false);
  try {
    return { schema, validate: ajv.compile(schema) };
  } catch (error) {
    // ajv throws plain errors for whatever is wrong with a schema.
    if (error instanceof Error)
      throw unusable(file, `is not a usable JSON Schema: ${error.message}`);
    throw error;
  }
}

async function readSchema(file: string): Promise<Schema> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unusable(file, `cannot be read: ${messageOf(error)}`);
  });
  const parsed = z.record(z.string(), z.unknown()).safeParse(parsedJson(file, text));
  if (!parsed.success) throw unusable(file, 'is not a JSON Schema: expected an object');
  return parsed.data;
}

function parsedJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unusable(file, `is not valid JSON: ${messageOf(error)}`);
  }
}

function unusable(file: string, message: string): Stopped {
  return new Stopped({ reason: 'config', file, message: `The schema extension ${message}.` });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
