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
import { type Rig, makeRig } from './rig.ts';

/**
 * A rig as `prepare` leaves it. In a run of the tests that is done once for each name, and all get
 * copies: of what is in them, only settings and scripts in the home know where they are.
 */
export async function copiedRig(name: string, prepare: (rig: Rig) => Promise<void>): Promise<Rig> {
  const all = process.env['CONCLAVE_TESTS_KEPT'];
  if (all === undefined) throw new Error('rigs are only kept in a run of the tests');
  const kept = join(all, name);
  if (!existsSync(kept)) await keep(kept, prepare);
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

async function keep(kept: string, prepare: (rig: Rig) => Promise<void>): Promise<void> {
  const rig = makeRig();
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
