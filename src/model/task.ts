import { z } from 'zod';
import { Level } from './ids.ts';
import { Check } from './check.ts';
import { FileAction } from './proposal.ts';

const strings = z.array(z.string());
const Level3 = z.enum(['Low', 'Medium', 'High']);

const TaskFile = z.strictObject({
  path: z.string().min(1),
  action: FileAction.optional(),
  target: z.string().optional(),
  changes: strings.optional(),
  change: z.string().optional(),
  conflict_risk: Level.optional(),
});
export type TaskFile = z.infer<typeof TaskFile>;

const ImplementationStep = z.union([
  z.string(),
  z.strictObject({
    step: z.union([z.string(), z.int()]),
    description: z.string(),
    title: z.string().optional(),
    modification_points: strings.optional(),
    logic_flow: strings.optional(),
    depends_on: z.array(z.union([z.string(), z.int()])).optional(),
    output: z.string().optional(),
    tdd_phase: z.enum(['red', 'green', 'refactor']).optional(),
    actions: strings.optional(),
    test_fix_cycle: z.looseObject({ max_iterations: z.int().optional() }).optional(),
  }),
]);

const TaskTest = z.strictObject({
  commands: z.union([strings, z.record(z.string(), z.string())]).optional(),
  unit: strings.optional(),
  integration: strings.optional(),
  coverage_target: z.number().min(0).max(100).optional(),
  manual_checks: strings.optional(),
  success_metrics: strings.optional(),
  reusable_tools: strings.optional(),
});

const Risk = z.strictObject({
  description: z.string(),
  probability: Level3,
  impact: Level3,
  mitigation: z.string(),
  fallback: z.string().optional(),
});

const CodeSkeleton = z.strictObject({
  interfaces: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        definition: z.string().optional(),
        purpose: z.string().optional(),
      }),
    )
    .optional(),
  key_functions: z
    .array(
      z.looseObject({
        signature: z.string().optional(),
        purpose: z.string().optional(),
        returns: z.string().optional(),
      }),
    )
    .optional(),
  classes: z
    .array(
      z.looseObject({
        name: z.string().optional(),
        purpose: z.string().optional(),
        methods: strings.optional(),
      }),
    )
    .optional(),
});

/** Written by execution only; left out of the approval’s hash. */
const runtimeFields = {
  status: z
    .enum([
      'pending',
      'in_progress',
      'active',
      'completed',
      'unproven',
      'failed',
      'skipped',
      'blocked',
    ])
    .optional(),
  executed_at: z.iso.datetime({ offset: true }).optional(),
  result: z
    .strictObject({
      success: z.boolean().optional(),
      files_modified: strings.optional(),
      summary: z.string().optional(),
      error: z.string().optional(),
      convergence_verified: z.array(z.boolean()).optional(),
      commit_hash: z.string().optional(),
    })
    .optional(),
};

/** One `.task/TASK-NNN.json`. */
export const Task = z.looseObject({
  id: z.string().min(1),
  title: z.string().min(1),
  description: z.string().min(1),
  depends_on: strings,
  convergence: z.strictObject({
    criteria: strings.min(1),
    verification: z.string().optional(),
    definition_of_done: z.string().optional(),
  }),
  checks: z.array(Check).optional().describe('Criteria that execution runs.'),
  type: z
    .enum([
      'infrastructure',
      'feature',
      'enhancement',
      'fix',
      'bugfix',
      'refactor',
      'testing',
      'test-gen',
      'test-fix',
      'docs',
      'chore',
    ])
    .optional(),
  priority: z.enum(['critical', 'high', 'medium', 'low']).optional(),
  effort: z.enum(['small', 'medium', 'large']).optional(),
  action: z
    .enum([
      'Create',
      'Update',
      'Implement',
      'Refactor',
      'Add',
      'Delete',
      'Configure',
      'Test',
      'Fix',
    ])
    .optional(),
  scope: z.union([z.string(), strings]).optional(),
  excludes: strings.optional(),
  focus_paths: strings.optional(),
  parallel_group: z.number().optional(),
  files: z.array(TaskFile).optional(),
  implementation: z.array(ImplementationStep).optional(),
  test: TaskTest.optional(),
  regression: strings.optional(),
  reference: z
    .strictObject({
      pattern: z.string().optional(),
      files: strings.optional(),
      examples: z.string().optional(),
    })
    .optional(),
  rationale: z
    .strictObject({
      chosen_approach: z.string().optional(),
      alternatives_considered: strings.optional(),
      decision_factors: strings.optional(),
      tradeoffs: z.string().optional(),
    })
    .optional(),
  risks: z.array(Risk).optional(),
  code_skeleton: CodeSkeleton.optional(),
  meta: z
    .looseObject({
      agent: z.string().optional(),
      module: z.string().optional(),
      execution_config: z
        .strictObject({
          method: z.enum(['agent', 'cli']).optional(),
          cli_tool: z
            .string()
            .optional()
            .describe('codex, gemini, claude, copilot, opencode, or auto.'),
          enable_resume: z.boolean().optional(),
        })
        .optional(),
    })
    .optional(),
  cli_execution: z
    .strictObject({
      id: z.string().optional(),
      strategy: z.enum(['new', 'resume', 'fork', 'merge_fork']).optional(),
      resume_from: z.string().optional(),
      merge_from: strings.optional(),
    })
    .optional(),
  pre_analysis: z
    .array(
      z.looseObject({
        step: z.string(),
        action: z.string(),
        commands: strings.optional(),
        command: z.string().optional(),
        output_to: z.string().optional(),
        on_error: z.enum(['fail', 'skip_optional', 'continue']).optional(),
      }),
    )
    .optional(),
  artifacts: z
    .array(
      z.looseObject({
        type: z.string().optional(),
        source: z.string().optional(),
        path: z.string().optional(),
        feature_id: z.string().optional(),
        priority: z.string().optional(),
        usage: z.string().optional(),
      }),
    )
    .optional(),
  inherited: z.looseObject({ from: z.string().optional(), context: strings.optional() }).optional(),
  source: z
    .looseObject({
      tool: z.string().optional(),
      session_id: z.string().optional(),
      original_id: z.string().optional(),
      issue_id: z.string().optional(),
    })
    .optional(),
  context_package_path: z.string().optional(),
  evidence: z.array(z.unknown()).optional(),
  inputs: strings.optional(),
  outputs: strings.optional(),
  commit: z
    .looseObject({
      type: z.enum(['feat', 'fix', 'refactor', 'test', 'docs', 'chore']).optional(),
      scope: z.string().optional(),
      message_template: z.string().optional(),
    })
    .optional(),
  ...runtimeFields,
});
export type Task = z.infer<typeof Task>;

/**
 * A task as a planner writes it: without what the run, an execution or another tool fills in. A
 * smaller question is better answered.
 */
export const PlannedTask = Task.omit({
  status: true,
  executed_at: true,
  result: true,
  parallel_group: true,
  cli_execution: true,
  pre_analysis: true,
  artifacts: true,
  inherited: true,
  context_package_path: true,
  evidence: true,
  inputs: true,
  outputs: true,
  commit: true,
  meta: true,
});

/** The fields of a task that execution writes. */
export const runtimeTaskFields = Object.keys(runtimeFields);
