import { type PlanFlags, planFlags } from '../flags.ts';
import { projectRoot } from '../project-root.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { Ground } from './terminal-ports.ts';

export interface PlanGround extends Ground {
  readonly flags: PlanFlags;
}

/** Where a session at the terminal runs and under which settings. Throws like the headless face. */
export async function planGround(values: unknown): Promise<PlanGround> {
  const flags = await planFlags(values);
  const root = await projectRoot(flags.cwd);
  const settings = await loadSettings({ cwd: root, environment: process.env, flags });
  return { flags, root, settings };
}
