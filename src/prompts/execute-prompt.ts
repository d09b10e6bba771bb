// Writes the requests to an agent that works on, fixes or merges a task.
import type { ContextPackage } from '../model/context-package.ts';
import type { TaskOutcome } from '../model/execution.ts';
import type { PackagedProof } from '../model/proof.ts';
import type { Task } from '../model/task.ts';
import { oneLine } from '../model/wording.ts';
import { type ProjectWords, wordsData } from './context-text.ts';
import { withoutRun } from './plan-prompt.ts';
import {
  type PromptInput,
  type UserRequest,
  bullets,
  promptText,
  requestParts,
} from './request.ts';

interface WorkPrompt extends Omit<PromptInput, 'schema'> {
  /** Commands by which the agent can tell that it is done, as a person would type them. */
  readonly commands: readonly string[];
}

/** Asks an agent to do the work of a task. */
export function executePrompt(
  input: WorkPrompt &
    ProjectWords & {
      readonly work: Task;
      readonly request: UserRequest;
      readonly package: ContextPackage;
      /** The outcomes of the tasks that it depends on. */
      readonly earlier: readonly TaskOutcome[];
      /** The proofs of the task that are not in its work tree. */
      readonly elsewhere: readonly Pick<PackagedProof, 'id' | 'path' | 'content'>[];
    },
): string {
  const { work, earlier, elsewhere, commands, request } = input;
  const proofs = elsewhere.map(({ id, path, content }) => `${id}, ${path}:\n${content}`);
  const before = earlier.map(({ task, title, summary }) => `${task}, ${title}: ${summary}`);
  return promptText(
    { ...input, schema: null },
    {
      template: 'execute',
      phase: 'execute',
      kept: ['work'],
      head: { task: work.id, part: 'work' },
      own: { verify: verifyText(commands), proofs: (work.proves ?? []).join(', ') },
      request: requestParts(request),
      data: {
        decision: ['decision', decisionText(input.package)],
        work: ['task', taskText(work)],
        before: ['earlier tasks', bullets(before)],
        elsewhere: ['proofs', proofs.join('\n')],
        ...wordsData(input),
      },
    },
  );
}

/** Asks an agent to fix what is wrong with the work on some tasks. */
export function fixPrompt(
  input: WorkPrompt & {
    /** The id of the task, or `review` for all. */
    readonly of: string;
    readonly tasks: readonly Task[];
    readonly problems: readonly string[];
    readonly diff: string;
  },
): string {
  const { of: task, tasks, problems, diff, commands } = input;
  return promptText(
    { ...input, schema: null },
    {
      template: 'execute-fix',
      phase: 'execute',
      head: { task, part: 'fix' },
      own: { verify: verifyText(commands) },
      data: {
        problems: ['problems', bullets(problems)],
        diff: ['changes', diff],
        work: ['tasks', tasks.map(taskText).join('\n')],
      },
    },
  );
}

/** Asks for a merge that git could not do: between two tasks, or of a result with what is checked out. */
export function conflictPrompt(
  input: Omit<PromptInput, 'schema'> & {
    /** The id of the task, or `apply` for the result. */
    readonly of: string;
    readonly files: readonly string[];
    /** The tasks whose work is merged in. */
    readonly works: readonly Task[];
    /** Describes what is already there, one line each. */
    readonly before: readonly string[];
  },
): string {
  const { of: task, files, works, before } = input;
  return promptText(
    { ...input, schema: null },
    {
      template: 'execute-conflict',
      phase: 'execute',
      head: { task, part: 'conflict' },
      own: { occasion: task === 'apply' ? atHome : betweenTasks },
      data: {
        files: ['files', bullets(files)],
        work: ['tasks', works.map(taskText).join('\n')],
        before: ['before', bullets(before)],
      },
    },
  );
}

const betweenTasks = 'the work of two tasks of one approved plan is being merged';
const atHome =
  'the work on an approved plan is being merged into the branch of the user, who has added to it in the meantime';

function verifyText(commands: readonly string[]): string {
  return commands.length === 0
    ? 'Run whatever the project uses to show that it works, and fix what fails.'
    : `Run these, and fix what fails: ${commands.map((text) => `\`${text}\``).join(', ')}. They are run again when you have finished; the task is done only if they pass.`;
}

/** The decided solution in words, without its tasks. */
export function decisionText({
  solution,
  implementation_plan: plan,
  technical_concerns: concerns,
  consensus,
}: ContextPackage): string {
  return [
    `${solution.name}: ${solution.summary}`,
    plan.approach,
    ...(solution.pros ?? []).map((pro) => `For it: ${oneLine(pro)}`),
    ...(solution.cons ?? []).map((con) => `Against it: ${oneLine(con)}`),
    ...concerns.map((concern) => `Watch out for: ${oneLine(concern)}`),
    ...(consensus.resolved_conflicts === '' ? [] : [consensus.resolved_conflicts]),
  ].join('\n');
}

function taskText(task: Task): string {
  return JSON.stringify(withoutRun(task), null, 1);
}
