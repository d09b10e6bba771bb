// Tells how a session ended, and what can be done next.
import { type Badge, type Block, facts, list, prose } from '../model/document.ts';
import type { EventOf } from '../model/event.ts';
import { critiqueBlocks } from '../phases/documents/critique-document.ts';
import { badge } from '../phases/documents/badges.ts';
import { amountText, readablePlanFile, timeText } from './short-forms.ts';

type Ending = EventOf<'session.finished'>;

/** The end of a session: its last event, and what came before it. */
export interface ToldEnd {
  readonly end: Ending;
  readonly critique: EventOf<'plan.judged'> | null;
  readonly review: EventOf<'review.finished'> | null;
  /** The executed tasks, each with its state; null if nothing was executed. */
  readonly tasks: readonly { id: string; title: string; badge: Badge }[] | null;
}

/** Tells the end, what became of each task, where the files are, and the next commands. */
export function endBlocks(told: ToldEnd): readonly (Block | null)[] {
  const { end, critique, tasks } = told;
  const done = tasks?.map(({ id, title, badge: state }) => [state, `, ${id}: ${title}`]);
  return [
    prose([endBadge(told)]),
    prose(end.summary ?? ''),
    list(done ?? end.titles),
    ...(critique === null || end.plan !== null ? [] : critiqueBlocks(critique)),
    endFacts(told),
  ];
}

/** The files of the session, what it used, and the next commands. */
export function endFacts({ end, review }: Pick<ToldEnd, 'end' | 'review'>): Block | null {
  const { plan, spent, by_hand: byHand = null, session } = end;
  return facts([
    ['Plan', plan && [{ path: readablePlanFile(plan), line: null }]],
    ['Review', review && [{ path: review.file, line: null }]],
    ['Session', session],
    ['Spent', amountText(spent)],
    ['Time', timeText(spent)],
    ['Next', nextCommand(end)],
    ['By hand', byHand],
  ]);
}

function endBadge({ end: { end, approved, plan, message }, critique, tasks }: ToldEnd): Badge {
  if (end === 'failed') return badge('bad', '✗', message);
  const isSound = critique?.verdict === 'sound' && plan === null;
  const isWhole = approved && (tasks ?? []).every(({ badge: { tone } }) => tone === 'good');
  return end === 'done' && (isSound || isWhole)
    ? badge('good', '✓', message)
    : badge('warn', '!', message);
}

/** The next command, unless the message already names one. */
export function nextCommand(ended: Ending): string | null {
  const { end, plan, message, next, approved, session, program = 'conclave' } = ended;
  // A person who has just approved a plan is not sent back to it.
  if (approved || next !== null) return next;
  const isReviewed = plan !== null && (end === 'done' || end === 'failed');
  const isOver = end === 'done' && !isReviewed;
  if (isOver || new RegExp(` [a-z]+ ${session}`).test(message)) return null;
  return `${program} ${isReviewed ? 'review' : 'resume'} ${session}`;
}
