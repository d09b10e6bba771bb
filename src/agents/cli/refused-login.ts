// Remembers that a vendor has refused a login for good, so that it is said before the next call.
import { join } from 'node:path';
import { Stopped } from '../../model/failure.ts';
import { sha256Of } from '../../store/digest.ts';
import { writeUserJson } from '../../store/small-file.ts';
import { type CliSetup, userSide } from './cli-setup.ts';

/** Remembers the login that a run would use, where this failure says that it is served no longer. */
export async function rememberRefusal(setup: CliSetup, failure: string): Promise<void> {
  const account = accountOf(setup);
  const file = fileOf(setup);
  if (account === null || file === null || !failure.includes(setup.adapter.unserved?.why ?? '\n'))
    return;
  try {
    await writeUserJson(file, { account });
  } catch (error) {
    // The next run is told the same.
    if (!(error instanceof Stopped)) throw error;
  }
}

/** True for a login that was refused for good, as long as it is the same. */
export function isRefused(setup: CliSetup): boolean {
  const [account, file] = [accountOf(setup), fileOf(setup)];
  return (
    account !== null && file !== null && userSide(setup).read(file)?.includes(account) === true
  );
}

function accountOf(setup: CliSetup): string | null {
  const account = setup.adapter.unserved?.account(userSide(setup)) ?? null;
  return account === null ? null : sha256Of(account);
}

function fileOf({ refusals, adapter }: CliSetup): string | null {
  return refusals === undefined ? null : join(refusals, `${adapter.command}.json`);
}
