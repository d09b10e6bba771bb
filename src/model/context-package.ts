// Defines `context-package.json`, the input of planning.
import { z } from 'zod';
import { BuildFact, ProjectFact } from './context.ts';
import { UserAnswer } from './decision.ts';
import { Level } from './ids.ts';
import { DroppedProof, PackagedProof, Unproven } from './proof.ts';
import { Dependencies, ImplementationPlan } from './proposal.ts';
import { AffectedFile, HeldAssumption, ReferenceStatus, Remark, Version } from './synthesis.ts';

const SolutionHead = z.object({
  name: z.string(),
  source_cli: z.array(z.string()),
  feasibility: z.number().min(0).max(1),
  effort: Level,
  risk: Level,
  summary: z.string(),
  draft: z.boolean().optional().describe('Only built-in analysts proposed it: nobody rated it.'),
  positions: z.array(z.string()).optional().describe('Who is for it and against it.'),
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
  from: z.string().optional().describe('The other solution that an adopted part comes from.'),
  objections: z
    .array(z.string())
    .optional()
    .describe('What others object to in a file that the adopted part names.'),
  evidence: z.array(
    z.object({
      statement: z.string(),
      path: z.string(),
      line: z.int().min(1),
      quote: z.string(),
      status: ReferenceStatus,
    }),
  ),
});
export type PackagedRemark = z.infer<typeof PackagedRemark>;

/** `context-package.json`: what the planning agent receives. */
export const ContextPackage = z.object({
  session_id: z.string(),
  task_description: z.string(),
  solution: SolutionHead.extend({
    pros: z.array(z.string()).optional(),
    cons: z.array(z.string()).optional(),
    versions: z
      .array(
        Version.omit({ implementation_plan: true }).extend({
          approach: z.string(),
          tasks: z.array(z.string()).optional().describe('Each with its key point.'),
        }),
      )
      .optional()
      .describe('The same solution as its other authors wrote it.'),
  }),
  implementation_plan: ImplementationPlan,
  dependencies: Dependencies,
  technical_concerns: z.array(z.string()),
  consensus: z.object({
    agreements: z.array(z.string()),
    disagreements: z.array(z.string()).optional(),
    resolved_conflicts: z.string(),
  }),
  alternatives: z
    .array(
      SolutionHead.extend({
        decided_against: PackagedRemark.optional().describe('The strongest objection to it.'),
        differs: z.string().optional().describe('What differs from the chosen one.'),
        own_files: z
          .array(z.string())
          .optional()
          .describe('Files that it changes and the chosen one does not.'),
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
        statement: z.string(),
        path: z.string(),
        line: z.int().min(1),
        quote: z.string(),
      }),
    )
    .optional()
    .describe('The chosen solution’s claims that passed the check, with corrected lines.'),
  constraints: z.array(z.string()),
  affected_files: z.array(AffectedFile).default([]),
  clarifications: z.array(UserAnswer).default([]),
  feedback: z.array(z.string()).default([]),
  open_questions: z.array(z.string()).optional().describe('What agents asked and nobody answered.'),
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
  uncertainty: z
    .string()
    .nullable()
    .default(null)
    .describe('Set where the agents did not converge, or a rule chose between what they support.'),
});
export type ContextPackage = z.infer<typeof ContextPackage>;
