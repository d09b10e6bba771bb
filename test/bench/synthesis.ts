import { execFileSync } from 'node:child_process';
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Rig } from '../helpers/rig.ts';
import { crowd, runOnce } from './crowd.ts';
import { witnessed } from '../helpers/vendors.ts';
import { type Effort, type Row, median } from './row.ts';

const limitMs = 60;

/**
 * From the last byte that the last agent wrote to `synthesis.json` on disk: the end of the
 * processes, the fingerprint of 300 files, reading and checking three answers, and the writes.
 */
export async function synthesisRows({ short }: Effort): Promise<Row[]> {
  const rig = await crowd({ delayMs: 400, staggerMs: 50, files: 300 });
  try {
    const delays: number[] = [];
    const writes: number[] = [];
    const statuses: number[] = [];
    for (let turn = 0; turn < (short ? 5 : 21); turn += 1) {
      await runOnce(rig);
      delays.push(delayOf(rig));
      writes.push(bareWrite(rig));
      statuses.push(gitStatus(rig));
    }
    const value = median(delays);
    const floor = median(writes) + median(statuses);
    return [
      {
        name: 'last byte to synthesis.json, 300 files, p50',
        measured: `${value.toFixed(1)} ms`,
        floor: `${median(writes).toFixed(1)} ms bare write, ${median(statuses).toFixed(1)} ms git status`,
        ratio: (value / floor).toFixed(2),
        limit: `<= ${limitMs} ms`,
        ok: value <= limitMs,
      },
    ];
  } finally {
    rig.remove();
  }
}

/** Each vendor writes down when it had written its last byte. */
function delayOf(rig: Rig): number {
  const lastBytes = ['alpha', 'beta', 'gamma'].map((name) => {
    const end = witnessed(rig, name).findLast((line) => line.startsWith('end propose-1 '));
    return Number(end?.split(' ').at(-1));
  });
  return mtime(join(rig.session(), 'rounds/1/synthesis.json')) - Math.max(...lastBytes);
}

function mtime(path: string): number {
  return Number(statSync(path, { bigint: true }).mtimeNs) / 1e6;
}

function bareWrite(rig: Rig): number {
  const path = join(rig.session(), 'rounds/1/synthesis.json');
  const text = readFileSync(path);
  const start = performance.now();
  const file = openSync(`${path}.bench`, 'w');
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
  renameSync(`${path}.bench`, path);
  return performance.now() - start;
}

function gitStatus(rig: Rig): number {
  const start = performance.now();
  execFileSync('git', ['status', '--porcelain=v2', '-z', '--untracked-files=all'], {
    cwd: rig.repo,
  });
  return performance.now() - start;
}
