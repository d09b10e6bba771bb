// Defines the answers of agents in a round: proposal, examination, claims.
import { z } from 'zod';
import { Amount, FilledText, Ordinal, Text, TextOrNull, Texts } from './plain-shapes.ts';
import { Level } from './ids.ts';

/** A statement about the code with a place and a short quote as evidence. */
export const Claim = z.object({
  statement: FilledText,
  path: FilledText.describe('Relative to the repository root.'),
  line: Ordinal,
  quote: Text.describe('A short piece of the cited line, as it stands in the file.'),
});
export type Claim = z.infer<typeof Claim>;

export const FileAction = z.enum(['modify', 'create', 'delete']);

export const PlannedFile = z.object({
  file: FilledText,
  line: Ordinal.optional(),
  action: FileAction,
});
export type PlannedFile = z.infer<typeof PlannedFile>;

export const SolutionTask = z.object({
  id: Text.regex(/^T\d{1,3}$/),
  name: FilledText,
  depends_on: Texts,
  files: z.array(PlannedFile),
  key_point: TextOrNull,
});
export type SolutionTask = z.infer<typeof SolutionTask>;

export const Dependencies = z.object({
  internal: Texts,
  external: Texts,
});

export const ImplementationPlan = z.object({
  approach: FilledText,
  tasks: z.array(SolutionTask).min(1),
  execution_flow: Text.describe('The order of the tasks, e.g. "T1 → T2 → T3".'),
  milestones: Texts,
});
export type ImplementationPlan = z.infer<typeof ImplementationPlan>;

/** A solution as one agent proposes it. */
export const ProposedSolution = z.object({
  name: FilledText.max(200),
  summary: FilledText,
  feasibility: Amount.max(1),
  effort: Level,
  risk: Level,
  implementation_plan: ImplementationPlan,
  dependencies: Dependencies,
  technical_concerns: Texts,
  pros: Texts,
  cons: Texts,
  claims: z.array(Claim),
});
export type ProposedSolution = z.infer<typeof ProposedSolution>;

/** The parts of a plan that its author can name; the rest of a solution is derived from them. */
export const PlanParts = z.object({
  name: ProposedSolution.shape.name,
  summary: ProposedSolution.shape.summary,
  implementation_plan: ImplementationPlan,
});
export type PlanParts = z.infer<typeof PlanParts>;

/** An agent’s assumption where nobody answered a question. */
export const Assumption = z.object({
  question: FilledText.describe('The question, as it was asked.'),
  assumption: FilledText,
});
export type Assumption = z.infer<typeof Assumption>;

const assumptions = z
  .array(Assumption)
  .optional()
  .describe('For each question that nobody answered: the answer that you assumed.');

const answerHead = {
  session: Text.describe('The session id from the question.'),
  round: Ordinal.describe('The round number from the question.'),
};

/** The answer of an agent in the blind first round. */
export const Proposal = z.object({
  ...answerHead,
  recommended: FilledText.nullable().describe(
    'The name of the solution that you would build; null for none of them.',
  ),
  solutions: z.array(ProposedSolution).min(1).max(3),
  questions: Texts.describe('Questions to the user, if the task leaves room.'),
  assumptions,
});
export type Proposal = z.infer<typeof Proposal>;

export const StanceKind = z.enum(['support', 'oppose', 'unsure']);

const Label = Text.regex(/^[A-Z]$/);

/** The relation of two solutions, as `relationRule` in the prompts defines it. */
export const Relation = z.enum(['same', 'variant', 'different']);
export type Relation = z.infer<typeof Relation>;

const Stance = z.object({
  solution: Label.describe('The neutral label, e.g. "A".'),
  stance: StanceKind,
  relation: Relation.optional().describe(
    'How this solution relates to your own; left out for your own.',
  ),
  reasons: Texts,
  evidence: z.array(Claim),
  changes: z
    .array(FilledText)
    .optional()
    .describe('With `support`: what has to change in it, each with its `path:line`.'),
});

/** A part of another solution that should be combined with the preferred one. */
const AdoptedPart = z.object({
  solution: Label.describe('The label of the solution that it comes from.'),
  part: FilledText.describe('The part, complete enough to be planned.'),
  evidence: z.array(Claim),
});

/** An examiner’s answer to a remark: it still holds, the solution now meets it, or the code disproves it. */
export const RemarkVerdict = z.enum(['holds', 'met', 'wrong']);

/** An answer to a remark from an earlier round. */
const RemarkReply = z.object({
  id: Text.regex(/^O\d+$/).describe('The id of a remark on a solution, e.g. "O1".'),
  verdict: RemarkVerdict.describe(
    '`holds`; `met` by the solution as it stands now; `wrong`: the code shows that it is not so, or, of an adopted part, that it should not come along.',
  ),
  why: Text.describe('In a sentence, with its `path:line`.'),
});

/** A solution that replaces an earlier one by the same author. */
export const Revision = z.object({
  revises: Label.nullable().describe(
    'The label of the solution of yours that it takes the place of; null only where none is yours.',
  ),
  ...ProposedSolution.shape,
});
export type Revision = z.infer<typeof Revision>;

/** The answer of an agent from round 2 on. */
export const Examination = z.object({
  ...answerHead,
  stances: z.array(Stance),
  preferred: Label.nullable().describe(
    'The label of the solution that you would build, also where you revise it; null for none of them.',
  ),
  revision: Revision.nullable().describe('A better version of your own solution, or null.'),
  adopt: z
    .array(AdoptedPart)
    .optional()
    .describe('Parts of other solutions that the preferred one should take over.'),
  remarks: z
    .array(RemarkReply)
    .optional()
    .describe('For each remark of examiners on a solution: does it hold?'),
  search_terms: Texts.describe('New identifiers worth one more search.'),
  questions: Texts,
  assumptions,
  reply: Text.optional().describe(
    'Your answer to what the user has said since; left out where that is nothing.',
  ),
});
export type Examination = z.infer<typeof Examination>;

/** The answer of an agent that compares the recommended solutions. */
export const ComparisonAnswer = z.object({
  ...answerHead,
  pairs: z.array(
    z.object({
      first: Label,
      second: Label,
      relation: Relation,
      difference: Text.describe(
        'In one sentence what differs for users or in the code; empty for the same.',
      ),
    }),
  ),
});
export type ComparisonAnswer = z.infer<typeof ComparisonAnswer>;
