// Defines what an owner of sessions and the worker on a machine say to each other, in lines or by the queue.
import { z } from 'zod';
import { AgentEnd, Readiness, SentContent } from '../agents/agent-shapes.ts';
import { AgentEvent } from '../model/agent-event.ts';
import { CheckRun } from '../model/check-record.ts';
import { Check } from '../model/check.ts';
import { BuildFact } from '../model/context.ts';
import { Count, Flag, Text, TextOrNull } from '../model/plain-shapes.ts';

/** The version of these words; a worker with another one is refused. */
export const protocol = 7;

/** The longest line, in bytes: that of a run with its prompt. */
export const longestLine = 32 * 1024 * 1024;

/** The content of a bundle in one message, in bytes: as text, its line stays below the 1 MiB that an owner reads. */
export const pieceBytes = 750_000;

const Texts = z.array(Text).readonly();
/** In ms; JSON makes null of no limit. */
const Limit = z.unknown().transform((ms) => (typeof ms === 'number' ? ms : Infinity));
/** A name that becomes part of a path or a ref. */
const Digest = z.string().regex(/^[0-9a-f]{40,64}$/);
const Attempt = z.guid();

/** A request without what belongs to the owner’s disk. */
export const TravellingRequest = SentContent.extend({
  limits: z.object({ firstOutputMs: Limit, idleMs: Limit, totalMs: Limit, graceMs: Limit }),
});

/** A commit of a repository, and the attempt for which it is sent; one that has an answer already is not run again. */
export const CommitPlace = z.object({ repository: Digest, commit: Digest, attempt: Attempt });
export type CommitPlace = z.infer<typeof CommitPlace>;

/** Something that is done in a folder at a commit: a run of an agent, a check, or only the set-up. */
export const Work = CommitPlace.extend({
  /** The folder for the owner, as an absolute path, and below the top of its work tree. */
  folder: Text,
  prefix: z.string().regex(/^(?:(?!\.\.?\/)[^/\0]+\/)*$/),
  /** The key of the set-up: another one empties the folder of what no commit has, and sets it up anew. */
  setUp: z.object({ key: Text, commands: z.array(Texts).readonly() }).nullable(),
  buildFacts: z.array(BuildFact).readonly(),
  mayRun: Texts.nullable(),
  mostMs: Limit,
  /** The number for its ports and databases. */
  slot: Text,
  run: z.object({ agent: Text, request: TravellingRequest }).nullable(),
  check: Check.nullable(),
});
export type Work = z.infer<typeof Work>;

/** One order of the owner. */
export const Order = z.discriminatedUnion('do', [
  // Asks for these agents, or for all.
  z.object({ do: z.literal('agents'), names: Texts.nullable() }),
  // Asks which commits of a repository are there.
  z.object({ do: z.literal('tips'), repository: Digest }),
  // Brings a piece of the bundle that brings a commit.
  CommitPlace.extend({ do: z.literal('bundle'), data: Text, isLast: Flag }),
  Work.extend({ do: z.literal('work') }),
  // Stops the order with this id.
  z.object({ do: z.literal('cancel') }),
  // The owner has the answer, so that it need not be kept.
  z.object({ do: z.literal('received'), attempt: Attempt }),
]);
export type Order = z.infer<typeof Order>;
export const OrderLine = z.intersection(z.object({ id: Text }), Order);
export type OrderLine = z.infer<typeof OrderLine>;

/** The end of a run, and of a check. */
export const WorkEnd = z.object({
  /** Null for no run. */
  end: AgentEnd.nullable(),
  /** The work of the run; null if it changed nothing. */
  commit: Digest.nullable(),
  /** Null for no check, and after a set-up that failed. */
  checked: CheckRun.nullable(),
  /** Says why the set-up failed. */
  why: TextOrNull,
});
export type WorkEnd = z.infer<typeof WorkEnd>;

/** The answer to `agents`. */
export const FoundAgents = z.array(z.intersection(z.object({ name: Text }), Readiness));
export type FoundAgent = z.infer<typeof FoundAgents>[number];
/** The answer to `tips`. */
export const Commits = z.array(Digest);

/** A message of the worker; all but the first and `beat` answer an order. */
const Reply = z.discriminatedUnion('say', [
  z.object({ say: z.literal('hello'), protocol: z.number(), version: Text, repositories: Count }),
  z.object({ say: z.literal('beat') }),
  z.object({ say: z.literal('event'), event: AgentEvent }),
  // A piece of the bundle with the work of the run.
  z.object({ say: z.literal('result'), data: Text }),
  // The end of an order, with what that asks for.
  z.object({ say: z.literal('done'), value: z.unknown() }),
  z.object({ say: z.literal('refused'), why: Text }),
]);
export type Reply = z.infer<typeof Reply>;
export const ReplyLine = z.intersection(z.object({ id: Text.default('') }), Reply);
