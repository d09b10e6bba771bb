// Defines `context-package.json`, the input of planning.
import { z } from 'zod';
import { Amount, Flag, Ordinal, Text, TextOrNull, Texts } from './plain-shapes.ts';
import { BuildFact, ProjectFact } from './context.ts';
import { UserAnswer } from './decision.ts';
import { Level } from './ids.ts';
import { DroppedProof, PackagedProof, Unproven } from './proof.ts';
import { Dependencies, ImplementationPlan } from './proposal.ts';
import { AffectedFile, HeldAssumption, ReferenceStatus, Remark, Version } from './synthesis.ts';

const SolutionHead = z.object({
  name: Text,
  source_cli: Texts,
  feasibility: Amount.max(1),
  effort: Level,
  risk: Level,
  summary: Text,
  draft: Flag.optional().describe('Only built-in analysts proposed it: nobody rated it.'),
  positions: Texts.optional().describe('Who is for it and against it.'),
});

/** A remark of an examination, which the planner takes up in a task or answers. */
export const PackagedRemark = Remark.pick({
  id: true,
  kind: true,
  text: true,
  agents: true,
}).extend({
  state: Remark.shape.state.optional(),
  replies: Remark.shape.replies,
  from: Text.optional().describe('The other solution that an adopted part comes from.'),
  objections: Texts.optional().describe(
    'What others object to in a file that the adopted part names.',
  ),
  evidence: z.array(
    z.object({
      statement: Text,
      path: Text,
      line: Ordinal,
      quote: Text,
      status: ReferenceStatus,
    }),
  ),
});
export type PackagedRemark = z.infer<typeof PackagedRemark>;

/** `context-package.json`: what the planning agent receives. */
export const ContextPackage = z.object({
  session_id: Text,
  task_description: Text,
  solution: SolutionHead.extend({
    pros: Texts.optional(),
    cons: Texts.optional(),
    versions: z
      .array(
        Version.omit({ implementation_plan: true }).extend({
          approach: Text,
          tasks: Texts.optional().describe('Each with its key point.'),
        }),
      )
      .optional()
      .describe('The same solution as its other authors wrote it.'),
  }),
  implementation_plan: ImplementationPlan,
  dependencies: Dependencies,
  technical_concerns: Texts,
  consensus: z.object({
    agreements: Texts,
    disagreements: Texts.optional(),
    resolved_conflicts: Text,
  }),
  alternatives: z
    .array(
      SolutionHead.extend({
        decided_against: PackagedRemark.optional().describe('The strongest objection to it.'),
        differs: Text.optional().describe('What differs from the chosen one.'),
        own_files: Texts.optional().describe('Files that it changes and the chosen one does not.'),
      }),
    )
    .optional()
    .describe('The solutions that were not chosen.'),
  remarks: z
    .array(PackagedRemark)
    .optional()
    .describe('What examinations said of the chosen solution, and what they adopt from others.'),
  evidence: z
    .array(
      z.object({
        statement: Text,
        path: Text,
        line: Ordinal,
        quote: Text,
      }),
    )
    .optional()
    .describe('The chosen solution’s claims that passed the check, with corrected lines.'),
  constraints: Texts,
  affected_files: z.array(AffectedFile).default([]),
  clarifications: z.array(UserAnswer).default([]),
  feedback: Texts.default([]),
  open_questions: Texts.optional().describe('What agents asked and nobody answered.'),
  assumptions: z
    .array(HeldAssumption)
    .optional()
    .describe('What agents assumed where nobody answered.'),
  project_facts: z.array(ProjectFact).default([]),
  build_facts: z
    .array(BuildFact)
    .optional()
    .describe('How the project is built and tested: the commands to plan with.'),
  proofs: z
    .array(PackagedProof)
    .optional()
    .describe('Acceptance tests, each with what it showed at the base; absent without any.'),
  dropped_proofs: z.array(DroppedProof).optional(),
  unproven: z.array(Unproven).optional(),
  uncertainty: TextOrNull.default(null).describe(
    'Set where the agents did not converge, or a rule chose between what they support.',
  ),
});
export type ContextPackage = z.infer<typeof ContextPackage>;
