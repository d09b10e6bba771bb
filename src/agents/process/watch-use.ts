// Watches how much a confined command uses with all that it started, and kills it over a limit.
import { readFileSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSystemError, nullIfAbsent } from '../../store/system-error.ts';
import { readProcessTable } from './process-table.ts';

/** The most processes at once, and bytes of memory and of new files, of one command with all that it started. */
const mostUse = { processes: 400, memory: 2_000_000_000, disk: 1_000_000_000 };

export interface UseWatch {
  /** The limit that was passed, as a clause; null if none was. */
  why(): string | null;
  end(): void;
}

/**
 * Watches a process with all its descendants until `end`; kills it over a limit. What it started has to end
 * with it. `folders` are those it writes to, which held `before` bytes.
 */
export function watchUse(
  pid: number,
  { folders, before }: { readonly folders: readonly string[]; readonly before: number },
): UseWatch {
  let passed: string | null = null;
  const ending = new AbortController();
  const { signal } = ending;
  const look = async (everyMs: number, find: () => Promise<string | null>) => {
    while (!signal.aborted) {
      const since = performance.now();
      const found = await find();
      if (found !== null && !signal.aborted) {
        passed ??= found;
        kill(pid);
      }
      // Where looking takes long, it must not be all that this process does.
      const pause = Math.max(everyMs, 2 * (performance.now() - since));
      await sleep(pause, null, { signal, ref: false }).catch(() => null);
    }
  };
  void look(100, () => overUse(pid));
  void look(500, async () =>
    (await bytesIn(folders)) - before > mostUse.disk ? 'it wrote more than 1 GB' : null,
  );
  return { why: () => passed, end: () => ending.abort() };
}

async function overUse(pid: number): Promise<string | null> {
  const { entries } = await readProcessTable();
  const children = Map.groupBy(entries, ({ parent }) => parent);
  const all = [pid];
  for (const one of all) all.push(...(children.get(one) ?? []).map((child) => child.pid));
  if (all.length > mostUse.processes) return `it started more than ${mostUse.processes} processes`;
  const memory = all.reduce((sum, one) => sum + ownMemory(one), 0);
  return memory > mostUse.memory ? 'it used more than 2 GB of memory' : null;
}

const pageBytes = 4096;

/** The memory that a process shares with no other, in bytes; 0 if it has ended. */
function ownMemory(pid: number): number {
  try {
    const [, resident = 0, shared = 0] = readFileSync(`/proc/${pid}/statm`, 'latin1')
      .split(' ')
      .map(Number);
    return (resident - shared) * pageBytes;
  } catch (error) {
    if (isSystemError(error)) return 0;
    throw error;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
}

/** The bytes on the disk in some folders; each entry counts as a block at least. Links are not followed. */
export async function bytesIn(folders: readonly string[]): Promise<number> {
  let sum = 0;
  const open = [...folders];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) open.push(path);
      const blocks = entry.isFile() ? ((await nullIfAbsent(lstat(path)))?.blocks ?? 0) : 0;
      sum += Math.max(pageBytes, blocks * 512);
    }
  }
  return sum;
}
