import { onTestFinished } from 'vitest';
import { type Terminal, type TerminalOptions, openTerminal } from './open-terminal.ts';
import type { Rig } from './rig.ts';

export type { Terminal, TerminalOptions } from './open-terminal.ts';

/** Starts the program in a pty of 80 × 24 unless said otherwise; it is ended with the test. */
export function inTerminal(
  rig: Rig,
  args: readonly string[],
  options: TerminalOptions = {},
): Terminal {
  const terminal = openTerminal(rig, args, options);
  onTestFinished(() => terminal.close());
  return terminal;
}
