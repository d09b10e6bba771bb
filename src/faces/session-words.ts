// Says in plain words what became of a session.
import { phases } from '../model/phase.ts';
import type { SessionState } from '../model/session.ts';

/** As in `waiting for you: review`, `interrupted after round 1`, `approved`. */
export function sessionStateText(state: SessionState): string {
  const { status, plan_rejected: rejected } = state;
  switch (status) {
    case 'done':
      return rejected === null ? resultText(state) : 'rejected';
    case 'waiting':
      return rejected === null ? `waiting for you: ${labelOf(state)}` : 'rejected';
    case 'running':
    case 'interrupted':
    case 'failed':
    case 'cancelled':
      return `${status} ${placeOf(state)}`;
  }
}

function resultText({ artifacts }: SessionState): string {
  if (artifacts.includes('execution-result.json')) return 'executed';
  return artifacts.includes('approval.json') ? 'approved' : 'done';
}

/** The state counts finished rounds; it does not say that the next one has begun. */
function placeOf(state: SessionState): string {
  const { phase, current_round: finished } = state;
  if (phase !== 'discussion') return `in ${labelOf(state)}`;
  return finished === 0 ? 'in round 1' : `after round ${finished}`;
}

function labelOf({ phase }: SessionState): string {
  return phases.find(({ name }) => name === phase)?.label ?? phase;
}
