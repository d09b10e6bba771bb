// Defines how a run elsewhere fails without an end of its own, and reads one to its end.
import type { z } from 'zod';
import { type AgentEnd, noFacts } from '../agents/agent.ts';
import type { FailureCategory } from '../model/agent-event.ts';

/** Thrown where something was not done elsewhere. After `dropped`, another machine may do it. */
export class Undone extends Error {
  readonly category: FailureCategory;
  constructor(message: string, category: FailureCategory = 'dropped') {
    super(message);
    this.category = category;
  }
}

/** Says that something cannot be done elsewhere, by any machine. */
export const refusal = (message: string) => new Undone(message, 'request-refused');

/** Reads what is told to its end, which it returns. */
export async function lastOf<Told, End>(
  telling: AsyncGenerator<Told, End, undefined>,
  each: (told: Told) => Promise<void> | void = () => undefined,
): Promise<End> {
  let step = await telling.next();
  for (; step.done !== true; step = await telling.next()) await each(step.value);
  return step.value;
}

/** Reads the answer of a machine. Throws `Undone` where it is none. */
export function readAnswer<T>(shape: z.ZodType<T>, value: unknown, name: string): T {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  throw new Undone(`${name} answered something else`);
}

/** The end of a run that no agent began. */
export function failureEnd(agent: string, category: FailureCategory, detail: string): AgentEnd {
  const facts = { ...noFacts, startedAt: new Date().toISOString() };
  return { ok: false, failure: { category, agent, detail, retry_after_ms: null }, facts };
}
