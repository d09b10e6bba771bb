// Finds the votes of an answer that name no solution: they are asked for again, and never guessed.
import type { Examination, Proposal } from '../../model/proposal.ts';
import { solutionNamed } from './support.ts';

interface Votes<T> {
  /** See `Question`. */
  faultsOf(answer: T): readonly string[];
  withoutUnclear(answer: T): T;
}

/** The recommendation of a proposal: one of its solutions, or none. */
export const recommendation: Votes<Proposal> = {
  faultsOf({ recommended, solutions }) {
    if (recommended === null || solutionNamed(recommended, solutions) !== null) return [];
    const names = solutions.map(({ name }) => JSON.stringify(name)).join(', ');
    return [
      `/recommended is ${JSON.stringify(recommended)}, which names none of its solutions: give one of ${names}, or null`,
    ];
  },
  withoutUnclear: (answer) => ({ ...answer, recommended: null }),
};

/** Stances, preference and adopted parts of an examination, by the labels that were shown. */
export function votesOn(labels: ReadonlyMap<string, string>): Votes<Examination> {
  const shown = [...labels.keys()].join(', ');
  const isShown = ({ solution }: { readonly solution: string }) => labels.has(solution);
  const faultAt = (pointer: string, label: string) =>
    `${pointer} is "${label}", a label that no solution has: they are ${shown}`;
  return {
    faultsOf({ stances, preferred, adopt = [] }) {
      if (stances.length === 0) return ['/stances is empty: take a stance on each solution'];
      const faults = (field: string, entries: readonly { readonly solution: string }[]) =>
        entries.flatMap((entry, at) =>
          isShown(entry) ? [] : [faultAt(`/${field}/${at}/solution`, entry.solution)],
        );
      const isKnown = preferred === null || labels.has(preferred);
      return [
        ...faults('stances', stances),
        ...(isKnown ? [] : [faultAt('/preferred', preferred)]),
        ...faults('adopt', adopt),
      ];
    },
    withoutUnclear: ({ stances, preferred, adopt, ...answer }) => ({
      ...answer,
      stances: stances.filter(isShown),
      preferred: preferred !== null && labels.has(preferred) ? preferred : null,
      ...(adopt === undefined ? {} : { adopt: adopt.filter(isShown) }),
    }),
  };
}
