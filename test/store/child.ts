import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { compiledOnce } from '../helpers/built.ts';

/** A running fixture program with its lines of output. */
export interface Child {
  readonly process: ChildProcessWithoutNullStreams;
  readonly lines: AsyncIterator<string, undefined>;
  /** Everything it wrote to stderr, once it has ended. */
  ended(): Promise<string>;
}

export function startFixture(name: string, args: readonly string[]): Child {
  const path = fileURLToPath(new URL(`../fixtures/store/${name}`, import.meta.url));
  const env = { ...process.env, ...compiledOnce() };
  const child = spawn(process.execPath, [path, ...args], { stdio: 'pipe', env });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const end = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await end;
  });
  return {
    process: child,
    lines: createInterface({ input: child.stdout })[Symbol.asyncIterator](),
    ended: async () => {
      await end;
      return errors;
    },
  };
}
