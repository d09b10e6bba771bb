// Says in plain words what became of a session.
import { phases } from '../model/phase.ts';
import type { SessionState } from '../model/session.ts';

/** Describes the state of a session: `waiting for you: review`, `interrupted in round 2`, `applied`. */
export function sessionStateText(state: SessionState): string {
  const { status, plan_rejected: rejected, applied } = state;
  switch (status) {
    case 'done':
      return rejected === null ? resultText(state) : 'rejected';
    case 'waiting':
      return rejected === null ? waitingText(state) : 'rejected';
    case 'failed':
      return applied === null ? `${status} ${placeOf(state)}` : 'applied despite faults';
    case 'running':
    case 'interrupted':
    case 'cancelled':
      return `${status} ${placeOf(state)}`;
  }
}

function resultText({ applied, artifacts }: SessionState): string {
  if (applied !== null) return 'applied';
  if (artifacts.includes('execution-result.json')) return 'executed';
  return artifacts.includes('approval.json') ? 'approved' : 'done';
}

function waitingText(state: SessionState): string {
  const isDraft = state.is_draft && state.phase === 'plan-review';
  return isDraft ? 'draft, waiting for you' : `waiting for you: ${labelOf(state)}`;
}

function placeOf(state: SessionState): string {
  const { phase, current_round: finished, open_round: begun } = state;
  if (phase !== 'discussion') return `in ${labelOf(state)}`;
  return begun <= finished && finished > 0 ? `after round ${finished}` : `in round ${begun || 1}`;
}

function labelOf({ phase }: SessionState): string {
  return phases.find(({ name }) => name === phase)?.label ?? phase;
}

/** Says who decided: `by you`. */
export function byText(by: string): string {
  return `by ${deciders[by] ?? by}`;
}

const deciders: Readonly<Record<string, string>> = {
  user: 'you',
  flags: 'your flags',
  auto: '--auto-yes',
};
