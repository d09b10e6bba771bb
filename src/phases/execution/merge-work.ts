import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { readPlainFile, textOf } from '../../git/disk.ts';
import type { Task } from '../../model/task.ts';
import { conflictPrompt } from '../../prompts/execute.ts';
import { askSeat } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import { promptLimit, recorded } from '../tools.ts';
import type { Job } from './execution.ts';

/** The work of one task on its way into that of others. */
export interface Merging extends Job {
  /** Starts the keys of its steps, e.g. `execution-1/TASK-003/merge`. */
  readonly group: string;
  /** Of the work tree in which it is done. */
  readonly name: string;
  readonly into: string;
  readonly commit: string;
  /** Whose work comes in, and who resolves a conflict. */
  readonly task: Task;
  readonly executor: string;
  readonly backups: readonly string[];
  /** The tasks whose work is there already. */
  readonly there: readonly { readonly id: string; readonly title: string }[];
}

export interface Merged {
  /** Null where the conflict could not be resolved. */
  readonly commit: string | null;
  readonly conflicts: readonly string[];
}

const Tried = z.object({ commit: z.string().nullable(), conflicts: z.array(z.string()) });

/** Merges by git; a conflict is given to an agent once. */
export async function mergeWork(merging: Merging): Promise<Merged> {
  const { tools, trees, group, name, into, commit, task, signal } = merging;
  const step = { tools, group, name: 'try', input: { into, commit }, shape: Tried, signal };
  const tried = await recorded(step, async () => {
    const made = await trees.make(name, [into, commit], messageFor(task));
    return {
      commit: made.conflicts.length === 0 ? made.head : null,
      conflicts: [...made.conflicts],
    };
  });
  if (tried.commit !== null) return tried;
  const resolved = await resolveConflict(merging, tried.conflicts);
  const told = { type: 'merge.conflicted', task: task.id, files: tried.conflicts } as const;
  tools.emit({ ...told, resolved: resolved !== null });
  return { commit: resolved, conflicts: tried.conflicts };
}

const Resolved = z.object({ commit: z.string().nullable(), summary: z.string() });
type Resolved = z.infer<typeof Resolved>;

async function resolveConflict(merging: Merging, files: readonly string[]): Promise<string | null> {
  const { tools, executor, backups, signal } = merging;
  const question = conflictQuestion(merging, files);
  const taken = new Set([executor]);
  const { answer } = await askSeat({
    tools,
    question,
    seat: executor,
    chain: backups,
    taken,
    signal,
  });
  return answer?.value.commit ?? null;
}

function conflictQuestion(merging: Merging, files: readonly string[]): Question<Resolved> {
  const { tools, trees, group, name, into, commit, task, number, request, there } = merging;
  const cwd = trees.path(name);
  let parents: readonly string[] = [into, commit];
  return {
    group,
    name: 'conflict',
    phase: 'execute',
    round: number,
    folderFor: (agent) => `execution/${number}/${task.id}/conflict-${agent}`,
    meaning: { task: task.id, into, commit },
    task: request.task,
    context: null,
    constraints: request.constraints,
    schema: null,
    shape: Resolved,
    expected: {},
    summaryOf: ({ summary }) => summary,
    promptFor: async (agent) =>
      conflictPrompt({
        session: tools.folder.id,
        round: number,
        nonce: randomBytes(8).toString('hex'),
        maxBytes: promptLimit(tools, agent),
        files,
        work: task,
        before: there,
      }),
    work: {
      cwd,
      permission: 'edit-and-shell',
      denied: ['git'],
      limits: { ...tools.limits, totalMs: tools.execution.settings.taskMs },
      async begin() {
        ({ parents } = await trees.make(name, [into, commit]));
        return null;
      },
      async keep(text) {
        const summary = text.slice(0, 4_000);
        if (await hasMarks(cwd, files)) return { commit: null, summary };
        const message = messageFor(task);
        return { commit: await trees.commit(name, { parents, message }), summary };
      },
    },
  };
}

function messageFor({ id, title }: Task): string {
  return `Merge ${id}: ${title}`;
}

/** Whether a file still has the marks that git leaves at a conflict. */
async function hasMarks(root: string, files: readonly string[]): Promise<boolean> {
  const texts = await Promise.all(files.map((path) => readPlainFile(root, path)));
  return texts.some((content) => /^(?:<{7} |>{7} )/m.test((content && textOf(content)) ?? ''));
}
