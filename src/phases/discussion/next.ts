import type { Synthesis } from '../../model/synthesis.ts';
import { z } from 'zod';

/** Where the discussion goes after a round. */
export const NextMove = z.enum([
  'converged',
  'another-round',
  'ask-user',
  'best-options',
  'not-converged',
]);
export type NextMove = z.infer<typeof NextMove>;

/**
 * The loop ends on convergence, on the last round, or when a round brought nothing new. Without
 * convergence the best options are shown, unless the user asked to stop then.
 */
export function nextMove(after: {
  readonly synthesis: Synthesis;
  readonly maxRounds: number;
  readonly requireConvergence: boolean;
  /** Models that may speak again; built-in analysts have no second round. */
  readonly models: number;
}): NextMove {
  const { synthesis, maxRounds, requireConvergence, models } = after;
  const { recommendation, new_insights } = synthesis.convergence;
  if (recommendation === 'converged') return 'converged';
  const end = requireConvergence ? 'not-converged' : 'best-options';
  if (synthesis.round >= maxRounds || models === 0) return end;
  if (recommendation === 'user_input_needed') return 'ask-user';
  return new_insights || synthesis.round === 1 ? 'another-round' : end;
}
