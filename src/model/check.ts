import { z } from 'zod';

const about = {
  describes: z.string().optional(),
  criterion: z.int().min(0).optional().describe('Index of the criterion that it proves.'),
};

/** A criterion that a program can run; `manual` is for people. */
export const Check = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('command'),
    argv: z.array(z.string()).min(1).describe('Program and arguments; never a shell string.'),
    ...about,
  }),
  z.strictObject({
    kind: z.literal('test'),
    path: z.string(),
    name: z.string().optional(),
    ...about,
  }),
  z.strictObject({
    kind: z.literal('file'),
    path: z.string(),
    exists: z.boolean(),
    ...about,
  }),
  z.strictObject({
    kind: z.literal('symbol'),
    path: z.string(),
    symbol: z.string(),
    ...about,
  }),
  z.strictObject({
    kind: z.literal('text'),
    path: z.string(),
    contains: z.string(),
    ...about,
  }),
  z.strictObject({ kind: z.literal('manual'), ...about, describes: z.string() }),
]);
export type Check = z.infer<typeof Check>;
