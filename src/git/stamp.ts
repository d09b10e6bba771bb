import { lstat } from 'node:fs/promises';
import { unlessAbsent } from '../store/system-error.ts';

/** Size and times in ns. The time of change cannot be set back by a program. */
export async function stampOf(path: string | Buffer): Promise<string> {
  const stats = await unlessAbsent(lstat(path, { bigint: true }));
  return stats === null ? 'absent' : `${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}
