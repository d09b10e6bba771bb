// Runs agents and checks on another machine as here: sends the folder as a commit, and lays the work over it.
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  Agent,
  AgentEnd,
  AgentRequest,
  ElsewhereConditions,
  SetUpFolder,
} from '../agents/agent.ts';
import { toolsOf } from '../agents/permission.ts';
import { inTurn } from '../git/session-git.ts';
import type { AgentEvent, AgentFailure } from '../model/agent-event.ts';
import type { Check } from '../model/check.ts';
import { counted } from '../model/wording.ts';
import { sha256Of } from '../store/digest.ts';
import { type CheckEnd, type FoundAgent, TravellingRequest } from './protocol.ts';
import type { WorkEnd, WorkOrder } from './protocol.ts';
import { lastOf, LostMachine, noFacts, RefusedOrder } from './run-facts.ts';
import {
  type CommitSource,
  layResult,
  refuseTooLarge,
  type Snapshot,
  takeSnapshot,
} from './travelling-commits.ts';

/** The place of a run, where the way leads to several machines, and of its work, where that is sent in no pieces. */
interface WorkPlace {
  readonly machine?: string;
  readonly source?: CommitSource | null;
}

/** A way to a machine. Everything throws `LostMachine`. */
export interface Way {
  readonly name: string;
  readonly version: string;
  readonly repositories: number;
  readonly isLost: boolean;
  /** The absolute folder for what is on its way. */
  readonly folder: string;
  /** The largest bundle that is sent, in bytes. */
  readonly mostBytes: number;
  find(names: readonly string[] | null): Promise<readonly FoundAgent[]>;
  /** The commits of which something like this snapshot may need no more than what is new. */
  tips(snapshot: Snapshot): Promise<readonly string[]>;
  /** Brings a snapshot to somebody who has these commits. */
  send(snapshot: Snapshot, tips: readonly string[]): Promise<void>;
  /** Has something done; yields its events and the pieces of its work, and returns its end. */
  start(
    order: WorkOrder,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent | Buffer, WorkEnd & WorkPlace, undefined>;
  /** Ends the connection, where the answers to these attempts need no longer be kept; false if the worker did not end by itself. */
  close(received: readonly string[]): Promise<boolean>;
}

/** A machine that has answered. Everything throws `LostMachine`. */
export interface Machine extends Pick<
  Way,
  'name' | 'version' | 'repositories' | 'isLost' | 'find'
> {
  /** Like `Agent.run`, in a folder that is set up first; null for no set-up. */
  run(
    agent: Agent,
    asked: {
      readonly request: AgentRequest;
      readonly setUp: SetUpFolder | null;
      readonly atOnce: number;
    },
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, AgentEnd, undefined>;
  /** Runs a check in a folder that is set up first; without a check it is only set up. */
  check(
    check: Check | null,
    asked: ElsewhereConditions & { readonly setUp: SetUpFolder | null },
    signal: AbortSignal,
  ): Promise<Omit<CheckEnd, 'say'>>;
  /** Ends the worker; false if it did not end by itself, and so could remove nothing. */
  close(): Promise<boolean>;
}

/** Makes the machine at the end of a way. */
export function machineBy(way: Way): Machine {
  const { name } = way;
  const received: string[] = [];

  /** Takes a folder as a snapshot and brings it there, unless it is there; says why that cannot be. */
  async function bring(folder: string, signal: AbortSignal): Promise<Snapshot> {
    const snapshot = await takeSnapshot({ folder, places: way.folder, signal });
    const { repository, commit } = snapshot;
    const bringing = inTurn(`${name}/${repository}`, async () => {
      const tips = await way.tips(snapshot);
      if (tips.includes(commit)) return;
      await refuseTooLarge(snapshot, { tips, mostBytes: way.mostBytes });
      await way.send(snapshot, tips);
    });
    // Whoever leaves meanwhile waits for no answer; the end of the connection ends the sending.
    await leaving(bringing, signal);
    return snapshot;
  }

  return {
    ...way,
    get isLost() {
      return way.isLost;
    },
    async *run(agent, { request, setUp, atOnce }, signal) {
      const startedAt = new Date().toISOString();
      const fail = (category: AgentFailure['category'], detail: string): AgentEnd => ({
        ok: false,
        failure: { category, agent: agent.name, detail, retry_after_ms: null },
        facts: { ...noFacts, startedAt },
      });
      let file: string | null = null;
      try {
        const snapshot = await bring(request.cwd, signal);
        // The output has one place for each attempt of a step, and a resumed one has the same.
        const attempt = sha256Of(`${request.rawOutput}\0${snapshot.commit}`);
        file = join(way.folder, `${attempt}.bundle`);
        yield { type: 'started', agentSession: null, model: null, version: null, machine: name };
        const { cwd: folder, resume } = request;
        const agentSession = resume?.agentSession.replace(/^[^/]*\//, '');
        const content = {
          ...request,
          resume: resume === null ? null : { ...resume, agentSession },
        };
        const order = {
          ...orderIn(snapshot, { folder, setUp, attempt }),
          do: 'run',
          agent: agent.name,
          atOnce: Number.isFinite(atOnce) ? atOnce : null,
          request: TravellingRequest.parse(content),
        } as const;
        const told = way.start(order, signal);
        let step = await told.next();
        for (; step.done !== true; step = await told.next()) {
          const { value } = step;
          if (Buffer.isBuffer(value)) await appendFile(file, value, { mode: 0o600 });
          else yield value.type === 'started' ? { ...value, machine: name } : value;
        }
        if (step.value.say !== 'end') throw new LostMachine(`${name} answered something else`);
        const { end, commit: work, isKept, machine, source } = step.value;
        const where = machine === undefined ? name : `${name} (${machine})`;
        const isWork = work !== null && toolsOf(request).has('file_write');
        const bundle = { from: file, ref: `refs/result/${attempt}` };
        const fault = isWork
          ? await layResult(snapshot, { ...(source ?? bundle), commit: work, attempt })
          : null;
        if (fault !== null)
          return fail('wrong-answer', `${where} sent work that cannot be used: ${fault}`);
        received.push(attempt);
        const { facts } = end;
        const { leftOut } = snapshot;
        const kept = `its answer was complete on ${where} before, and is kept`;
        const secret = `${counted(leftOut.length, 'uncommitted file')} with secrets stayed here: ${leftOut.join(', ')}`;
        const notes = [
          ...facts.notes,
          ...(isKept ? [kept] : []),
          ...(leftOut.length > 0 ? [secret] : []),
        ];
        // Its session is known by the machine, which alone can continue it.
        const own = facts.agentSession === null ? null : `${name}/${facts.agentSession}`;
        return { ...end, facts: { ...facts, machine: where, agentSession: own, notes } };
      } catch (error) {
        if (signal.aborted) return fail('cancelled', 'it was cancelled');
        if (!(error instanceof RefusedOrder)) throw error;
        return fail(error.category, `${name} cannot run it: ${error.message}`);
      } finally {
        if (file !== null) await rm(file, { force: true });
      }
    },
    async check(check, { folder, setUp, ...conditions }, signal) {
      try {
        const snapshot = await bring(folder, signal);
        const attempt = sha256Of(`${Date.now()} ${Math.random()} ${folder}`);
        const order = orderIn(snapshot, { folder, setUp, attempt });
        const end = await lastOf(
          way.start({ ...order, ...conditions, do: 'check', check }, signal),
        );
        if (end.say !== 'checked') throw new LostMachine(`${name} answered something else`);
        const { run, why, machine } = end;
        const where = machine === undefined ? name : `${name} (${machine})`;
        return { run: run === null ? null : { ...run, machine: where }, why };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof RefusedOrder)) throw error;
        return { run: null, why: `${name} cannot run it: ${error.message}` };
      }
    },
    close: () => way.close(received),
  };
}

/** Waits for an answer, or for the signal, whose reason it throws then. */
async function leaving(answer: Promise<void>, signal: AbortSignal): Promise<void> {
  answer.catch(() => undefined);
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal.reason);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  await Promise.race([answer, left.promise]).finally(() =>
    signal.removeEventListener('abort', leave),
  );
}

function orderIn(
  { repository, commit, prefix }: Snapshot,
  of: { readonly folder: string; readonly setUp: SetUpFolder | null; readonly attempt: string },
) {
  return { ...of, repository, commit, prefix };
}
