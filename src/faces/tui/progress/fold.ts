import type { Event } from '../../../model/event.ts';
import type { Progress } from './progress.ts';

/** What an event changes on the screens. Pure; the same for a live and a replayed event. */
export function foldEvent(progress: Progress, event: Event): Progress {
  switch (event.type) {
    case 'session.started':
    case 'session.resumed':
      return {
        ...progress,
        session: event.session,
        folder: event.folder,
        task: event.task,
        startedAt: Date.parse(event.at),
      };
    case 'phase.entered':
      return { ...progress, phase: event.phase };
    case 'session.finished': {
      const { end, message, plan, summary, approved } = event;
      return { ...progress, end: { end, message, plan, summary, approved } };
    }
    default:
      return progress;
  }
}
