import type { SessionFolder } from '../store/session-folder.ts';
import type { Journal } from '../store/journal.ts';
import type { stateFile } from '../store/state-file.ts';
import type { SessionEnd } from './end.ts';
import { type Derivation, deriveState } from './state.ts';

/** Keeps `session-state.json` up to date behind the chart, one write at a time. */
export interface StateSaver {
  /** Asks for a write soon; asking again before it happens costs nothing. */
  save(now: Derivation['now']): void;
  /** Writes how the session stands at its end; rejects where the disk refuses. */
  last(end: SessionEnd): Promise<void>;
}

export function stateSaver(of: {
  readonly folder: SessionFolder;
  readonly journal: Journal;
  readonly file: ReturnType<typeof stateFile>;
}): StateSaver {
  let pending: Promise<void> | null = null;
  let again = false;
  return {
    save(now) {
      if (pending !== null) {
        again = true;
        return;
      }
      pending = writeUntilCalm(now).finally(() => {
        pending = null;
      });
      // A disk that refuses shows at the journal first, and again at the last write.
      pending.catch(() => undefined);
    },
    async last({ end, record, message }) {
      await pending?.catch(() => undefined);
      const failure = end === 'failed' ? { reason: 'failed', message } : null;
      const now = record === null && end === 'failed' ? 'failed' : 'interrupted';
      await write(now, failure);
    },
  };

  async function writeUntilCalm(now: Derivation['now']): Promise<void> {
    do {
      again = false;
      await write(now, null);
    } while (again);
  }

  async function write(now: Derivation['now'], failure: Derivation['failure']): Promise<void> {
    const { folder, journal, file } = of;
    const state = deriveState({
      id: folder.id,
      records: journal.records,
      journalBytes: journal.bytes,
      artifacts: await artifactsIn(folder),
      now,
      failure,
    });
    if (state !== null) await file.write(state);
  }
}

const topLevel = [
  'codebase-context.json',
  'context-package.json',
  'plan.json',
  'plan.md',
  'approval.json',
  'execution-context.json',
];

/** The files that a session has so far, relative to its folder. */
export async function artifactsIn(folder: SessionFolder): Promise<string[]> {
  const [names, rounds, tasks] = await Promise.all([
    folder.list('.'),
    folder.list('rounds'),
    folder.list('.task'),
  ]);
  return [
    ...topLevel.filter((name) => names.includes(name)),
    ...rounds.map((round) => `rounds/${round}/synthesis.json`),
    ...tasks.map((task) => `.task/${task}`),
  ];
}
