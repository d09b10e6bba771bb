// Remembers that a vendor has refused a login for good, to say so before the next call.
import { join } from 'node:path';
import { Stopped } from '../../model/failure.ts';
import { sha256Of } from '../../store/digest.ts';
import { writeUserJson } from '../../store/small-file.ts';
import { type CliSetup, userSide } from './cli-setup.ts';

/** Remembers the login that a run would use if this failure says that it is no longer served. */
export async function rememberRefusal(setup: CliSetup, failure: string): Promise<void> {
  const { unserved } = setup.adapter;
  const file = fileOf(setup);
  if (file === null || unserved === undefined || !failure.includes(unserved.why)) return;
  try {
    await writeUserJson(file, {});
  } catch (error) {
    // The next run is told the same.
    if (!(error instanceof Stopped)) throw error;
  }
}

/** True for a login that was refused for good, as long as it has not changed. */
export function isRefused(setup: CliSetup): boolean {
  const file = fileOf(setup);
  return file !== null && userSide(setup).has(file);
}

/** The file named after the login; null if a run would use no such login. */
function fileOf(setup: CliSetup): string | null {
  const { refusals, adapter } = setup;
  const account = adapter.unserved?.account(userSide(setup)) ?? null;
  return account === null || refusals === undefined ? null : join(refusals, sha256Of(account));
}
