import { z } from 'zod';
import { TaskEnd } from './execution.ts';

/** What happens while a plan is carried out. */
export const executionEvents = [
  z.object({
    type: z.literal('execution.started'),
    number: z.int(),
    commit: z.string().describe('The commit that the work begins from.'),
    jobs: z.int(),
    tasks: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        depends_on: z.array(z.string()),
        executor: z.string(),
        reason: z.string().describe('Why that agent.'),
      }),
    ),
  }),
  z.object({ type: z.literal('task.started'), task: z.string(), executor: z.string() }),
  z.object({
    type: z.literal('check.ran'),
    task: z.string(),
    when: z.enum(['before', 'after']),
    check: z.string(),
    passed: z.boolean().nullable(),
    note: z.string(),
    output: z.string().optional().describe('The last lines that it printed, where it failed.'),
    ms: z.number(),
  }),
  z.object({ type: z.literal('task.changed'), task: z.string(), diff: z.string() }),
  z.object({
    type: z.literal('task.finished'),
    task: z.string(),
    status: TaskEnd,
    why: z.string(),
    commit: z.string().nullable(),
    files: z.array(z.string()),
    out_of_scope: z.array(z.string()),
  }),
  z.object({
    type: z.literal('task.blocked'),
    task: z.string(),
    by: z.string().describe('The task that it waits for and that failed.'),
  }),
  z.object({
    type: z.literal('merge.conflicted'),
    task: z.string(),
    files: z.array(z.string()),
    resolved: z.boolean(),
  }),
  z.object({
    type: z.literal('execution.finished'),
    number: z.int(),
    branch: z.string().nullable(),
    completed: z.int(),
    unproven: z.int(),
    failed: z.int(),
    blocked: z.int(),
  }),
  z.object({
    type: z.literal('review.finished'),
    reviewer: z.string(),
    blocking: z.int(),
    findings: z.array(z.string()).describe('One line each, the worst first.'),
    file: z.string().describe('Path relative to the repository.'),
  }),
] as const;
