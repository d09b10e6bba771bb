// Defines how something fails that is done elsewhere, and reads what a machine answers.
import type { z } from 'zod';
import type { FailureCategory } from '../model/agent-event.ts';

/** Thrown where something was not done elsewhere. After `dropped`, another machine may do it. */
export class Undone extends Error {
  readonly category: FailureCategory;
  constructor(message: string, category: FailureCategory = 'dropped') {
    super(message);
    this.category = category;
  }
}

/** Says that something cannot be done on a machine, nor on another one; the name of the machine comes before it. */
export const refusal = (message: string) =>
  new Undone(`cannot run it: ${message}`, 'request-refused');

/** Reads the answer of a machine. Throws `Undone` where it is none. */
export function readAnswer<T>(shape: z.ZodType<T>, value: unknown, name: string): T {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  throw new Undone(`${name} answered something else`);
}
