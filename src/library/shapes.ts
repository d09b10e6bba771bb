// Names the shapes that programs see of a session; the build prints their types.
import { z } from 'zod';
import { Event } from '../model/event.ts';
import { Form, FormValues } from '../model/form.ts';

export type SessionEvent = Event;
export type Question = Form;
export type Answer = FormValues | 'skip';

/** The shape of each of these types, with a sentence describing it. */
export const shapes = {
  SessionEvent: Event.describe('Something that happened in a session.'),
  Question: Form.describe('A question of the session.'),
  Answer: z
    .union([FormValues, z.literal('skip')])
    .describe('The answer to a question: values by the names of its fields.'),
};
