// Reads the JSON Schemas of users, and checks values against them.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { SchemaName } from '../model/published.ts';
import { packageRoot } from '../prompts/package-root.ts';
import type { Misfit } from './schema-findings.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** One place in a value that does not fit its schema. */
export interface SchemaFinding {
  /** JSON pointer to the field; empty for the whole value. */
  readonly pointer: string;
  /** The expected and the received value, short enough for a repair prompt. */
  readonly message: string;
}

/** A JSON Schema that a user brings. */
export interface UserSchema {
  readonly schema: Schema;
  /** Everything that does not fit, its pointers put behind `at`. */
  check(value: unknown, at?: string): readonly SchemaFinding[];
}

/** A schema that cannot be used; the message names its file and begins in the middle of a sentence. */
export class UnusableSchema extends Error {
  constructor(what: string, error: unknown) {
    super(`${what}: ${error instanceof Error ? error.message : String(error)}`);
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
 * Takes a value as a schema, of draft 2020-12 or draft-07; it may `$ref` ours by their `$id`. Nothing
 * is fetched. Throws `UnusableSchema`. Its patterns may take for ever, so a thread of its own checks.
 */
export async function userSchema(content: unknown): Promise<UserSchema> {
  const { success, data: schema } = z.record(z.string(), z.unknown()).safeParse(content);
  if (!success) throw new UnusableSchema('is not a JSON Schema', 'expected an object');
  let thread: Worker | null = await startThread(schema);
  let isSlow = false;
  const end = () => {
    void thread?.terminate();
    thread = null;
  };
  const idle = setTimeout(end, longestIdle).unref();
  return {
    schema,
    check(value, at = '') {
      if (!isSlow) {
        idle.refresh();
        thread ??= openThread(schema);
        const misfits = askThread(thread, value);
        if (misfits !== null) return misfits.map((misfit) => findingOf(misfit, at));
        isSlow = true;
        end();
      }
      return [{ pointer: at, message: uncheckable }];
    },
  };
}

/** The finding for a value that the schema of a user takes too long for. */
export const uncheckable = 'cannot be checked within 2 s; make the patterns of the schema simpler';

/** In ms. */
const longestCheck = 2000;
const longestStart = 20_000;
const longestIdle = 5000;

/** Starts a thread, and waits until it has compiled the schema. */
async function startThread(schema: Schema): Promise<Worker> {
  const thread = openThread(schema);
  thread.ref();
  const clock = setTimeout(() => void thread.terminate(), longestStart);
  try {
    await new Promise((resolve, reject) => {
      thread.once('message', resolve);
      thread.once('error', reject);
      thread.once('exit', () => reject(new Error('it takes too long')));
    });
  } catch (error) {
    throw new UnusableSchema('is not a usable JSON Schema', error);
  } finally {
    clearTimeout(clock);
    thread.unref();
  }
  return thread;
}

function openThread(schema: Schema): Worker {
  const isSource = import.meta.filename.endsWith('.ts');
  const file = isSource
    ? join(import.meta.dirname, 'schema-worker.ts')
    : join(packageRoot(), 'dist/store/schema-worker.js');
  const resourceLimits = { maxOldGenerationSizeMb: 256 };
  const thread = new Worker(file, { workerData: schema, execArgv: [], resourceLimits });
  // A thread that died answers nobody, which counts as too slow.
  thread.on('error', () => undefined);
  thread.unref();
  return thread;
}

/** Finds what does not fit; null where that took too long. A new thread has to start first. */
function askThread(thread: Worker, value: unknown): readonly Misfit[] | null {
  const steps = new Int32Array(new SharedArrayBuffer(8));
  const { port1, port2 } = new MessageChannel();
  thread.postMessage({ value, answer: port2, steps }, [port2]);
  Atomics.wait(steps, 0, 0, longestStart);
  Atomics.wait(steps, 1, 0, longestCheck);
  const answer = receiveMessageOnPort(port1);
  port1.close();
  return answer === undefined ? null : Misfits.parse(answer.message);
}

const Misfits = z.array(z.object({ path: z.array(z.string()), message: z.string() }));

const schemas = new Map<SchemaName, Schema>();

/** One of ours, read once. */
export function ourSchema(name: SchemaName): Schema {
  const file = join(packageRoot(), 'schemas', `${name}.schema.json`);
  const schema =
    schemas.get(name) ??
    z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(file, 'utf8')));
  schemas.set(name, schema);
  return schema;
}

/** The finding of a misfit, its pointer put behind `at`. */
export function findingOf({ path, message }: Misfit, at = ''): SchemaFinding {
  const parts = path.map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'));
  return { pointer: [at, ...parts].join('/'), message };
}
