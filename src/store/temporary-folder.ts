// Makes temporary folders that name their owner, and removes those of owners that are gone.
import { readFileSync, readlinkSync } from 'node:fs';
import { lstat, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sha256Of } from './digest.ts';
import { nullIfAbsent } from './system-error.ts';

type Purpose = 'question' | 'check';

/**
 * Makes a new empty folder, which the caller removes. Its name holds this process and its start
 * time, so that the folder of a killed process can be swept. Rejects with a system error.
 */
export async function temporaryFolder(purpose: Purpose): Promise<string> {
  const owner = ownerOf(process.pid);
  const mark = owner === null ? '' : `${owner}-`;
  return await mkdtemp(join(await realpath(tmpdir()), `conclave-${purpose}-${mark}`));
}

/** Removes what dead processes of this user left behind; does nothing without `/proc`. */
export async function sweepTemporaryFolders(): Promise<void> {
  if (here === null) return;
  const folder = await realpath(tmpdir()).catch(() => null);
  if (folder === null) return;
  for (const name of await readdir(folder).catch(() => [])) {
    const [, owner, place, pid] = named.exec(name) ?? [];
    if (owner === undefined || place !== here || ownerOf(Number(pid)) === owner) continue;
    const path = join(folder, name);
    const stats = await nullIfAbsent(lstat(path));
    if (stats?.isDirectory() === true && stats.uid === process.getuid?.()) {
      // Another process may sweep at the same time.
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
    }
  }
}

const named = /^conclave-(?:question|check)-(([0-9a-f]{8})\.(\d+)\.\d+)-\w{6}$/;

/** Identifies a process by this boot, its pid and its start time; null if it is gone. */
function ownerOf(pid: number): string | null {
  const start = here === null ? null : startTime(pid);
  return start === null ? null : `${here}.${pid}.${start}`;
}

function startTime(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name in brackets may hold anything, so the fields are counted from the last bracket.
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

/** This boot of this machine and its list of processes, which a container has for itself. */
const here = placeOfProcesses();

function placeOfProcesses(): string | null {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    const list = readlinkSync('/proc/self/ns/pid');
    return sha256Of([hostname(), boot, list].join('\n')).slice(0, 8);
  } catch {
    return null;
  }
}
