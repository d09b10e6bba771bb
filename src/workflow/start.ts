import { z } from 'zod';
import { Base } from '../model/context.ts';
import { RunSettings } from '../model/session.ts';

/** What was asked: the step `task`, recorded before anything else so that no words are lost. */
export const SessionTask = z.object({
  task: z.string(),
  settings: RunSettings,
  created_at: z.iso.datetime(),
});
export type SessionTask = z.infer<typeof SessionTask>;

/** The step `session`: what was asked, of which state of the repository. */
export const SessionStart = SessionTask.extend({ base: Base });
export type SessionStart = z.infer<typeof SessionStart>;

type Finished = ReadonlyMap<string, { readonly result: unknown }>;

/** Null before the base is known. */
export function recordedStart(finished: Finished): SessionStart | null {
  return SessionStart.safeParse(finished.get('session')?.result).data ?? null;
}

/** Null where nothing was saved. Journals of earlier versions have no step `task`. */
export function recordedTask(finished: Finished): SessionTask | null {
  const result = finished.get('task')?.result ?? finished.get('session')?.result;
  return SessionTask.safeParse(result).data ?? null;
}
