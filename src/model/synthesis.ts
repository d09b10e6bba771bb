// Defines `rounds/N/synthesis.json`.
import { z } from 'zod';
import { Amount, Count, Flag, Ordinal, Text, TextOrNull, Texts } from './plain-shapes.ts';
import { FailureCategory } from './agent-event.ts';
import { Level } from './ids.ts';
import {
  Assumption,
  Claim,
  Dependencies,
  FileAction,
  ImplementationPlan,
  Relation,
  StanceKind,
  RemarkVerdict,
} from './proposal.ts';
import { planAuthor } from './id-patterns.ts';
import { Receipt } from './receipt.ts';

export const ReferenceStatus = z.enum(['verified', 'moved', 'planned', 'failed']);
export type ReferenceStatus = z.infer<typeof ReferenceStatus>;

/** The words for people and agents: the check finds a quote, but does not know if it is true. */
export const referenceWords: Readonly<Record<ReferenceStatus, string>> = {
  verified: 'found',
  moved: 'moved',
  planned: 'planned',
  failed: 'failed',
};

/** A claim after the check against the base. */
export const CheckedClaim = Claim.extend({
  agent: Text,
  status: ReferenceStatus,
  found_line: Ordinal.nullable().describe('Where the quote really is.'),
  note: Text.describe('Why it failed or what was corrected; empty if nothing.'),
  inside: Text.optional().describe(
    'The definitions around the place, e.g. "class Context › def __init__".',
  ),
});
export type CheckedClaim = z.infer<typeof CheckedClaim>;

export const AffectedFile = z.object({
  file: Text,
  line: Ordinal.nullable(),
  action: FileAction,
  status: ReferenceStatus,
  note: Text,
});
export type AffectedFile = z.infer<typeof AffectedFile>;

export const HeldStance = z.object({
  agent: Text,
  stance: StanceKind,
  reasons: Texts,
  evidence: z.array(CheckedClaim),
  changes: Texts.optional().describe('What its supporter wants changed.'),
  relation: Relation.optional().describe('How the solution relates to the agent’s own.'),
  reason: TextOrNull.describe(
    'Why its words do not make it a vote, as a clause; null where they do.',
  ),
  round: Ordinal.optional().describe(
    'The round in which it was taken: it holds for the text of the round before.',
  ),
});
export type HeldStance = z.infer<typeof HeldStance>;

/**
 * A remark that examinations made on a solution: an objection, a note, a change that its supporters
 * ask for, or a part of it that should be combined with another one.
 */
export const Remark = z.object({
  id: Text.describe('Stays the same over the rounds, e.g. "O1".'),
  kind: z.enum(['objection', 'note', 'change', 'adopted']),
  solution: Text.describe('The id of the solution that it is about.'),
  text: Text,
  agents: Texts.describe('Who said it.'),
  round: Ordinal.describe('The round in which it was said first.'),
  from: Text.optional().describe(
    'The id of the solution that it comes along from, as a tie was ended by rule.',
  ),
  evidence: z.array(CheckedClaim),
  state: z
    .enum(['open', 'revised', 'met', 'withdrawn'])
    .describe(
      '`revised`: the solution was changed since; `met`: its author says that the changed solution meets it; `withdrawn`: its author says that it was wrong, or supports the solution as it is.',
    ),
  replies: z
    .array(z.object({ agent: Text, verdict: RemarkVerdict, why: Text }))
    .optional()
    .describe('What agents answered to it, the last answer of each.'),
});
export type Remark = z.infer<typeof Remark>;

/** An answer that agents assumed because nobody gave it. */
export const HeldAssumption = Assumption.extend({ agents: Texts });
export type HeldAssumption = z.infer<typeof HeldAssumption>;

/** The values that one author gives its solution, and how its references fared in the check. */
export const Estimate = z.object({
  agent: Text,
  kind: z.enum(['model', 'analyst']),
  feasibility: Amount.max(1),
  effort: Level,
  risk: Level,
  sound: Count.describe('Claims and task files that were verified, moved or planned.'),
  failed: Count.describe('Claims and task files that failed.'),
});
export type Estimate = z.infer<typeof Estimate>;

/** A solution with the same meaning as another one, or a similar one, in its author’s own words. */
export const Version = z.object({
  name: Text,
  source_cli: Texts,
  summary: Text,
  implementation_plan: ImplementationPlan,
  dependencies: Dependencies,
  technical_concerns: Texts,
  pros: Texts,
  cons: Texts,
  affected_files: z.array(AffectedFile),
});
export type Version = z.infer<typeof Version>;

export const Solution = z.object({
  id: Text.default('').describe('Stays the same over the rounds, e.g. "S1".'),
  label: Text.default('').describe('Neutral label in the next round’s questions, e.g. "A".'),
  name: Text,
  source_cli: Texts.describe('The agents that proposed it.'),
  feasibility: Amount.max(1),
  effort: Level,
  risk: Level,
  summary: Text,
  implementation_plan: ImplementationPlan,
  dependencies: Dependencies,
  technical_concerns: Texts,
  pros: Texts.default([]),
  cons: Texts.default([]),
  affected_files: z.array(AffectedFile).default([]),
  claims: z.array(CheckedClaim).default([]),
  versions: z
    .array(Version)
    .optional()
    .describe('The same solution as others wrote it; of one that nobody recommends, like ones.'),
  stances: z.array(HeldStance).default([]),
  preferred_by: Texts.optional().describe(
    'Agents that would build it: in round 1 they recommend it, later they prefer it.',
  ),
  revised_in: Ordinal.optional().describe(
    'The last round in which its text changed; earlier stances do not count for it.',
  ),
  rank_score: z.number().default(0),
  estimates: z
    .array(Estimate)
    .optional()
    .describe('What the medians of feasibility, effort and risk were taken from.'),
});
export type Solution = z.infer<typeof Solution>;

/** True for a draft by built-in analysts alone: no model has read the task, so its ratings say nothing. */
export function isDraft({
  estimates = [],
}: {
  readonly estimates?: readonly Estimate[] | undefined;
}): boolean {
  return estimates.length > 0 && estimates.every(({ kind }) => kind === 'analyst');
}

/** The text that replaces meaningless ratings; null if the solution was rated. */
export function unratedText(
  { source_cli: authors }: Pick<Solution, 'source_cli'>,
  ofRules: boolean,
): string | null {
  if (ofRules) return 'rule-based draft, not rated';
  return authors.every((author) => author === planAuthor) ? 'a given plan, not rated' : null;
}

export const Recommendation = z.enum(['converged', 'continue', 'user_input_needed']);

export const Convergence = z.object({
  score: Amount.max(1),
  new_insights: Flag,
  recommendation: Recommendation,
  vendors: Texts.default([]).describe('Distinct vendors of the models that answered.'),
  reasons: Texts.default([]).describe('How the score and the recommendation came about.'),
  chosen_by_rule: z
    .object({
      solution: Text.describe('The id of the solution that was taken.'),
      over: Texts.describe('The ids of those that are supported as well.'),
      why: Text.describe('Which rule decided, in sentences for people.'),
    })
    .optional()
    .describe('How a tie was ended; left out where there was none.'),
});
export type Convergence = z.infer<typeof Convergence>;

/** The relation between two solutions that agents recommended in round 1, as judged by others. */
export const ComparedPair = z.object({
  agents: z.tuple([Text, Text]).describe('The authors.'),
  names: z.tuple([Text, Text]).describe('The solutions as their authors named them.'),
  relation: z.enum([...Relation.options, 'unclear']),
  difference: Text.describe('What differs, in one sentence; empty where nobody said it.'),
  judges: Texts.describe('Who compared them: a vendor that wrote neither, or both authors.'),
});
export type ComparedPair = z.infer<typeof ComparedPair>;

export const MissingAnswer = z.object({
  agent: Text,
  category: FailureCategory,
  reason: Text,
});
export type MissingAnswer = z.infer<typeof MissingAnswer>;

/** `rounds/N/synthesis.json`: the joined result of one round. What other programs leave out has a default. */
export const Synthesis = z.object({
  session_id: Text.default(''),
  round: Ordinal,
  solutions: z.array(Solution).describe('Best first.'),
  convergence: Convergence,
  cross_verification: z.object({
    agreements: Texts,
    disagreements: Texts,
    resolution: Text,
  }),
  clarification_questions: Texts.max(4),
  agents_questions: Texts.default([]).describe(
    'What agents have asked the user in this round and before it.',
  ),
  asked_by: z
    .array(z.object({ question: Text, agents: Texts }))
    .optional()
    .describe('The agents that asked each of these questions.'),
  receipts: z.array(Receipt).default([]),
  unanswered: z.array(MissingAnswer).default([]),
  absent: z
    .array(MissingAnswer.extend({ round: Ordinal }))
    .default([])
    .describe('Agents that did not answer in that round, and were not asked since.'),
  compared: z
    .array(ComparedPair)
    .default([])
    .describe('How the solutions that round 1 recommended relate.'),
  remarks: z.array(Remark).default([]).describe('What examinations said, of all rounds so far.'),
  assumptions: z
    .array(HeldAssumption)
    .default([])
    .describe('What agents assumed where nobody answered, of all rounds so far.'),
  replies: z
    .array(z.object({ agent: Text, text: Text }))
    .default([])
    .describe('What agents answer to what the user said before this round.'),
  search_terms: Texts.default([]).describe('New terms that the agents asked to search for.'),
  notes: Texts.default([]).describe('What was degraded or noticed, e.g. writes while planning.'),
});
export type Synthesis = z.infer<typeof Synthesis>;
