// Copies files and folders as they are, sharing their blocks on the disk where the file system can.
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runProgram } from './run-program.ts';

/** macOS has to be asked for a clone. */
const options = process.platform === 'darwin' ? ['-a', '-c'] : ['-a'];

/** Both folders are absolute. */
interface CopyPlace {
  readonly from: string;
  readonly to: string;
  /** Of this program: `cp` is looked for on its PATH. */
  readonly environment: NodeJS.ProcessEnv;
}

/**
 * Copies some paths from one folder into another one, with their links as links and their times.
 * Returns why it failed; null where it did not.
 */
export async function copyPaths(
  { from, to, environment: env }: CopyPlace,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<string | null> {
  for (const path of paths) {
    const plain = path.replace(/\/$/, '');
    await mkdir(dirname(join(to, plain)), { recursive: true });
    const args = [...options, '--', join(from, plain), dirname(join(to, plain))];
    const call = { command: 'cp', args, env, maxOutput: 64_000, signal };
    const { exitCode, stderr } = await runProgram(call);
    if (exitCode !== 0) return `${plain} cannot be copied: ${String(stderr).trim()}`;
  }
  return null;
}
