// Defines `plan.json`, and the answer of a planning agent.
import { z } from 'zod';
import { Count, FilledText, Flag, Ordinal, Text, Texts } from './plain-shapes.ts';
import { Level } from './ids.ts';
import { DroppedProof, PlannedProof, Unproven } from './proof.ts';
import { AskedTask, PlannedTask, type Task } from './task.ts';

const text = Text;
const strings = z.array(text);
const Level3 = z.enum(['Low', 'Medium', 'High']);

const PlanMetadata = z.looseObject({
  timestamp: z.iso.datetime({ offset: true }),
  source: z.enum([
    'cli-lite-planning-agent',
    'direct-planning',
    'action-planning-agent',
    'review-cycle-agent',
    'issue-plan-agent',
    'tdd-planning-agent',
  ]),
  plan_type: z.enum(['feature', 'fix', 'tdd', 'review', 'collaborative', 'requirement']),
  planning_mode: z.enum(['direct', 'agent-based']).optional(),
  schema_version: text.optional(),
  draft: Flag.optional().describe('Made by rules: no model has read the task.'),
  planner: text.optional().describe('The agent that wrote it.'),
  exploration_angles: strings.optional(),
  duration_seconds: Count.optional(),
  diagnosis_angles: strings.optional(),
});

const Stage = z.looseObject({
  stage: text,
  input: text,
  output: text,
  component: text,
  transformations: strings.optional(),
});

const DesignDecision = z.looseObject({
  decision: text,
  rationale: text,
  tradeoff: text.optional(),
  alternatives: strings.optional(),
  answers: strings.optional().describe('The remarks of the context package that it answers: O1.'),
});

const FixContext = z.strictObject({
  root_cause: text,
  strategy: z.enum(['immediate_patch', 'comprehensive_fix', 'refactor']),
  severity: z.enum(['Low', 'Medium', 'High', 'Critical']),
  risk_level: Level,
});

const OptionalFields = z
  .object({
    tasks: z
      .never({ error: 'must not be given: tasks live in .task/ files' })
      .describe('Not allowed: tasks live in .task/ files.'),
    complexity: Level3,
    estimated_time: text,
    recommended_execution: z.enum(['Agent', 'Codex', 'Sequential', 'Parallel', 'Phased']),
    data_flow: z
      .looseObject({ diagram: text, stages: z.array(Stage), dependencies: strings })
      .partial(),
    design_decisions: z.array(DesignDecision),
    shared_context: z
      .looseObject({ tech_stack: strings, conventions: strings, auth_strategy: text })
      .partial(),
    fix_context: FixContext,
    test_strategy: z
      .looseObject({
        scope: z.enum(['unit', 'integration', 'e2e', 'smoke', 'full']),
        specific_tests: strings,
        manual_verification: strings,
      })
      .partial(),
    rollback_plan: z
      .looseObject({ strategy: z.enum(['git_revert', 'feature_flag', 'manual']), steps: strings })
      .partial(),
    constraints: strings,
    execution_flow: text.describe('The order that follows from depends_on, on one line.'),
    milestones: strings,
    removed_tasks: z
      .array(z.looseObject({ id: text, title: text, original_id: text.optional() }))
      .describe('Tasks that a person deleted.'),
    proofs: z
      .array(PlannedProof)
      .describe(
        'Acceptance tests that somebody else wrote before the plan; their code is in proof/tests/.',
      ),
    dropped_proofs: z.array(DroppedProof),
    unproven: z.array(Unproven).describe('What no proof can show, with the checks that guard it.'),
  })
  .partial();

/** `plan.json`: the overview. Its tasks live in `.task/`, never embedded. */
export const Plan = z.looseObject({
  summary: FilledText,
  approach: FilledText,
  task_ids: z.array(text).min(1),
  task_count: Ordinal,
  ...OptionalFields.shape,
  _metadata: PlanMetadata,
});
export type Plan = z.infer<typeof Plan>;

/** A plan with its tasks, in the order of `plan.task_ids`. */
export interface PlanFiles {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
}

/** True for a plan made by rules, so that no model has read the task; false if it cannot be read. */
export function isDraftPlan(plan: Plan | null): boolean {
  if (plan === null) return false;
  const { _metadata: metadata } = plan;
  return metadata.draft === true;
}

/** The answer of the planning agent: plan and tasks as one JSON, split into files by code. */
export const PlanAnswer = z.object({
  session: Text.describe('The session id from the question.'),
  phase: z.literal('planning'),
  plan: Plan.omit({
    task_ids: true,
    task_count: true,
    _metadata: true,
    tasks: true,
    removed_tasks: true,
    proofs: true,
    dropped_proofs: true,
    unproven: true,
    execution_flow: true,
  }),
  tasks: z.array(PlannedTask).min(1),
});
export type PlanAnswer = z.infer<typeof PlanAnswer>;

/** The fields that a planning agent is asked for; additional fields in an answer are accepted. */
export const AskedPlanAnswer = PlanAnswer.extend({
  plan: PlanAnswer.shape.plan.pick({
    summary: true,
    approach: true,
    complexity: true,
    design_decisions: true,
    constraints: true,
    milestones: true,
  }),
  tasks: z.array(AskedTask).min(1),
});

/** The changes to an existing plan: only what changes, by the ids of its tasks. */
export const PlanChangeFields = z.object({
  plan: PlanAnswer.shape.plan.nullable().describe('The whole overview; null where it stays.'),
  tasks: z.array(PlannedTask).describe('Tasks that change, whole, and new ones; the others stay.'),
  removed: Texts.optional().describe('The ids of tasks that go.'),
});

/** The fields that a planning agent is asked for; additional fields in an answer are accepted. */
export const AskedPlanChangeFields = PlanChangeFields.extend({
  plan: AskedPlanAnswer.shape.plan.nullable(),
  tasks: z.array(AskedTask),
});

/** The planning agent’s answer to comments on its plan, or to what the plan check found in it. */
export const PlanChanges = z.object({
  session: PlanAnswer.shape.session,
  phase: PlanAnswer.shape.phase,
  ...PlanChangeFields.shape,
});
export type PlanChanges = z.infer<typeof PlanChanges>;

export const AskedPlanChanges = PlanChanges.extend(AskedPlanChangeFields.shape);
