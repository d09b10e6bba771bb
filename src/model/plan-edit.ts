import { z } from 'zod';

/** Index 0 counts too: `files.0.path`, `convergence.criteria.1`. */
const Field = z.string().min(1).describe('Names with dots between them, e.g. "files.0.path".');

/** One change that a person makes to a plan; `task` is its id, null stands for the plan itself. */
export const PlanEdit = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('set'),
    task: z.string().nullable(),
    field: Field,
    value: z
      .json()
      .describe(
        'Null takes out a list entry or an optional field; an index one past the end adds.',
      ),
  }),
  z.object({ kind: z.literal('delete'), task: z.string() }),
  z.object({
    kind: z.literal('split'),
    task: z.string(),
    titles: z.array(z.string()).min(2).describe('One for each part; the first keeps the content.'),
  }),
  z.object({
    kind: z.literal('move'),
    task: z.string(),
    to: z.int().min(0).describe('Its new position in the order, counted from 0.'),
  }),
  z.object({
    kind: z.literal('add'),
    after: z.string().nullable().describe('The id of the task before it; null for the start.'),
    title: z.string(),
  }),
]);
export type PlanEdit = z.infer<typeof PlanEdit>;

/** What a person says to the planner about one task or, with null, the whole plan. */
export const PlanComment = z.object({ task: z.string().nullable(), text: z.string() });
export type PlanComment = z.infer<typeof PlanComment>;

/**
 * One difference between two states of a plan. `field` is as in `PlanEdit`, or `task` for a
 * whole task; `before` and `after` are one line each.
 */
export const PlanChange = z.object({
  task: z.string().nullable(),
  field: z.string(),
  change: z.enum(['added', 'removed', 'changed']),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type PlanChange = z.infer<typeof PlanChange>;
