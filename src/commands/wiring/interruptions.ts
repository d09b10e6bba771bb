// Runs a session behind its face, or other work, until it ends or Ctrl-C, TERM or a closed terminal ends it.
import { markPrefixOf } from '../../app/session-places.ts';
import type { Door } from '../../app/sessions.ts';
import { endMarked } from '../../agents/process/process-tree.ts';
import { cleanText } from '../../model/clean-text.ts';
import { type Failure, Stopped } from '../../model/failure.ts';
import type { Tools } from '../../phases/phase-tools.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import type { SessionEnd } from '../../workflow/recorded.ts';
import type { Answers, View } from '../../workflow/view-port.ts';
import { newWarning } from '../../model/make-events.ts';
import { asCalled } from './called-as.ts';
import type { Reach } from '../../app/reach-user.ts';

/** The parts of a face that a run of a session needs. */
export interface FaceOfRun {
  /** Null if no person is present. */
  readonly person: { readonly view: View } | null;
  view(answers: Answers): View;
  /** The words that start this program, used in suggested commands. */
  readonly program: string;
  /** Called when the session, or only its plan, is open. */
  opened(
    session: Pick<Tools, 'repository' | 'folder'> & Partial<Pick<Tools, 'skips' | 'logins'>>,
  ): void;
  /**
   * Called when the session has ended and is closed, before the last words on stderr. Once `deserted` has
   * resolved, no person is waited for.
   */
  ended(deserted: Promise<void>): Promise<void>;
}

/** Runs a session until it ends, or until a second Ctrl-C abandons it. Returns the exit code. */
export async function runInFace({
  face,
  answers,
  run,
  again,
}: {
  readonly face: FaceOfRun;
  readonly answers: (reach: Reach) => Answers;
  readonly run: (door: Door) => Promise<SessionEnd>;
  /** Continues if nothing matches the task or git refuses the repository; if absent, that is the end. */
  readonly again?: (failure: Failure) => Promise<number>;
}): Promise<number> {
  const interrupt = interruptions();
  const door: Door = {
    signal: interrupt.signal,
    now: () => new Date(),
    view(folder, reach) {
      interrupt.names(folder);
      return face.view(answers(reach));
    },
    tell(text) {
      if (face.person === null) process.stderr.write(`conclave: ${cleanText(text)}\n`);
      else face.person.view.show(newWarning(text));
    },
    onOpen: (tools) => face.opened(tools),
  };
  let end: SessionEnd | Stopped;
  try {
    end = await Promise.race([run(door), interrupt.forced]);
    const told = end.notify?.();
    const isShown = !isNothingFound(end) || again === undefined;
    if (isShown) await face.ended(interrupt.deserted);
    await told;
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
  // Written to stderr in every face, so that a script sees the reason without reading the events.
  if (end.exitCode !== 0) {
    process.stderr.write(`conclave: ${cleanText(asCalled(end.message, face.program))}\n`);
  }
  return end.exitCode;
}

/** True if git refuses the repository. */
function isRefusal(error: unknown): error is Stopped {
  return error instanceof Stopped && error.failure.reason === 'usage';
}

function isNothingFound(end: SessionEnd): end is SessionEnd & { readonly failure: Failure } {
  return end.failure?.reason === 'nothing-found';
}

const signals = ['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGHUP'] as const;

interface Interruptions {
  /** Aborted by the first Ctrl-C (or TERM, QUIT, or a closed terminal), which saves and stops. */
  readonly signal: AbortSignal;
  /** Rejects at the second Ctrl-C, TERM or QUIT, after the started processes have ended. */
  readonly forced: Promise<never>;
  /** Resolves when no person will see the end: after TERM, QUIT, or a closed terminal. */
  readonly deserted: Promise<void>;
  /** Says which session runs, as soon as its folder is known. */
  names(session: SessionFolder): void;
  stop(): void;
}

/** Listens for the signals that interrupt a session or other work. */
function interruptions(outside: { readonly markPrefix: string } | null = null): Interruptions {
  const controller = new AbortController();
  const forced = Promise.withResolvers<never>();
  // Nobody may be waiting for it yet.
  forced.promise.catch(() => undefined);
  const desertion = Promise.withResolvers<void>();
  let folder: SessionFolder | null = null;
  const onSignal = (name: (typeof signals)[number]) => {
    if (name !== 'SIGINT') desertion.resolve();
    const cancelled = new Stopped({ reason: 'cancelled', session: folder?.id ?? null });
    if (!controller.signal.aborted) controller.abort(cancelled);
    // A closed terminal sends several of these without any person being impatient.
    else if (name !== 'SIGHUP') {
      const markPrefix = folder === null ? outside?.markPrefix : markPrefixOf(folder);
      giveUp(folder, markPrefix).then(() => forced.reject(cancelled), forced.reject);
    }
  };
  const listeners = signals.map((name) => ({ name, listener: () => onSignal(name) }));
  for (const { name, listener } of listeners) process.on(name, listener);
  return {
    signal: controller.signal,
    forced: forced.promise,
    deserted: desertion.promise,
    names: (session) => void (folder = session),
    stop() {
      for (const { name, listener } of listeners) process.off(name, listener);
    },
  };
}

/** Ends the started processes, and leaves the session so that another process can take it. */
async function giveUp(folder: SessionFolder | null, markPrefix: string | undefined): Promise<void> {
  try {
    if (markPrefix !== undefined) await endMarked(markPrefix, 0);
  } finally {
    // Work outside of any session never needs this module.
    if (folder !== null) await (await import('../../store/lock.ts')).leaveSession(folder);
  }
}

/**
 * Runs work outside of any session. Ctrl-C aborts its signal, so that everything it started is ended; a second
 * one does not wait for that. Processes of the work carry a mark that begins with `markPrefix`.
 */
export async function interruptible<T>(
  work: (run: { readonly signal: AbortSignal; readonly markPrefix: string }) => Promise<T>,
): Promise<T> {
  // Guessing it gains nothing, and node:crypto takes long to load.
  const markPrefix = `${process.pid}-${Date.now()}-${Math.random()}.`;
  const interrupt = interruptions({ markPrefix });
  try {
    return await Promise.race([work({ signal: interrupt.signal, markPrefix }), interrupt.forced]);
  } finally {
    interrupt.stop();
  }
}
