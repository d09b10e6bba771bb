// Gives a program the events of a session, and takes its lines from standard input.
import { createInterface } from 'node:readline';
import { programFace } from '../../faces/programs/face.ts';
import type { Face } from './face.ts';

/** The face of a program that answers on standard input, until it is closed. */
export function openProgram(program: string): { readonly face: Face; close(): void } {
  let skip: (key: string) => void = () => undefined;
  const shown = programFace(process.stdout, {
    skip: (key) => skip(key),
    interrupt() {
      if (!process.emit('SIGINT')) process.kill(process.pid, 'SIGINT');
    },
  });
  const lines = createInterface({ input: process.stdin, terminal: false });
  lines.on('line', (line) => shown.take(line));
  lines.once('close', () => shown.end());
  return {
    face: {
      person: null,
      input: shown.answers,
      program,
      view: (answers) => ({ ...answers, show: (event) => shown.show(event) }),
      worksAt: () => undefined,
      opened({ skips }) {
        if (skips !== undefined) skip = (key) => skips.skip(key);
      },
      ended: () => Promise.resolve(),
    },
    close() {
      lines.removeAllListeners('close');
      lines.close();
      process.stdin.destroy();
    },
  };
}
