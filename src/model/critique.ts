// Defines a plan written outside of the session, and `critique.json`: what was found in it.
import { z } from 'zod';
import { PlanParts } from './proposal.ts';
import { CheckedClaim } from './synthesis.ts';

/** A plan to be examined, as it was handed over. */
export const GivenPlan = z.object({
  text: z.string(),
  host_vendor: z.string().nullable().describe('The vendor of its author, who is not asked.'),
  parts: PlanParts.nullable().describe('The steps as its author listed them; null if nobody did.'),
  revise: z.boolean(),
  plan: z.boolean().describe('Go on to a plan with tasks.'),
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
  text: z.string().describe('As it is written.'),
  path: z.string().nullable(),
  line: z.int().nullable(),
  plan_line: z.int().describe('The line of the plan, from 1.'),
  status: PlaceStatus,
  why: z.string().describe('What is wrong, or where it is; empty where nothing is to be said.'),
});
export type NamedPlace = z.infer<typeof NamedPlace>;

export const Verdict = z.enum(['sound', 'revise', 'unsure']);
export type Verdict = z.infer<typeof Verdict>;

/** An objection to the plan, or a change that its supporters ask for. */
export const PlanObjection = z.object({
  id: z.string().describe('Its id in the synthesis, e.g. "O1".'),
  text: z.string(),
  by: z.array(z.string()),
  proven: z
    .boolean()
    .describe(
      'True where its evidence was found, or a search bears out that something is missing.',
    ),
  places: z
    .array(z.string())
    .describe('The places that were found, as `path:line`, or what no search finds.'),
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

/** The answer of an agent that splits a plan into steps without judging it. */
export const StructuredPlan = z.object({
  session: z.string().describe('The session id from the question.'),
  phase: z.literal('structure-plan'),
  title: z.string().min(1).describe('The plan in a few words.'),
  summary: z.string().describe('What it changes, in one or two sentences.'),
  steps: z
    .array(
      z.object({
        name: z.string().min(1).describe('What is done, in a few words.'),
        files: z
          .array(z.string())
          .describe('The files that the plan names for this step, spelled as there.'),
      }),
    )
    .max(60)
    .describe('The steps in their order; none if the text has no steps.'),
});
export type StructuredPlan = z.infer<typeof StructuredPlan>;

/** The answer of an agent that rewrites a plan. */
export const RevisedPlan = z.object({
  session: z.string().describe('The session id from the question.'),
  phase: z.literal('revise-plan'),
  plan: z.string().min(1).describe('The whole new plan, as Markdown.'),
  replies: z.array(
    z.object({
      objection: z.string().describe('Its id, e.g. O1.'),
      reply: z.string().describe('What is different now, or why nothing is.'),
    }),
  ),
});
export type RevisedPlan = z.infer<typeof RevisedPlan>;

/** `critique.json`: the verdict on a plan that already existed. */
export const Critique = z.object({
  session_id: z.string(),
  verdict: Verdict,
  reason: z.string().describe('How the verdict came about, in one sentence.'),
  plan: z.string().describe('The plan as it was given, relative to the session folder.'),
  host_vendor: z.string().nullable(),
  structured_by: z
    .string()
    .default('rules')
    .describe('Who took it apart into tasks: its author, an agent, or rules.'),
  structure_note: z
    .string()
    .nullable()
    .default(null)
    .describe('Why rules listed the steps and no agent did; null if nothing went wrong.'),
  places: z.array(NamedPlace),
  unchecked: z
    .string()
    .nullable()
    .default(null)
    .describe('A sentence on places of it that nobody checked; null where all were.'),
  objections: z.array(PlanObjection),
  changes: z.array(PlanObjection).describe('Wishes of those who support it; they block nothing.'),
  questions: z.array(z.string()),
  answered_by: z.array(
    z.object({
      agent: z.string(),
      vendor: z.string().nullable(),
      stance: z.enum(['support', 'oppose', 'unsure']).nullable(),
    }),
  ),
  unanswered: z.array(z.object({ agent: z.string(), reason: z.string() })),
  revised: z.string().nullable().describe('The revised plan, relative to the session folder.'),
  revised_by: z.string().nullable().default(null).describe('The agent that wrote it.'),
  replies: RevisedPlan.shape.replies
    .default([])
    .describe('Its answer to each objection, and to each wrong place as P1, P2 and so on.'),
});
export type Critique = z.infer<typeof Critique>;

/** The parts of a verdict that every user interface shows unchanged. */
export const ToldCritique = Critique.pick({
  verdict: true,
  reason: true,
  structured_by: true,
  structure_note: true,
  unchecked: true,
  replies: true,
  answered_by: true,
  unanswered: true,
});
