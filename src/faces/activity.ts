import type { AgentEvent } from '../model/event.ts';
import { shortened } from './short-forms.ts';

/** What an agent does now, in a few words; null where the event says nothing of it. */
export function activityOf(event: AgentEvent): string | null {
  switch (event.kind) {
    case 'thinking':
      return 'thinking';
    case 'message':
      return 'writing its answer';
    case 'tool-call':
      return `using ${event.name}`;
    case 'file-read':
      return `reading ${event.path}`;
    case 'file-change':
      return `changing ${event.path}`;
    case 'command':
      return `running ${shortened(event.command, 60)}`;
    case 'retrying':
      return `retrying: ${shortened(event.reason, 60)}`;
    case 'started':
    case 'usage':
    case 'warning':
    case 'error':
    case 'completed':
    case 'unknown':
      return null;
  }
}

/** Why an agent is asked once more, as the name of the step tells; null for its first try. */
export function whyAgain(step: string): string | null {
  if (step.endsWith('-repair')) return 'its answer was not valid';
  if (step.endsWith('-retry')) return 'the first try failed';
  return step.includes('/mend-plan/') ? 'the plan check found problems' : null;
}
