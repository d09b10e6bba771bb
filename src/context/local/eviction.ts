import { readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { sweep } from './segment-store.ts';

/** The indexes of all repositories together. In bytes. */
const mostBytes = 1024 * 1024 * 1024;

/** The time of change of a repository’s folder says when its index was last searched. */
export function markUsed(folder: string): void {
  const now = new Date();
  utimesSync(folder, now, now);
}

/**
 * Deletes what a process left that is gone, and the indexes that were not searched for the longest
 * time, until the rest fits.
 */
export function evict(cacheFolder: string, current: string): void {
  sweep(cacheFolder);
  const folders = readdirSync(cacheFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(cacheFolder, name))
    .map((path) => ({ path, bytes: bytesIn(path), used: usedAt(path) }))
    .toSorted((a, b) => b.used - a.used);
  let total = folders.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { path, bytes } of folders.toReversed()) {
    if (total <= mostBytes) return;
    if (path === current) continue;
    rmSync(path, { recursive: true, force: true });
    total -= bytes;
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((total, size) => total + size, 0);
}

function usedAt(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
