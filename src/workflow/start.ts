import { z } from 'zod';
import { Base } from '../model/context.ts';
import { RunSettings } from '../model/session.ts';

/** The first step of every session: what was asked, of which state of the repository. */
export const SessionStart = z.object({
  task: z.string(),
  settings: RunSettings,
  base: Base,
  created_at: z.iso.datetime(),
});
export type SessionStart = z.infer<typeof SessionStart>;
