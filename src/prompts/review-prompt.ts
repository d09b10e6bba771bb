// Writes the request for a code review, with the diff file by file and without secrets.
import { checksAfter, checksBefore } from '../model/execution-summary.ts';
import type { ContextPackage } from '../model/context-package.ts';
import type { CheckRun } from '../model/check-record.ts';
import type { TaskOutcome } from '../model/execution.ts';
import { redactFile } from '../model/secrets.ts';
import type { Task } from '../model/task.ts';
import { oneLine } from '../model/wording.ts';
import { decisionText } from './execute-prompt.ts';
import { type PromptInput, type UserRequest, promptText, requestParts } from './request.ts';
import { withinBytes } from './render.ts';

export interface ReviewRequest extends PromptInput {
  readonly request: UserRequest;
  readonly package: ContextPackage;
  readonly tasks: readonly Task[];
  readonly outcomes: readonly TaskOutcome[];
  /** The changes of all tasks together, in git’s own form. */
  readonly diff: string;
}

/** The request for a review of what an execution changed. */
export function reviewPrompt(input: ReviewRequest): string {
  const { request, tasks, outcomes, diff } = input;
  const ended = new Map(outcomes.map((outcome) => [outcome.task, outcome]));
  return promptText(input, {
    template: 'review',
    phase: 'code-review',
    request: requestParts(request),
    data: {
      decision: ['decision', decisionText(input.package)],
      tasks: ['tasks', tasks.map((task) => taskText(task, ended.get(task.id))).join('\n\n')],
      diff: ['diff', withinBytes(shortestFirst(diff), longestDiff)],
    },
  });
}

/** The longest diff, in bytes: the rest is better read in the files. */
const longestDiff = 240_000;

/** Sorts a diff by file length, so that a cut at the end removes the longest. */
function shortestFirst(diff: string): string {
  const texts = diffByFile(diff).map(({ text }) => text);
  return texts.toSorted((a, b) => a.length - b.length).join('\n');
}

interface FileDiff {
  readonly path: string;
  readonly text: string;
}

/** The parts of a diff by file, under the new name of the file, without secrets. */
export function diffByFile(diff: string): readonly FileDiff[] {
  return diff
    .split(/^(?=diff --git )/m)
    .filter((text) => text.startsWith('diff --git '))
    .map((text) => {
      const path = /^diff --git "?a\/.* "?b\/(.*?)"?$/m.exec(text)?.[1] ?? '';
      return { path, text: withoutSecrets(path, text.trimEnd()) };
    });
}

/** Redacts the lines without their leading signs, which would hide what is looked for. */
function withoutSecrets(path: string, diff: string): string {
  const lines = diff.split('\n');
  const bare = redactFile(path, lines.map((line) => line.slice(1)).join('\n'));
  return bare
    .split('\n')
    .map((line, index) => `${lines[index]?.charAt(0) ?? ''}${line}`)
    .join('\n');
}

function taskText(task: Task, outcome: TaskOutcome | undefined): string {
  const { id, title, description, convergence, files = [] } = task;
  const { status, why = '', checks = [], out_of_scope: outside = [] } = outcome ?? {};
  const failedBefore = new Set(
    checksBefore(checks)
      .filter(({ passed }) => passed === false)
      .map(nameOf),
  );
  return [
    `${id}: ${title}`,
    description,
    `Files: ${files.map(({ path }) => path).join(', ') || '(not named)'}`,
    ...convergence.criteria.map((text, index) => `Criterion ${index}: ${oneLine(text)}`),
    `It ended ${status ?? 'unknown'}${why === '' ? '' : `: ${oneLine(why)}`}`,
    ...checksAfter(checks).map((run) => checkLine(run, failedBefore.has(nameOf(run)))),
    ...(outside.length === 0 ? [] : [`It also changed ${outside.join(', ')}`]),
  ].join('\n');
}

function nameOf({ kind, check }: CheckRun): string {
  return `${kind} ${check}`;
}

function checkLine({ check, criterion, passed, note }: CheckRun, failedBefore: boolean): string {
  const end = passed === null ? 'was not run' : passed ? 'passed' : 'failed';
  const earlier = failedBefore ? ', and failed before the work' : '';
  const proves = criterion === null ? '' : ` (for criterion ${criterion})`;
  return `Check${proves}: ${oneLine(check)} ${end}${earlier}${note === '' ? '' : `: ${oneLine(note)}`}`;
}
