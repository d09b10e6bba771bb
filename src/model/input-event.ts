// Defines the lines that a program sends to a session on standard input, and the questions they answer.
import { z } from 'zod';
import { FilledText, Text, Texts } from './plain-shapes.ts';
import { FormValues } from './form.ts';

/** A question from agents to the user. */
export const AgentQuestion = z.object({
  id: Text.describe('Names it in an answer.'),
  text: Text,
  agents: Texts.describe('Who asks; empty if it comes from a disagreement.'),
  choices: Texts.describe('Answers to choose from; any other text counts as well.'),
});
export type AgentQuestion = z.infer<typeof AgentQuestion>;

const id = FilledText;

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
