// Gives a merge conflict to an agent once; its answer counts only if each path in conflict was changed.
import type { Agent, Workspace } from '../../agents/agent.ts';
import { lookAt, readPlainFile, textOf } from '../../git/disk.ts';
import type { Call } from '../../model/step.ts';
import type { RequestPhase } from '../../model/steps.ts';
import { askSeat } from '../asking/ask-seat.ts';
import type { Job } from './execution-team.ts';
import { type FinishedWork, summarizeWork, whyLeft, workQuestion } from './work-question.ts';

/** A merge that git could not complete. */
interface Conflict extends Job {
  readonly call: Call<RequestPhase>;
  /** The name of the work tree in which it is resolved. */
  readonly name: string;
  readonly parents: readonly [into: string, commit: string];
  /** The files in conflict. */
  readonly files: readonly string[];
  /** The message of the merge commit. */
  readonly message: string;
  /** The start of the names of the folders for its files, relative to the session folder. */
  readonly folder: string;
  readonly meaning: object;
  /** The agent that resolves it, followed by its stand-ins in order. */
  readonly executors: readonly string[];
  readonly promptFor: (agent: Agent) => Promise<string>;
}

/** Returns the merge commit; null if no agent resolved the conflict. */
export async function resolveConflict(conflict: Conflict): Promise<string | null> {
  const { tools, trees, name, parents, files, message, executors, signal } = conflict;
  const { call, folder, meaning, promptFor } = conflict;
  const cwd = trees.path(name);
  let left: readonly string[] = [];
  const keep = async (text: string) => {
    const now = await statesOf(cwd, files);
    const isUntouched = now.some((state, at) => state === left[at]);
    if (isUntouched || (await hasMarks(cwd, files))) return summarizeWork(null, text);
    return summarizeWork(await trees.commit(name, { parents, message }), text);
  };
  const workspace: Workspace<FinishedWork> = {
    cwd,
    extraDirs: [],
    hidden: tools.hidden,
    async prepare() {
      await trees.make(name, parents);
      left = await statesOf(cwd, files);
      return null;
    },
    keep,
    async keepLeft(text) {
      if (!(await trees.isThere(name))) return null;
      const before = `${name}-before`;
      const { path } = await trees.make(before, parents);
      left = await statesOf(path, files);
      await trees.reclaim([before]);
      return await keep(text);
    },
  };
  const question = workQuestion(conflict, { call, folder, meaning, workspace, promptFor });
  const { answer } = await askSeat({ tools, question, names: executors, signal });
  return answer === null || whyLeft(answer) !== null ? null : answer.value.commit;
}

/** The state of each path, in a form that differs if the content does. */
async function statesOf(root: string, paths: readonly string[]): Promise<readonly string[]> {
  return Promise.all(
    paths.map(async (path) => {
      const found = await lookAt(root, path);
      if (found.kind !== 'file') return JSON.stringify(found);
      const content = await readPlainFile(root, path);
      return `${found.size} ${content?.toString('base64') ?? ''}`;
    }),
  );
}

/** True if a file still contains the conflict markers of git. */
async function hasMarks(root: string, files: readonly string[]): Promise<boolean> {
  const texts = await Promise.all(files.map((path) => readPlainFile(root, path)));
  return texts.some((content) => /^(?:<{7} |>{7} )/m.test((content && textOf(content)) ?? ''));
}
