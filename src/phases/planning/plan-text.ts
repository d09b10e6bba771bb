// Writes `plan.md`, and the commands that can follow.
import { type Block, code, list, prose, section } from '../../model/document.ts';
import type { ExecutionResult } from '../../model/execution.ts';
import { applyCommand } from '../../model/execution-summary.ts';
import type { Task } from '../../model/task.ts';
import { sha256Of } from '../../store/digest.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import { markdownOf } from '../documents/markdown.ts';
import { type ToldPlan, planDocument, taskSection } from '../documents/plan-document.ts';
import { handOverText } from './hand-over.ts';

/** Writes `plan.md`: the whole plan for people, in the order in which they decide about it. */
export function planMarkdown({
  folder,
  ...told
}: ToldPlan & { readonly folder: Pick<SessionFolder, 'id' | 'relative'> }): string {
  const { title, blocks } = planDocument(told);
  const { result = null } = told;
  const next = result === null ? nextSteps(folder) : stepsAfter(result, folder.id);
  const text = `# ${markdownOf([prose(title)])}\n\n${markdownOf([...blocks, next])}\n`;
  return `${text}\n<!-- ${sha256Of(text)} -->\n`;
}

/** True for a `plan.md` that somebody edited: its last line has the digest of what was written. */
export function isEditedText(file: string): boolean {
  const [, text = '', digest] = /^([^]*)\n<!-- (\w+) -->\s*$/.exec(file) ?? [];
  return digest !== sha256Of(text);
}

/** Writes one task of `plan.md`. */
export function taskMarkdown(task: Task): string {
  return markdownOf([taskSection(task)]);
}

const generated = 'This file is generated: edits here change nothing.';

function nextSteps({ id, relative }: Pick<SessionFolder, 'id' | 'relative'>): Block | null {
  return section('next', 'What you can do now', [
    code(
      `conclave review ${id}              # read it, edit it, comment on it, approve it
conclave validate ${id}            # check the files after you edited them
conclave execute ${id}             # carry the approved plan out, in work trees of its own`,
      'sh',
    ),
    prose(
      'Or hand the approved plan to your coding agent yourself, in the root of the repository:',
      'by-hand',
    ),
    code(handOverText(relative)),
    prose(
      `An edit of plan.json or of a file in .task/ after the approval makes the approval stale. ${generated}`,
      'stale',
    ),
  ]);
}

function stepsAfter(result: ExecutionResult, session: string): Block | null {
  const steps = nextCommands(result, session);
  if (steps.length === 0) return prose(generated);
  return section('next', 'What you can do now', [
    list(steps.map(({ command, about }) => [{ code: command }, `: ${about}`])),
    prose(generated),
  ]);
}

/** Lists the commands that can follow an execution, each with what it does; none of them would refuse. */
export function nextCommands(
  result: Pick<
    ExecutionResult,
    'status' | 'branch' | 'applied' | 'broken' | 'reviewed_by' | 'objections'
  > &
    Partial<Pick<ExecutionResult, 'tasks'>>,
  session: string,
): readonly { readonly command: string; readonly about: string }[] {
  const { status, branch, applied, broken, reviewed_by: reviewer, objections = [] } = result;
  const failed = (result.tasks ?? []).filter((task) => task.status === 'failed');
  const execute = `conclave execute ${session}`;
  const apply = applyCommand(result, { session });
  const isRefused = objections.length > 0;
  const about = isRefused ? 'apply it against the code review' : 'apply the result to your files';
  const isOpen = branch !== null && applied === null;
  const again =
    (status !== 'completed' || broken !== undefined) && failed.length === 0
      ? 'go on with what is open'
      : isRefused && reviewer === undefined
        ? 'ask for the review again'
        : null;
  return [
    ...(apply === null ? [] : [{ command: apply, about }]),
    ...failed.map(({ task }) => ({
      command: `${execute} --retry ${task}`,
      about: 'have the failed task done again',
    })),
    ...(again === null ? [] : [{ command: execute, about: again }]),
    ...(isOpen
      ? [{ command: `${execute} --discard`, about: 'remove the branch, and start over' }]
      : []),
  ];
}
