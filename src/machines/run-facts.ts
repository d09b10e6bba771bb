// Defines how a run elsewhere fails without an end of its own.
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
