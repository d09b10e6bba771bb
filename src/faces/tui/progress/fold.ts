import type { Event, EventOf } from '../../../model/event.ts';
import type { Phase } from '../../../model/phase.ts';
import { linesOf, settingLines } from '../../event-lines.ts';
import { marks, type Tone } from '../theme.ts';
import {
  untouched,
  stoppedTasks,
  withCheck,
  withExecution,
  withTask,
  withTaskRun,
} from './execution.ts';
import {
  groupOf,
  stoppedPanes,
  withBegunTask,
  withReplacement,
  withRun,
  withSeats,
} from './panes.ts';
import type { Note, Progress } from './progress.ts';

/** What an event changes on the screens. Pure; the same for a live and a replayed event. */
export function foldEvent(progress: Progress, event: Event): Progress {
  const next = folded(progress, event);
  const notes = notesOf(event, 'step' in event ? groupOf(event.step) : next.group);
  return notes.length === 0
    ? next
    : { ...next, notes: [...next.notes, ...notes].slice(-mostNotes) };
}

/** Of a session that warns without end, the last ones are enough. */
const mostNotes = 500;

function folded(progress: Progress, event: Event): Progress {
  switch (event.type) {
    case 'session.started':
    case 'session.resumed': {
      const { session, task, budget } = event;
      return { ...progress, session, task, budget, startedAt: Date.parse(event.at) };
    }
    case 'phase.entered': {
      const { phase } = event;
      return { ...progress, phase, group: keepAgents.has(phase) ? progress.group : null };
    }
    case 'context.gathered':
      return { ...progress, context: event };
    case 'context.reranked': {
      const { context } = progress;
      return { ...progress, context: context && { ...context, files: event.files } };
    }
    case 'round.started': {
      const others = progress.rounds.filter(({ opened }) => opened.round !== event.round);
      const rounds = [...others, { opened: event, result: null }];
      return withSeats({ ...progress, rounds }, event);
    }
    case 'round.finished': {
      const rounds = progress.rounds.map((one) =>
        one.opened.round === event.round ? { ...one, result: event } : one,
      );
      return { ...progress, rounds };
    }
    case 'agent.started':
    case 'agent.answered':
      return withRun(withTaskRun(progress, event), event);
    case 'agent.acted':
    case 'agent.failed':
    case 'agent.retried':
      return withRun(progress, event);
    case 'agent.replaced':
      return withReplacement(progress, event);
    case 'plan.written':
      return { ...progress, plan: event, planCheck: null };
    case 'plan.checked':
      return { ...progress, planCheck: event };
    case 'plan.approved':
      return { ...progress, isApprovedNow: !event.replayed };
    case 'execution.started':
      return withExecution(progress, event);
    case 'task.started': {
      const { task, executor } = event;
      const next = withBegunTask(progress, event);
      return withTask(next, task, { ...untouched, executor, state: 'running' });
    }
    case 'check.ran':
      return withCheck(progress, event);
    case 'task.changed':
      return withTask(progress, event.task, { diff: event.diff });
    case 'task.finished':
      return withTask(progress, event.task, { state: event.status, why: event.why });
    case 'task.blocked':
      return withTask(progress, event.task, { state: 'blocked', why: `it needs ${event.by}` });
    case 'review.finished':
      return { ...progress, review: event };
    case 'session.finished':
      return { ...stoppedTasks(progress), panes: stoppedPanes(progress.panes), end: event };
    case 'context.fell':
    case 'tree.changed':
    case 'question.asked':
    case 'question.answered':
    case 'options.presented':
    case 'decision.made':
    case 'plan.revised':
    case 'plan.edited':
    case 'plan.left':
    case 'merge.conflicted':
    case 'execution.finished':
    case 'warning.raised':
    case 'step.finished':
      return progress;
  }
}

/** Where the agents that were asked before stay on the screen. */
const keepAgents: ReadonlySet<Phase> = new Set([
  'discussion',
  'options',
  'decision',
  'plan-review',
]);

/** What of an event a person should not miss, in the words of the plain lines. */
function notesOf(event: Event, group: string | null): readonly Note[] {
  const tone = toneOf(event);
  if (tone === null) return [];
  const lines = event.type === 'session.resumed' ? settingLines(event) : linesOf(event);
  return lines
    .filter(([label]) => label !== '')
    .map(([label, text]) => {
      const subject = label.startsWith(' ') ? label.trim() : `${label}:`;
      return { group, tone, text: `${markOf(tone)} ${subject} ${text}` };
    });
}

function markOf(tone: Tone): string {
  if (tone === 'bad') return marks.failed;
  return tone === 'warn' ? marks.warning : marks.bullet;
}

/** How the notes about an event look; null where it makes none. */
function toneOf(event: Event): Tone | null {
  if (event.type === 'task.finished') return toneOfTask(event);
  if (event.type === 'tree.changed' && event.agent !== null) return 'bad';
  if (event.type === 'context.gathered' && event.reason === null) return null;
  if (event.type === 'context.reranked' && event.note === null) return null;
  if (event.type === 'review.finished' && event.blocking === 0) return 'plain';
  // The pane says so; among the notes it would hide what matters more.
  if (event.type === 'agent.failed' && event.category === 'not-installed') return 'quiet';
  return tones[event.type] ?? null;
}

const tones: Readonly<Partial<Record<Event['type'], Tone>>> = {
  'agent.failed': 'bad',
  'agent.retried': 'warn',
  'agent.replaced': 'warn',
  'context.fell': 'warn',
  'context.gathered': 'warn',
  'context.reranked': 'quiet',
  'tree.changed': 'warn',
  'warning.raised': 'warn',
  'plan.left': 'warn',
  'task.blocked': 'warn',
  'merge.conflicted': 'warn',
  'review.finished': 'warn',
  'session.resumed': 'plain',
  'question.asked': 'plain',
  'decision.made': 'plain',
  'plan.revised': 'plain',
  'plan.approved': 'plain',
  'execution.finished': 'plain',
};

function toneOfTask({ status, out_of_scope: outside }: EventOf<'task.finished'>): Tone | null {
  if (status === 'failed') return 'bad';
  return status === 'completed' && outside.length === 0 ? null : 'warn';
}
