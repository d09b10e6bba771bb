// Makes the badges of documents: how a task ended, how grave a finding is.
import type { Badge, Tone } from '../../model/document.ts';
import type { CodeReview } from '../../model/execution.ts';

/** A word after its mark. */
export const badge = (tone: Tone, mark: string, text: string): Badge => ({
  badge: text,
  mark,
  tone,
});

/** How a task ended, what it does now, or what is planned of it. */
export const taskBadges = {
  completed: badge('good', '✓', 'completed'),
  unproven: badge('warn', '!', 'unproven'),
  failed: badge('bad', '✗', 'failed'),
  blocked: badge('warn', '○', 'blocked'),
  in_progress: badge('accent', '●', 'not finished'),
  active: badge('accent', '●', 'not finished'),
  skipped: badge('quiet', '○', 'skipped'),
  pending: badge('quiet', '○', 'planned'),
  waiting: badge('quiet', '○', 'waiting'),
  running: badge('accent', '●', 'running'),
  checking: badge('accent', '●', 'checking'),
} as const;

export type Severity = CodeReview['findings'][number]['severity'] | 'warning';

/** How grave a finding is; `text` is shown in place of that word. */
export function severityBadge(severity: Severity, text: string = severity): Badge {
  if (severity === 'blocking') return badge('bad', '✗', text);
  return severity === 'minor' ? badge('quiet', '•', text) : badge('warn', '!', text);
}
