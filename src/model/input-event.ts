// Defines the lines that a program sends to a session on standard input, and the questions they answer.
import { z } from 'zod';
import { CodeReviewTool, ExecutionMethod } from './decision.ts';

/** A question from agents to the user. */
export const AgentQuestion = z.object({
  id: z.string().describe('Names it in an answer.'),
  text: z.string(),
  agents: z.array(z.string()).describe('Who asks; empty if it comes from a disagreement.'),
  choices: z.array(z.string()).describe('Answers to choose from; any other text counts as well.'),
});
export type AgentQuestion = z.infer<typeof AgentQuestion>;

/** A question to a program. */
export const QuestionFacts = z.object({
  kind: z.enum(['clarify', 'decide', 'approve', 'execute', 'apply', 'choose']),
  choices: z.array(z.string()).describe('What `choice` of the answer may be; empty for `clarify`.'),
  questions: z.array(AgentQuestion).describe('What agents ask; empty for other kinds.'),
  commands: z.array(z.string()).describe('For `execute`: what the checks will run.'),
  executors: z
    .array(ExecutionMethod)
    .optional()
    .describe('For `execute`: what `execution` of the answer may be.'),
  reviewers: z
    .array(CodeReviewTool)
    .optional()
    .describe('For `execute`: what `review` of the answer may be.'),
  set_up: z
    .array(z.string())
    .optional()
    .describe('For `execute`: the command of a set-up that `set_up` of the answer takes.'),
  notes: z.array(z.string()).describe('Sentences to read before an answer.'),
});
export type QuestionFacts = z.infer<typeof QuestionFacts>;

const id = z.string().min(1);

/** The answer to a question, as a line of standard input. */
export const InputAnswer = z.strictObject({
  type: z.literal('answer'),
  id: id.describe('Id of the open question, as `answer.awaited` names it.'),
  choice: z.string().optional().describe('One of its choices, where it has any.'),
  answers: z
    .array(z.strictObject({ id, text: z.string() }))
    .optional()
    .describe('To the questions of agents; what is left out is skipped.'),
  text: z
    .string()
    .optional()
    .describe(
      'With `more`: what the agents should look into; with `reject` or `leave`: why; with `note`: the note.',
    ),
  constraints: z.array(z.string()).optional().describe('With an option: constraints for the plan.'),
  comments: z
    .array(z.string())
    .optional()
    .describe('With `comment`: one wish each; "TASK-001: text" is about that task.'),
  execution: ExecutionMethod.optional().describe('With `now`: who carries the plan out.'),
  review: CodeReviewTool.optional().describe('With `now`: who reviews the code.'),
  conventional_commits: z
    .boolean()
    .optional()
    .describe('With `now`: gives the commits of tasks the form of Conventional Commits.'),
  set_up: z.boolean().optional().describe('With `now`: runs the set-up that a note proposes.'),
});

/** A line of standard input with `--stdin-events`. */
export const InputEvent = z.discriminatedUnion('type', [
  InputAnswer,
  z.strictObject({
    type: z.literal('skip'),
    id: id.describe('The open question, or the `step` of an agent that is at work.'),
  }),
  z.strictObject({ type: z.literal('cancel').describe('Interrupts the session and saves it.') }),
]);
export type InputEvent = z.infer<typeof InputEvent>;
export type InputAnswer = Extract<InputEvent, { type: 'answer' }>;
