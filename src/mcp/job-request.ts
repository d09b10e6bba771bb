// Defines the work that a job does, and its state.
import { z } from 'zod';
import { GivenPlan } from '../model/critique.ts';

const talk = {
  folder: z.string(),
  agent: z.string(),
  text: z.string(),
  session: z.string().nullable(),
  role: z.string(),
  context: z.array(z.string()),
  outside: z.array(z.string()),
};
const session = { folder: z.string(), session: z.string() };

/** Absolute folders. */
export const JobRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('work'),
    ...talk,
    cliFlags: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('consult'),
    ...talk,
    format: z.union([z.literal('text'), z.record(z.string(), z.unknown())]),
  }),
  z.object({
    kind: z.literal('plan'),
    folder: z.string(),
    task: z.string(),
    tools: z.array(z.string()),
    constraints: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('discuss'),
    folder: z.string(),
    task: z.string(),
    tools: z.array(z.string()),
    rounds: z.int(),
  }),
  z.object({
    kind: z.literal('critique'),
    folder: z.string(),
    task: z.string(),
    tools: z.array(z.string()),
    given: GivenPlan,
  }),
  z.object({
    kind: z.literal('decide'),
    ...session,
    solution: z.int().nullable(),
    feedback: z.string().nullable(),
    answers: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('review'),
    ...session,
    comments: z.array(z.string()),
    approve: z.boolean(),
    shown: z.string().nullable().describe('The hash of the plan that is approved.'),
  }),
  z.object({ kind: z.literal('execute'), ...session, unconfined: z.array(z.string()) }),
]);
export type JobRequest = z.infer<typeof JobRequest>;

/** Work of a planning session. */
export type SessionRequest = Exclude<JobRequest, { kind: 'work' | 'consult' }>;

/** Written by the process of the job. */
export const JobState = z.object({
  state: z.enum(['starting', 'running', 'waiting', 'done', 'failed', 'cancelled']),
  session: z.string().nullable().describe('The session that it runs, once that is known.'),
  doing: z.string().describe('The latest event, in a few words.'),
  waits_for: z.string().nullable().describe('The question that it stopped at.'),
  message: z.string().nullable().describe('Why it failed, or what it ended with.'),
  result: z.record(z.string(), z.unknown()).nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
});
export type JobState = z.infer<typeof JobState>;

export const jobEnds: ReadonlySet<string> = new Set(['waiting', 'done', 'failed', 'cancelled']);
