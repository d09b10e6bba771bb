// Opens a session as its only owner, and makes the tools of its phases.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { adapters } from '../agents/cli/list.ts';
import { sweepPrivateFiles } from '../agents/process/private-files.ts';
import { poolWithout } from '../agents/pool.ts';
import { endMarked } from '../agents/process/process-tree.ts';
import { leaveRun } from '../agents/process/start-program.ts';
import type { Machines } from '../machines/placed-agents.ts';
import { openRepository } from '../git/open-repository.ts';
import { Base } from '../model/context.ts';
import type { GivenPlan } from '../model/critique.ts';
import { Stopped } from '../model/failure.ts';
import { formatVersion } from '../model/id-patterns.ts';
import { neverAborted } from '../model/signal.ts';
import { parseStep, steps as catalogue } from '../model/steps.ts';
import { billOf } from '../phases/asking/fold-bill.ts';
import { openBudget } from '../phases/asking/reserve-budget.ts';
import { treeWatch } from '../agents/tree-watch.ts';
import { openSharedSetUp } from '../phases/execution/shared-set-up.ts';
import { finishWrites } from '../phases/planning/write-plan.ts';
import { openLogins, openSkips, type Tools } from '../phases/phase-tools.ts';
import { openStaging } from '../store/staging.ts';
import { sweepTemporary } from '../store/atomic.ts';
import { sweepTemporaryFolders } from '../store/temporary-folder.ts';
import { openJournal, type Journal } from '../store/journal.ts';
import { lockSession, wasKilled } from '../store/lock.ts';
import { journalSteps } from '../store/logged-steps.ts';
import { schemaCheck } from '../store/published-schemas.ts';
import { foldFinishedSteps } from '../store/recorded-steps.ts';
import { type SessionFolder, sessionsFolder } from '../store/session-folder.ts';
import type { Steps } from '../store/steps-port.ts';
import { SessionStart, SessionTask, laterBases, findBase, findTask } from '../workflow/recorded.ts';
import { titleOf } from '../model/wording.ts';
import { emitter, type View } from '../workflow/view-port.ts';
import type { SessionEvent } from '../model/event.ts';
import { version } from '../version.ts';
import type { ToldConversation } from './conversation-history.ts';
import { conversationFacts } from './conversation-plan.ts';
import { confinementFile, keyFile, stagingPath } from './folders.ts';
import { poolFor, seatsAreChosen, poolToAsk } from './make-pool.ts';
import { ownMachines } from './own-machines.ts';
import { searchProviders } from './search-providers.ts';
import { planningRole } from './role-text.ts';
import { keyVariable, userMark } from './inside-agent.ts';
import {
  confinementFor,
  tellLeftOut,
  markPrefixOf,
  sessionWorktrees,
  snapshotsIn,
} from './session-places.ts';
import { rememberChoices } from './settings/edit-config.ts';
import { type ResumedSettings, recordSettings } from './settings/session-settings.ts';
import { foreignness, lookUpOwner, refuseForeign } from './trust.ts';
import type { Workplace } from './workplace.ts';
import { usualUse } from './saved-session.ts';

export interface OpenSession {
  readonly tools: Tools;
  readonly journal: Journal;
  readonly start: SessionStart;
  close(): Promise<void>;
}

/** A session that is about to be opened. */
export interface SessionOpening extends Workplace {
  readonly folder: SessionFolder;
  /** The task; null for a resumed session, whose journal contains it. */
  readonly task: string | null;
  /** The conversation that led to a new session’s task. */
  readonly conversation?: ToldConversation | null;
  /** The existing plan that a new session examines. */
  readonly given?: GivenPlan;
  /** The settings of a resumed session; null for a new one. */
  readonly resumed: ResumedSettings | null;
  /** Called with the open journal before any step runs. */
  readonly prepare?: (journal: Journal) => Promise<void>;
  readonly view: View;
  readonly interrupt: AbortSignal;
  readonly now: () => Date;
}

/**
 * Opens a session as its only owner: takes the lock, ends what a dead run left behind, opens the journal and
 * the repository at the session’s base, and makes the tools of the phases.
 */
export async function openSession(opening: SessionOpening): Promise<OpenSession> {
  await using opened = new AsyncDisposableStack();
  const { journal, apart, key } = await takeOver(opening, opened);
  await opening.prepare?.(journal);
  const { start, ...recording } = await recordStart(opening, journal);
  const role = await planningRole(opening);
  const warn = (text: string) => recording.emit({ type: 'warning.raised', text });
  for (const text of await finishWrites(opening.folder)) warn(text);
  opening.interrupt.throwIfAborted();
  if (apart === null) warn(notApart);
  if (key === null) warn(notBound);
  // Unique to this process, so that its watcher never ends what a later process starts.
  const own = `${userMark(key)}${randomBytes(4).toString('hex')}.`;
  const markPrefix = `${markPrefixOf(opening.folder)}${own}`;
  const machines = ownMachines(opening, { markPrefix });
  opened.defer(() => leaveRun(markPrefix));
  opened.defer(() => machines.close());
  const given = { ...recording, start, role, journal, apart, warn, markPrefix, machines };
  const tools = makeTools(opening, given);
  const owned = opened.move();
  return { tools, journal, start, close: () => owned.disposeAsync() };
}

/** Registers everything that is opened here in `opened`, which closes it, the lock last. */
async function takeOver(
  { folder, root, settings, environment }: SessionOpening,
  opened: AsyncDisposableStack,
) {
  const owner = await lookUpOwner(folder, { root, environment });
  const isLeft = await wasKilled(folder);
  const lock = await lockSession(folder);
  opened.defer(() => lock.release());
  // Processes of a dead run are ended first, so that none of them still writes into what is swept next.
  if (isLeft) await endMarked(markPrefixOf(folder), settings.limits.graceMs);
  const apart = await openStaging(folder, stagingPath(environment, folder.path));
  opened.defer(async () => apart?.close());
  const places = apart === null ? [folder] : [folder, apart];
  const [journal] = await Promise.all([
    openJournal(folder, {
      key: owner.key,
      apartPath: apart === null ? undefined : join(apart.path, 'journal.jsonl'),
    }),
    sweepTemporaryFolders(),
    ...places.flatMap(({ path }) => [sweepTemporary(path), sweepPrivateFiles(path)]),
  ]);
  opened.defer(() => journal.close());
  refuseForeign({ folder, foreign: foreignness(journal, owner) });
  return { journal, apart, key: owner.key };
}

const notBound = `This session cannot be resumed later, as the key that binds it to you cannot be kept in your data folder ($XDG_DATA_HOME, else ~/.local/share). Set ${keyVariable}, or make that folder writable.`;

const notApart =
  'The agents of a round could read each other’s answers: no folder for these can be made outside the repository, in your data folder ($XDG_DATA_HOME, else ~/.local/share).';

/** Makes the tools that the phases of the session work with. */
function makeTools(
  opening: SessionOpening,
  { journal, warn, start, markPrefix, machines, ...recording }: Recording,
): Tools {
  const { folder, settings, environment } = opening;
  const { repository, apart } = recording;
  const logins = openLogins(opening.view.logsIn === true);
  const agents = poolWithout(logins.refused, machines.place(poolFor({ ...opening, repository })));
  const { records } = journal;
  const listing = { names: null };
  return {
    ...recording,
    folder,
    hidden: [join(repository.root, sessionsFolder[0]), ...(apart === null ? [] : [apart.path])],
    agents,
    seatsAreChosen: seatsAreChosen(settings),
    providers: searchProviders({ ...opening, repository, markPrefix }),
    search: { ...settings.context, facts: conversationFacts(settings.context, start) },
    standing: opening.standing ?? '',
    limits: settings.limits,
    budget: openBudget({ id: folder.id, limits: settings.budget, records, warn }),
    execution: {
      settings: settings.execution,
      shared: openSharedSetUp(),
      remember: (choices) => rememberChoices(opening.root, choices, environment),
      environment,
      confinement: confinementFor(opening),
      confinementFile: confinementFile(environment),
      secrets: [keyFile(environment), ...adapters.flatMap(({ keepsIn }) => keepsIn)],
      records,
      worktrees: (signal) =>
        sessionWorktrees({
          ...opening,
          title: titleOf(start.task),
          branchPrefix: opening.settings.execution.branchPrefix,
          runsHooks: opening.settings.execution.applyHooks,
          listing,
          repository,
          signal,
        }),
    },
    skips: openSkips(),
    logins,
    watch: treeWatch(repository),
    markPrefix,
    modelFor: (name) => agents.modelOf(name),
    phases: settings.phases,
    proves: opening.proves !== false,
    planReaders: settings.planReaders,
  };
}

interface Recording extends Pick<
  Tools,
  'repository' | 'schemas' | 'steps' | 'emit' | 'apart' | 'role'
> {
  readonly start: SessionStart;
  readonly journal: Journal;
  readonly warn: (text: string) => void;
  readonly markPrefix: string;
  readonly machines: Machines;
}

/**
 * Announces the session and runs its first steps: they record what was asked, then the state of the repository
 * against which claims are checked.
 */
async function recordStart(opening: SessionOpening, journal: Journal) {
  const { folder, root, settings, view, interrupt: signal } = opening;
  const finished = foldFinishedSteps(journal.records);
  const tellBill = () => emit({ type: 'usage.counted', spent: billOf(journal.records) });
  const steps = journalSteps(journal, {
    finished(step) {
      emit({ type: 'step.finished', ...step });
      // Calculations cost nothing, so the bill stays the same.
      if (!step.replayed && parseStep(step.key)?.kind !== 'calculation') tellBill();
    },
    spent: tellBill,
  });
  const emit = emitter(view, () => finished.size > 0 && steps.replaying);
  emit(await startEvent(opening, finished));
  if (finished.size > 0) tellBill();
  const schemas = await schemaCheck({ extensions: settings.schemas });
  await recordOpening(opening, journal);
  const task = await recordTask(opening, finished, steps);
  // Defaults introduced after its start do not apply to a resumed session.
  const said = settings.sources.filter(
    ({ source }) => finished.size === 0 || source.name !== 'default',
  );
  await recordSettings(journal, said, opening.now());
  const base = findBase(finished);
  const leftOut: string[] = [];
  const snapshots = snapshotsIn(folder, (path) => leftOut.push(path));
  const repository = await openRepository({ root, base, snapshots, signal });
  const step = { ...sessionSteps.start, input: {}, shape: SessionStart, signal };
  const { value: start } = await steps.run(step, async () => ({ ...task, base: repository.base }));
  for (const later of laterBases(finished)) {
    await steps.run({ ...later, input: {}, shape: Base, signal }, async () => repository.base);
  }
  if (leftOut.length > 0) emit({ type: 'warning.raised', text: tellLeftOut(leftOut) });
  for (const text of settings.warnings) emit({ type: 'warning.raised', text });
  for (const text of journal.notes) {
    // It is not marked as a replay, because this run found it, and the journal is complete again now.
    emit({ type: 'warning.raised', text }, false);
    await journal.append({
      v: formatVersion,
      at: opening.now().toISOString(),
      type: 'noted',
      text,
    });
  }
  return { repository, start, schemas, steps, emit };
}

const { session: sessionSteps } = catalogue;

/** Names the session in its own journal, so that it cannot be confused with another session’s journal. */
async function recordOpening({ folder, now }: SessionOpening, journal: Journal): Promise<void> {
  if (journal.records.length > 0) return;
  const head = { v: formatVersion, at: now().toISOString() } as const;
  const record = { ...head, type: 'opened', session: folder.id, forked_from: null } as const;
  await journal.append(record, { flush: false });
}

/** Records the task, even if Ctrl-C came first, because Ctrl-C promises that the session is saved. */
async function recordTask(
  { folder, task, given, conversation = null, settings, now }: SessionOpening,
  finished: ReturnType<typeof foldFinishedSteps>,
  steps: Steps,
): Promise<SessionTask> {
  if (findTask(finished) === null && task === null) {
    const message =
      'it ended before its task was saved; start a new one with: conclave plan "TASK"';
    throw new Stopped({ reason: 'session-unreadable', session: folder.id, message });
  }
  const step = { ...sessionSteps.task, input: {}, shape: SessionTask, signal: neverAborted };
  const { value } = await steps.run(step, async () => ({
    task: task ?? '',
    settings: settings.run,
    created_at: now().toISOString(),
    ...(conversation !== null && {
      conversation: { session: conversation.session, text: conversation.text },
    }),
    ...(given !== undefined && { given }),
  }));
  return value;
}

type Finished = ReturnType<typeof foldFinishedSteps>;

interface StartedSession extends Workplace {
  readonly folder: SessionFolder;
  /** The task; null for a resumed session. */
  readonly task: string | null;
  readonly resumed: ResumedSettings | null;
}

/** Reports who plans, what may be spent, and for a new session what such a session usually uses. */
async function startEvent(opening: StartedSession, finished: Finished): Promise<SessionEvent> {
  const { folder, task, resumed, settings, root } = opening;
  const { planner } = settings;
  const pool = poolToAsk(opening);
  const { budget } = settings;
  const hasBudget = Object.values(budget).some((limit) => limit !== undefined);
  const common = {
    session: folder.id,
    folder: folder.relative,
    ...(hasBudget && { budget }),
    ...(planner === null
      ? {}
      : { agent: pool.get(planner)?.traits.label ?? planner, model: pool.modelOf(planner) }),
  };
  const known = findTask(finished);
  if (known !== null) {
    return {
      type: 'session.resumed',
      ...common,
      task: known.task,
      finished_steps: finished.size,
      kept: [...(resumed?.kept ?? [])],
      changed: [...(resumed?.changed ?? [])],
    };
  }
  const forecast = await usualUse(root);
  const started = { type: 'session.started', ...common, task: task ?? '', version } as const;
  return forecast === null ? started : { ...started, forecast };
}
