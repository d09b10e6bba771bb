import { z } from 'zod';
import { Level } from './ids.ts';
import { Dependencies, ImplementationPlan } from './proposal.ts';
import { AffectedFile } from './synthesis.ts';

/** `context-package.json`: what the planning agent is given. */
export const ContextPackage = z.object({
  session_id: z.string(),
  task_description: z.string(),
  solution: z.object({
    name: z.string(),
    source_cli: z.array(z.string()),
    feasibility: z.number().min(0).max(1),
    effort: Level,
    risk: Level,
    summary: z.string(),
    pros: z.array(z.string()).optional(),
    cons: z.array(z.string()).optional(),
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
      z.object({
        name: z.string(),
        source_cli: z.array(z.string()),
        feasibility: z.number().min(0).max(1),
        effort: Level,
        risk: Level,
        summary: z.string(),
      }),
    )
    .optional()
    .describe('The solutions that were not chosen.'),
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
  affected_files: z.array(AffectedFile),
  clarifications: z.array(z.object({ question: z.string(), answer: z.string() })),
  feedback: z.array(z.string()),
  project_facts: z.array(z.object({ source: z.string(), text: z.string() })),
  uncertainty: z.string().nullable().describe('Set where the agents did not converge.'),
});
export type ContextPackage = z.infer<typeof ContextPackage>;
