// Defines the lines that a program sends to a session on standard input, and the questions they answer.
import { z } from 'zod';
import { FormValues } from './form.ts';

/** A question from agents to the user. */
export const AgentQuestion = z.object({
  id: z.string().describe('Names it in an answer.'),
  text: z.string(),
  agents: z.array(z.string()).describe('Who asks; empty if it comes from a disagreement.'),
  choices: z.array(z.string()).describe('Answers to choose from; any other text counts as well.'),
});
export type AgentQuestion = z.infer<typeof AgentQuestion>;

const id = z.string().min(1);

/** The answer to a question, as a line of standard input. */
const InputAnswer = z.strictObject({
  type: z.literal('answer'),
  id: id.describe('Id of the open question, as `answer.awaited` names it.'),
  values: FormValues.describe(
    'By the names of its fields: a text, `true`, or several texts; what is left out counts as empty.',
  ),
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
