import { builtInAnalysts } from '../../agents/analysts/index.ts';
import { type AgentPool, agentPool } from '../../agents/pool.ts';
import { sweepPrivateFiles } from '../../agents/process/private-files.ts';
import { endMarked } from '../../agents/process/process-tree.ts';
import { type Snapshots, openRepository } from '../../context/open-repository.ts';
import type { Repository } from '../../context/repository.ts';
import { Stopped } from '../../model/failure.ts';
import type { SessionEvent } from '../../model/event.ts';
import { treeWatch } from '../../phases/asking/tree-watch.ts';
import type { Tools } from '../../phases/tools.ts';
import { sweepTemporary } from '../../store/atomic.ts';
import { type Journal, openJournal } from '../../store/journal.ts';
import { finishedSteps, journalSteps } from '../../store/journal-steps.ts';
import { lockSession } from '../../store/lock.ts';
import { schemaCheck } from '../../store/published-schemas.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import type { Steps } from '../../store/steps.ts';
import { emitter } from '../../workflow/emitter.ts';
import { SessionStart } from '../../workflow/start.ts';
import type { View } from '../../workflow/view.ts';
import { version } from '../../version.ts';
import type { Settings } from '../settings/load-settings.ts';
import { markPrefixOf } from './mark.ts';
import { searchProviders } from './search-providers.ts';

export interface OpenSession {
  readonly tools: Tools;
  readonly journal: Journal;
  readonly start: SessionStart;
  close(): Promise<void>;
}

export interface Opening {
  readonly folder: SessionFolder;
  readonly root: string;
  readonly settings: Settings;
  readonly environment: NodeJS.ProcessEnv;
  readonly view: View;
  /** Null for a session that goes on: its journal knows. */
  readonly task: string | null;
  readonly interrupt: AbortSignal;
  /** Called with the open journal before any step runs. */
  readonly prepare?: (journal: Journal) => Promise<void>;
}

/**
 * Opens a session as its one owner: takes the lock, ends what a dead run left behind, opens the
 * journal and the repository at the session’s base, and makes the tools of the phases.
 */
export async function openSession(opening: Opening): Promise<OpenSession> {
  const { folder, settings, view } = opening;
  const lock = await lockSession(folder);
  let opened: Journal | null = null;
  try {
    const markPrefix = markPrefixOf(folder);
    // Ended first, so that nobody writes any more what is swept then.
    await endMarked(markPrefix, settings.limits.graceMs);
    const [journal] = await Promise.all([
      openJournal(folder),
      sweepTemporary(folder.path),
      sweepPrivateFiles(folder.path),
    ]);
    opened = journal;
    await opening.prepare?.(journal);
    const recorded = finishedSteps(journal.records);
    const onFinished = (step: { key: string; replayed: boolean }) =>
      emit({ type: 'step.finished', ...step });
    const steps = journalSteps({ journal, onFinished });
    const emit = emitter(view, () => recorded.size > 0 && steps.replaying);
    emit(startEvent(opening, recorded));
    const [{ repository, start }, schemas] = await Promise.all([
      startSession({ ...opening, steps, recorded }),
      schemaCheck({ extensions: settings.schemas }),
    ]);
    for (const text of [...settings.warnings, ...journal.notes]) {
      emit({ type: 'warning.raised', text });
    }
    const agents = poolFor({ settings, environment: opening.environment, repository });
    const tools: Tools = {
      folder,
      repository,
      steps,
      agents,
      providers: searchProviders({ ...opening, repository, markPrefix }),
      search: settings.context,
      schemas,
      limits: settings.limits,
      watch: treeWatch(repository),
      markPrefix,
      modelFor: (name) => settings.agents[name]?.model ?? null,
      emit,
    };
    const close = async () => {
      await journal.close();
      await lock.release();
    };
    return { tools, journal, start, close };
  } catch (error) {
    await opened?.close();
    await lock.release();
    throw error;
  }
}

/** The agents of a run: those of the list, configured programs, and the built-in analysts. */
export function poolFor(pool: {
  readonly settings: Settings;
  readonly environment: NodeJS.ProcessEnv;
  readonly repository: Repository;
}): AgentPool {
  const { agents: settings } = pool.settings;
  const analysts = builtInAnalysts(pool.repository).filter(
    ({ name }) => settings[name]?.enabled !== false,
  );
  return agentPool({ settings, environment: pool.environment, analysts });
}

/** The first step: what was asked, and the state of the repository that claims are checked against. */
async function startSession(
  opening: Opening & { readonly steps: Steps; readonly recorded: Recorded },
): Promise<{ repository: Repository; start: SessionStart }> {
  const { steps, recorded, root, task, settings } = opening;
  // An interruption waits until the task of a new session is saved, or there is nothing to resume.
  const late = new AbortController();
  const signal = task === null ? opening.interrupt : late.signal;
  const snapshots = snapshotsIn(opening.folder);
  const known = recordedStart(recorded);
  if (known === null && task === null) {
    const message = 'it ended before its task was saved; start a new one with "conclave plan".';
    throw new Stopped({ reason: 'session-unreadable', session: opening.folder.id, message });
  }
  const base = known?.base ?? null;
  const repository = await openRepository({ root, base, snapshots, signal });
  const { value: start } = await steps.run(
    {
      key: 'session',
      group: 'session',
      kind: 'calculation',
      input: {},
      shape: SessionStart,
      signal,
    },
    async () => ({
      task: task ?? '',
      settings: settings.run,
      base: repository.base,
      created_at: new Date().toISOString(),
    }),
  );
  passOn(opening.interrupt, late);
  return { repository, start };
}

function passOn(from: AbortSignal, to: AbortController): void {
  const abort = () => to.abort(from.reason);
  if (from.aborted) abort();
  else from.addEventListener('abort', abort, { once: true });
}

type Recorded = ReturnType<typeof finishedSteps>;

function recordedStart(recorded: Recorded): SessionStart | null {
  return SessionStart.safeParse(recorded.get('session')?.result).data ?? null;
}

function startEvent({ folder, task }: Opening, recorded: Recorded): SessionEvent {
  const common = { session: folder.id, folder: folder.relative };
  const known = recordedStart(recorded);
  return known === null
    ? { type: 'session.started', ...common, task: task ?? '', version }
    : { type: 'session.resumed', ...common, task: known.task, finished_steps: recorded.size };
}

/** Uncommitted contents at the start of the session, by their hash. */
export function snapshotsIn(folder: SessionFolder): Snapshots {
  return {
    // One character for each byte, so that any content comes back as it was.
    async save(sha256, content) {
      await folder.write(snapshotPath(sha256), content.toString('latin1'));
    },
    async load(sha256) {
      const text = await folder.read(snapshotPath(sha256));
      return text === null ? null : Buffer.from(text, 'latin1');
    },
  };
}

function snapshotPath(sha256: string): string {
  return `base/${sha256}`;
}
