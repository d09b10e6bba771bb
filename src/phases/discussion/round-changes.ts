// Finds what a round changed: new insights, and new, revised and dropped solutions.
import { isFound } from '../../model/found-evidence.ts';
import type { HeldStance, Solution, Synthesis } from '../../model/synthesis.ts';
import type { Candidate } from './candidate.ts';

/**
 * True where a round brought something that another round could build on: a new or revised solution,
 * a reference that holds and was not there before, a stance that changed, or another solution that
 * an agent would now build. A first opposition is a change, as its author has not answered it; a
 * first support or doubt without evidence leaves nothing to answer.
 */
export function bringsInsight(before: readonly Candidate[], after: readonly Candidate[]): boolean {
  const known = new Set(before.flatMap(soundPlaces));
  return (
    wasRevised(before, after) ||
    after.flatMap(soundPlaces).some((place) => !known.has(place)) ||
    after.some((candidate) => hasMoved(sameIn(before, candidate), candidate))
  );
}

/** True where a solution is new, or touches other files or has other tasks than before. */
export function wasRevised(before: readonly Candidate[], after: readonly Candidate[]): boolean {
  return after.some((candidate) => {
    const known = sameIn(before, candidate);
    return known === undefined || contentOf(known) !== contentOf(candidate);
  });
}

function sameIn<T extends { readonly id: string | null }>(
  solutions: readonly T[],
  { id }: { readonly id: string | null },
): T | undefined {
  return id === null ? undefined : solutions.find((one) => one.id === id);
}

function contentOf({
  affected_files: files,
  implementation_plan: plan,
}: Pick<Solution, 'affected_files' | 'implementation_plan'>): string {
  const touched = files.filter(({ status }) => status !== 'failed').map(({ file }) => file);
  const tasks = plan.tasks.map(({ name, key_point }) => [name, key_point]);
  return JSON.stringify([[...new Set(touched)].toSorted(), tasks]);
}

function soundPlaces({ claims, stances }: Candidate): readonly string[] {
  return [...claims, ...stances.flatMap(({ evidence }) => evidence)]
    .filter(isFound)
    .map(({ path, found_line }) => `${path}:${found_line}`);
}

function hasMoved(before: Candidate | undefined, after: Candidate): boolean {
  const known = new Map(before?.stances.map(({ agent, stance }) => [agent, stance]));
  const isNew = ({ agent, stance }: HeldStance) =>
    (known.get(agent) ?? (stance === 'oppose' ? null : stance)) !== stance;
  return (
    after.stances.some(isNew) ||
    after.preferred_by.some((agent) => before?.preferred_by.includes(agent) !== true)
  );
}

/** Names of solutions, each list in the order of its round. */
export interface ChangedSolutions {
  readonly new_solutions: string[];
  readonly revised_solutions: string[];
  readonly dropped_solutions: string[];
}

/** Names the solutions that changed since the round before; in a first round nothing is new. */
export function findChangedSolutions(
  before: Pick<Synthesis, 'solutions'> | null,
  { solutions }: Pick<Synthesis, 'solutions'>,
): ChangedSolutions {
  const earlier = before?.solutions ?? solutions;
  const isRevised = (now: Solution) => {
    const known = sameIn(earlier, now);
    return known !== undefined && contentOf(known) !== contentOf(now);
  };
  return {
    new_solutions: namesOf(solutions.filter((one) => sameIn(earlier, one) === undefined)),
    revised_solutions: namesOf(solutions.filter(isRevised)),
    dropped_solutions: namesOf(earlier.filter((one) => sameIn(solutions, one) === undefined)),
  };
}

function namesOf(solutions: readonly Solution[]): string[] {
  return solutions.map(({ name }) => name);
}
