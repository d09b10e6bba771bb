import type { ContextPackage } from '../model/context-package.ts';
import type { Task } from '../model/task.ts';
import { oneLine } from '../model/wording.ts';
import {
  type PromptInput,
  type UserRequest,
  bullets,
  promptText,
  requestParts,
} from './question.ts';

type Prompt = Omit<PromptInput, 'schema'>;

interface TaskPrompt extends Prompt {
  readonly work: Task;
  /** What the agent can run to see that it is done, as a person would type it. */
  readonly commands: readonly string[];
}

/** The question to the agent that carries out a task. */
export function executePrompt(
  question: TaskPrompt & {
    readonly request: UserRequest;
    readonly package: ContextPackage;
    /** What the tasks that it depends on did. */
    readonly before: readonly {
      readonly id: string;
      readonly title: string;
      readonly summary: string;
    }[];
    /** See `conventionsText`. */
    readonly conventions: string;
  },
): string {
  const { work, before, conventions, commands } = question;
  return promptText(
    { ...question, schema: null },
    {
      template: 'execute',
      phase: 'execute',
      head: { task: question.work.id, part: 'work' },
      own: { verify: verifyText(commands) },
      request: requestParts(question.request),
      data: {
        decision: ['decision', decisionText(question.package)],
        work: ['task', taskText(work)],
        before: [
          'earlier tasks',
          bullets(before.map((one) => `${one.id}, ${one.title}: ${one.summary}`)),
        ],
        conventions: ['conventions', conventions],
      },
      cuttable: ['before', 'conventions', 'decision', 'feedback', 'constraints', 'task'],
    },
  );
}

/** Asks for a task that is not done to be put right. */
export function fixPrompt(
  question: TaskPrompt & { readonly problems: readonly string[]; readonly diff: string },
): string {
  const { work, problems, diff, commands } = question;
  return promptText(
    { ...question, schema: null },
    {
      template: 'execute-fix',
      phase: 'execute',
      head: { task: question.work.id, part: 'fix' },
      own: { verify: verifyText(commands) },
      data: {
        problems: ['problems', bullets(problems)],
        diff: ['changes', diff],
        work: ['task', taskText(work)],
      },
      cuttable: ['diff', 'problems'],
    },
  );
}

/** Asks for what blocks in a code review of all tasks to be put right. */
export function reviewFixPrompt(
  question: Prompt & {
    readonly tasks: readonly Task[];
    readonly commands: readonly string[];
    readonly problems: readonly string[];
    readonly diff: string;
  },
): string {
  const { tasks, problems, diff, commands } = question;
  return promptText(
    { ...question, schema: null },
    {
      template: 'execute-fix',
      phase: 'execute',
      head: { task: 'review', part: 'fix' },
      own: { verify: verifyText(commands) },
      data: {
        problems: ['problems', bullets(problems)],
        diff: ['changes', diff],
        work: ['tasks', tasks.map(taskText).join('\n')],
      },
      cuttable: ['diff', 'work', 'problems'],
    },
  );
}

/** Asks for a merge that git could not do. */
export function conflictPrompt(
  question: Prompt & {
    readonly files: readonly string[];
    readonly work: Task;
    readonly before: readonly { readonly id: string; readonly title: string }[];
  },
): string {
  const { files, work, before } = question;
  return promptText(
    { ...question, schema: null },
    {
      template: 'execute-conflict',
      phase: 'execute',
      head: { task: question.work.id, part: 'conflict' },
      data: {
        files: ['files', bullets(files)],
        work: ['task', taskText(work)],
        before: ['tasks', bullets(before.map(({ id, title }) => `${id}, ${title}`))],
      },
      cuttable: ['before'],
    },
  );
}

function verifyText(commands: readonly string[]): string {
  return commands.length === 0
    ? 'Run what shows that it works, as the project does it, and put right what fails.'
    : `Run these, and put right what fails: ${commands.map((text) => `\`${text}\``).join(', ')}. They are run again when you have ended; the task is done only if they pass.`;
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
    ...concerns.map((concern) => `To be watched: ${oneLine(concern)}`),
    ...(consensus.resolved_conflicts === '' ? [] : [consensus.resolved_conflicts]),
  ].join('\n');
}

const notForAgents = new Set([
  'status',
  'executed_at',
  'result',
  'source',
  'meta',
  'cli_execution',
  'context_package_path',
]);

/** The task file without what an execution or another tool writes into it. */
function taskText(task: Task): string {
  const kept = Object.entries(task).filter(([name]) => !notForAgents.has(name));
  return JSON.stringify(Object.fromEntries(kept), null, 1);
}
