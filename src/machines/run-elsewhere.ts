// Runs an agent on another machine as one here: sends the folder as a commit, and lays the work over it.
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, AgentEnd, AgentRequest, RunFacts } from '../agents/agent.ts';
import { toolsOf } from '../agents/permission.ts';
import type { AgentEvent, AgentFailure } from '../model/agent-event.ts';
import { counted } from '../model/wording.ts';
import { sha256Of } from '../store/digest.ts';
import { noFacts, RefusedOrder } from './run-facts.ts';
import type { ReplyOf, RunOrder, TravellingRequest } from './protocol.ts';
import { layResult, type Snapshot, takeSnapshot } from './travelling-commits.ts';

/** A way to a machine, and what it says of a run there. */
export interface Transport {
  readonly name: string;
  /** The absolute folder for what is on its way. */
  readonly folder: string;
  /** Brings a snapshot there, unless it is there; says why that cannot be. */
  bring(snapshot: Snapshot): Promise<string | null>;
  /** Starts a run; yields its events and the pieces of its work, and returns its end. Throws `LostMachine`. */
  start(
    order: RunOrder,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent | Buffer, ElsewhereEnd | null, undefined>;
  /** Notes that the answer to an attempt need not be kept there. */
  receive(attempt: string): void;
}

/** The end of a run there, with the machine if the way leads to several; null if it was cancelled. */
type ElsewhereEnd = Pick<ReplyOf<'end'>, 'end' | 'commit' | 'isKept'> & {
  readonly machine?: string;
};

/** Like `Agent.run`. Throws `LostMachine`. */
export async function* runElsewhere(
  way: Transport,
  agent: Agent,
  { request, signal }: { readonly request: AgentRequest; readonly signal: AbortSignal },
): AsyncGenerator<AgentEvent, AgentEnd, undefined> {
  const { name, folder: places } = way;
  const { cwd: folder } = request;
  const startedAt = new Date().toISOString();
  const fail = (category: AgentFailure['category'], detail: string): AgentEnd => ({
    ok: false,
    failure: { category, agent: agent.name, detail, retry_after_ms: null },
    facts: { ...noFacts, startedAt },
  });
  const taken = await takeSnapshot({ folder, places, signal });
  if (!taken.ok) return fail('request-refused', `it cannot run on ${name}: ${taken.failure}`);
  const snapshot = taken.value;
  const { repository, commit, prefix, leftOut } = snapshot;
  // The output has one place for each attempt of a step, and a resumed one has the same.
  const attempt = sha256Of(`${request.rawOutput}\0${commit}`);
  const run = { attempt, agent: agent.name, repository, commit, prefix, folder };
  const file = join(places, `${attempt}.bundle`);
  const left = Promise.withResolvers<null>();
  const leave = () => left.resolve(null);
  signal.addEventListener('abort', leave, { once: true });
  try {
    const bringing = way.bring(snapshot);
    // Whoever leaves meanwhile waits for no answer; the end of the connection ends the sending.
    bringing.catch(() => undefined);
    const unsent = await Promise.race([bringing, left.promise]);
    if (signal.aborted) return fail('cancelled', 'it was cancelled');
    if (unsent !== null) return fail('request-refused', `it cannot run on ${name}: ${unsent}`);
    const started = { type: 'started', agentSession: null, model: null, version: null } as const;
    yield { ...started, machine: name };
    const told = way.start({ ...run, request: contentOf(request) }, signal);
    let step = await told.next();
    for (; step.done !== true; step = await told.next()) {
      const { value } = step;
      if (Buffer.isBuffer(value)) await appendFile(file, value, { mode: 0o600 });
      else yield value.type === 'started' ? { ...value, machine: name } : value;
    }
    if (step.value === null) return fail('cancelled', 'it was cancelled');
    const { end, commit: work, isKept, machine } = step.value;
    const where = machine === undefined ? name : `${name} (${machine})`;
    const isWork = work !== null && toolsOf(request).has('file_write');
    const fault = isWork ? await layResult(snapshot, { file, commit: work, attempt }) : null;
    if (fault !== null)
      return fail('wrong-answer', `${where} sent work that cannot be used: ${fault}`);
    way.receive(attempt);
    return { ...end, facts: factsOf(end.facts, { name, where, isKept, leftOut }) };
  } catch (error) {
    if (!(error instanceof RefusedOrder)) throw error;
    return fail('request-refused', `${name} cannot run it: ${error.message}`);
  } finally {
    signal.removeEventListener('abort', leave);
    await rm(file, { force: true });
  }
}

/** The part of a request that travels. */
function contentOf(request: AgentRequest): TravellingRequest {
  const { prompt, role, schema, model, effort, verbosity, maxTurns, permission } = request;
  const { allowed, denied, resume, limits } = request;
  const { cwd: _, agentSession = '', ...rest } = resume ?? {};
  const session = agentSession.replace(/^[^/]*\//, '');
  return {
    prompt,
    role,
    schema,
    model,
    effort,
    verbosity,
    maxTurns,
    permission,
    ...(allowed === undefined ? {} : { allowed: [...allowed] }),
    ...(denied === undefined ? {} : { denied: [...denied] }),
    resume: resume === null ? null : { ...rest, agentSession: session },
    limits: {
      firstOutputMs: finite(limits.firstOutputMs),
      idleMs: finite(limits.idleMs),
      totalMs: finite(limits.totalMs),
      graceMs: limits.graceMs,
    },
  };
}

/** A limit as JSON can say it. */
function finite(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null;
}

/** The facts of a run there; its session is known by the machine, which alone can continue it. */
function factsOf(
  facts: RunFacts,
  of: {
    readonly name: string;
    readonly where: string;
    readonly isKept: boolean;
    readonly leftOut: readonly string[];
  },
): RunFacts {
  const { name, where, isKept, leftOut } = of;
  const { agentSession } = facts;
  const kept = `its answer was complete on ${where} before, and is kept`;
  const secret = `${counted(leftOut.length, 'uncommitted file')} with secrets stayed here: ${leftOut.join(', ')}`;
  return {
    ...facts,
    machine: where,
    agentSession: agentSession === null ? null : `${name}/${agentSession}`,
    notes: [...facts.notes, ...(isKept ? [kept] : []), ...(leftOut.length > 0 ? [secret] : [])],
  };
}
