// Makes a call that changes files and commits them within it, in its own work tree.
import { z } from 'zod';
import { askFirst, type SeatResult } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import type { Tools } from '../tools.ts';
import { type CheckPlace, setUpPlace } from './checks.ts';
import type { Job } from './execution.ts';

/** What is left of a call that may change files: a commit, and what the agent said. */
export const Kept = z.object({
  commit: z.string().nullable().describe('Null where what it did cannot be used.'),
  summary: z.string(),
});
export type Kept = z.infer<typeof Kept>;

type Apart = NonNullable<Question<Kept>['work']>;

/** A call of an agent that changes files in a work tree. */
interface WorkCall extends Pick<Question<Kept>, 'call' | 'meaning' | 'promptFor'> {
  /** Starts the names of the folders of its files, relative to the session folder. */
  readonly folder: string;
  /** Absolute. */
  readonly cwd: string;
  readonly permission?: Apart['permission'];
  readonly begin: NonNullable<Apart['begin']>;
  readonly resume?: NonNullable<Apart['resume']>;
  /** Commits what was done. */
  commit(): Promise<string | null>;
}

/** Asks the first of the executors for it, then the others in order. */
export function askToWork(
  { tools, number, request, signal }: Job,
  executors: readonly string[],
  work: WorkCall,
): Promise<SeatResult<Kept>> {
  const { call, meaning, promptFor, cwd, begin, resume } = work;
  const question: Question<Kept> = {
    call,
    round: number,
    folderFor: (agent) => `${work.folder}-${agent}`,
    meaning,
    task: request.task,
    context: null,
    constraints: request.constraints,
    schema: null,
    shape: Kept,
    expected: {},
    summaryOf: ({ summary }) => summary,
    promptFor,
    work: {
      cwd,
      permission: work.permission ?? 'edit-and-shell',
      denied: ['git'],
      limits: { ...tools.limits, totalMs: tools.execution.settings.taskMs },
      begin,
      ...(resume === undefined ? {} : { resume }),
      keep: async (text) => ({ commit: await work.commit(), summary: text.slice(0, 4_000) }),
    },
  };
  return askFirst(executors, { tools, question, signal });
}

/** The work tree of one task, brought to where each step of it needs it. */
export interface TaskPlace {
  /** Absolute. */
  readonly path: string;
  /** Makes it clean at that commit, and set up. Throws `NotSetUp`. */
  at(commit: string): Promise<void>;
  /** What the work tree holds as a commit on `parent`, or `parent` where nothing was changed. */
  keep(parent: string, message: string): Promise<string>;
  readonly checks: CheckPlace;
}

/** The command that prepares a work tree failed. */
export class NotSetUp extends Error {}

/** `name` is that of the work tree. */
export function taskPlace(name: string, { tools, trees, signal, ...job }: Job): TaskPlace {
  const { setup } = tools.execution.settings;
  const path = trees.path(name);
  const buildFacts = job.package.build_facts ?? [];
  const checks = { ...checkLimits(tools), cwd: path, buildFacts, signal };
  let isMade = false;
  return {
    path,
    checks,
    async at(commit) {
      if (isMade) {
        await trees.clean(name, commit);
        return;
      }
      await trees.make(name, [commit]);
      const why = await setUpPlace(setup, checks);
      if (why !== null) throw new NotSetUp(why);
      isMade = true;
    },
    keep: async (parent, message) =>
      (await trees.commit(name, { parents: [parent], message })) ?? parent,
  };
}

function checkLimits({ execution: { settings, environment }, markPrefix }: Tools) {
  return { mostMs: settings.checkMs, environment, markPrefix };
}
