// Defines what agents think of an option, as every user interface shows it.
import { z } from 'zod';
import { Remark } from './synthesis.ts';

/** An opinion that agents have of a solution, with their reasons. */
export const Opinion = z.object({
  kind: z.enum(['for', 'against', 'unsure', 'change', 'adopted']),
  agents: z.array(z.string()),
  does: z.string().describe('What they do, e.g. "opposes it".'),
  reasons: z.array(z.string()).describe('With the places that were looked up.'),
  no_vote: z
    .string()
    .nullable()
    .describe('Why it is no vote; null where it is one, or needs none.'),
  remark: z.string().nullable().describe('Its id, if it is a remark that the plan answers.'),
  state: Remark.shape.state.nullable(),
  said_in: z.int().nullable().describe('The round of a remark; null for what they hold now.'),
  replies: z.array(z.string()).default([]).describe('What others answered to the remark.'),
});
export type Opinion = z.infer<typeof Opinion>;
