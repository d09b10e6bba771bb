// Describes, forks and removes sessions on disk, and says what earlier ones used.
import { rm } from 'node:fs/promises';
import { eachLimited } from '../store/each-limited.ts';
import type { Forecast } from '../model/event.ts';
import { Stopped, wrongUsage } from '../model/failure.ts';
import { readAs } from '../model/json.ts';
import type { ExecutionResult } from '../model/execution.ts';
import type { SessionState } from '../model/session.ts';
import { every } from '../model/step.ts';
import { isStep, steps } from '../model/steps.ts';
import type { Synthesis } from '../model/synthesis.ts';
import { readJournal } from '../store/journal.ts';
import { withLock } from '../store/lock.ts';
import {
  listSessionIds,
  openSessionFolder,
  removeSession,
  type SessionFolder,
} from '../store/session-folder.ts';
import { stagingPath } from './folders.ts';
import { isForeign, readSession } from './read-session.ts';
import { wholeSessionId } from './session-names.ts';
import type { Workplace } from './workplace.ts';

/** The number of sessions that are compared: older ones say little about what the next one will use. */
const mostCompared = 20;

/** The usual use of a session: the medians of the latest finished ones, and of a plan what the last to tell of one used; null if none used a model. */
export async function usualUse(root: string): Promise<Forecast | null> {
  const ids = (await listSessionIds(root)).slice(0, mostCompared);
  const sessions = await eachLimited(ids, (id) => readSession(root, id));
  const spent = sessions.flatMap(({ state }) => (state?.status === 'done' ? state.spent : []));
  const tokens = median(spent.map((one) => one.input_tokens + one.output_tokens));
  if (tokens === 0) return null;
  const windows = spent.find((one) => one.windows !== undefined)?.windows;
  const cost_usd = median(spent.map((one) => one.cost_usd));
  return { tokens, cost_usd, ...(windows === undefined ? {} : { windows }) };
}

/** The median of the known amounts, which are those above 0; 0 if there are none. */
function median(amounts: readonly number[]): number {
  const known = amounts.filter((amount) => amount > 0).toSorted((a, b) => a - b);
  return known[Math.floor((known.length - 1) / 2)] ?? 0;
}

/** The id of the latest session that fits; null if none does. */
export async function findLatest(
  root: string,
  fits: (folder: SessionFolder) => Promise<boolean>,
): Promise<string | null> {
  for (const id of await listSessionIds(root)) {
    if (await fits(await openSessionFolder(root, id))) return id;
  }
  return null;
}

/** The id of our latest session with any content. Throws `usage` if there is none. */
async function latestSaved(root: string): Promise<string> {
  const isSaved = async ({ id }: SessionFolder) => {
    const { state, fault } = await readSession(root, id);
    return state !== null || (fault !== null && !isForeign(fault));
  };
  const id = await findLatest(root, isSaved);
  if (id !== null) return id;
  throw wrongUsage('There is no saved session here; start one with: conclave plan "TASK"');
}

/** A saved session in full. */
export interface SessionDescription {
  readonly folder: SessionFolder;
  readonly state: SessionState;
  readonly rounds: readonly Synthesis[];
  /** The result; null if nothing was executed. */
  readonly result: ExecutionResult | null;
  readonly isApproved: boolean;
  /** Facts about its journal: losses, repairs, the session it was copied from. */
  readonly notes: readonly string[];
}

/** Describes the named session, or the latest one. Throws if it cannot be read. */
export async function describeSession(
  root: string,
  wanted: string | undefined,
): Promise<SessionDescription> {
  const id = wanted === undefined ? await latestSaved(root) : await wholeSessionId(root, wanted);
  const folder = await openSessionFolder(root, id);
  const { state, fault } = await readSession(root, folder.id);
  if (fault !== null) throw fault;
  if (state !== null) {
    const [rounds, result, approval, notes] = await Promise.all([
      readRounds(folder),
      resultIn(folder),
      folder.read('approval.json'),
      notesOf(folder),
    ]);
    return { folder, state, rounds, result, isApproved: approval !== null, notes };
  }
  const message = 'it ended before its first step; remove it, or start a new one.';
  throw new Stopped({ reason: 'session-unreadable', session: folder.id, message });
}

/** The shape of a result takes a while to load, and most sessions have none. */
async function resultIn(folder: SessionFolder): Promise<ExecutionResult | null> {
  if ((await folder.read('execution-result.json')) === null) return null;
  return await (await import('../phases/execution/read-result.ts')).readResult({ folder });
}

/** The state may be up to date although the journal has become unreadable: a flipped bit changes no length. */
async function notesOf(folder: SessionFolder): Promise<readonly string[]> {
  try {
    const { records, notes } = await readJournal(folder);
    return [...records.flatMap((one) => (one.type === 'noted' ? one.text : [])), ...notes];
  } catch (error) {
    if (error instanceof Stopped) return [error.message];
    throw error;
  }
}

/** The finished rounds, in order. */
export async function readRounds(folder: SessionFolder): Promise<readonly Synthesis[]> {
  const names = await folder.list('rounds');
  const texts = await Promise.all(
    names.map((name) => folder.read(`rounds/${name}/synthesis.json`)),
  );
  if (texts.every((text) => text === null)) return [];
  const { Synthesis } = await import('../model/synthesis.ts');
  return texts
    .flatMap((text) => readAs(Synthesis, text) ?? [])
    .toSorted((a, b) => a.round - b.round);
}

/** Copies a session up to a decision, by default the last one, so that another can be made there. */
export async function forkSaved({
  root,
  environment,
  id,
  at: wanted,
  now,
}: Pick<Workplace, 'root' | 'environment'> & {
  readonly id: string;
  /** The key of the decision. */
  readonly at?: string | undefined;
  readonly now: Date;
}): Promise<{ readonly session: string; readonly folder: string; readonly at: string }> {
  const { requireOwn } = await import('./trust.ts');
  const { forkSession } = await import('../store/fork.ts');
  const { key } = await requireOwn(id, { root, environment });
  const at = wanted ?? (await latestDecision(root, id));
  const { id: session, relative: folder } = await forkSession({ root, id, at, now, key });
  return { session, folder, at };
}

async function latestDecision(root: string, id: string): Promise<string> {
  const { foldFinishedSteps } = await import('../store/recorded-steps.ts');
  const { records } = await readJournal(await openSessionFolder(root, id));
  const keys = [...foldFinishedSteps(records).keys()];
  return keys.findLast((key) => isStep(key, steps.decision(every))) ?? steps.decision(1).key;
}

/**
 * Removes a session that no process has open. Throws `session-busy`, `session-unknown`, … Returns a sentence
 * for each part of it that stays.
 */
export async function removeSaved({
  id,
  ...where
}: Pick<Workplace, 'root' | 'environment'> & { readonly id: string }): Promise<readonly string[]> {
  const { root, environment } = where;
  const folder = await openSessionFolder(root, id);
  return await withLock(folder, async () => {
    const { removeLeftWork } = await import('./left-work.ts');
    const kept = await removeLeftWork(where, folder);
    await rm(stagingPath(environment, folder.path), { recursive: true, force: true });
    await removeSession(root, id);
    return kept;
  });
}
