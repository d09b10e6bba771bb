// Runs agents and checks on another machine as here: sends the folder as a commit, and lays the work over it.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentEnd, AgentRequest, ElsewhereConditions, SetUpFolder } from '../agents/agent.ts';
import { toolsOf } from '../agents/permission.ts';
import { inTurn } from '../git/session-git.ts';
import type { AgentEvent } from '../model/agent-event.ts';
import type { Check } from '../model/check.ts';
import { sha256Of } from '../store/digest.ts';
import {
  type CommitPlace,
  type FoundAgent,
  TravellingRequest,
  type Work,
  type WorkEnd,
} from './protocol.ts';
import { Undone } from './run-facts.ts';
import { type CommitSource, layResult, type Snapshot, takeSnapshot } from './travelling-commits.ts';

export type Tell = (event: AgentEvent) => void;

/** The limits of a run, and who is told its events. */
interface RunBounds {
  /** The most runs of its agent at once, by all owners. */
  readonly atOnce: number;
  /** The worker that has its session; empty for any. */
  readonly keeper: string;
  readonly tell: Tell;
}

/** A way to a machine. Everything throws `Undone`, or the reason of an aborted signal. */
export interface Way {
  readonly name: string;
  readonly version: string;
  /** The number of repositories that are there, `3 repositories`, or for a queue of its workers. */
  readonly holds: string;
  isLost(): boolean;
  readonly find: (names: readonly string[] | null) => Promise<readonly FoundAgent[]>;
  /** Brings a snapshot, unless it is there. */
  send(snapshot: Snapshot & { readonly attempt: string }, signal: AbortSignal): Promise<void>;
  /** Has something done; the bundle with its work goes into a file, unless another source is told. */
  start(
    order: Work,
    bounds: RunBounds & { readonly file: string; readonly signal: AbortSignal },
  ): Promise<WorkEnd & { machine?: string; worker?: string; source?: CommitSource }>;
  /** Ends the connection, where the answers to these attempts need no longer be kept; false if the worker did not end by itself. */
  close(received: readonly string[]): Promise<boolean>;
}

/** A machine that has answered. */
export type Machine = ReturnType<typeof machineBy>;

/**
 * Makes the machine at the end of a way; `places` is the absolute folder for what is on its way. Everything throws
 * `Undone`, or the reason of an aborted signal.
 */
export function machineBy(way: Way, places: string) {
  const { name } = way;
  const received: string[] = [];

  /** Has something done in a folder; lays what it wrote there over the folder here. */
  async function work(
    { id, ...what }: Omit<Work, keyof CommitPlace | 'prefix'> & { id: string },
    bounds: RunBounds,
    signal: AbortSignal,
  ) {
    const file = join(places, `${randomUUID()}.bundle`);
    try {
      const snapshot = await takeSnapshot(what.folder, places, signal);
      const { repository, commit, prefix, leftOut } = snapshot;
      // A queue takes an id in this form only.
      const digits = sha256Of(`${id}\0${commit}`).slice(0, 32);
      const attempt = digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      await inTurn(`${name}/${repository}`, () => way.send({ ...snapshot, attempt }, signal));
      const order = { ...what, attempt, repository, commit, prefix };
      const end = await way.start(order, { ...bounds, file, signal });
      if (end.commit !== null) {
        if (what.run === null || !toolsOf(what.run.request).has('file_write'))
          throw new Undone(
            'ran an agent that may only read: it changed files',
            'wrote-while-planning',
          );
        const { source = { from: file, ref: `refs/result/${attempt}` } } = end;
        await layResult(snapshot, { ...source, commit: end.commit, attempt });
      }
      received.push(attempt);
      const where = end.machine === undefined ? name : `${name} (${end.machine})`;
      return { ...end, where, leftOut };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Undone) || error.category === 'dropped') throw error;
      throw new Undone(`${name} ${error.message}`, error.category);
    } finally {
      await rm(file, { force: true });
    }
  }

  return {
    ...way,
    /** Runs an agent in a folder that is set up first; null for no set-up. */
    async run(
      agent: string,
      asked: {
        readonly request: AgentRequest;
        readonly setUp: SetUpFolder | null;
        readonly atOnce: number;
        readonly tell: Tell;
      },
      signal: AbortSignal,
    ): Promise<AgentEnd> {
      const { request, setUp, atOnce, tell } = asked;
      const { cwd: folder, rawOutput, limits, resume } = request;
      tell({ type: 'started', agentSession: null, model: null, version: null, machine: name });
      // Its session is known by the machine, which alone can continue it.
      const [, keeper = '', ...session] = resume?.agentSession.split('/') ?? [];
      const kept = resume === null ? null : { ...resume, agentSession: session.join('/') };
      const run = { agent, request: TravellingRequest.parse({ ...request, resume: kept }) };
      const bare = { buildFacts: [], mayRun: [], mostMs: limits.totalMs, slot: '0' };
      // The output has one place for each attempt of a step, and a resumed one has the same.
      const what = { ...bare, id: rawOutput, folder, setUp, run, check: null };
      const { end, where, worker, leftOut } = await work(what, { atOnce, keeper, tell }, signal);
      if (end === null) throw new Undone(`${name} answered in an unknown form`);
      const { agentSession, notes } = end.facts;
      const path = agentSession === null ? null : [name, worker, agentSession].join('/');
      const secrets = leftOut.map((file) => `${file} holds secrets, and stayed here`);
      const facts = { ...end.facts, machine: where, agentSession: path };
      return { ...end, facts: { ...facts, notes: [...notes, ...secrets] } };
    },
    /** Runs a check in a folder that is set up first; without a check it is only set up. */
    async check(
      check: Check | null,
      asked: ElsewhereConditions & { readonly setUp: SetUpFolder | null },
      signal: AbortSignal,
    ) {
      const bounds = { atOnce: Infinity, keeper: '', tell: () => undefined };
      const what = { ...asked, id: randomUUID(), run: null, check };
      const { checked, why, where } = await work(what, bounds, signal);
      return { run: checked === null ? null : { ...checked, machine: where }, why };
    },
    close: () => way.close(received),
  };
}
