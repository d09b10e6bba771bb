// Defines what an owner of sessions and the worker on a machine say to each other, in lines or by the queue.
import { z } from 'zod';
import { permissions } from '../agents/permission.ts';
import { AgentEvent, AgentFailure, tokenCounts } from '../model/agent-event.ts';
import { CheckRun } from '../model/check-record.ts';
import { Check } from '../model/check.ts';
import { BuildFact } from '../model/context.ts';

/** The version of these words; a worker with another one is refused. */
export const protocol = 3;

/** The longest line, in bytes: that of a run with its prompt. */
export const longestLine = 32 * 1024 * 1024;

/** The content of a bundle in one message, in bytes. */
export const pieceBytes = 1_000_000;

const ToolKinds = z
  .array(z.enum(['file_read', 'file_write', 'shell', 'git', 'web']))
  .exactOptional();
/** In ms; JSON makes null of no limit. */
const Limit = z.unknown().transform((ms) => (typeof ms === 'number' ? ms : Infinity));
const Choice = z.string().nullable().default(null);

/** A request without what belongs to the owner’s disk. */
export const TravellingRequest = z.object({
  prompt: z.string(),
  role: z.string().nullable(),
  schema: z.record(z.string(), z.unknown()).nullable(),
  model: z.string().nullable(),
  effort: Choice,
  verbosity: Choice,
  maxTurns: z.number().nullable().default(null),
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
  limits: z.object({ firstOutputMs: Limit, idleMs: Limit, totalMs: Limit, graceMs: Limit }),
});

const Texts = z.array(z.string()).readonly();
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
  filesChanged: Texts,
  notes: Texts,
});

/** See `AgentEnd`. */
const TravellingEnd = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), text: z.string(), facts: Facts }),
  z.object({ ok: z.literal(false), failure: AgentFailure, facts: Facts }),
]);

/** A name that becomes part of a path or a ref. */
const Digest = z.string().regex(/^[0-9a-f]{40,64}$/);

/** An agent as the worker finds it. */
const FoundAgent = z.object({
  name: z.string(),
  state: z.enum(['ready', 'not-installed', 'not-logged-in', 'disabled']),
  why: z.string().nullable(),
  remedy: z.string().nullable(),
  version: z.string().nullable(),
});
export type FoundAgent = z.infer<typeof FoundAgent>;

/** What a folder needs before anything runs in it. */
const SetUp = z.object({
  /** With another key, the folder is emptied of what no commit has, and set up anew. */
  key: z.string(),
  commands: z.array(Texts).readonly(),
});
export type SetUp = z.infer<typeof SetUp>;

/** What is done in a folder at a commit. */
const work = {
  attempt: Digest,
  repository: Digest,
  commit: Digest,
  /** The folder for the owner, as an absolute path, and below the top of its work tree. */
  folder: z.string(),
  prefix: z.string().regex(/^(?:(?!\.\.?\/)[^/\0]+\/)*$/),
  setUp: SetUp.nullable(),
};

/** A run of an agent; an attempt that has an answer already is not run again. */
export const RunOrder = z.object({
  ...work,
  do: z.literal('run'),
  agent: z.string(),
  /** The most runs of this agent at once, whoever sends them; null for no limit. */
  atOnce: z.number().nullable(),
  request: TravellingRequest,
});
export type RunOrder = z.infer<typeof RunOrder>;

const conditions = {
  buildFacts: z.array(BuildFact).readonly(),
  mayRun: Texts.nullable(),
  mostMs: z.number(),
  /** The number for its ports and databases. */
  slot: z.string(),
};

/** A run of a check; without one, the folder is only set up. */
export const CheckOrder = z.object({
  ...work,
  ...conditions,
  do: z.literal('check'),
  check: Check.nullable(),
});
export type CheckOrder = z.infer<typeof CheckOrder>;

export const WorkOrder = z.discriminatedUnion('do', [RunOrder, CheckOrder]);
export type WorkOrder = z.infer<typeof WorkOrder>;

/** One order of the owner. */
export const Order = z.discriminatedUnion('do', [
  // Asks for these agents, or for all.
  z.object({ do: z.literal('agents'), names: Texts.nullable() }),
  // Asks which commits of a repository are there.
  z.object({ do: z.literal('tips'), repository: Digest }),
  // Brings a piece of the bundle that brings a commit.
  z.object({
    do: z.literal('bundle'),
    repository: Digest,
    commit: Digest,
    data: z.string(),
    isLast: z.boolean(),
  }),
  RunOrder,
  CheckOrder,
  // Stops the order with this id.
  z.object({ do: z.literal('cancel') }),
  // The owner has the answer, so that it need not be kept.
  z.object({ do: z.literal('received'), attempt: Digest }),
]);
export type Order = z.infer<typeof Order>;
export const OrderLine = z.intersection(z.object({ id: z.string() }), Order);
export type OrderLine = z.infer<typeof OrderLine>;

/** The end of a run; `commit` is its work, null if it changed nothing. */
export const RunEnd = z.object({
  say: z.literal('end'),
  end: TravellingEnd,
  commit: Digest.nullable(),
  isKept: z.boolean(),
});
export type RunEnd = z.infer<typeof RunEnd>;

/** The end of a check; without a run, `why` says why the set-up failed. */
const CheckEnd = z.object({
  say: z.literal('checked'),
  run: CheckRun.nullable(),
  why: z.string().nullable(),
});
export type CheckEnd = z.infer<typeof CheckEnd>;

export const WorkEnd = z.discriminatedUnion('say', [RunEnd, CheckEnd]);
export type WorkEnd = z.infer<typeof WorkEnd>;

/** One word of the worker; each but the first and `beat` answers an order. */
const Reply = z.discriminatedUnion('say', [
  z.object({
    say: z.literal('hello'),
    protocol: z.number(),
    version: z.string(),
    repositories: z.number(),
  }),
  z.object({ say: z.literal('beat') }),
  z.object({ say: z.literal('event'), event: AgentEvent }),
  // A piece of the bundle with the work of the run.
  z.object({ say: z.literal('result'), data: z.string() }),
  // The end of an order, with what that asks for.
  z.object({ say: z.literal('done'), value: z.unknown() }),
  z.object({ say: z.literal('refused'), why: z.string() }),
]);
export type Reply = z.infer<typeof Reply>;
export const ReplyLine = z.intersection(z.object({ id: z.string().default('') }), Reply);
/** The answers to `agents` and `tips`. */
export const FoundAgents = z.array(FoundAgent).readonly();
export const Commits = z.array(Digest).readonly();
