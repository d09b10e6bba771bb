// Defines the record of one run of a check: what ran, where, when, and how it ended.
import { z } from 'zod';

/** What a run told of its tests. */
export const TestCounts = z.object({
  passed: z.int().min(0),
  failed: z.int().min(0),
  skipped: z.int().min(0).describe('Skipped, to be written, or expected to fail.'),
  names: z
    .array(z.string())
    .nullable()
    .describe('The names of passed tests; null where the runner tells none.'),
  failing: z.array(z.string()).optional().describe('The names of failed tests that it told.'),
  cut: z.string().nullable().describe('The runner that began and did not say how it ended.'),
});
export type TestCounts = z.infer<typeof TestCounts>;

/** What one run of a check showed. */
export const CheckRun = z.object({
  check: z.string().describe('What is checked, in words.'),
  kind: z.enum(['command', 'test', 'file', 'symbol', 'text', 'manual', 'review']),
  criterion: z.int().nullable().describe('Index of the criterion that it proves.'),
  passed: z.boolean().nullable().describe('Null where only a person can tell, or nothing ran.'),
  note: z.string().describe('Why it failed or was not run; empty if there is nothing to say.'),
  output: z.string().describe('The last of what the command printed.'),
  ms: z.number().min(0),
  exit: z.int().nullable().optional().describe('The exit code; absent where nothing ran.'),
  tests: TestCounts.optional().describe('Absent where its tests cannot be counted.'),
  confined: z.boolean().optional().describe('It could write to its work tree only.'),
  limited: z
    .boolean()
    .optional()
    .describe('A limit of time, memory, processes, disk or output ended it.'),
  held: z.boolean().optional().describe('The confinement may have stopped it.'),
  unconfined: z.boolean().optional().describe('A person let it run unconfined.'),
  collided: z.boolean().optional().describe('Another program held the port that it needs.'),
  ran_no_test: z.boolean().optional().describe('It ended well, but no test of it passed.'),
  bare: z.boolean().optional().describe('Its work tree held nothing but files of the commit.'),
  machine: z.string().optional().describe('The machine on which it ran, if it was not this one.'),
  reused: z.boolean().optional().describe('An earlier run on the same files stands for it.'),
});
export type CheckRun = z.infer<typeof CheckRun>;

/** When a check runs: `again` is on the start once more, after the work. */
export const Moment = z.enum(['before', 'after', 'again', 'joined']);
export type Moment = z.infer<typeof Moment>;

/** One line of `execution/K/checks.jsonl`: a run with its time and place. */
export const CheckRecord = CheckRun.extend({
  tasks: z.array(z.string()).describe('The tasks that it is a check of.'),
  moment: Moment,
  round: z.int().min(0).describe('Which of several runs at this moment, from 0.'),
  commit: z.string().describe('The commit that was checked out.'),
  tree: z
    .enum(['home', 'base', 'start', 'work', 'all', 'tests', 'joined'])
    .describe(
      'Which files that is: the user’s own folder, the start of the execution or of the task, this start with what belongs to the work, with all that was changed, or with the tests that the task names; or the joined work.',
    ),
});
export type CheckRecord = z.infer<typeof CheckRecord>;
