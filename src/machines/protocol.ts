// Defines the lines that an owner of sessions and the worker on a machine exchange over a pipe.
import { z } from 'zod';
import { AgentEvent, AgentFailure, tokenCounts } from '../model/agent-event.ts';
import { permissions } from '../agents/permission.ts';

/** The version of these lines; a worker with another one is refused. */
export const protocol = 1;

/** The longest line, in bytes: that of a run with its prompt. */
export const longestLine = 32 * 1024 * 1024;

/** The content of a bundle in one line, in bytes. */
export const pieceBytes = 512 * 1024;

const ToolKinds = z
  .array(z.enum(['file_read', 'file_write', 'shell', 'git', 'web']))
  .exactOptional();
/** In ms; null for no limit, which JSON cannot say otherwise. */
const Limit = z.number().nullable();

/** A request without what belongs to the owner’s disk. */
export const TravellingRequest = z.object({
  prompt: z.string(),
  role: z.string().nullable(),
  schema: z.record(z.string(), z.unknown()).nullable(),
  model: z.string().nullable(),
  effort: z.string().nullish(),
  verbosity: z.string().nullish(),
  maxTurns: z.number().nullish(),
  permission: z.enum(permissions),
  allowed: ToolKinds,
  denied: ToolKinds,
  resume: z
    .object({
      agentSession: z.string(),
      model: z.string().exactOptional(),
      spent: tokenCounts.exactOptional(),
    })
    .nullable(),
  limits: z.object({ firstOutputMs: Limit, idleMs: Limit, totalMs: Limit, graceMs: z.number() }),
});
export type TravellingRequest = z.infer<typeof TravellingRequest>;

const Facts = z.object({
  agentSession: z.string().nullable(),
  model: z.string().nullable(),
  askedModel: z.string().nullable().exactOptional(),
  version: z.string().nullable(),
  exitCode: z.number().nullable(),
  signal: z.string().nullable(),
  startedAt: z.string(),
  durationMs: z.number(),
  outputBytes: z.number(),
  tokens: tokenCounts.nullable(),
  costUsd: z.number().nullable(),
  unknownEvents: z.number(),
  filesChanged: z.array(z.string()),
  notes: z.array(z.string()),
});

/** See `AgentEnd`. */
export const TravellingEnd = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), text: z.string(), facts: Facts }),
  z.object({ ok: z.literal(false), failure: AgentFailure, facts: Facts }),
]);
export type TravellingEnd = z.infer<typeof TravellingEnd>;

const id = z.string();
/** A name that becomes part of a path or a ref. */
const Digest = z.string().regex(/^[0-9a-f]{40,64}$/);

/** An agent as the worker finds it. */
export const FoundAgent = z.object({
  name: z.string(),
  state: z.enum(['ready', 'not-installed', 'not-logged-in', 'disabled']),
  why: z.string().nullable(),
  remedy: z.string().nullable(),
  version: z.string().nullable(),
});
export type FoundAgent = z.infer<typeof FoundAgent>;

/** One line of the owner. */
export const Order = z.discriminatedUnion('do', [
  // Asks for these agents, or for all.
  z.object({ do: z.literal('agents'), id, names: z.array(z.string()).nullable() }),
  // Asks which commits of a repository are there.
  z.object({ do: z.literal('tips'), id, repository: Digest }),
  // Brings a piece of a bundle; the last one has its digest and the commit that it must bring.
  z.object({
    do: z.literal('bundle'),
    id,
    repository: Digest,
    data: z.string(),
    whole: z.object({ commit: Digest, sha256: Digest }).nullable(),
  }),
  // Runs an agent on a commit; an attempt that has an answer already is not run again.
  z.object({
    do: z.literal('run'),
    id,
    attempt: Digest,
    agent: z.string(),
    repository: Digest,
    commit: Digest,
    // The folder of the run for the owner, as an absolute path, and below the top of its work tree.
    folder: z.string(),
    prefix: z.string(),
    request: TravellingRequest,
  }),
  z.object({ do: z.literal('cancel'), id }),
  // The owner has the answer, so that it need not be kept.
  z.object({ do: z.literal('received'), id, attempt: Digest }),
]);
export type Order = z.infer<typeof Order>;
/** An order before it has its id. */
export type NewOrder = Order extends infer One
  ? One extends Order
    ? Omit<One, 'id'>
    : never
  : never;

/** One line of the worker; each but the first and `beat` answers an order. */
export const Reply = z.discriminatedUnion('say', [
  z.object({
    say: z.literal('hello'),
    protocol: z.number(),
    version: z.string(),
    repositories: z.number(),
  }),
  z.object({ say: z.literal('beat') }),
  z.object({ say: z.literal('agents'), id, agents: z.array(FoundAgent) }),
  z.object({ say: z.literal('tips'), id, commits: z.array(Digest) }),
  z.object({ say: z.literal('taken'), id }),
  z.object({ say: z.literal('refused'), id, why: z.string() }),
  z.object({ say: z.literal('accepted'), id }),
  z.object({ say: z.literal('event'), id, event: AgentEvent }),
  // A piece of the bundle with the work of the run.
  z.object({ say: z.literal('result'), id, data: z.string() }),
  // The end of a run; `commit` is its work, null if it changed nothing.
  z.object({
    say: z.literal('end'),
    id,
    end: TravellingEnd,
    commit: Digest.nullable(),
    isKept: z.boolean(),
  }),
]);
export type Reply = z.infer<typeof Reply>;
export type ReplyOf<Say extends Reply['say']> = Extract<Reply, { say: Say }>;
