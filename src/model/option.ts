// Defines an option as it is presented to the user, and what agents think of it.
import { z } from 'zod';
import { Flag, Text, TextOrNull, Texts, Whole } from './plain-shapes.ts';
import { FileAction, StanceKind } from './proposal.ts';
import { ReferenceStatus, Remark } from './synthesis.ts';

/** An opinion that agents have of a solution, with their reasons. */
export const Opinion = z.object({
  kind: z.enum(['for', 'against', 'unsure', 'change', 'adopted']),
  agents: Texts,
  does: Text.describe('What they do, e.g. "opposes it".'),
  reasons: Texts.describe('With the places that were looked up.'),
  no_vote: TextOrNull.describe('Why it is no vote; null where it is one, or needs none.'),
  remark: TextOrNull.describe('Its id, if it is a remark that the plan answers.'),
  state: Remark.shape.state.nullable(),
  said_in: Whole.nullable().describe('The round of a remark; null for what they hold now.'),
  replies: Texts.default([]).describe('What others answered to the remark.'),
});
export type Opinion = z.infer<typeof Opinion>;

/** A solution with its number, its supporters and opponents, and what the check found in it. */
export const PresentedOption = z.object({
  number: Whole,
  name: Text,
  source_cli: Texts,
  feasibility: z.number(),
  effort: Text,
  risk: Text,
  draft: Flag.describe('Only built-in analysts proposed it: its ratings say nothing.'),
  summary: Text,
  pros: Texts,
  cons: Texts,
  affected: Texts.describe('path:line with its mark, e.g. "a.ts:12 found".'),
  places: z
    .array(
      z.object({
        path: Text,
        line: Whole.nullable(),
        action: FileAction,
        status: ReferenceStatus,
      }),
    )
    .optional()
    .describe('The same places.'),
  stances: z.array(z.object({ agent: Text, stance: StanceKind, reasons: Texts })).optional(),
  opinions: z.array(Opinion).describe('Who is for it and against it, and why.'),
  failed: Texts.describe('References that the check did not find, with why.'),
  failed_references: z
    .array(
      z.object({
        path: Text,
        line: Whole.nullable(),
        agent: TextOrNull.describe('Null for a file that the solution would touch.'),
        statement: TextOrNull,
        reason: Text,
      }),
    )
    .optional()
    .describe('The same references.'),
  differences: Texts.describe('What differs from the others.'),
  versions: Texts.describe('The same solution as its other authors wrote it.'),
});
