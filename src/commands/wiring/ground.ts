import { type PlanFlags, type ResumeFlags, planFlags, resumeFlags } from '../flags.ts';
import { projectRoot } from '../project-root.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { Ground } from './terminal-ports.ts';

export interface PlanGround extends Ground {
  readonly flags: PlanFlags;
}

export interface ResumeGround extends Ground {
  readonly flags: ResumeFlags;
}

/** Where a session at the terminal runs and under which settings. Throws like the headless face. */
export async function planGround(values: unknown): Promise<PlanGround> {
  return await groundOf(await planFlags(values));
}

/** Where a saved session goes on and under which settings. Throws like the headless face. */
export async function resumeGround(values: unknown): Promise<ResumeGround> {
  return await groundOf(await resumeFlags(values));
}

/** Where a plan is reviewed: no flag of a session counts there. */
export async function reviewGround(cwd: string): Promise<Ground> {
  const root = await projectRoot(cwd);
  return { root, settings: await loadSettings({ cwd: root, environment: process.env, flags: {} }) };
}

async function groundOf<Flags extends ResumeFlags>(
  flags: Flags,
): Promise<Ground & { readonly flags: Flags }> {
  const root = await projectRoot(flags.cwd);
  const settings = await loadSettings({ cwd: root, environment: process.env, flags });
  return { flags, root, settings };
}
