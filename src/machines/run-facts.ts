// Holds the facts of a run that did not begin.
import type { RunFacts } from '../agents/agent.ts';

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
