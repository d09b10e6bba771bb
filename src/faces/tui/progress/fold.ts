import type { Event, EventOf } from '../../../model/event.ts';
import type { Phase } from '../../../model/phase.ts';
import { counted } from '../../../model/wording.ts';
import { reviewText } from '../../execution-lines.ts';
import { executedText } from '../../execution-words.ts';
import { duration } from '../../short-forms.ts';
import type { Tone } from '../theme.ts';
import { stoppedTasks, withExecution, withTaskRun } from './execution.ts';
import { groupOf, stoppedPanes, withChecks, withReplacement, withRun, withSeats } from './panes.ts';
import type { Note, Progress } from './progress.ts';

/** What an event changes on the screens. Pure; the same for a live and a replayed event. */
export function foldEvent(progress: Progress, event: Event): Progress {
  const next = folded(progress, event);
  const note = event.type === 'agent.acted' ? null : noteOf(event);
  if (note === null) return next;
  const [text, tone] = note;
  const group = 'step' in event ? groupOf(event.step) : next.group;
  return { ...next, notes: withNote(next.notes, { group, text, tone }) };
}

function folded(progress: Progress, event: Event): Progress {
  switch (event.type) {
    case 'session.started':
    case 'session.resumed': {
      const { session, task, budget } = event;
      return { ...progress, session, task, budget, startedAt: Date.parse(event.at) };
    }
    case 'phase.entered':
      return entered(progress, event);
    case 'context.gathered': {
      const { provider, files, reason } = event;
      return { ...progress, context: { provider, files, reason, rankedBy: null } };
    }
    case 'context.reranked':
      return reranked(progress, event);
    case 'round.started':
      return startedRound(progress, event);
    case 'round.finished':
      return finishedRound(progress, event);
    case 'agent.started':
    case 'agent.answered':
      return withRun(withTaskRun(progress, event), event);
    case 'agent.acted':
    case 'agent.failed':
    case 'agent.retried':
      return withRun(progress, event);
    case 'agent.replaced':
      return withReplacement(progress, event);
    case 'plan.written': {
      const { titles, source } = event;
      return { ...progress, plan: { titles, source, findings: null, blocking: 0 } };
    }
    case 'plan.checked': {
      const { findings, blocking } = event;
      return progress.plan === null
        ? progress
        : { ...progress, plan: { ...progress.plan, findings, blocking } };
    }
    case 'plan.approved':
      return { ...progress, isApprovedNow: !event.replayed };
    case 'session.finished':
      return { ...stoppedTasks(progress), panes: stoppedPanes(progress.panes), end: event };
    case 'task.started':
    case 'check.ran':
      return withChecks(withExecution(progress, event), event);
    case 'task.finished': {
      const panes = stoppedPanes(progress.panes, event.task);
      return withExecution({ ...progress, panes }, event);
    }
    case 'execution.started':
    case 'task.changed':
    case 'task.blocked':
    case 'merge.conflicted':
    case 'execution.finished':
    case 'review.finished':
      return withExecution(progress, event);
    case 'context.fell':
    case 'tree.changed':
    case 'question.asked':
    case 'question.answered':
    case 'options.presented':
    case 'decision.made':
    case 'plan.revised':
    case 'plan.edited':
    case 'plan.left':
    case 'warning.raised':
    case 'step.finished':
      return progress;
  }
}

function entered(progress: Progress, { phase }: EventOf<'phase.entered'>): Progress {
  return { ...progress, phase, group: keepAgents.has(phase) ? progress.group : null };
}

/** Where the agents that were asked before stay on the screen. */
const keepAgents: ReadonlySet<Phase> = new Set([
  'discussion',
  'options',
  'decision',
  'plan-review',
]);

function reranked(progress: Progress, event: EventOf<'context.reranked'>): Progress {
  const { context } = progress;
  if (context === null || event.note !== null) return progress;
  return { ...progress, context: { ...context, files: event.files, rankedBy: event.agent } };
}

function startedRound(progress: Progress, opened: EventOf<'round.started'>): Progress {
  const others = progress.rounds.filter((one) => one.opened.round !== opened.round);
  const rounds = [...others, { opened, result: null }];
  return withSeats({ ...progress, rounds }, `round-${opened.round}`, opened.seats);
}

function finishedRound(progress: Progress, result: EventOf<'round.finished'>): Progress {
  const rounds = progress.rounds.map((one) =>
    one.opened.round === result.round ? { ...one, result } : one,
  );
  return { ...progress, rounds };
}

/** Of a session that warns without end, the last ones are enough. */
const most = 500;

/** What of an event a person should not miss, in one line; null for most events. */
function noteOf(event: Event): readonly [text: string, tone: Tone] | null {
  switch (event.type) {
    case 'agent.failed': {
      const { agent, duration_ms, category, reason } = event;
      // The pane says so; among the notes it would hide what matters more.
      const tone = category === 'not-installed' ? 'quiet' : 'bad';
      return [`✗ ${agent} failed after ${duration(duration_ms)} (${category}): ${reason}`, tone];
    }
    case 'agent.retried':
      return [
        `… ${event.agent} tries again in ${duration(event.delay_ms)}: ${event.reason}`,
        'warn',
      ];
    case 'agent.replaced':
      return [`→ ${event.agent} replaces ${event.instead_of}`, 'warn'];
    case 'tree.changed':
      return changedTree(event);
    case 'context.fell':
      return [`! ${event.provider} could not search: ${event.reason}`, 'warn'];
    case 'context.gathered':
      return event.reason === null ? null : [`! degraded search: ${event.reason}`, 'warn'];
    case 'context.reranked':
      return event.note === null
        ? null
        : [`! the order of the files stays: ${event.note}`, 'quiet'];
    case 'question.asked':
      return [`? the agents asked ${counted(event.questions.length, 'question')}`, 'plain'];
    case 'decision.made':
      return [`• decided: ${event.decision}`, 'plain'];
    case 'plan.revised':
      return [`• version ${event.version} of the plan is written`, 'plain'];
    case 'plan.approved':
      return ['• the plan was approved', 'plain'];
    case 'plan.left':
      return [`! the plan was not approved: ${event.why}`, 'warn'];
    case 'warning.raised':
      return [`! ${event.text}`, 'warn'];
    case 'session.resumed':
      return keptSettings(event);
    case 'task.finished':
      return finishedTask(event);
    case 'task.blocked':
      return [`! ${event.task} is blocked: it needs ${event.by}`, 'warn'];
    case 'merge.conflicted': {
      const end = event.resolved ? 'resolved by its agent' : 'not resolved';
      return [`! ${event.task} has a conflict in ${event.files.join(', ')}: ${end}`, 'warn'];
    }
    case 'execution.finished':
      return [`• ${executedText(event)}`, 'plain'];
    case 'review.finished':
      return [`• code review: ${reviewText(event)}`, event.blocking > 0 ? 'warn' : 'plain'];
    case 'session.started':
    case 'session.finished':
    case 'phase.entered':
    case 'round.started':
    case 'round.finished':
    case 'agent.started':
    case 'agent.acted':
    case 'agent.answered':
    case 'question.answered':
    case 'options.presented':
    case 'plan.written':
    case 'plan.checked':
    case 'plan.edited':
    case 'execution.started':
    case 'task.started':
    case 'check.ran':
    case 'task.changed':
    case 'step.finished':
      return null;
  }
}

function finishedTask({ task, status, why, out_of_scope: outside }: EventOf<'task.finished'>) {
  const more = outside.length === 0 ? '' : `; it changed ${outside.join(', ')}, too`;
  if (status === 'completed') {
    return outside.length === 0 ? null : ([`! ${task} is completed${more}`, 'warn'] as const);
  }
  const tone = status === 'failed' ? 'bad' : 'warn';
  const mark = status === 'failed' ? '✗' : '!';
  return [`${mark} ${task} is ${status}: ${why}${more}`, tone] as const;
}

function keptSettings({
  kept,
  changed,
}: EventOf<'session.resumed'>): readonly [string, Tone] | null {
  const parts = [
    ...(kept.length === 0 ? [] : [`settings as at its start: ${kept.join(' ')}`]),
    ...(changed.length === 0 ? [] : [`changed from the next round on: ${changed.join(' ')}`]),
  ];
  return parts.length === 0 ? null : [`• ${parts.join('; ')}`, 'plain'];
}

function withNote(notes: readonly Note[], note: Note): readonly Note[] {
  return [...notes, note].slice(-most);
}

function changedTree({ files, agent }: EventOf<'tree.changed'>): readonly [string, Tone] {
  const names =
    files.length <= 3
      ? files.join(', ')
      : `${files.slice(0, 3).join(', ')} and ${files.length - 3} more`;
  return agent === null
    ? [`! ${names} changed while agents ran; it is not known who did it`, 'warn']
    : [`✗ ${agent} changed ${names} although planning is read-only`, 'bad'];
}
