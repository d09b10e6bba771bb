// Loads a saved session with the settings that it keeps, without owning it yet.
import { type Stopped, wrongUsage } from '../model/failure.ts';
import { readResult } from '../phases/execution/result.ts';
import { type JournalRecord, readJournal } from '../store/journal.ts';
import { foldFinishedSteps } from '../store/recorded-steps.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { type PlanRecord, findPlan, findEnd, findTask } from '../workflow/recorded.ts';
import { type OpenDesk, openDesk } from './open-desk.ts';
import { findLatest, openSaved, readSession } from './saved-session.ts';
import type { Leaf } from './settings/leaf.ts';
import { loadSettings } from './settings/load-settings.ts';
import {
  type ResumedSettings,
  compareSettings,
  sessionLeaves,
} from './settings/session-settings.ts';
import { foreignness, lookUpOwner } from './trust.ts';
import { namesOf, type Workplace } from './workplace.ts';

/** A saved session that goes on, with the settings that it keeps from its start. */
export interface LoadedSession extends Workplace {
  readonly folder: SessionFolder;
  readonly records: readonly JournalRecord[];
  /** Null where it has no plan yet. */
  readonly planned: PlanRecord | null;
  readonly resumed: ResumedSettings;
  /** Why it is not known to be the user’s own, so that it runs nothing; null where it is. */
  readonly foreign: string | null;
}

/** `workplace` has the settings as they were without those of the session. Throws like `openSaved`. */
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

/** A session with a plan, opened for looking. */
export interface PlannedSession extends LoadedSession, OpenDesk {
  readonly planned: PlanRecord;
}

/** Opens the plan of a loaded session. Throws where it has none yet. */
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

/**
 * The id of the latest session that can go on in the first way for which there is one. Throws
 * `usage` where there is none.
 */
export async function latestFor(
  root: string,
  ...[first, ...others]: readonly [Way, ...Way[]]
): Promise<string> {
  for (const way of [first, ...others]) {
    const id = await findLatest(root, ways[way].fits);
    if (id !== null) return id;
  }
  throw wrongUsage(ways[first].none);
}

/** A use of a session. */
export type Way = keyof typeof ways;

const ways = {
  resume: {
    fits: isUnfinished,
    none: 'No session here is unfinished; start one with: conclave plan "TASK"',
  },
  review: {
    fits: hasPlan,
    none: 'No session here has a plan; make one with: conclave plan "TASK"',
  },
  validate: {
    fits: hasPlan,
    none: 'No session here has a plan; name a folder: conclave validate DIR',
  },
  execute: {
    fits: canExecute,
    none: 'No session here has an approved plan that is not applied yet; make one with: conclave plan "TASK"',
  },
  publish: {
    fits: hasBranch,
    none: 'No session here has a result to publish; carry a plan out with: conclave execute',
  },
  apply: {
    fits: hasUnapplied,
    none: 'No session here has a result to apply, or an approved plan to carry out; make one with: conclave plan "TASK"',
  },
  result: {
    fits: hasResult,
    none: 'No plan here has been carried out yet; carry one out with: conclave execute',
  },
} as const;

async function isUnfinished(folder: SessionFolder): Promise<boolean> {
  const journal = await readJournal(folder);
  const isEmpty = findTask(foldFinishedSteps(journal.records)) === null;
  return !isEmpty && findEnd(journal)?.kind !== 'done';
}

/** One of them is enough: the review then names the files that are gone. */
const planFiles = ['plan.json', 'plan.md', '.task'];

async function hasPlan(folder: SessionFolder): Promise<boolean> {
  const names = await folder.list('.');
  return names.includes('journal.jsonl') && planFiles.some((name) => names.includes(name));
}

async function canExecute(folder: SessionFolder): Promise<boolean> {
  const isApproved = (await folder.read('approval.json')) !== null;
  return isApproved && ((await readResult({ folder }))?.applied ?? null) === null;
}

async function hasBranch(folder: SessionFolder): Promise<boolean> {
  return ((await readResult({ folder }))?.branch ?? null) !== null;
}

async function hasResult(folder: SessionFolder): Promise<boolean> {
  return (await readResult({ folder })) !== null;
}

async function hasUnapplied(folder: SessionFolder): Promise<boolean> {
  return (await readResult({ folder }))?.applied === null;
}
