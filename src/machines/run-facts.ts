// Defines how something fails that is done elsewhere.
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
