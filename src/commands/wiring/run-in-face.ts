// Runs a session behind its face until it ends or a second Ctrl-C gives it up; makes the exit code.
import type { Door } from '../../app/sessions.ts';
import { cleanText } from '../../model/clean-text.ts';
import { type Failure, Stopped } from '../../model/failure.ts';
import type { SessionEnd } from '../../workflow/recorded.ts';
import type { Answers } from '../../workflow/view.ts';
import { asCalled } from './called-as.ts';
import type { Face } from './face.ts';
import { interruptions } from './interruptions.ts';

/** Returns the exit code. */
export async function runInFace({
  face,
  answers,
  run,
  again,
}: {
  readonly face: Face;
  readonly answers: (session: string) => Answers;
  readonly run: (door: Door) => Promise<SessionEnd>;
  /** Goes on where nothing matches the task or git refuses the repository; else that is the end. */
  readonly again?: (failure: Failure) => Promise<number>;
}): Promise<number> {
  const interrupt = interruptions();
  const door: Door = {
    signal: interrupt.signal,
    now: () => new Date(),
    view(folder) {
      interrupt.names(folder);
      return face.view(answers(folder.id));
    },
    onOpen: (tools) => face.opened(tools),
  };
  let end: SessionEnd | Stopped;
  try {
    end = await Promise.race([run(door), interrupt.forced]);
    const isShown = !isNothingFound(end) || again === undefined;
    if (isShown) await face.ended(interrupt.deserted);
  } catch (error) {
    if (again === undefined || !isRefusal(error)) throw error;
    end = error;
  } finally {
    interrupt.stop();
  }
  if (again !== undefined && (end instanceof Stopped || isNothingFound(end))) {
    return await again(end.failure);
  }
  if (end instanceof Stopped) throw end;
  // On stderr in every face, so that a script sees why without reading the events.
  if (end.exitCode !== 0) {
    process.stderr.write(`conclave: ${cleanText(asCalled(end.message, face.program))}\n`);
  }
  return end.exitCode;
}

/** True where git refuses the repository. */
function isRefusal(error: unknown): error is Stopped {
  return error instanceof Stopped && error.failure.reason === 'usage';
}

function isNothingFound(end: SessionEnd): end is SessionEnd & { readonly failure: Failure } {
  return end.failure?.reason === 'nothing-found';
}
