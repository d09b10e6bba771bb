// Computes the medians of what the authors of a solution estimate, and how sound its references are.
import type { Level } from '../../model/ids.ts';
import type { Estimate, Solution } from '../../model/synthesis.ts';

/** A solution before its values, rank and label are known. */
export interface Candidate extends Omit<
  Solution,
  'id' | 'label' | 'rank_score' | 'feasibility' | 'effort' | 'risk' | 'preferred_by'
> {
  /** Null until it is kept in a synthesis. */
  readonly id: string | null;
  readonly estimates: Estimate[];
  readonly preferred_by: string[];
}

/** A solution of the round before as a candidate to go on with. */
export function candidateFrom(solution: Solution): Candidate {
  const { preferred_by = [], estimates = [] } = solution;
  return { ...solution, preferred_by, estimates };
}

/**
 * The part of the references that checked out, from 0 to 1: `1 - failed / all`. Fewer than ten count as
 * ten, so that one slip in a short list is no disaster; more than forty as forty, so that a long
 * list of safe references does not hide the false ones.
 */
export function soundness(references: readonly Pick<Estimate, 'sound' | 'failed'>[]): number {
  const failed = sum(references.map((reference) => reference.failed));
  const all = failed + sum(references.map((reference) => reference.sound));
  return Math.max(0, 1 - failed / Math.min(40, Math.max(10, all)));
}

/**
 * The values of a solution: the medians of what its authors estimate. Of an even number the mean
 * of the middle two counts; between two levels it is rounded up, to the cautious side. The
 * feasibility is then multiplied by the soundness of all authors’ references.
 */
export function jointEstimate(estimates: readonly Estimate[]): {
  readonly feasibility: number;
  readonly effort: Level;
  readonly risk: Level;
} {
  const feasibility = median(estimates.map((estimate) => estimate.feasibility));
  return {
    feasibility: roundValue(feasibility * soundness(estimates)),
    effort: medianLevel(estimates.map(({ effort }) => effort)),
    risk: medianLevel(estimates.map(({ risk }) => risk)),
  };
}

/** To three digits: what a reader sees is what was compared. */
export function roundValue(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Of no values it is 0. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1] ?? 0, sorted[Math.floor(middle)] ?? 0];
  return (low + high) / 2;
}

const levels: readonly Level[] = ['low', 'medium', 'high'];

function medianLevel(values: readonly Level[]): Level {
  const places = values.map((level) => levels.indexOf(level));
  return levels[Math.ceil(median(places))] ?? 'medium';
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
