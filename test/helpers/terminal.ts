import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { type Terminal, type TerminalOptions, openTerminal } from './open-terminal.ts';
import { type Rig, program } from './rig.ts';

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

/** Presses each key and waits for what it leads to. */
export async function walk(
  terminal: Terminal,
  ...steps: readonly (readonly [key: string, shows: string | RegExp])[]
): Promise<void> {
  for (const [key, shows] of steps) {
    terminal.press(key);
    await terminal.shows(shows);
  }
}

/** Goes from part to part of a plan under review until the cursor is on this one. */
export async function goToPart(terminal: Terminal, part: string): Promise<void> {
  for (let more = 20; more > 0 && !terminal.screen().includes(`▸ ${part}`); more -= 1) {
    const before = terminal.screen();
    terminal.press('tab');
    await vi.waitFor(() => expect(terminal.screen()).not.toBe(before), 150_000);
  }
  await terminal.shows(`▸ ${part}`);
}

/** The program in a shell that says afterwards how the terminal is set. */
export function inShell(rig: Rig, args: readonly string[], entry = program): Terminal {
  const script = 'stty -a > "$HOME/before"; "$@"; echo "ended with $?"; stty -a > "$HOME/after"';
  const shell = ['-c', script, 'sh', process.execPath, entry, ...args];
  return inTerminal(rig, shell, { file: '/bin/sh' });
}

/** On the alternate screen no more, the cursor there again, and the line settings as before. */
export function expectGivenBack(rig: Rig, terminal: Terminal): void {
  const bytes = terminal.bytes();
  expect(bytes.lastIndexOf('\u001b[?1049l')).toBeGreaterThan(bytes.lastIndexOf('\u001b[?1049h'));
  expect(bytes.lastIndexOf('\u001b[?25h')).toBeGreaterThan(bytes.lastIndexOf('\u001b[?25l'));
  // A program that ends at once may not have got as far as asking for pastes to be told.
  const paste = bytes.lastIndexOf('\u001b[?2004h');
  expect(bytes.lastIndexOf('\u001b[?2004l')).toBeGreaterThanOrEqual(paste);
  const [before, after] = ['before', 'after'].map((name) =>
    readFileSync(join(rig.home, name), 'utf8'),
  );
  expect(after).toBe(before);
}
