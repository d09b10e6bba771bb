import { isDeepStrictEqual } from 'node:util';
import type { Solution, Synthesis } from '../../model/synthesis.ts';

/** Names of solutions, each list in the order of its round. */
export interface ChangedSolutions {
  readonly new_solutions: string[];
  readonly revised_solutions: string[];
  readonly dropped_solutions: string[];
}

/** What became of the solutions since the round before; in a first round nothing is new. */
export function changedSolutions(
  before: Pick<Synthesis, 'solutions'> | null,
  { solutions }: Pick<Synthesis, 'solutions'>,
): ChangedSolutions {
  if (before === null) return { new_solutions: [], revised_solutions: [], dropped_solutions: [] };
  const known = new Map(before.solutions.map((one) => [one.id, one]));
  const left = new Set(solutions.map(({ id }) => id));
  return {
    new_solutions: namesOf(solutions.filter(({ id }) => !known.has(id))),
    revised_solutions: namesOf(solutions.filter((one) => isRevised(known.get(one.id), one))),
    dropped_solutions: namesOf(before.solutions.filter(({ id }) => !left.has(id))),
  };
}

function isRevised(before: Solution | undefined, now: Solution): boolean {
  return (
    before !== undefined &&
    !(
      before.name === now.name &&
      before.summary === now.summary &&
      isDeepStrictEqual(before.implementation_plan, now.implementation_plan)
    )
  );
}

function namesOf(solutions: readonly Solution[]): string[] {
  return solutions.map(({ name }) => name);
}
