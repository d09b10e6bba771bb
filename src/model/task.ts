// Defines `.task/TASK-NNN.json`.
import { z } from 'zod';
import { Amount, FilledText, Flag, Text, Whole } from './plain-shapes.ts';
import { Level } from './ids.ts';
import { Check, plainWords } from './check.ts';
import { FileAction } from './proposal.ts';

const text = Text;
const strings = z.array(text);
const Level3 = z.enum(['Low', 'Medium', 'High']);

const TaskFile = z.strictObject({
  path: FilledText,
  action: FileAction.optional(),
  target: text.optional(),
  changes: strings.optional(),
  change: text.optional(),
  removes_tests: strings
    .optional()
    .describe('Names of tests in this file that go, or are called otherwise afterwards.'),
  conflict_risk: Level.optional(),
});

const StepName = z.union([text, Whole]);

const ImplementationStep = z.union([
  text,
  z.strictObject({
    step: StepName,
    description: text,
    title: text.optional(),
    modification_points: strings.optional(),
    logic_flow: strings.optional(),
    depends_on: z.array(StepName).optional(),
    output: text.optional(),
    tdd_phase: z.enum(['red', 'green', 'refactor']).optional(),
    actions: strings.optional(),
    test_fix_cycle: z.looseObject({ max_iterations: Whole.optional() }).optional(),
  }),
]);

const TaskTest = z
  .strictObject({
    commands: z.union([strings, z.record(text, text)]),
    unit: strings,
    integration: strings,
    coverage_target: Amount.max(100),
    manual_checks: strings,
    success_metrics: strings,
    reusable_tools: strings,
  })
  .partial();

const Risk = z.strictObject({
  description: text,
  probability: Level3,
  impact: Level3,
  mitigation: text,
  fallback: text.optional(),
});

const CodeSkeleton = z
  .strictObject({
    interfaces: z.array(z.looseObject({ name: text, definition: text, purpose: text }).partial()),
    key_functions: z.array(
      z.looseObject({ signature: text, purpose: text, returns: text }).partial(),
    ),
    classes: z.array(z.looseObject({ name: text, purpose: text, methods: strings }).partial()),
  })
  .partial();

const ExecutionConfig = z
  .strictObject({
    method: z.enum(['agent', 'cli']),
    cli_tool: text.describe('codex, gemini, claude, copilot, opencode, or auto.'),
    enable_resume: Flag,
  })
  .partial();

const PreAnalysis = z.looseObject({
  step: text,
  action: text,
  commands: strings.optional(),
  command: text.optional(),
  output_to: text.optional(),
  on_error: z.enum(['fail', 'skip_optional', 'continue']).optional(),
});

/** Fields that only execution writes; left out of the approval’s hash. */
const RuntimeFields = z
  .object({
    status: z.enum([
      'pending',
      'in_progress',
      'active',
      'completed',
      'unproven',
      'failed',
      'skipped',
      'blocked',
    ]),
    executed_at: z.iso.datetime({ offset: true }),
    result: z
      .strictObject({
        success: Flag,
        files_modified: strings,
        summary: text,
        error: text,
        convergence_verified: z.array(Flag),
        commit_hash: text,
      })
      .partial(),
  })
  .partial();

const Use = z.strictObject({ name: FilledText, path: FilledText });

const OptionalFields = z
  .object({
    checks: z.array(Check).describe('Criteria that execution runs.'),
    type: z.enum([
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
    ]),
    priority: z.enum(['critical', 'high', 'medium', 'low']),
    effort: z.enum(['small', 'medium', 'large']),
    action: z.enum([
      'Create',
      'Update',
      'Implement',
      'Refactor',
      'Add',
      'Delete',
      'Configure',
      'Test',
      'Fix',
    ]),
    scope: z.union([text, strings]),
    excludes: strings,
    focus_paths: strings,
    parallel_group: z.number(),
    files: z.array(TaskFile),
    implementation: z.array(ImplementationStep),
    test: TaskTest,
    regression: strings,
    reference: z.strictObject({ pattern: text, files: strings, examples: text }).partial(),
    answers: strings.describe('The remarks of the context package that it settles: O1.'),
    proves: strings.describe('The proofs that fail today and pass after it: P1.'),
    uses: z
      .array(Use)
      .describe('Names of the code that it relies on, each with the file that has it.'),
    rationale: z
      .strictObject({
        chosen_approach: text,
        alternatives_considered: strings,
        decision_factors: strings,
        tradeoffs: text,
      })
      .partial(),
    risks: z.array(Risk),
    code_skeleton: CodeSkeleton,
    meta: z.looseObject({ agent: text, module: text, execution_config: ExecutionConfig }).partial(),
    cli_execution: z
      .strictObject({
        id: text,
        strategy: z.enum(['new', 'resume', 'fork', 'merge_fork']),
        resume_from: text,
        merge_from: strings,
      })
      .partial(),
    pre_analysis: z.array(PreAnalysis),
    artifacts: z.array(
      z
        .looseObject({
          type: text,
          source: text,
          path: text,
          feature_id: text,
          priority: text,
          usage: text,
        })
        .partial(),
    ),
    inherited: z.looseObject({ from: text, context: strings }).partial(),
    source: z
      .looseObject({ tool: text, session_id: text, original_id: text, issue_id: text })
      .partial(),
    context_package_path: text,
    evidence: z.array(z.unknown()),
    inputs: strings,
    outputs: strings,
    commit: z
      .looseObject({
        type: z.enum(['feat', 'fix', 'refactor', 'test', 'docs', 'chore']),
        scope: text,
        message_template: text,
      })
      .partial(),
  })
  .partial();

/** The content of `.task/TASK-NNN.json`. */
export const Task = z.looseObject({
  id: FilledText,
  title: FilledText,
  description: FilledText,
  depends_on: strings,
  convergence: z.strictObject({
    criteria: strings.min(1),
    verification: text.optional(),
    definition_of_done: text.optional(),
  }),
  ...OptionalFields.shape,
  ...RuntimeFields.shape,
});
export type Task = z.infer<typeof Task>;

/**
 * A task as a planner writes it: without what the run, an execution or another tool fills in. A
 * smaller question gets better answers.
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

/** The fields that a planner is asked for, which the request explains. */
export const AskedTask = PlannedTask.pick({
  id: true,
  title: true,
  description: true,
  depends_on: true,
  checks: true,
  answers: true,
  proves: true,
  uses: true,
}).extend({
  convergence: z.object({ criteria: strings.min(1) }),
  files: z
    .array(
      TaskFile.pick({ path: true, action: true, target: true, change: true, removes_tests: true }),
    )
    .optional(),
  implementation: strings.optional(),
  reference: z.object({ pattern: text, files: strings }).partial().optional(),
  test: z.object({ commands: strings, unit: strings, integration: strings }).partial().optional(),
  risks: z.array(Risk.omit({ fallback: true })).optional(),
  source: z.object({ original_id: text }).partial().optional(),
});

/** The fields of a task that execution writes. */
export const runtimeTaskFields = Object.keys(RuntimeFields.shape);

/** The checks of a task, plus its test commands that need no shell, without duplicates. */
export function checksOf({ checks = [], test }: Pick<Task, 'checks' | 'test'>): readonly Check[] {
  const { commands = [] } = test ?? {};
  const known = new Set(
    checks.flatMap((check) => (check.kind === 'command' ? check.argv.join(' ') : [])),
  );
  const others = Object.values(commands).flatMap((line): Check[] => {
    const argv = plainWords(line);
    return argv === null || known.has(argv.join(' ')) ? [] : [{ kind: 'command', argv }];
  });
  return [...checks, ...others];
}

/** The files that tasks name, without duplicates. */
export function filesOf(tasks: readonly Pick<Task, 'files'>[]): readonly string[] {
  return [...new Set(tasks.flatMap(({ files = [] }) => files.map(({ path }) => path)))];
}

/** The fields of a task that no planner is asked for, with the shape of each. */
export const unaskedTaskFields: ReadonlyMap<string, z.ZodType> = new Map(
  Object.entries(Task.shape).filter(([name]) => !(name in PlannedTask.shape)),
);
