// Ends a process and all that came from it.
import { setTimeout as sleep } from 'node:timers/promises';
import { isSystemError } from '../../store/system-error.ts';
import {
  hasProc,
  readProcessTable,
  startOf,
  type ProcessEntry,
  type ProcessTable,
} from './process-table.ts';

/** The process that a run started. `start` is what `startOf` returned right after the spawn. */
export interface TreeRoot {
  readonly pid: number;
  readonly start: number | null;
  readonly mark: string;
}

interface TreeEnd {
  /** The number of processes that were signalled. */
  readonly ended: number;
  /** The pids that survived even KILL, e.g. in an uninterruptible wait; usually none. */
  readonly survivors: readonly number[];
}

/**
 * Ends a process and all that came from it: its group and session, its descendants, and all
 * processes with its mark, even in other groups and sessions: `farewellMs` to end on their own,
 * TERM, up to `graceMs` of patience, KILL, until nothing is found any more. Spares everything that
 * started before the root, and ourselves.
 */
export function endTree({
  farewellMs = 0,
  graceMs,
  ...root
}: TreeRoot & { readonly farewellMs?: number; readonly graceMs: number }): Promise<TreeEnd> {
  const family = new Map<number, number>();
  return endAll({
    farewellMs,
    graceMs,
    group: root.pid,
    find: (table) => membersOf(table, { root, family }),
  });
}

/**
 * Ends the left-overs of a dead run: every process whose mark starts with `markPrefix`, and their
 * descendants. Resolves to the number of processes signalled.
 */
export async function endMarked(markPrefix: string, graceMs: number): Promise<number> {
  if (markPrefix === '') throw new TypeError('an empty mark would mean every run of every user');
  const family = new Map<number, number>();
  const { ended } = await endAll({
    farewellMs: 0,
    graceMs,
    group: null,
    find: (table) => {
      const spared = ancestorsOf(table, process.pid);
      const isSeed = (entry: ProcessEntry) =>
        !spared.has(entry.pid) && (table.markOf(entry.pid)?.startsWith(markPrefix) ?? false);
      return withDescendants(table, { family, isSeed, spared });
    },
  });
  return ended;
}

function membersOf(
  table: ProcessTable,
  { root, family }: { root: TreeRoot; family: Map<number, number> },
): ProcessEntry[] {
  const holder = table.entries.find((entry) => entry.pid === root.pid);
  const since = root.start ?? family.get(root.pid) ?? holder?.start ?? null;
  // A pid is not reused while its group or session has members, so without a holder the numbers are
  // still ours; with another holder they belong to a stranger.
  const isOurs = holder === undefined || holder.start === since;
  const isSeed = (entry: ProcessEntry) => {
    if (since !== null && entry.start < since) return false;
    const byNumber =
      entry.pid === root.pid || entry.group === root.pid || entry.session === root.pid;
    return (isOurs && byNumber) || table.markOf(entry.pid) === root.mark;
  };
  return withDescendants(table, { family, isSeed, spared: new Set([process.pid]) });
}

// `family` remembers which processes were found: a child stays a member when its parent has died in
// between.
function withDescendants(
  table: ProcessTable,
  {
    family,
    isSeed,
    spared,
  }: {
    family: Map<number, number>;
    isSeed: (entry: ProcessEntry) => boolean;
    spared: ReadonlySet<number>;
  },
): ProcessEntry[] {
  const found = table.entries.filter(
    (entry) => !spared.has(entry.pid) && (family.get(entry.pid) === entry.start || isSeed(entry)),
  );
  const childrenOf = Map.groupBy(table.entries, (entry) => entry.parent);
  const seen = new Set(found.map((entry) => entry.pid));
  // The array grows while it is walked: each found process brings its children.
  for (const entry of found) {
    for (const child of childrenOf.get(entry.pid) ?? []) {
      if (seen.has(child.pid) || spared.has(child.pid)) continue;
      seen.add(child.pid);
      found.push(child);
    }
  }
  for (const entry of found) family.set(entry.pid, entry.start);
  return found;
}

function ancestorsOf(table: ProcessTable, pid: number): Set<number> {
  const parentOf = new Map(table.entries.map((entry) => [entry.pid, entry.parent]));
  const ancestors = new Set<number>();
  for (let at: number | undefined = pid; at !== undefined && !ancestors.has(at);) {
    ancestors.add(at);
    at = parentOf.get(at);
  }
  return ancestors;
}

// A fork during a reading can hide a child from it, so one empty reading proves nothing. If
// something had to be ended, more readings follow, because it may be something that keeps forking.
const emptyReadings = (ended: number) => (ended === 0 ? 2 : 4);
const killPatienceMs = 2_000;

// Trees that end together share their readings: the more there are, the longer each waits for the
// others. A single one does not wait.
const mostPatienceMs = 20;
let hunts = 0;

interface Hunt {
  readonly farewellMs: number;
  readonly graceMs: number;
  readonly group: number | null;
  readonly find: (table: ProcessTable) => readonly ProcessEntry[];
}

async function endAll(hunt: Hunt): Promise<TreeEnd> {
  hunts += 1;
  try {
    return await pursue(hunt);
  } finally {
    hunts -= 1;
  }
}

async function pursue(hunt: Hunt): Promise<TreeEnd> {
  const told = new Set<string>();
  const tellAt = performance.now() + hunt.farewellMs;
  const killAt = tellAt + hunt.graceMs;
  let pauseMs = 1;
  for (let empty = 0; ;) {
    // A process that has to be killed must not get ahead by forking.
    const patienceMs = performance.now() < killAt ? Math.min(hunts - 1, mostPatienceMs) : 0;
    const found = hunt.find(await readProcessTable(patienceMs));
    empty = found.length === 0 ? empty + 1 : 0;
    if (empty >= emptyReadings(told.size)) return { ended: told.size, survivors: [] };
    if (empty > 0) continue;

    const now = performance.now();
    if (now > killAt + killPatienceMs) {
      return { ended: told.size, survivors: found.map((entry) => entry.pid) };
    }
    if (now < killAt) {
      if (now >= tellAt) tell(found, { group: hunt.group, told });
      await sleep(Math.min(pauseMs, killAt - now));
      pauseMs = Math.min(pauseMs * 2, 50);
    } else {
      // There is no noticeable pause, so that no process gets ahead by forking.
      for (const entry of found) {
        told.add(identityOf(entry));
        send(entry, 'SIGKILL');
      }
      await sleep(1);
    }
  }
}

// Sends each process TERM only once: some take a second one as the order to skip their clean-up.
function tell(
  found: readonly ProcessEntry[],
  { group, told }: { group: number | null; told: Set<string> },
): void {
  const fresh = found.filter((entry) => !told.has(identityOf(entry)));
  const grouped = told.size === 0 ? fresh.filter((entry) => entry.group === group) : [];
  const living = grouped.find(isStillThere);
  const byGroup = group !== null && living !== undefined;
  if (byGroup) signal(-group, 'SIGTERM');
  for (const entry of fresh) {
    told.add(identityOf(entry));
    if (!(byGroup && grouped.includes(entry))) send(entry, 'SIGTERM');
  }
}

// The start is compared right before the signal, so that a reused pid is not hit.
function send(entry: ProcessEntry, name: NodeJS.Signals): void {
  if (isStillThere(entry)) signal(entry.pid, name);
}

function isStillThere(entry: ProcessEntry): boolean {
  return !hasProc || startOf(entry.pid) === entry.start;
}

function signal(target: number, name: NodeJS.Signals): void {
  try {
    process.kill(target, name);
  } catch (error) {
    // ESRCH: the process is gone. EPERM: it became another user’s; it will be among the survivors.
    if (!isSystemError(error) || (error.code !== 'ESRCH' && error.code !== 'EPERM')) throw error;
  }
}

function identityOf(entry: ProcessEntry): string {
  return `${entry.pid}@${entry.start}`;
}
