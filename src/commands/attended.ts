import type { FirstScreen } from '../faces/tui/open.tsx';
import type { TuiPorts } from '../faces/tui/ports.ts';
import type { Attended } from './wiring/attended-session.ts';
import { type Ground, type OpenRepository, terminalPorts } from './wiring/terminal-ports.ts';

/** Opens a face for a person. */
export type OpenFace = (opening: {
  readonly ports: TuiPorts;
  readonly opens: FirstScreen;
}) => Attended & {
  /** Rejects where showing failed, or where the person does not wait for the end. */
  readonly failed: Promise<never>;
};

/** The commands of a session before a person. Each returns the exit code. */
export interface AttendedCommands {
  plan(words: readonly string[], values: unknown): Promise<number>;
  resume(id: string | undefined, values: unknown): Promise<number>;
  review(id: string | undefined, cwd: string): Promise<number>;
}

/**
 * The commands behind a face. It is open before flags and settings are read and before any agent
 * is looked for; what is wrong with them is said when the terminal is back.
 */
export function attendedBy(openFace: OpenFace): AttendedCommands {
  return {
    async plan(words, values) {
      const ground = once(async () => {
        const { planGround } = await import('./wiring/ground.ts');
        return await planGround(values);
      });
      const isGiven = words.length > 0 || has(values, 'taskFile');
      return await before({ openFace, ground, opens: isGiven ? 'run' : 'start' }, async (open) => {
        const { planAt } = await import('./wiring/attended-session.ts');
        return await planAt({ ...open, words, ground: await ground() });
      });
    },
    async resume(id, values) {
      const ground = once(async () => {
        const { resumeGround } = await import('./wiring/ground.ts');
        return await resumeGround(values);
      });
      const opens = id === undefined ? 'resume' : 'run';
      return await before({ openFace, ground, opens }, async (open) => {
        const { resumeAt } = await import('./wiring/attended-session.ts');
        return await resumeAt({ ...open, id, ground: await ground() });
      });
    },
    async review(id, cwd) {
      const ground = once(async () => {
        const { reviewGround } = await import('./wiring/ground.ts');
        return await reviewGround(cwd);
      });
      const opens = id === undefined ? 'review' : 'run';
      return await before({ openFace, ground, opens }, async (open) => {
        const { reviewAt } = await import('./wiring/attended-session.ts');
        return await reviewAt({ ...open, id, ground: await ground() });
      });
    },
  };
}

interface Before {
  readonly openFace: OpenFace;
  readonly ground: () => Promise<Ground>;
  readonly opens: FirstScreen;
}

/** Opens the face, and gives the terminal back however the work before it ends. */
async function before(
  { openFace, ground, opens }: Before,
  work: (open: { readonly face: Attended; readonly repository: OpenRepository }) => Promise<number>,
): Promise<number> {
  const repository: OpenRepository = { current: null };
  const face = openFace({ ports: terminalPorts({ ground, repository }), opens });
  try {
    return await Promise.race([work({ face, repository }), face.failed]);
  } finally {
    await face.close();
  }
}

function has(values: unknown, name: string): boolean {
  return typeof values === 'object' && values !== null && name in values;
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => (made ??= make());
}
