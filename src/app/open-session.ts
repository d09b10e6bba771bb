// Opens a session as its one owner and makes the tools of its phases; opens its plan without owning it.
import { join } from 'node:path';
import { sweepPrivateFiles } from '../agents/process/private-files.ts';
import { endMarked } from '../agents/process/process-tree.ts';
import { openRepository, type Snapshots } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import type { Worktrees } from '../git/worktrees.ts';
import { Base } from '../model/context.ts';
import type { SessionEvent } from '../model/event.ts';
import { Stopped } from '../model/failure.ts';
import { steps as catalogue } from '../model/steps.ts';
import { openBudget } from '../phases/asking/budget.ts';
import { treeWatch } from '../agents/tree-watch.ts';
import { planDesk, type PlanDesk } from '../phases/planning/plan-desk.ts';
import { finishWrites, unfinishedFile } from '../phases/planning/write-plan.ts';
import { openSkips, type Tools } from '../phases/tools.ts';
import { openStaging } from '../store/staging.ts';
import { sweepTemporary } from '../store/atomic.ts';
import { sha256Of } from '../store/digest.ts';
import { openJournal, type Journal } from '../store/journal.ts';
import { lockSession, withLock } from '../store/lock.ts';
import { journalSteps } from '../store/logged-steps.ts';
import { schemaCheck, type SchemaCheck } from '../store/published-schemas.ts';
import { finishedSteps } from '../store/recorded-steps.ts';
import { type SessionFolder, sessionsFolder } from '../store/session-folder.ts';
import type { Steps } from '../store/steps.ts';
import { version } from '../version.ts';
import {
  type Planned,
  SessionStart,
  SessionTask,
  laterBases,
  recordedBase,
  recordedTask,
} from '../workflow/recorded.ts';
import { emitter, type View } from '../workflow/view.ts';
import { apartPath, worktreesFolder } from './folders.ts';
import { usualUse } from './saved-session.ts';
import type { Settings } from './settings/load-settings.ts';
import { type ResumedSettings, recordSettings } from './settings/session-settings.ts';
import { poolFor, poolToAsk, searchProviders, seatsAreChosen } from './agents-and-providers.ts';

export interface OpenSession {
  readonly tools: Tools;
  readonly journal: Journal;
  readonly start: SessionStart;
  close(): Promise<void>;
}

/** A session that is about to be opened. */
export interface SessionOpening {
  readonly folder: SessionFolder;
  readonly root: string;
  readonly settings: Settings;
  /** Null for a session that goes on: its journal knows. */
  readonly task: string | null;
  /** Null for a new session. */
  readonly resumed: ResumedSettings | null;
  /** Called with the open journal before any step runs. */
  readonly prepare?: (journal: Journal) => Promise<void>;
}

interface WatchedOpening extends SessionOpening {
  readonly environment: NodeJS.ProcessEnv;
  readonly view: View;
  readonly interrupt: AbortSignal;
}

/**
 * Opens a session as its one owner: takes the lock, ends what a dead run left behind, opens the
 * journal and the repository at the session’s base, and makes the tools of the phases.
 */
export async function openSession(opening: WatchedOpening): Promise<OpenSession> {
  const { folder, settings, interrupt } = opening;
  await using opened = new AsyncDisposableStack();
  const lock = await lockSession(folder);
  opened.defer(() => lock.release());
  const markPrefix = markPrefixOf(folder);
  // Ended first, so that none of them still writes what is swept next.
  await endMarked(markPrefix, settings.limits.graceMs);
  const apart = await openStaging(folder, apartPath(opening.environment, folder.path));
  opened.defer(async () => apart?.close());
  const places = apart === null ? [folder] : [folder, apart];
  const [journal] = await Promise.all([
    openJournal(folder, apart === null ? undefined : join(apart.path, 'journal.jsonl')),
    ...places.flatMap(({ path }) => [sweepTemporary(path), sweepPrivateFiles(path)]),
  ]);
  opened.defer(() => journal.close());
  await opening.prepare?.(journal);
  const { start, ...tools } = await startSession(opening, journal);
  for (const text of await finishWrites(folder)) tools.emit({ type: 'warning.raised', text });
  interrupt.throwIfAborted();
  if (apart === null) tools.emit({ type: 'warning.raised', text: notApart });
  const { repository } = tools;
  const agents = poolFor({ ...opening, repository });
  const providers = searchProviders({ ...opening, repository, markPrefix });
  const kept = opened.move();
  return {
    tools: {
      ...tools,
      folder,
      apart,
      hidden: [join(repository.root, sessionsFolder[0]), ...(apart === null ? [] : [apart.path])],
      agents,
      seatsAreChosen: seatsAreChosen(settings),
      providers,
      search: settings.context,
      limits: settings.limits,
      budget: openBudget({
        id: folder.id,
        limits: settings.budget,
        records: journal.records,
        warn: (text) => tools.emit({ type: 'warning.raised', text }),
      }),
      execution: {
        settings: settings.execution,
        environment: opening.environment,
        records: journal.records,
        worktrees: (signal) => sessionWorktrees({ ...opening, repository, signal }),
      },
      skips: openSkips(),
      watch: treeWatch(repository),
      markPrefix,
      modelFor: (name) => agents.modelOf(name),
    },
    journal,
    start,
    close: () => kept.disposeAsync(),
  };
}

const notApart =
  'The agents of a round could find each other’s answers: no place outside of the repository can be made for them in your data folder ($XDG_DATA_HOME, else ~/.local/share).';

/**
 * Announces the session and runs its first steps: what was asked, then the state of the repository
 * that claims are checked against.
 */
async function startSession(opening: WatchedOpening, journal: Journal) {
  const { folder, root, settings, view, interrupt: signal } = opening;
  const recorded = finishedSteps(journal.records);
  const steps = journalSteps(journal, (step) => emit({ type: 'step.finished', ...step }));
  const emit = emitter(view, () => recorded.size > 0 && steps.replaying);
  emit(await startEvent(opening, recorded));
  const schemas = await schemaCheck({ extensions: settings.schemas });
  const asked = await askedTask(opening, { recorded, steps });
  await recordSettings(journal, settings.sources);
  const base = recordedBase(recorded);
  const repository = await openRepository({ root, base, snapshots: snapshotsIn(folder), signal });
  const step = { ...sessionSteps.start, input: {}, shape: SessionStart, signal };
  const { value: start } = await steps.run(step, async () => ({ ...asked, base: repository.base }));
  for (const later of laterBases(recorded)) {
    await steps.run({ ...later, input: {}, shape: Base, signal }, async () => repository.base);
  }
  for (const text of [...settings.warnings, ...journal.notes]) {
    emit({ type: 'warning.raised', text });
  }
  return { repository, start, schemas, steps, emit };
}

const { session: sessionSteps } = catalogue;

/** Recorded even where Ctrl-C came first, which promises that the session is saved. */
async function askedTask(
  { folder, task, settings }: WatchedOpening,
  { recorded, steps }: { readonly recorded: Recorded; readonly steps: Steps },
): Promise<SessionTask> {
  const known = recordedTask(recorded);
  if (known !== null && !recorded.has(sessionSteps.task.key)) return known;
  if (known === null && task === null) {
    const message =
      'it ended before its task was saved; start a new one with: conclave plan "TASK"';
    throw new Stopped({ reason: 'session-unreadable', session: folder.id, message });
  }
  const { signal } = new AbortController();
  const step = { ...sessionSteps.task, input: {}, shape: SessionTask, signal };
  const { value } = await steps.run(step, async () => ({
    task: task ?? '',
    settings: settings.run,
    created_at: new Date().toISOString(),
  }));
  return value;
}

type Recorded = ReturnType<typeof finishedSteps>;

async function startEvent(
  { folder, task, resumed, settings, root }: WatchedOpening,
  recorded: Recorded,
): Promise<SessionEvent> {
  const { planner } = settings;
  const pool = poolToAsk({ settings, root });
  const budget = settings.budget.session;
  const hasBudget = Object.values(budget).some((limit) => limit !== undefined);
  const common = {
    session: folder.id,
    folder: folder.relative,
    ...(hasBudget ? { budget } : {}),
    ...(planner === null
      ? {}
      : { agent: pool.get(planner)?.traits.label ?? planner, model: pool.modelOf(planner) }),
  };
  const known = recordedTask(recorded);
  if (known !== null) {
    return {
      type: 'session.resumed',
      ...common,
      task: known.task,
      finished_steps: recorded.size,
      kept: [...(resumed?.kept ?? [])],
      changed: [...(resumed?.changed ?? [])],
    };
  }
  const forecast = await usualUse(root);
  const started = { type: 'session.started', ...common, task: task ?? '', version } as const;
  return forecast === null ? started : { ...started, forecast };
}

export interface OpenDesk {
  readonly desk: PlanDesk;
  readonly repository: Repository;
  readonly schemas: SchemaCheck;
}

/** The desk of a session without owning it: for looking, and for checking edits beforehand. */
export async function openDesk({
  folder,
  root,
  settings,
  planned: { base, written },
}: {
  readonly folder: SessionFolder;
  readonly root: string;
  readonly settings: Settings;
  readonly planned: Planned;
}): Promise<OpenDesk> {
  const { signal } = new AbortController();
  const snapshots = snapshotsIn(folder);
  const [repository, schemas] = await Promise.all([
    openRepository({ root, base, snapshots, signal }),
    schemaCheck({ extensions: settings.schemas }),
  ]);
  const tools = { folder, repository, schemas, emit: () => undefined };
  const desk = planDesk(tools, { ...written, since: written.before ?? written });
  return { desk, repository, schemas };
}

/** Completes a change of the plan that was cut short; returns warnings about it. */
export async function completeWrites(folder: SessionFolder): Promise<readonly string[]> {
  if ((await folder.read(unfinishedFile)) === null) return [];
  return await withLock(folder, () => finishWrites(folder));
}

/**
 * Starts the mark of every process that a session starts. The same folder has the same mark in
 * every process of ours; a copy of the folder elsewhere has another.
 */
export function markPrefixOf({ path }: SessionFolder): string {
  return `${sha256Of(path).slice(0, 16)}.`;
}

/** The work trees of a session’s execution, in the user’s data folder. */
export async function sessionWorktrees({
  folder,
  environment,
  ...rest
}: {
  readonly folder: SessionFolder;
  readonly environment: NodeJS.ProcessEnv;
  readonly repository: Repository;
  readonly signal: AbortSignal;
}): Promise<Worktrees> {
  const { openWorktrees } = await import('../git/git-worktrees.ts');
  return await openWorktrees({
    ...rest,
    session: folder.id,
    snapshots: snapshotsIn(folder),
    folder: worktreesFolder(environment, folder.path),
  });
}

/** Uncommitted contents at the start of the session, by their hash. */
export function snapshotsIn(folder: SessionFolder): Snapshots {
  return {
    // One character for each byte, so that any content comes back as it was.
    save: (sha256, content) => folder.write(`base/${sha256}`, content.toString('latin1')),
    async load(sha256) {
      const text = await folder.read(`base/${sha256}`);
      return text === null ? null : Buffer.from(text, 'latin1');
    },
  };
}
