// Defines an execution: its tasks, their checks, its code review, and their events.
import { z } from 'zod';
import { Count, Flag, Ordinal, Text, TextOrNull, Texts, Whole } from './plain-shapes.ts';
import { CheckRecord, TestCounts } from './check-record.ts';
import { PackagedProof } from './proof.ts';
import { CodeReviewTool, DecidedBy, ExecutionMethod } from './decision.ts';

const strings = Texts;

/** The answer to whether an approved plan is executed now. */
export const ExecuteAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('now'),
    execution_method: ExecutionMethod,
    code_review_tool: CodeReviewTool,
    forced: Flag.optional().describe('Carries it out although files have changed since the base.'),
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
  plan: Text.describe('The hash of the plan.'),
  checks: strings,
});

/** Tasks that the user has redone, with a note (may be empty) for the agent that does them. */
export const Retry = z.object({
  tasks: strings,
  note: Text,
  execution_method: ExecutionMethod.optional().describe('Who does them now.'),
  unconfined: Unconfined.optional(),
});
export type Retry = z.infer<typeof Retry>;

/** The user’s reasons for accepting unproven tasks, by task id. */
const Acceptances = z.record(Text, Text);

/** The answer to what to do with a result; a boolean only says whether to apply it. */
export const ResultAnswer = z.union([
  Flag,
  z.object({
    apply: Flag,
    accepted: Acceptances,
    applied: TextOrNull.optional().describe('How it was applied before.'),
    retry: Retry.optional().describe('Tasks to do again before anything is applied.'),
    resolve_with: Text.optional().describe(
      'The agent that resolves a conflict with what is checked out.',
    ),
  }),
]);
export type ResultAnswer = z.infer<typeof ResultAnswer>;

/** The agent that executes a task, and why. */
export const ExecutorAssignment = z.object({
  executor: Text.describe('The name of an agent.'),
  reason: Text,
  instead_of: Text.optional().describe('The agent that was asked for, where it cannot.'),
  last: strings.optional().describe('Who comes last, as its vendor wrote the proofs of the task.'),
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
  inverts: Text.optional().describe('A mark that it adds, with which a test passes by failing.'),
  reruns: Text.optional().describe('A test from before that a build file now runs in another way.'),
});
export type WorkFacts = z.infer<typeof WorkFacts>;

/** Files that a runner or builder loads by their name, and tests from before, each with what it is. */
export const ApartFiles = z.array(z.object({ path: Text, kind: Text }));

/** A proof that its author mended after the work on a task, with its code from before. */
const MendedProof = z.object({ was: z.string(), proof: PackagedProof });
export type MendedProof = z.infer<typeof MendedProof>;

/** The outcome of one task. Commits are full hashes, paths are relative to the repository. */
export const TaskOutcome = z.object({
  task: Text,
  title: Text,
  status: TaskEnd,
  why: Text.describe('Why it is not completed; empty if it is.'),
  shown: Text.optional().describe(
    'What shows a completed task where it is no check that turned green, or in part.',
  ),
  executor: TextOrNull,
  instead_of: Text.optional().describe('The agent that was to do it, where another did.'),
  machine: Text.optional().describe(
    'The machine on which its agent worked, if it was not this one.',
  ),
  start: TextOrNull.describe('The commit that its work began from.'),
  commit: TextOrNull,
  files_modified: strings,
  out_of_scope: strings.describe('Files that it changed although the task does not name them.'),
  facts: WorkFacts.optional(),
  apart: z
    .object({ commit: Text, files: ApartFiles })
    .optional()
    .describe('Changes that stay out of the result until a person accepts the task, as a commit.'),
  mended: z
    .array(MendedProof)
    .optional()
    .describe('The proofs that its author mended after the work.'),
  awaits: strings.optional().describe('Those of them that no person has taken yet, by their ids.'),
  stood_by: strings.optional().describe('Red proofs that their author stands by, by their ids.'),
  checks: z.array(CheckRecord).describe('All runs of its checks.'),
  fix_rounds: Count,
  criteria: z.array(Flag).describe('For each criterion whether it is shown to hold.'),
  summary: Text.describe('What its agent said of it.'),
  note: Text.optional().describe('What a reader of a completed task should know.'),
  done_by: strings.optional().describe('Tasks before it that did its work; it changed nothing.'),
  content: Text.optional().describe(
    'Digest of what its work rests on: the task without its checks, and its start.',
  ),
});
export type TaskOutcome = z.infer<typeof TaskOutcome>;

/** `execution-result.json`: the outcome of an execution. */
export const ExecutionResult = z.object({
  executionId: Text.describe('The session and the number of the execution.'),
  status: z.enum(['completed', 'partial', 'failed']),
  tasksSummary: Text,
  completionSummary: Text,
  keyOutputs: strings.describe('Files that were changed.'),
  notes: strings,
  fixedCliId: z.null(),
  number: Ordinal,
  start: Text.describe('The commit that the execution began from.'),
  commit: Text.describe('The commit with the work of all tasks that count.'),
  branch: TextOrNull.describe('The branch that points to it; null where nothing was done.'),
  carried: strings.describe('Uncommitted files of the base that the work began with.'),
  not_on_branch: strings
    .optional()
    .describe('Files whose changes are not on the branch, as they build on uncommitted lines.'),
  tasks: z.array(TaskOutcome),
  conflicts: z.array(
    z.object({
      task: Text,
      files: strings,
      resolved: Flag.optional().describe('Whether an agent resolved it.'),
    }),
  ),
  reviewed_by: Text.optional().describe(
    'Who reviewed exactly this commit; absent where nobody did.',
  ),
  objections: strings
    .optional()
    .describe('What the review says against merging it, or that nobody answered for one.'),
  home_changes: z
    .array(
      z.object({
        files: strings.describe('Paths of the work tree, and of its `.git`.'),
        beside: Text.describe('The agent that was at work meanwhile.'),
        proven: Flag.describe('Whether the events of that agent say that it did it.'),
      }),
    )
    .optional()
    .describe('What changed in the work tree and the repository of the user while agents worked.'),
  broken: Text.optional().describe(
    'Why a check of the tasks fails on the joined work; absent where none does.',
  ),
  fixed: Text.optional().describe('What failed on the joined work until an agent fixed it.'),
  kept: z
    .record(Text, Text)
    .optional()
    .describe('The work trees of failed tasks, for changes by hand, by task id.'),
  accepted: Acceptances.optional().describe(
    'Tasks that are unproven or have a manual check and that the user accepts, with why.',
  ),
  applied: TextOrNull.default(null).describe(
    'How it was applied to the user’s work tree; null if it was not.',
  ),
});
export type ExecutionResult = z.infer<typeof ExecutionResult>;

/** A place in the reviewed commit, which a program looks up. */
const cited = {
  file: Text.describe('Path from the root of the repository.'),
  line: Ordinal.nullable(),
  quote: Text.describe('The text of that line, or an empty text.'),
};

const ReviewFinding = z.object({
  severity: z.enum(['blocking', 'major', 'minor']),
  ...cited,
  problem: Text,
  suggestion: Text,
});

/** The answer of an agent that reviews the changes of an execution. */
export const ReviewAnswer = z.object({
  session: Text,
  phase: z.literal('code-review'),
  summary: Text,
  findings: z.array(ReviewFinding),
  criteria: z.array(
    z.object({
      task: Text.describe('Id of the task.'),
      criterion: Count.describe('Index of the criterion, counted from 0.'),
      verdict: z.enum(['met', 'not-met', 'unclear']),
      ...cited,
      evidence: Text.describe('What that place shows, or what is missing.'),
    }),
  ),
});
export type ReviewAnswer = z.infer<typeof ReviewAnswer>;

const Reference = z
  .enum(['verified', 'moved', 'failed', 'none'])
  .describe('Whether its quote was found: at its line, elsewhere in the file, or not.');

/** `code-review.json`: a review with its references checked. */
export const CodeReview = z.object({
  reviewer: Text,
  instead_of: Text.optional().describe('The agent that was asked for, where another did it.'),
  model: TextOrNull,
  commit: Text.describe('What was reviewed.'),
  summary: Text,
  findings: z.array(ReviewFinding.extend({ reference: Reference })),
  criteria: z.array(ReviewAnswer.shape.criteria.element.extend({ reference: Reference })),
  blocking: Count.describe('Findings that block, with a reference that holds.'),
  fixed: Flag.describe('Whether a round of fixes followed a review.'),
  again: Flag.optional().describe('Whether this is of the result after those fixes.'),
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
    number: Whole,
    commit: Text.describe('The commit that the work begins from.'),
    jobs: Whole,
    limits: strings
      .optional()
      .describe(
        'What confines checks and agents to their work trees, what does not, and how long the checks take, in sentences.',
      ),
    tasks: z.array(
      z.object({
        id: Text,
        title: Text,
        depends_on: Texts,
        executor: Text,
        reason: Text.describe('Why that agent.'),
      }),
    ),
  }),
  event('task.started', { task: Text, executor: Text }),
  event('check.ran', {
    task: Text,
    when: z.enum(['before', 'after', 'all', 'again', 'joined']),
    check: Text,
    passed: Flag.nullable(),
    note: Text,
    output: Text.optional().describe('The last lines that it printed, where it failed.'),
    ms: z.number(),
    tests: TestCounts.pick({ passed: true, failed: true }).optional(),
  }),
  event('task.changed', { task: Text, diff: Text }),
  event('task.finished', {
    task: Text,
    status: TaskEnd,
    why: Text,
    commit: TextOrNull,
    files: Texts,
    out_of_scope: Texts,
    shown: Text.optional(),
    note: Text.optional(),
  }),
  event('task.blocked', {
    task: Text,
    by: Text.describe('The task that it waits for and that failed.'),
  }),
  event('merge.conflicted', {
    task: Text,
    files: Texts,
    resolved: Flag,
  }),
  event('execution.finished', {
    number: Whole,
    branch: TextOrNull,
    completed: Whole,
    unproven: Whole,
    failed: Whole,
    blocked: Whole,
  }),
  event('review.finished', {
    reviewer: Text,
    blocking: Whole,
    findings: Texts.describe('One line each, the worst first.'),
    unmet: Texts.optional().describe('Criteria that are not met, one line each.'),
    file: Text.describe('Path relative to the repository.'),
  }),
] as const;
