// Defines an execution: its tasks, their checks, its code review, and their events.
import { z } from 'zod';
import { tokenCounts } from './agent-event.ts';
import { CheckRecord, TestCounts } from './check-record.ts';
import { CodeReviewTool, DecidedBy, ExecutionMethod } from './decision.ts';

const strings = z.array(z.string());

/** The answer to whether an approved plan is executed now. */
export const ExecuteAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('now'),
    execution_method: ExecutionMethod,
    code_review_tool: CodeReviewTool,
    forced: z
      .boolean()
      .optional()
      .describe('Carries it out although files have changed since the base.'),
    commands: z
      .enum(['all', 'named'])
      .optional()
      .describe('The commands of checks that run: `named` where nobody looked at them.'),
    setup: strings
      .optional()
      .describe('The set-up that the user took, as a file of the project proposes it.'),
    copy: strings.optional().describe('The ignored files that the user took with it.'),
    commit_style: z
      .literal('conventional')
      .optional()
      .describe('The user chose it because the history of the project uses it.'),
    by: DecidedBy,
  }),
  z.object({ kind: z.literal('later'), by: DecidedBy.optional() }),
]);
export type ExecuteAnswer = z.infer<typeof ExecuteAnswer>;

/** Why the records of an execution no longer count. */
export const discardReason = 'the execution was discarded';

/** Checks that a person lets run unconfined, for one plan; each is named by what it looks at. */
const Unconfined = z.object({
  plan: z.string().describe('The hash of the plan.'),
  checks: strings,
});

/** Tasks that the user has redone, with a note (may be empty) for the agent that does them. */
export const Retry = z.object({
  tasks: strings,
  note: z.string(),
  execution_method: ExecutionMethod.optional().describe('Who does them now.'),
  unconfined: Unconfined.optional(),
});
export type Retry = z.infer<typeof Retry>;

/** The user’s reasons for accepting unproven tasks, by task id. */
const Acceptances = z.record(z.string(), z.string());

/** The answer to what to do with a result; a boolean only says whether to apply it. */
export const ResultAnswer = z.union([
  z.boolean(),
  z.object({
    apply: z.boolean(),
    accepted: Acceptances,
    applied: z.string().nullable().optional().describe('How it was applied before.'),
    retry: Retry.optional().describe('Tasks to do again before anything is applied.'),
    resolve_with: z
      .string()
      .optional()
      .describe('The agent that resolves a conflict with what is checked out.'),
  }),
]);
export type ResultAnswer = z.infer<typeof ResultAnswer>;

/** The agent that executes a task, and why. */
export const ExecutorAssignment = z.object({
  executor: z.string().describe('The name of an agent.'),
  reason: z.string(),
  instead_of: z.string().optional().describe('The agent that was asked for, where it cannot.'),
});
export type ExecutorAssignment = z.infer<typeof ExecutorAssignment>;

/** The end of a task. `unproven`: it was executed, but nothing shows that it does what it should. */
export const TaskEnd = z.enum(['completed', 'unproven', 'failed', 'blocked']);
export type TaskEnd = z.infer<typeof TaskEnd>;

/** What a program saw of the files that a task changed. */
export const WorkFacts = z.object({
  rest: strings.describe('Files that do not belong to its work, so that they show nothing.'),
  untouched: strings.describe(
    'Files that it names and nobody touched; no other check covers them.',
  ),
  ignored: strings.describe('Files that it names and git ignores.'),
  links_out: strings.describe('Links that lead out of the repository.'),
});
export type WorkFacts = z.infer<typeof WorkFacts>;

/** Files that a runner or builder loads by their name, and tests from before, each with what it is. */
export const ApartFiles = z.array(z.object({ path: z.string(), kind: z.string() }));

/** The outcome of one task. Commits are full hashes, paths are relative to the repository. */
export const TaskOutcome = z.object({
  task: z.string(),
  title: z.string(),
  status: TaskEnd,
  why: z.string().describe('Why it is not completed; empty if it is.'),
  shown: z
    .string()
    .optional()
    .describe('What shows a completed task where it is no check that turned green, or in part.'),
  executor: z.string().nullable(),
  instead_of: z.string().optional().describe('The agent that was to do it, where another did.'),
  start: z.string().nullable().describe('The commit that its work began from.'),
  commit: z.string().nullable(),
  files_modified: strings,
  out_of_scope: strings.describe('Files that it changed although the task does not name them.'),
  facts: WorkFacts.optional(),
  apart: z
    .object({ commit: z.string(), files: ApartFiles })
    .optional()
    .describe('Changes that stay out of the result until a person accepts the task, as a commit.'),
  checks: z.array(CheckRecord).describe('All runs of its checks.'),
  fix_rounds: z.int().min(0),
  criteria: z.array(z.boolean()).describe('For each criterion whether it is shown to hold.'),
  summary: z.string().describe('What its agent said of it.'),
  note: z.string().optional().describe('What a reader of a completed task should know.'),
  done_by: strings.optional().describe('Tasks before it that did its work; it changed nothing.'),
  content: z
    .string()
    .optional()
    .describe('Digest of what its work rests on: the task without its checks, and its start.'),
  agent_session: z
    .object({ id: z.string(), tokens: tokenCounts.nullable(), model: z.string().nullable() })
    .optional()
    .describe('The executor’s own session: the one task that builds on this may go on with it.'),
});
export type TaskOutcome = z.infer<typeof TaskOutcome>;

/** `execution-result.json`: the outcome of an execution. */
export const ExecutionResult = z.object({
  executionId: z.string().describe('The session and the number of the execution.'),
  status: z.enum(['completed', 'partial', 'failed']),
  tasksSummary: z.string(),
  completionSummary: z.string(),
  keyOutputs: strings.describe('Files that were changed.'),
  notes: strings,
  fixedCliId: z.null(),
  number: z.int().min(1),
  start: z.string().describe('The commit that the execution began from.'),
  commit: z.string().describe('The commit with the work of all tasks that count.'),
  branch: z
    .string()
    .nullable()
    .describe('The branch that points to it; null where nothing was done.'),
  carried: strings.describe('Uncommitted files of the base that the work began with.'),
  not_on_branch: strings
    .optional()
    .describe('Files whose changes are not on the branch, as they build on uncommitted lines.'),
  tasks: z.array(TaskOutcome),
  conflicts: z.array(
    z.object({
      task: z.string(),
      files: strings,
      resolved: z.boolean().optional().describe('Whether an agent resolved it.'),
    }),
  ),
  reviewed_by: z
    .string()
    .optional()
    .describe('Who reviewed exactly this commit; absent where nobody did.'),
  objections: strings
    .optional()
    .describe('What the review says against merging it, or that nobody answered for one.'),
  home_changes: z
    .array(
      z.object({
        files: strings.describe('Paths of the work tree, and of its `.git`.'),
        beside: z.string().describe('The agent that was at work meanwhile.'),
        proven: z.boolean().describe('Whether the events of that agent say that it did it.'),
      }),
    )
    .optional()
    .describe('What changed in the work tree and the repository of the user while agents worked.'),
  broken: z
    .string()
    .optional()
    .describe('Why a check of the tasks fails on the joined work; absent where none does.'),
  fixed: z.string().optional().describe('What failed on the joined work until an agent fixed it.'),
  kept: z
    .record(z.string(), z.string())
    .optional()
    .describe('The work trees of failed tasks, for changes by hand, by task id.'),
  accepted: Acceptances.optional().describe(
    'Tasks that are unproven or have a manual check and that the user accepts, with why.',
  ),
  applied: z
    .string()
    .nullable()
    .default(null)
    .describe('How it was applied to the user’s work tree; null if it was not.'),
});
export type ExecutionResult = z.infer<typeof ExecutionResult>;

/** A place in the reviewed commit, which a program looks up. */
const cited = {
  file: z.string().describe('Path from the root of the repository.'),
  line: z.int().min(1).nullable(),
  quote: z.string().describe('The text of that line, or an empty text.'),
};

const ReviewFinding = z.object({
  severity: z.enum(['blocking', 'major', 'minor']),
  ...cited,
  problem: z.string(),
  suggestion: z.string(),
});

/** The answer of an agent that reviews the changes of an execution. */
export const ReviewAnswer = z.object({
  session: z.string(),
  phase: z.literal('code-review'),
  summary: z.string(),
  findings: z.array(ReviewFinding),
  criteria: z.array(
    z.object({
      task: z.string().describe('Id of the task.'),
      criterion: z.int().min(0).describe('Index of the criterion, counted from 0.'),
      verdict: z.enum(['met', 'not-met', 'unclear']),
      ...cited,
      evidence: z.string().describe('What that place shows, or what is missing.'),
    }),
  ),
});
export type ReviewAnswer = z.infer<typeof ReviewAnswer>;

const Reference = z
  .enum(['verified', 'moved', 'failed', 'none'])
  .describe('Whether its quote was found: at its line, elsewhere in the file, or not.');

/** `code-review.json`: a review with its references checked. */
export const CodeReview = z.object({
  reviewer: z.string(),
  instead_of: z.string().optional().describe('The agent that was asked for, where another did it.'),
  model: z.string().nullable(),
  commit: z.string().describe('What was reviewed.'),
  summary: z.string(),
  findings: z.array(ReviewFinding.extend({ reference: Reference })),
  criteria: z.array(ReviewAnswer.shape.criteria.element.extend({ reference: Reference })),
  blocking: z.int().min(0).describe('Findings that block, with a reference that holds.'),
  fixed: z.boolean().describe('Whether a round of fixes followed a review.'),
  again: z.boolean().optional().describe('Whether this is of the result after those fixes.'),
});
export type CodeReview = z.infer<typeof CodeReview>;

/** The shape of one kind of event. */
export function event<const Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  fields: Fields,
) {
  return z.object({ type: z.literal(type), ...fields });
}

/** Events of the execution of a plan. */
export const executionEvents = [
  event('execution.started', {
    number: z.int(),
    commit: z.string().describe('The commit that the work begins from.'),
    jobs: z.int(),
    limits: strings
      .optional()
      .describe(
        'What confines checks and agents to their work trees, what does not, and how long the checks take, in sentences.',
      ),
    tasks: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        depends_on: z.array(z.string()),
        executor: z.string(),
        reason: z.string().describe('Why that agent.'),
      }),
    ),
  }),
  event('task.started', { task: z.string(), executor: z.string() }),
  event('check.ran', {
    task: z.string(),
    when: z.enum(['before', 'after', 'all', 'again', 'joined']),
    check: z.string(),
    passed: z.boolean().nullable(),
    note: z.string(),
    output: z.string().optional().describe('The last lines that it printed, where it failed.'),
    ms: z.number(),
    tests: TestCounts.pick({ passed: true, failed: true }).optional(),
  }),
  event('task.changed', { task: z.string(), diff: z.string() }),
  event('task.finished', {
    task: z.string(),
    status: TaskEnd,
    why: z.string(),
    commit: z.string().nullable(),
    files: z.array(z.string()),
    out_of_scope: z.array(z.string()),
    shown: z.string().optional(),
    note: z.string().optional(),
  }),
  event('task.blocked', {
    task: z.string(),
    by: z.string().describe('The task that it waits for and that failed.'),
  }),
  event('merge.conflicted', {
    task: z.string(),
    files: z.array(z.string()),
    resolved: z.boolean(),
  }),
  event('execution.finished', {
    number: z.int(),
    branch: z.string().nullable(),
    completed: z.int(),
    unproven: z.int(),
    failed: z.int(),
    blocked: z.int(),
  }),
  event('review.finished', {
    reviewer: z.string(),
    blocking: z.int(),
    findings: z.array(z.string()).describe('One line each, the worst first.'),
    unmet: z.array(z.string()).optional().describe('Criteria that are not met, one line each.'),
    file: z.string().describe('Path relative to the repository.'),
  }),
] as const;
