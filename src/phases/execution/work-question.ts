// Makes the question of a call that changes files and whose work is kept as a commit.
import { z } from 'zod';
import type { AgentSession } from '../../agents/agent-session.ts';
import type { Permission } from '../../agents/permission.ts';
import type { Workspace } from '../../agents/agent.ts';
import type { SeatAnswer } from '../asking/ask-seat.ts';
import type { Question } from '../asking/question.ts';
import type { Job } from './execution-team.ts';

/** The result of a call that may change files: a commit and the agent’s words. */
export const FinishedWork = z.object({
  commit: z.string().nullable().describe('Null where what it did cannot be used.'),
  summary: z.string(),
  submodules: z
    .array(z.object({ path: z.string(), patch: z.string() }))
    .optional()
    .describe('Submodules that it changed, each with the file that keeps the changes.'),
});
export type FinishedWork = z.infer<typeof FinishedWork>;

/** Combines a commit with the start of the agent’s final text, as far as it is kept. */
export function summarizeWork(commit: string | null, text: string): FinishedWork {
  return { commit, summary: text.slice(0, 4_000) };
}

/** The reason why the work of a call cannot be brought home as it is; null if it can. */
export function whyLeft({
  value,
  wrote = [],
}: Pick<SeatAnswer<FinishedWork>, 'value' | 'wrote'>): string | null {
  if (wrote.length === 0) return submodulesText(value);
  return `it changed ${wrote.join(', ')} in your own work tree, although it works in one of its own`;
}

/** Says that work in submodules cannot be brought home, and where it is kept; null if there is none. */
function submodulesText({ submodules = [] }: Pick<FinishedWork, 'submodules'>): string | null {
  const [first] = submodules;
  if (first === undefined) return null;
  const kept = submodules.map(({ path, patch }) => `${path} in ${patch}`).join(', ');
  return `it changed files of a submodule, which belong to another repository and cannot be applied; they are kept as a patch (${kept}), for: git -C ${first.path} apply PATCH`;
}

interface WorkCall extends Pick<Question<FinishedWork>, 'call' | 'meaning' | 'promptFor'> {
  /** The start of the names of the folders for its files, relative to the session folder. */
  readonly folder: string;
  readonly workspace: Workspace<FinishedWork>;
  readonly permission?: Permission;
  /** The session that its agent may resume. */
  readonly session?: AgentSession | null;
}

/** Builds the question of an execution’s call, which may change the files of its workspace. */
export function workQuestion(
  { tools, number, request }: Job,
  call: WorkCall,
): Question<FinishedWork> {
  const { folder, workspace, permission = 'edit-and-shell', session = null, ...asked } = call;
  return {
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
    work: {
      workspace,
      permission,
      denied: ['git'],
      limits: { ...tools.limits, totalMs: tools.execution.settings.taskMs },
      session,
    },
  };
}
