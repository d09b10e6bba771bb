import type { EventOf } from '../model/event.ts';
import type { executionEvents } from '../model/execution-event.ts';
import { counted } from '../model/wording.ts';
import { checkText, executedText } from './execution-words.ts';
import { shortened } from './short-forms.ts';

/** A line of a headless run. Left out where there is no text. */
export type Line = readonly [label: string, text: string | null];

/** What an execution tells, as a view gets it. */
export type ExecutionEvent = EventOf<(typeof executionEvents)[number]['shape']['type']['value']>;

/** What a headless run tells of an execution. */
export function executionLines(event: ExecutionEvent): readonly Line[] {
  switch (event.type) {
    case 'execution.started':
      return startLines(event);
    case 'task.started':
      return [[`  ${event.task}`, `given to ${event.executor}`]];
    case 'check.ran':
      return [checkLine(event), ...failedLines(event)];
    case 'task.finished':
      return [[`  ${event.task}`, taskEndText(event)], ...scopeLines(event)];
    case 'task.blocked':
      return [[`  ${event.task}`, `blocked: it needs ${event.by}`]];
    case 'merge.conflicted': {
      const end = event.resolved ? 'resolved by the agent' : 'not resolved';
      return [[`  ${event.task}`, `conflict in ${event.files.join(', ')}: ${end}`]];
    }
    case 'execution.finished':
      return [['execution', `${executedText(event)}${whereText(event)}`]];
    case 'review.finished':
      return [['code review', reviewText(event)], ...more(event.findings, 200)];
    case 'task.changed':
      return [];
  }
}

/** What follows below a line. */
export function more(texts: readonly string[], most = Infinity): readonly Line[] {
  return texts.map((text) => ['', shortened(text, most)]);
}

function startLines({ number, tasks, jobs }: EventOf<'execution.started'>): readonly Line[] {
  const attempt = number === 1 ? '' : `, execution ${number}`;
  const each = tasks.map(
    ({ id, title, executor }) => `${id} ${shortened(title, 70)} (${executor})`,
  );
  return [
    ['execution', `${counted(tasks.length, 'task')}, ${jobs} at a time${attempt}`],
    ...more(each),
  ];
}

function checkLine(event: EventOf<'check.ran'>): Line {
  const { task, note } = event;
  const why = note === '' ? '' : `: ${shortened(note, 160)}`;
  return [`  ${task}`, `${shortened(checkText(event), 160)}${why}`];
}

/** What a check printed that fails after the work. */
function failedLines({ when, output = '' }: EventOf<'check.ran'>): readonly Line[] {
  return when === 'before' || output === '' ? [] : more(output.split('\n'), 160);
}

function taskEndText({ status, why, commit, files }: EventOf<'task.finished'>): string {
  const what = files.length === 0 ? '' : `, ${counted(files.length, 'file')} changed`;
  const at = commit === null ? '' : `, commit ${commit.slice(0, 10)}`;
  return `${status}${what}${at}${why === '' ? '' : `: ${shortened(why, 240)}`}`;
}

function scopeLines({ out_of_scope: outside }: EventOf<'task.finished'>): readonly Line[] {
  return outside.length === 0 ? [] : [['', `it also changed ${outside.join(', ')}`]];
}

function whereText({ branch }: EventOf<'execution.finished'>): string {
  return branch === null ? '' : `; the result is on branch ${branch}`;
}

/** What a code review came to. */
export function reviewText({ reviewer, blocking, findings }: EventOf<'review.finished'>): string {
  const found = findings.length === 0 ? 'nothing found' : counted(findings.length, 'finding');
  return `${found} by ${reviewer}${blocking === 0 ? '' : `, ${blocking} blocking`}`;
}
