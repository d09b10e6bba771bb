// Defines an option as it is presented to the user, and what agents think of it.
import { z } from 'zod';
import { FileAction, StanceKind } from './proposal.ts';
import { ReferenceStatus, Remark } from './synthesis.ts';

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

/** A solution with its number, its supporters and opponents, and what the check found in it. */
export const PresentedOption = z.object({
  number: z.int(),
  name: z.string(),
  source_cli: z.array(z.string()),
  feasibility: z.number(),
  effort: z.string(),
  risk: z.string(),
  draft: z.boolean().describe('Only built-in analysts proposed it: its ratings say nothing.'),
  summary: z.string(),
  pros: z.array(z.string()),
  cons: z.array(z.string()),
  affected: z.array(z.string()).describe('path:line with its mark, e.g. "a.ts:12 found".'),
  places: z
    .array(
      z.object({
        path: z.string(),
        line: z.int().nullable(),
        action: FileAction,
        status: ReferenceStatus,
      }),
    )
    .optional()
    .describe('The same places.'),
  stances: z
    .array(z.object({ agent: z.string(), stance: StanceKind, reasons: z.array(z.string()) }))
    .optional(),
  opinions: z.array(Opinion).describe('Who is for it and against it, and why.'),
  failed: z.array(z.string()).describe('References that the check did not find, with why.'),
  failed_references: z
    .array(
      z.object({
        path: z.string(),
        line: z.int().nullable(),
        agent: z.string().nullable().describe('Null for a file that the solution would touch.'),
        statement: z.string().nullable(),
        reason: z.string(),
      }),
    )
    .optional()
    .describe('The same references.'),
  differences: z.array(z.string()).describe('What differs from the others.'),
  versions: z.array(z.string()).describe('The same solution as its other authors wrote it.'),
});
