import type { CheckedClaim, HeldStance } from '../../model/synthesis.ts';
import type { CheckedSolution } from './check-references.ts';

/** Who answered in a round: what the agreement is counted by. */
export interface Voice {
  readonly agent: string;
  readonly kind: 'model' | 'analyst';
  /** Provider of the model that answered; null if unknown, and for analysts. */
  readonly vendor: string | null;
}

/** One agent’s position on a solution, named by its label of the round before. */
interface CheckedStance {
  readonly label: string;
  readonly stance: HeldStance['stance'];
  readonly reasons: readonly string[];
  readonly evidence: readonly CheckedClaim[];
}

/** What one agent answered in a round, with every reference checked. */
export interface RoundAnswer extends Voice {
  /** In round 1 its solutions, later its revision if it has one. */
  readonly checked: readonly CheckedSolution[];
  readonly stances: readonly CheckedStance[];
  /** Questions to the user. */
  readonly questions: readonly string[];
  readonly searchTerms: readonly string[];
}
