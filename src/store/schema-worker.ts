// Checks values against the JSON Schema of a user, in a thread that can be ended in the middle of that.
import { MessagePort, parentPort, workerData } from 'node:worker_threads';
import * as ajvModule from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import draft07 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' };
import { z } from 'zod';
import { schemaNames } from '../model/published.ts';
import { misfitsOfSchema } from './schema-findings.ts';
import { ourSchema } from './user-schema.ts';

const Question = z.object({
  value: z.unknown(),
  answer: z.instanceof(MessagePort),
  /** Of one that begins, and one that is answered. */
  steps: z.instanceof(Int32Array),
});

/** Compiles the schema, says so, or why that cannot be, and then answers questions. */
function serve(): void {
  // As JSON Schema has it: unknown keywords, such as notes for readers, check nothing.
  const options = { strict: false, allErrors: true, verbose: true, logger: false } as const;
  const ajv = new ajvModule.default.Ajv2020(options);
  formats.default(ajv);
  ajv.addMetaSchema(draft07);
  for (const name of schemaNames) ajv.addSchema(ourSchema(name), undefined, false, false);
  const validate = ajv.compile(z.record(z.string(), z.unknown()).parse(workerData));
  parentPort?.on('message', (message) => {
    const { value, answer, steps } = Question.parse(message);
    take(steps, 0);
    answer.postMessage(validate(value) ? [] : misfitsOfSchema(validate.errors ?? []), []);
    take(steps, 1);
  });
  parentPort?.postMessage('ready', []);
}

function take(steps: Int32Array, step: number): void {
  Atomics.store(steps, step, 1);
  Atomics.notify(steps, step);
}

serve();
