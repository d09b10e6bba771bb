// Names the shapes that programs see of a session; the build prints their types.
import { z } from 'zod';
import { Event } from '../model/event.ts';
import { InputAnswer, QuestionFacts } from '../model/input-event.ts';

export const AnswerShape = InputAnswer.omit({ type: true, id: true });

export type SessionEvent = Event;
export type Question = QuestionFacts;
export type Answer = z.infer<typeof AnswerShape> | 'skip';

/** The shape of each of these types, with a sentence describing it. */
export const shapes = {
  SessionEvent: Event.describe('Something that happened in a session.'),
  Question: QuestionFacts.describe('A question of the session.'),
  Answer: z
    .union([AnswerShape, z.literal('skip')])
    .describe('The answer to a question: its choice or its answers, with what goes with them.'),
};
