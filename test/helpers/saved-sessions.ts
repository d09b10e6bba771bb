import { cpSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { analysedRig } from './planned-rig.ts';
import type { Rig } from './rig.ts';
import { todoTask } from './todo-project.ts';

const hour = 3_600_000;

/**
 * The todo project with finished sessions of these tasks, an hour apart, the latest last. They are
 * one session under several names: what lists read of them, `session-state.json`, tells of each
 * task; their journals are all the same.
 */
export async function savedRig(tasks: readonly string[]): Promise<Rig> {
  const rig = await analysedRig('--auto-yes');
  const first = rig.session();
  const now = Date.now();
  for (const [index, task] of tasks.entries()) {
    const slug = task.toLowerCase().replaceAll(/[^a-z]+/g, '-');
    const id = `MCP-${slug}-2026-01-0${index + 1}-aaaa`;
    const folder = join(dirname(first), id);
    cpSync(first, folder, { recursive: true });
    const file = join(folder, 'session-state.json');
    const changed = new Date(now - (tasks.length - index + 1) * hour);
    const state = readFileSync(file, 'utf8')
      .replaceAll(basename(first), id)
      .replaceAll(todoTask, task)
      .replace(/"updated_at": "[^"]*"/, `"updated_at": "${changed.toISOString()}"`);
    writeFileSync(file, state);
    utimesSync(join(folder, 'journal.jsonl'), changed, changed);
  }
  rmSync(first, { recursive: true });
  return rig;
}
