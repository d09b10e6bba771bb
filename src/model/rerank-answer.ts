import { z } from 'zod';

/** What an agent answers that is asked to put found files in order. */
export const RerankAnswer = z.object({
  session: z.string(),
  phase: z.literal('context'),
  files: z
    .array(
      z.object({
        path: z.string().describe('One of the paths that were offered, exactly.'),
        reason: z.string().max(300).describe('In a few words, why it stands there.'),
      }),
    )
    .min(1)
    .max(40)
    .describe('The likeliest to be changed first; files that do not matter are left out.'),
});
export type RerankAnswer = z.infer<typeof RerankAnswer>;
