import type { Event } from '../../../model/event.ts';
import { counted } from '../../../model/wording.ts';
import { duration } from '../../short-forms.ts';
import type { Tone } from '../theme.ts';
import type { Note } from './progress.ts';

/** Of a session that warns without end, the last ones are enough. */
const most = 500;

/** What of an event a person should not miss, in one line; null for most events. */
export function noteOf(event: Event): readonly [text: string, tone: Tone] | null {
  switch (event.type) {
    case 'agent.failed': {
      const { agent, duration_ms, category, reason } = event;
      return [`✗ ${agent} failed after ${duration(duration_ms)} (${category}): ${reason}`, 'bad'];
    }
    case 'agent.retried':
      return [
        `… ${event.agent} tries again in ${duration(event.delay_ms)}: ${event.reason}`,
        'warn',
      ];
    case 'agent.replaced':
      return [`→ ${event.agent} takes the seat of ${event.instead_of}`, 'warn'];
    case 'tree.changed':
      return changedTree(event);
    case 'context.fell':
      return [`! ${event.provider} could not search: ${event.reason}`, 'warn'];
    case 'context.gathered':
      return event.reason === null ? null : [`! degraded search: ${event.reason}`, 'warn'];
    case 'context.reranked':
      return event.note === null ? null : [`! files keep their order: ${event.note}`, 'quiet'];
    case 'question.asked':
      return [`? the agents asked ${counted(event.questions.length, 'question')}`, 'plain'];
    case 'decision.made':
      return [`• decided: ${event.decision}`, 'plain'];
    case 'plan.revised':
      return [`• version ${event.version} of the plan`, 'plain'];
    case 'plan.approved':
      return ['• the plan was approved', 'plain'];
    case 'plan.left':
      return [`! the plan was not approved: ${event.why}`, 'warn'];
    case 'warning.raised':
      return [`! ${event.text}`, 'warn'];
    case 'session.started':
    case 'session.resumed':
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
    case 'step.finished':
      return null;
  }
}

export function withNote(notes: readonly Note[], note: Note): readonly Note[] {
  return [...notes, note].slice(-most);
}

function changedTree({
  files,
  agent,
}: Extract<Event, { type: 'tree.changed' }>): readonly [string, Tone] {
  const names =
    files.length <= 3
      ? files.join(', ')
      : `${files.slice(0, 3).join(', ')} and ${files.length - 3} more`;
  return agent === null
    ? [`! ${names} changed while agents ran; nobody is proven to have done it`, 'warn']
    : [`✗ ${agent} changed ${names} although planning is read-only`, 'bad'];
}
