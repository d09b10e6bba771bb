// Chooses where a run of the tests makes its temporary folders: in memory where there is room, else on the disk.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const sharedMemory = '/dev/shm';
const prefix = 'conclave-tests-';
/** What the unit tests hold at the same time is a small part of it. */
const leastBytes = 2 * 1024 ** 3;

/** Makes a folder in memory for the temporary folders of tests; null where there is too little room. */
export function folderInMemory(): string | null {
  if (!hasRoom()) return null;
  sweep();
  const folder = mkdtempSync(join(sharedMemory, `${prefix}${process.pid}-`));
  if (runsPrograms(folder)) return folder;
  rmSync(folder, { recursive: true });
  return null;
}

/** Removes what runs left in memory that were killed. */
function sweep(): void {
  for (const name of readdirSync(sharedMemory)) {
    const [pid = ''] = name.startsWith(prefix) ? name.slice(prefix.length).split('-') : [];
    if (pid === '' || existsSync(`/proc/${pid}`)) continue;
    rmSync(join(sharedMemory, name), { recursive: true, force: true });
  }
}

function hasRoom(): boolean {
  if (process.platform !== 'linux' || freemem() < 2 * leastBytes) return false;
  try {
    const { bavail, bsize } = statfsSync(sharedMemory);
    return bavail * bsize >= leastBytes;
  } catch {
    return false;
  }
}

/** Tests write little programs and run them, which a container may forbid in shared memory. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\nexit 7\n', { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 7;
}

/** Tells the workers of both places: unit tests use the one in memory, unless they call `stayOnDisk`. */
export function announce(folder: string | null): void {
  if (folder === null) return;
  process.env['CONCLAVE_TESTS_DISK'] = tmpdir();
  process.env['CONCLAVE_TESTS_MEMORY'] = folder;
}

/** Has the temporary folders of a test file on the disk: a confinement has a shared memory of its own. */
export function stayOnDisk(): void {
  const disk = process.env['CONCLAVE_TESTS_DISK'];
  if (disk !== undefined) process.env['TMPDIR'] = disk;
}
