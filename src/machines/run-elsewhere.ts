// Runs agents and checks on another machine as here: sends the folder as a commit, and lays the work over it.
import { addAbortListener } from 'node:events';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, AgentEnd, AgentRequest, ElsewhereConditions } from '../agents/agent.ts';
import type { SetUpFolder } from '../agents/agent.ts';
import { toolsOf } from '../agents/permission.ts';
import { inTurn } from '../git/session-git.ts';
import type { AgentEvent, FailureCategory } from '../model/agent-event.ts';
import type { Check } from '../model/check.ts';
import { counted } from '../model/wording.ts';
import { sha256Of } from '../store/digest.ts';
import { type FoundAgent, TravellingRequest, type Work, type WorkEnd } from './protocol.ts';
import { failureEnd, lastOf, Undone } from './run-facts.ts';
import {
  type CommitSource,
  layResult,
  type Snapshot,
  takeSnapshot,
  withoutThose,
} from './travelling-commits.ts';

/** The signal that ends a run, the most runs of its agent at once, by all owners, and the worker that has its session. */
interface RunBounds {
  readonly keeper?: string | undefined;
  readonly atOnce?: number;
  readonly signal: AbortSignal;
}

/** A way to a machine. Everything throws `Undone`. */
export interface Way {
  readonly name: string;
  readonly version: string;
  readonly repositories: number;
  readonly isLost: boolean;
  /** True if it leads to several workers. */
  readonly isPool?: true;
  /** The absolute folder for what is on its way. */
  readonly folder: string;
  /** The largest bundle that is sent, in bytes. */
  readonly mostBytes: number;
  find(names: readonly string[] | null): Promise<readonly FoundAgent[]>;
  /** The commits of which something like this snapshot may need no more than what is new. */
  tips(snapshot: Snapshot): Promise<readonly string[]>;
  /** Brings a snapshot; the words for git leave out what is there. */
  send(snapshot: Snapshot, without: readonly string[]): Promise<void>;
  /** Has something done; yields its events and the pieces of its work, and returns its end, with the place of both. */
  start(
    order: Work,
    bounds: RunBounds,
  ): AsyncGenerator<
    AgentEvent | Buffer,
    WorkEnd & { machine?: string; worker?: string; source?: CommitSource | null },
    undefined
  >;
  /** Ends the connection, where the answers to these attempts need no longer be kept; false if the worker did not end by itself. */
  close(received: readonly string[]): Promise<boolean>;
}

/** Words before the reason for which something is not done, or not taken. */
const leads: Partial<Record<FailureCategory, string>> = {
  'request-refused': 'cannot run it',
  'wrong-answer': 'sent work that cannot be used',
  'wrote-while-planning': 'ran an agent that may only read',
};

/** A machine that has answered. */
export type Machine = ReturnType<typeof machineBy>;

/** Makes the machine at the end of a way. */
export function machineBy(way: Way) {
  const { name } = way;
  const received: string[] = [];

  /** Takes a folder as a snapshot and brings it there, unless it is there. */
  async function bring(folder: string, signal: AbortSignal): Promise<Snapshot> {
    const snapshot = await takeSnapshot(folder, way.folder, signal);
    const { repository, commit } = snapshot;
    const bringing = inTurn(`${name}/${repository}`, async () => {
      const tips = await way.tips(snapshot);
      if (tips.includes(commit)) return;
      const { mostBytes } = way;
      await way.send(snapshot, await withoutThose(snapshot, { tips, mostBytes }));
    });
    bringing.catch(() => undefined);
    // Whoever leaves meanwhile waits for no answer; the end of the connection ends the sending.
    const { promise: left, reject } = Promise.withResolvers<never>();
    const leave = addAbortListener(signal, () => reject(signal.reason));
    await Promise.race([bringing, left]).finally(() => leave[Symbol.dispose]());
    return snapshot;
  }

  /** Has something done in a folder; lays what it wrote there over the folder here. */
  async function* work(
    { id, ...what }: Omit<Work, 'attempt' | 'repository' | 'commit' | 'prefix'> & { id: string },
    bounds: RunBounds,
  ) {
    let file: string | null = null;
    try {
      const snapshot = await bring(what.folder, bounds.signal);
      const { repository, commit, prefix, leftOut } = snapshot;
      const attempt = sha256Of(`${id}\0${commit}`);
      file = join(way.folder, `${attempt}.bundle`);
      const told = way.start({ ...what, attempt, repository, commit, prefix }, bounds);
      let step = await told.next();
      for (; step.done !== true; step = await told.next()) {
        const { value } = step;
        if (Buffer.isBuffer(value)) await appendFile(file, value, { mode: 0o600 });
        else yield value.type === 'started' ? { ...value, machine: name } : value;
      }
      const { commit: done, machine, source } = step.value;
      const where = machine === undefined ? name : `${name} (${machine})`;
      const bundle = { from: file, ref: `refs/result/${attempt}` };
      if (done !== null) {
        if (what.run === null || !toolsOf(what.run.request).has('file_write'))
          throw new Undone('it changed files', 'wrote-while-planning');
        await layResult(snapshot, { ...(source ?? bundle), commit: done, attempt });
      }
      received.push(attempt);
      return { ...step.value, where, leftOut };
    } catch (error) {
      bounds.signal.throwIfAborted();
      const lead = error instanceof Undone ? leads[error.category] : undefined;
      if (!(error instanceof Undone) || lead === undefined) throw error;
      throw new Undone(`${name} ${lead}: ${error.message}`, error.category);
    } finally {
      if (file !== null) await rm(file, { force: true });
    }
  }

  return {
    ...way,
    get isLost() {
      return way.isLost;
    },
    /** Runs an agent in a folder that is set up first; null for no set-up. Throws `Undone` where the machine is lost. */
    async *run(
      agent: Pick<Agent, 'name'>,
      asked: {
        readonly request: AgentRequest;
        readonly setUp: SetUpFolder | null;
        readonly atOnce: number;
      },
      signal: AbortSignal,
    ): AsyncGenerator<AgentEvent, AgentEnd, undefined> {
      const { request, setUp, atOnce } = asked;
      const { cwd: folder, rawOutput, limits, resume } = request;
      try {
        yield { type: 'started', agentSession: null, model: null, version: null, machine: name };
        const [, ...session] = resume?.agentSession.split('/') ?? [];
        const keeper = way.isPool === true ? session.shift() : undefined;
        const kept = { ...resume, agentSession: session.join('/') };
        const own = { ...request, resume: resume === null ? null : kept };
        const run = { agent: agent.name, request: TravellingRequest.parse(own) };
        const bare = { buildFacts: [], mayRun: [], mostMs: limits.totalMs, slot: '0' };
        // The output has one place for each attempt of a step, and a resumed one has the same.
        const what = { ...bare, id: rawOutput, folder, setUp, run, check: null };
        const { end, where, worker, leftOut } = yield* work(what, { signal, atOnce, keeper });
        if (end === null) throw new Undone(`${name} answered something else`);
        const { facts } = end;
        const secret = `${counted(leftOut.length, 'uncommitted file')} with secrets stayed here: ${leftOut.join(', ')}`;
        const notes = leftOut.length > 0 ? [...facts.notes, secret] : facts.notes;
        // Its session is known by the machine, which alone can continue it.
        const { agentSession } = facts;
        const path = [name, worker, agentSession].filter(Boolean).join('/');
        const known = { machine: where, agentSession: agentSession === null ? null : path };
        return { ...end, facts: { ...facts, ...known, notes } };
      } catch (error) {
        if (signal.aborted) return failureEnd(agent.name, 'cancelled', 'it was cancelled');
        if (!(error instanceof Undone) || error.category === 'dropped') throw error;
        return failureEnd(agent.name, error.category, error.message);
      }
    },
    /** Runs a check in a folder that is set up first; without a check it is only set up. Throws `Undone`. */
    async check(
      check: Check | null,
      asked: ElsewhereConditions & { readonly setUp: SetUpFolder | null },
      signal: AbortSignal,
    ) {
      const id = `${Date.now()} ${Math.random()}`;
      const done = work({ ...asked, id, run: null, check }, { signal });
      const { checked, why, where } = await lastOf(done);
      return { run: checked === null ? null : { ...checked, machine: where }, why };
    },
    close: () => way.close(received),
  };
}
