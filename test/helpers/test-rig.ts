import {
  cpSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Rig, makeRig } from './rig.ts';
import { todoProject } from './todo-project.ts';

/** Answers every question and leaves the approval to a person. */
export const leavingFlags = ['--solution', '1', '--execution', 'agent', '--review', 'skip'];

/** A rig for the running test, removed after it. */
export function testRig(): Rig {
  const rig = makeRig();
  onTestFinished(() => rig.remove());
  return rig;
}

/** A rig before it is prepared. */
type Start = () => Rig | Promise<Rig>;

/** The same as `prepare` leaves it, which is done once for each name. */
export async function preparedRig(
  name: string,
  prepare: (rig: Rig) => Promise<void>,
  start?: Start,
): Promise<Rig> {
  const rig = await copiedRig(name, prepare, start);
  onTestFinished(() => rig.remove());
  return rig;
}

/** The same with the little todo project in it. */
export function todoRig(): Promise<Rig> {
  return preparedRig('todo', todoProject);
}

/**
 * A rig as `prepare` leaves it. In a run of the tests that is done once for each name, and all get
 * copies: of what is in them, only settings and scripts in the home know where they are.
 */
export async function copiedRig(
  name: string,
  prepare: (rig: Rig) => Promise<void>,
  start: Start = makeRig,
): Promise<Rig> {
  const all = process.env['CONCLAVE_TESTS_KEPT'];
  if (all === undefined) throw new Error('rigs are only kept in a run of the tests');
  const kept = join(all, name);
  if (!existsSync(kept)) await keep(kept, prepare, start);
  const rig = makeRig();
  const base = dirname(rig.home);
  cpSync(join(kept, 'rig'), base, { recursive: true, preserveTimestamps: true });
  const before = readFileSync(join(kept, 'base'), 'utf8');
  for (const file of globSync(['*.json', 'config/**/*.toml'], { cwd: rig.home })) {
    const path = join(rig.home, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(before, base));
  }
  return rig;
}

async function keep(
  kept: string,
  prepare: (rig: Rig) => Promise<void>,
  start: Start,
): Promise<void> {
  const rig = await start();
  const base = dirname(rig.home);
  const made = mkdtempSync(`${kept}-`);
  try {
    await prepare(rig);
    writeFileSync(join(made, 'base'), base);
    renameSync(base, join(made, 'rig'));
    renamedUnlessThere(made, kept);
  } finally {
    rmSync(made, { recursive: true, force: true });
    rig.remove();
  }
}

/** Another worker may have been first. */
function renamedUnlessThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}
