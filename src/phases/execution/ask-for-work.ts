// Has an agent work in a work tree: on a task, on what is wrong with it, or on a merge; a commit keeps its work.
import type { AgentSession } from '../../agents/agent-session.ts';
import type { Workspace } from '../../agents/agent.ts';
import type { Permission } from '../../agents/permission.ts';
import { lookAt, readPlainFile, textOf } from '../../git/disk.ts';
import type { Receipt } from '../../model/receipt.ts';
import type { Call } from '../../model/step.ts';
import type { RequestPhase } from '../../model/steps.ts';
import type { Task } from '../../model/task.ts';
import { conflictPrompt, fixPrompt } from '../../prompts/execute-prompt.ts';
import { askSeat, type SeatResult } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { promptBasics } from '../phase-tools.ts';
import { commandsOf } from './checks.ts';
import type { Job } from './execution-team.ts';
import { FinishedWork, summarizeWork, type TaskTree } from './task-tree.ts';

/** A call for work. */
interface WorkCall extends Pick<Question<FinishedWork>, 'meaning' | 'promptFor'> {
  readonly call: Call<RequestPhase>;
  /** The agents that may be asked, in order. */
  readonly names: readonly string[];
  /** The start of the names of the folders for its files, relative to the session folder. */
  readonly folder: string;
  readonly workspace: Workspace<FinishedWork>;
  readonly permission?: Permission;
  /** The session that its agent may resume. */
  readonly session?: AgentSession | null;
}

/** The work of an agent. */
export interface Work extends Pick<FinishedWork, 'commit' | 'summary'> {
  readonly agent: string;
  readonly receipt: Receipt;
  /** The reason why it cannot be brought home as it is; null if it can. */
  readonly left: string | null;
}

/** Asks one agent after the other until one has worked; null, with the failures, if none has. */
export async function askForWork(
  { tools, number, request, signal }: Job,
  { names, folder, workspace, permission = 'edit-and-shell', session = null, ...asked }: WorkCall,
): Promise<{ readonly work: Work | null; readonly failed: SeatResult<FinishedWork>['failed'] }> {
  const limits = { ...tools.limits, totalMs: tools.execution.settings.taskMs };
  const question: Question<FinishedWork> = {
    ...asked,
    round: number,
    folderFor: (agent) => `${folder}-${agent}`,
    task: request.task,
    context: null,
    constraints: request.constraints,
    schema: null,
    shape: FinishedWork,
    expected: {},
    summaryOf: ({ summary }) => summary,
    work: { workspace, permission, denied: ['git'], limits, session },
  };
  const { answer, failed } = await askSeat({ tools, question, names, signal });
  if (answer === null) return { work: null, failed };
  const { agent, receipt, value, wrote = [] } = answer;
  const left =
    wrote.length === 0
      ? submodulesText(value)
      : `it changed ${wrote.join(', ')} in your own work tree, although it works in one of its own`;
  return { work: { ...value, agent: agent.name, receipt, left }, failed };
}

/** Says that work in submodules cannot be brought home, and where it is kept; null if there is none. */
function submodulesText({ submodules = [] }: FinishedWork): string | null {
  const [first] = submodules;
  if (first === undefined) return null;
  const kept = submodules.map(({ path, patch }) => `${path} in ${patch}`).join(', ');
  return `it changed files of a submodule, which belong to another repository and cannot be applied; they are kept as a patch (${kept}), for: git -C ${first.path} apply PATCH`;
}

/** What is wrong with some work. */
export interface Fix extends Omit<WorkCall, 'meaning' | 'promptFor' | 'workspace'> {
  readonly tree: TaskTree;
  /** What is fixed, as its prompt names it: the id of a task, `joined` or `review`. */
  readonly of: string;
  readonly tasks: readonly Task[];
  /** The tasks whose checks it has to pass; by default the same. */
  readonly checked?: readonly Task[];
  readonly problems: readonly string[];
  /** The commit from which the work began, and the one that is fixed. */
  readonly start: string;
  readonly commit: string;
  readonly message: string;
}

/** Has an agent fix some work. */
export function askToFix(job: Job, fix: Fix): ReturnType<typeof askForWork> {
  const { tree, of, tasks, checked = tasks, problems, start, commit, message, ...call } = fix;
  const { tools, trees, number } = job;
  return askForWork(job, {
    ...call,
    meaning: { of, commit, problems },
    workspace: tree.workspace({ ...call, parent: commit, message, isFix: true }),
    promptFor: async (agent) =>
      fixPrompt({
        ...promptBasics(tools, agent, number),
        of,
        tasks,
        problems,
        diff: await trees.diff(start, { commit }),
        commands: commandsOf(checked),
      }),
  });
}

/** A merge that git could not complete. */
interface Conflict extends Pick<WorkCall, 'call' | 'names' | 'folder'> {
  /** The name of the work tree in which it is resolved. */
  readonly name: string;
  readonly parents: readonly [into: string, commit: string];
  readonly files: readonly string[];
  /** The message of the merge commit. */
  readonly message: string;
  /** What is merged, as its prompt names it: the id of a task, or `apply`. */
  readonly of: string;
  /** The tasks whose work is merged in. */
  readonly works: readonly Task[];
  /** What is already there, one line each. */
  readonly before: readonly string[];
}

/**
 * Gives a conflict to an agent once, whose answer counts only if it changed each of the files. Returns the merge
 * commit; null if there is none.
 */
export async function resolveConflict(job: Job, conflict: Conflict): Promise<string | null> {
  const { tools, trees, number } = job;
  const { name, parents, files, message, of, works, before, ...call } = conflict;
  const [into, commit] = parents;
  const cwd = trees.path(name);
  let left: readonly string[] = [];
  const keep = async (text: string) => {
    const now = await statesOf(cwd, files);
    const isUntouched = now.some((state, at) => state === left[at]);
    if (isUntouched || (await hasMarks(cwd, files))) return summarizeWork(null, text);
    return summarizeWork(await trees.commit(name, { parents, message }), text);
  };
  const { work } = await askForWork(job, {
    ...call,
    meaning: { of, into, commit },
    workspace: {
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
        const copy = `${name}-before`;
        const { path } = await trees.make(copy, parents);
        left = await statesOf(path, files);
        await trees.reclaim([copy]);
        return await keep(text);
      },
    },
    promptFor: async (agent) =>
      conflictPrompt({ ...promptBasics(tools, agent, number), of, files, works, before }),
  });
  return work?.left === null ? work.commit : null;
}

/** The state of each path, in a form that differs if the content does. */
function statesOf(root: string, paths: readonly string[]): Promise<readonly string[]> {
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
