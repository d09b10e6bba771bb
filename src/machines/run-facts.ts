// Defines how a run elsewhere fails without an end of its own, and reads one to its end.
import type { z } from 'zod';
import type { RunFacts } from '../agents/agent.ts';
import type { FailureCategory } from '../model/agent-event.ts';

/** Thrown where a worker is lost or never answered, so that another one may do the run. */
export class LostMachine extends Error {}

/** Thrown where a worker answers that it cannot do what it was asked. */
export class RefusedOrder extends Error {
  readonly category: FailureCategory;
  constructor(message: string, category: FailureCategory = 'request-refused') {
    super(message);
    this.category = category;
  }
}

/** The facts of a run of which nothing is known. */
export const noFacts: Omit<RunFacts, 'startedAt'> = {
  agentSession: null,
  model: null,
  version: null,
  exitCode: null,
  signal: null,
  durationMs: 0,
  outputBytes: 0,
  tokens: null,
  costUsd: null,
  unknownEvents: 0,
  filesChanged: [],
  notes: [],
};

/** Reads what is told to its end, which it returns. */
export async function lastOf<Told, End>(
  telling: AsyncGenerator<Told, End, undefined>,
  each: (told: Told) => Promise<void> | void = () => undefined,
): Promise<End> {
  let step = await telling.next();
  for (; step.done !== true; step = await telling.next()) await each(step.value);
  return step.value;
}

/** Reads the answer of a machine. Throws `LostMachine` where it is none. */
export function readAnswer<T>(shape: z.ZodType<T>, value: unknown, name: string): T {
  const read = shape.safeParse(value);
  if (read.success) return read.data;
  throw new LostMachine(`${name} answered something else`);
}
