import { cpSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Rig } from './rig.ts';

const firstTask = 'The first of all';

/**
 * Saves finished sessions with these tasks, the latest last. One session is run and copied: what
 * lists read of them, `session-state.json`, tells of each task; their journals are all the same.
 */
export async function savedSessions(rig: Rig, tasks: readonly string[]): Promise<void> {
  expect((await rig.conclave('-y', '--tools', 'local', firstTask)).code).toBe(0);
  const first = rig.session();
  const now = Date.now() / 1000;
  for (const [index, task] of tasks.entries()) {
    const slug = task.toLowerCase().replaceAll(/[^a-z]+/g, '-');
    const id = `MCP-${slug}-2026-01-0${index + 1}-aaaa`;
    const folder = join(dirname(first), id);
    cpSync(first, folder, { recursive: true });
    const file = join(folder, 'session-state.json');
    const state = readFileSync(file, 'utf8').replaceAll(basename(first), id);
    writeFileSync(file, state.replaceAll(firstTask, task));
    const changed = now - tasks.length + index;
    utimesSync(join(folder, 'journal.jsonl'), changed, changed);
  }
  expect((await rig.conclave('sessions', 'rm', '--yes', basename(first))).code).toBe(0);
}
