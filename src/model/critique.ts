// Defines a plan written outside of the session, and `critique.json`: what was found in it.
import { z } from 'zod';
import { FilledText, Flag, Text, TextOrNull, Texts, Whole } from './plain-shapes.ts';
import { PlanParts } from './proposal.ts';
import { CheckedClaim } from './synthesis.ts';

/** A plan to be examined, as it was handed over. */
export const GivenPlan = z.object({
  text: Text,
  host_vendor: TextOrNull.describe('The vendor of its author, who is not asked.'),
  parts: PlanParts.nullable().describe('The steps as its author listed them; null if nobody did.'),
  revise: Flag,
  plan: Flag.describe('Go on to a plan with tasks.'),
});
export type GivenPlan = z.infer<typeof GivenPlan>;

/** What the user wants after the verdict. */
export const AfterVerdict = GivenPlan.pick({ revise: true, plan: true });
export type AfterVerdict = z.infer<typeof AfterVerdict>;

/**
 * `new`: the plan creates it. `elsewhere`: a name that occurs in other files than the one it is
 * named with. `not-found`: nothing has it, and nothing says that something should.
 */
export const PlaceStatus = z.enum(['there', 'new', 'wrong', 'elsewhere', 'not-found']);
export type PlaceStatus = z.infer<typeof PlaceStatus>;

/** Something that a plan names, with what the code says about it. */
export const NamedPlace = z.object({
  kind: z.enum(['file', 'line', 'name']),
  text: Text.describe('As it is written.'),
  path: TextOrNull,
  line: Whole.nullable(),
  plan_line: Whole.describe('The line of the plan, from 1.'),
  status: PlaceStatus,
  why: Text.describe('What is wrong, or where it is; empty where nothing is to be said.'),
});
export type NamedPlace = z.infer<typeof NamedPlace>;

export const Verdict = z.enum(['sound', 'revise', 'unsure']);
export type Verdict = z.infer<typeof Verdict>;

/** An objection to the plan, or a change that its supporters ask for. */
export const PlanObjection = z.object({
  id: Text.describe('Its id in the synthesis, e.g. "O1".'),
  text: Text,
  by: Texts,
  proven: Flag.describe(
    'True where its evidence was found, or a search bears out that something is missing.',
  ),
  places: Texts.describe('The places that were found, as `path:line`, or what no search finds.'),
  evidence: z.array(CheckedClaim),
});
export type PlanObjection = z.infer<typeof PlanObjection>;

/** The short form of an objection for the user interfaces. */
export const BriefObjection = PlanObjection.pick({
  text: true,
  by: true,
  proven: true,
  places: true,
});

/** The answer of an agent that rewrites a plan. */
export const RevisedPlan = z.object({
  session: Text.describe('The session id from the question.'),
  phase: z.literal('revise-plan'),
  plan: FilledText.describe('The whole new plan, as Markdown.'),
  replies: z.array(
    z.object({
      objection: Text.describe('Its id, e.g. O1.'),
      reply: Text.describe('What is different now, or why nothing is.'),
    }),
  ),
});
export type RevisedPlan = z.infer<typeof RevisedPlan>;

/** `critique.json`: the verdict on a plan that already existed. */
export const Critique = z.object({
  session_id: Text,
  verdict: Verdict,
  reason: Text.describe('How the verdict came about, in one sentence.'),
  plan: Text.describe('The plan as it was given, relative to the session folder.'),
  host_vendor: TextOrNull,
  places: z.array(NamedPlace),
  unchecked: TextOrNull.default(null).describe(
    'A sentence on places of it that nobody checked; null where all were.',
  ),
  objections: z.array(PlanObjection),
  changes: z.array(PlanObjection).describe('Wishes of those who support it; they block nothing.'),
  questions: Texts,
  answered_by: z.array(
    z.object({
      agent: Text,
      vendor: TextOrNull,
      stance: z.enum(['support', 'oppose', 'unsure']).nullable(),
    }),
  ),
  unanswered: z.array(z.object({ agent: Text, reason: Text })),
  revised: TextOrNull.describe('The revised plan, relative to the session folder.'),
  revised_by: TextOrNull.default(null).describe('The agent that wrote it.'),
  replies: RevisedPlan.shape.replies
    .default([])
    .describe('Its answer to each objection, and to each wrong place as P1, P2 and so on.'),
});
export type Critique = z.infer<typeof Critique>;

/** The parts of a verdict that every user interface shows unchanged. */
export const ToldCritique = Critique.pick({
  verdict: true,
  reason: true,
  unchecked: true,
  replies: true,
  answered_by: true,
  unanswered: true,
});
