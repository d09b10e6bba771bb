// Reads the form in which an answer is requested.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import type { UserSchema } from '../store/user-schema.ts';

/**
 * The schema of the answer; null for text. Words name a file, relative to the folder. Throws `usage` if the
 * schema cannot be used, or does not describe an object.
 */
export async function readOutputFormat(
  given: string | Readonly<Record<string, unknown>>,
  { cwd, name }: { readonly cwd: string; readonly name: string },
): Promise<UserSchema | null> {
  if (given === 'text') return null;
  const { readUserSchema, UnusableSchema, userSchema } = await import('../store/user-schema.ts');
  const isFile = typeof given === 'string';
  const what = isFile ? `the file ${given}` : 'the schema';
  try {
    if (isFile && (await nullIfAbsent(stat(resolve(cwd, given)))) === null) {
      throw wrongUsage(`${name}: there is no file ${given}.`);
    }
    const form = await (isFile ? readUserSchema(resolve(cwd, given)) : userSchema(given));
    if (form.schema['type'] === 'object') return form;
  } catch (error) {
    if (!(error instanceof UnusableSchema)) throw error;
    throw wrongUsage(`${name}: ${what} ${error.message}.`);
  }
  throw wrongUsage(
    `${name}: ${what} must say at its top that the answer is an object ("type": "object").`,
  );
}
