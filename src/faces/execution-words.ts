// Puts into words who may execute and review a plan, and the outcome.
import type { EventOf } from '../model/event.ts';
import type { CodeReview, ExecutionResult } from '../model/execution.ts';
import { homeChangeText, statusText } from '../model/execution-summary.ts';
import { counted, duration } from '../model/wording.ts';
import { shorten } from './short-forms.ts';

/**
 * The result of a check, e.g. `✓ npm test, after the work (3.1 s)`; the time is left out below five
 * seconds.
 */
export function checkText({ when, check, passed, ms }: EventOf<'check.ran'>): string {
  const mark = passed === null ? '·' : passed ? '✓' : '✗';
  const took = passed === null ? ' (not run)' : ms < 5_000 ? '' : ` (${duration(ms)})`;
  return `${mark} ${check}, ${momentTexts[when]}${took}`;
}

const momentTexts: Readonly<Record<EventOf<'check.ran'>['when'], string>> = {
  before: 'before the work',
  after: 'after the work',
  all: 'with everything that was changed',
  again: 'on the start once more',
  joined: 'on the joined result',
};

/** Says in which files the work of a task conflicted with that of others, and who resolved it. */
export function conflictFact({
  task,
  files,
  resolved = false,
}: ExecutionResult['conflicts'][number]): string {
  const by = resolved ? '; an agent resolved it' : '';
  return `${task} conflicted in ${files.join(', ')}${by}`;
}

/** What speaks against applying a result, except what its review says itself. */
export function troublesIn(
  result: Pick<ExecutionResult, 'reviewed_by' | 'broken' | 'objections'>,
): readonly string[] {
  const { reviewed_by: by, broken, objections = [] } = result;
  return [...(broken === undefined ? [] : [broken]), ...(by === undefined ? objections : [])];
}

/** Says that a review caused a round of fixes, or followed one. */
export function fixNote({ again = false }: Pick<CodeReview, 'again'>): string {
  return again
    ? 'The findings were fixed and reviewed again; this is the second review.'
    : 'The findings were fixed since, and nobody reviewed the fixes; these are from before that.';
}

/** A mark for a finding whose reference failed; empty if the reference holds. */
export function doubtOf({ reference }: Pick<Finding, 'reference'>): string {
  return reference === 'failed' ? '(not found there, so it blocks nothing)' : '';
}

type Finding = CodeReview['findings'][number];

/** The findings of a review, blocking ones first. */
export function worstFirst({ findings }: CodeReview): readonly Finding[] {
  const order: readonly Finding['severity'][] = ['blocking', 'major', 'minor'];
  return order.flatMap((severity) => findings.filter((one) => one.severity === severity));
}

/** The place of a finding: `src/a.ts:12`, or only the file. */
export function locationOf({ file, line }: Pick<Finding, 'file' | 'line'>): string {
  return line === null ? file : `${file}:${line}`;
}

/** Says which of the user’s files changed while an agent worked, and who changed them. */
export function treeChangeText({ agent, files, beside }: EventOf<'tree.changed'>): string {
  if (beside !== undefined)
    return homeChangeText({ files: [...files], beside, proven: agent !== null });
  const unknown = 'an unknown program, while agents ran';
  return `${files.join(', ')}, by ${agent === null ? unknown : `${agent}, although it may only read`}`;
}

/** Says in one line how a task ended. */
export function taskEndText(event: EventOf<'task.finished'>): string {
  const { why, commit, files, out_of_scope: outside, note = '' } = event;
  return [
    statusText(event),
    files.length === 0 ? '' : `, ${counted(files.length, 'file')} changed`,
    commit === null ? '' : `, commit ${commit.slice(0, 10)}`,
    why === '' ? '' : `: ${shorten(why, 240)}`,
    note === '' ? '' : `: ${shorten(note, 240)}`,
    outside.length === 0 ? '' : `; it also changed ${outside.join(', ')}`,
  ].join('');
}
