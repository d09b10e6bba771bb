import { join } from 'node:path';

/** Node keeps what it compiles of a program: a run of the tests starts the same hundreds of times. */
export function compiledOnce(): Readonly<Record<string, string>> {
  const kept = process.env['CONCLAVE_TESTS_KEPT'];
  return kept === undefined ? {} : { NODE_COMPILE_CACHE: join(kept, 'compiled') };
}
