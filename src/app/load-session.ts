// Loads a saved session with the settings that it keeps, or its plan, without taking ownership yet.
import type { ExecutionResult } from '../model/execution.ts';
import { type Stopped, wrongUsage } from '../model/failure.ts';
import { readResult } from '../phases/execution/read-result.ts';
import { type JournalRecord, readJournal } from '../store/journal.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { type PlanRecord, findPlan } from '../workflow/recorded.ts';
import { listSessions } from './list-sessions.ts';
import { isForeign, openSaved, readSession } from './read-session.ts';
import { findLatest } from './saved-session.ts';
import type { Leaf } from './settings/leaf.ts';
import { loadSettings } from './settings/load-settings.ts';
import {
  type ResumedSettings,
  compareSettings,
  sessionLeaves,
} from './settings/session-settings.ts';
import { foreignness, lookUpOwner } from './trust.ts';
import { type Workplace, namesOf } from './workplace.ts';
import { openRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import { neverAborted } from '../model/signal.ts';
import { type PlanDesk, planDesk } from '../phases/planning/plan-desk.ts';
import { finishWrites, unfinishedFile } from '../phases/planning/write-plan.ts';
import { withLock } from '../store/lock.ts';
import { type SchemaCheck, schemaCheck } from '../store/published-schemas.ts';
import { snapshotsIn } from './session-places.ts';

/** A saved session to continue, with the settings that it keeps from its start. */
export interface LoadedSession extends Workplace {
  readonly folder: SessionFolder;
  readonly records: readonly JournalRecord[];
  /** The plan; null if there is none yet. */
  readonly planned: PlanRecord | null;
  readonly resumed: ResumedSettings;
  /** The reason why it is not known to be the user’s own, so that it runs nothing; null if it is. */
  readonly foreign: string | null;
}

/** Loads a saved session; `workplace` has the settings without those of the session. Throws like `openSaved`. */
export async function loadSession(
  id: string,
  workplace: Workplace,
  flags: readonly Leaf[],
): Promise<LoadedSession> {
  const { root, environment, settings: today, guests = [] } = workplace;
  const folder = await openSaved(root, id);
  const owner = await lookUpOwner(folder, workplace);
  const journal = await readJournal(folder, owner.key);
  const { records } = journal;
  const session = sessionLeaves(records);
  const leaves = [...session.values()];
  const settings = await loadSettings({
    root,
    environment,
    session: leaves,
    flags,
    guests: namesOf(guests),
  });
  const resumed = compareSettings({ session, settings: settings.sources, today: today.sources });
  const foreign = foreignness(journal, owner);
  const planned = findPlan(records);
  return { root, environment, settings, guests, folder, records, planned, resumed, foreign };
}

/** A session with a plan, opened for reading. */
export interface PlannedSession extends LoadedSession, OpenDesk {
  readonly planned: PlanRecord;
}

/** Opens the plan of a loaded session. Throws if it has none yet. */
export async function openPlan(session: LoadedSession): Promise<PlannedSession> {
  const { planned, root, folder } = session;
  if (planned === null) throw await withoutPlan(root, folder);
  return { ...session, ...(await openDesk({ ...session, planned })), planned };
}

async function withoutPlan(root: string, { id }: SessionFolder): Promise<Stopped> {
  const { state, fault } = await readSession(root, id);
  if (fault !== null) return fault;
  const where = state === null ? '' : ` (it is in phase: ${state.phase})`;
  return wrongUsage(`Session ${id} has no plan yet${where}. To continue: conclave resume ${id}`);
}

/** The repository that contains the sessions, and the environment with the user’s data folder. */
type Place = Pick<Workplace, 'root' | 'environment'>;

/** The id of the latest session for the first of the ways that any session fits. Throws `usage` if there is none. */
export async function latestFor(
  place: Place,
  ...[first, ...others]: readonly [Way, ...Way[]]
): Promise<string> {
  for (const way of [first, ...others]) {
    const [fits] = ways[way];
    const id = fits === null ? await findUnfinished(place) : await findLatest(place.root, fits);
    if (id !== null) return id;
  }
  throw wrongUsage(ways[first][1]);
}

/** A way to continue a session. */
export type Way = 'resume' | 'review' | 'validate' | 'execute' | 'publish' | 'apply' | 'result';

type Fits = (folder: SessionFolder) => Promise<boolean>;

/** The test of a session for each way, null where it only has to be unfinished, and the sentence where none passes. */
const ways: Readonly<Record<Way, readonly [fits: Fits | null, none: string]>> = {
  resume: [null, 'No session here is unfinished; start one with: conclave plan "TASK"'],
  review: [hasPlan, 'No session here has a plan; make one with: conclave plan "TASK"'],
  validate: [hasPlan, 'No session here has a plan; name a folder: conclave validate DIR'],
  execute: [
    async (folder) =>
      (await folder.read('approval.json')) !== null &&
      ((await readResult({ folder }))?.applied ?? null) === null,
    'No session here has an approved plan that is not applied yet; make a plan with: conclave plan "TASK", or approve one with: conclave review',
  ],
  publish: [
    withResult((result) => result.branch !== null),
    'No session here has a result to publish; carry a plan out with: conclave execute',
  ],
  apply: [
    withResult((result) => result.applied === null),
    'No session here has a result to apply, or an approved plan to carry out; make one with: conclave plan "TASK"',
  ],
  result: [
    withResult(() => true),
    'No plan here has been carried out yet; carry one out with: conclave execute',
  ],
};

/** Uses the list, which reads no unchanged journal. A session that cannot be read says so when it is opened. */
async function findUnfinished(place: Place): Promise<string | null> {
  const sessions = await listSessions(place);
  const open = sessions.find(({ state, fault }) =>
    fault === null ? state !== null && state.status !== 'done' : !isForeign(fault),
  );
  return open?.id ?? null;
}

/** One of these files is enough: the review then names the missing ones. */
const planFiles = ['plan.json', 'plan.md', '.task'];

async function hasPlan(folder: SessionFolder): Promise<boolean> {
  const names = await folder.list('.');
  return names.includes('journal.jsonl') && planFiles.some((name) => names.includes(name));
}

function withResult(fits: (result: ExecutionResult) => boolean): Fits {
  return async (folder) => {
    const result = await readResult({ folder });
    return result !== null && fits(result);
  };
}

interface OpenDesk {
  readonly desk: PlanDesk;
  readonly repository: Repository;
  readonly schemas: SchemaCheck;
}

/** Opens the desk for reading a plan and for checking edits beforehand. */
async function openDesk({
  folder,
  root,
  settings,
  planned: { base, written },
}: Pick<Workplace, 'root' | 'settings'> & {
  readonly folder: SessionFolder;
  readonly planned: PlanRecord;
}): Promise<OpenDesk> {
  const snapshots = snapshotsIn(folder);
  const [repository, schemas] = await Promise.all([
    openRepository({ root, base, snapshots, signal: neverAborted }),
    schemaCheck({ extensions: settings.schemas }),
  ]);
  const tools = { folder, repository, schemas, emit: () => undefined };
  const desk = planDesk(tools, { ...written, since: written.before ?? written });
  return { desk, repository, schemas };
}

/** Completes an interrupted change of the plan; returns warnings about it. */
export async function completeWrites(folder: SessionFolder): Promise<readonly string[]> {
  if ((await folder.read(unfinishedFile)) === null) return [];
  return await withLock(folder, () => finishWrites(folder));
}
