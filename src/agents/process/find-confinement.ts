// Finds the confinement of this machine.
import { bubblewrap } from './bubblewrap.ts';
import type { Confinement } from './confinement.ts';
import { findProgram } from './find-program.ts';
import { sandboxExec } from './sandbox-exec.ts';

/** The implementations, each by its program and the system on which it works. */
const known = [
  { platform: 'linux', program: 'bwrap', of: bubblewrap },
  { platform: 'darwin', program: 'sandbox-exec', of: sandboxExec },
] as const;

/** The confinement of this machine; null where it has none. */
export function findConfinement(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Confinement | null {
  const found = known.find((one) => one.platform === platform);
  const path = found === undefined ? null : findProgram(found.program, environment['PATH']);
  return found === undefined || path === null ? null : found.of(path);
}
