// Puts into words who may execute and review a plan, and the outcome.
import type { EventOf } from '../model/event.ts';
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
