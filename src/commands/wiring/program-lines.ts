// Writes the events of a session for a program, and takes its lines from standard input.
import { createInterface } from 'node:readline';
import { type ProgramFace, programFace } from '../../faces/program-face.ts';

interface ProgramLines extends Pick<ProgramFace, 'show' | 'answers'> {
  readonly close: () => void;
}

/** Reads the lines of a program until it is closed; `skip` ends the calls of an agent. */
export function openProgramLines(skip: (key: string) => void): ProgramLines {
  const { show, answers, take, end } = programFace(process.stdout, {
    skip,
    interrupt() {
      if (!process.emit('SIGINT')) process.kill(process.pid, 'SIGINT');
    },
  });
  const lines = createInterface({ input: process.stdin, terminal: false });
  lines.on('line', take);
  lines.once('close', end);
  return {
    show,
    answers,
    close() {
      lines.off('close', end);
      lines.close();
      process.stdin.destroy();
    },
  };
}
