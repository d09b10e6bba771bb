// Joins work by git, and gives a conflict to an agent once.
import { z } from 'zod';
import type { Workspace } from '../../agents/workspace.ts';
import { readPlainFile, textOf } from '../../git/disk.ts';
import type { TaskOutcome } from '../../model/execution.ts';
import type { steps } from '../../model/steps.ts';
import type { Task } from '../../model/task.ts';
import { conflictPrompt } from '../../prompts/execute.ts';
import { askSeat } from '../asking/ask-seat.ts';
import { promptBasics, recordStep } from '../tools.ts';
import type { Job } from './execution.ts';
import { type FinishedWork, summarizeWork, workQuestion } from './work-question.ts';

/** The work of one task on its way into that of others. */
interface Merging extends Job {
  readonly own: ReturnType<typeof steps.join>;
  /** Of the work tree in which it is done. */
  readonly name: string;
  readonly into: string;
  readonly commit: string;
  /** Its work comes in. */
  readonly task: Task;
  /** The agent that resolves a conflict, then who stands in, in order. */
  readonly executors: readonly string[];
  /** The tasks whose work is there already. */
  readonly there: readonly TaskOutcome[];
}

/** `commit` is null where there are conflicts that could not be resolved. */
const Merged = z.object({ commit: z.string().nullable(), conflicts: z.array(z.string()) });
type Merged = z.infer<typeof Merged>;

/** Merges by git; a conflict is given to an agent once. */
export async function mergeWork(merging: Merging): Promise<Merged> {
  const { tools, trees, own, name, into, commit, task, signal } = merging;
  const step = { tools, step: own.attempt, input: { into, commit }, shape: Merged, signal };
  const tried = await recordStep(step, async () => {
    const { head, conflicts } = await trees.make(name, [into, commit], messageFor(task));
    return { commit: conflicts.length === 0 ? head : null, conflicts: [...conflicts] };
  });
  if (tried.commit !== null) return tried;
  const { conflicts: files } = tried;
  const resolved = await resolveConflict(merging, files);
  const event = { type: 'merge.conflicted', task: task.id, files } as const;
  tools.emit({ ...event, resolved: resolved !== null });
  return { commit: resolved, conflicts: files };
}

async function resolveConflict(merging: Merging, files: readonly string[]): Promise<string | null> {
  const { tools, trees, own, name, into, commit, task, number, there, executors, signal } = merging;
  const cwd = trees.path(name);
  let parents: readonly string[] = [into, commit];
  const workspace: Workspace<FinishedWork> = {
    cwd,
    extraDirs: [],
    hidden: tools.hidden,
    async prepare() {
      ({ parents } = await trees.make(name, [into, commit]));
      return null;
    },
    async keep(text) {
      if (await hasMarks(cwd, files)) return summarizeWork(null, text);
      const made = { parents, message: messageFor(task) };
      return summarizeWork(await trees.commit(name, made), text);
    },
  };
  const question = workQuestion(merging, {
    call: own.conflict,
    folder: `execution/${number}/${task.id}/conflict`,
    meaning: { task: task.id, into, commit },
    workspace,
    promptFor: async (agent) =>
      conflictPrompt({ ...promptBasics(tools, agent, number), files, work: task, there }),
  });
  const { answer } = await askSeat({ tools, question, names: executors, signal });
  return answer?.value.commit ?? null;
}

function messageFor({ id, title }: Task): string {
  return `Merge ${id}: ${title}`;
}

/** True where a file still has the marks that git leaves at a conflict. */
async function hasMarks(root: string, files: readonly string[]): Promise<boolean> {
  const texts = await Promise.all(files.map((path) => readPlainFile(root, path)));
  return texts.some((content) => /^(?:<{7} |>{7} )/m.test((content && textOf(content)) ?? ''));
}
