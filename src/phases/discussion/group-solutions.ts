import type { CheckedSolution } from './check-references.ts';
import { compareTexts } from './compare-texts.ts';
import {
  type Comparable,
  changesInCommon,
  createsApart,
  similarityIn,
  touchesApart,
} from './similarity.ts';

/** Solutions of different agents that mean the same. */
export type SolutionGroup = readonly CheckedSolution[];

/**
 * Groups like solutions of different agents; one agent’s solutions never meet in a group, as it
 * offered them as alternatives. The two most alike groups are joined, again and again, while the
 * mean similarity of their members reaches the threshold and no two of them plan apart what is
 * created. The result does not depend on the order of the solutions; groups and members are
 * sorted by agent and name.
 */
export function groupSolutions(solutions: readonly CheckedSolution[]): readonly SolutionGroup[] {
  const measure = { similarity: pairSimilarity(solutions), least: likeness(solutions.length) };
  return grouped({ solutions, joinable: [] }, measure);
}

/** More than half of what either of two solutions changes is then changed by both. */
const sameChanges = 0.6;

/**
 * The same for solutions of analysts. Their sentences come from templates, so what they change
 * says whether they mean the same. `joinable` groups are there from the start and stay apart from
 * each other.
 */
export function groupByChanges(input: Grouping): readonly SolutionGroup[] {
  return grouped(input, { similarity: similarChanges, least: sameChanges });
}

function similarChanges(a: CheckedSolution, b: CheckedSolution): number {
  return changesInCommon(comparable(a), comparable(b));
}

interface Grouping {
  readonly solutions: readonly CheckedSolution[];
  readonly joinable: readonly SolutionGroup[];
}

function grouped(
  { solutions, joinable }: Grouping,
  { similarity, least }: { readonly similarity: Similarity; readonly least: number },
): readonly SolutionGroup[] {
  const sorted = solutions.toSorted(byAgentAndName);
  const settled = new Set<CheckedSolution>(joinable.flat());
  let groups = [...joinable, ...sorted.map((solution) => [solution])];
  for (;;) {
    const pair = closestPair({ groups, settled, similarity, least });
    if (pair === null) break;
    const joined = [...pair[0], ...pair[1]].toSorted(byAgentAndName);
    groups = groups
      .map((group) => (group === pair[0] ? joined : group))
      .filter((g) => g !== pair[1]);
  }
  return groups.toSorted(([a], [b]) => (a && b ? byAgentAndName(a, b) : 0));
}

/**
 * The least similarity of solutions that mean the same, where `count` solutions are compared.
 * Set on the rounds in `grouping-scenarios.json` of the tests: like pairs had 0.23 and more,
 * others 0.18 and less. The fewer solutions there are, the less the weights can tell the words
 * of the idea from those of the task, so more is asked for: 0.25 of two, 0.22 of four.
 */
export function likeness(count: number): number {
  return 0.19 + 0.12 / Math.max(count, 2);
}

/** The same way can hardly be taken without one common file: then this much more is asked for. */
const apartFactor = 1.5;

/** A checked solution in the form that solutions are compared in. */
function comparable({ solution, files }: CheckedSolution): Comparable {
  return { ...solution, affected_files: files };
}

type Similarity = (a: CheckedSolution, b: CheckedSolution) => number;

function pairSimilarity(all: readonly CheckedSolution[]): Similarity {
  const forms = all.map(comparable);
  const alike = similarityIn(forms);
  const places = new Map(all.map((solution, place) => [solution, place]));
  const table = forms.map((a) =>
    forms.map((b) => (a === b ? 1 : alike(a, b) / (touchesApart(a, b) ? apartFactor : 1))),
  );
  return (a, b) => table[places.get(a) ?? -1]?.[places.get(b) ?? -1] ?? 0;
}

function closestPair(search: {
  readonly groups: readonly SolutionGroup[];
  readonly settled: ReadonlySet<CheckedSolution>;
  readonly similarity: Similarity;
  readonly least: number;
}): readonly [SolutionGroup, SolutionGroup] | null {
  const { groups, settled, similarity, least } = search;
  const isSettled = (group: SolutionGroup) => group.some((solution) => settled.has(solution));
  let best: readonly [SolutionGroup, SolutionGroup] | null = null;
  let bestMean = least;
  for (const [index, a] of groups.entries()) {
    for (const b of groups.slice(index + 1)) {
      if (shareAgent(a, b) || (isSettled(a) && isSettled(b)) || createApart(a, b)) continue;
      const mean = meanOf(a.flatMap((x) => b.map((y) => similarity(x, y))));
      if (mean < bestMean || (mean === bestMean && best !== null)) continue;
      best = [a, b];
      bestMean = mean;
    }
  }
  return best;
}

function shareAgent(a: SolutionGroup, b: SolutionGroup): boolean {
  return a.some(({ agent }) => b.some((other) => other.agent === agent));
}

function createApart(a: SolutionGroup, b: SolutionGroup): boolean {
  return a.some((x) => b.some((y) => createsApart(comparable(x), comparable(y))));
}

function meanOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b).reduce((sum, value) => sum + value, 0) / values.length;
}

function byAgentAndName(a: CheckedSolution, b: CheckedSolution): number {
  return compareTexts(sortKey(a), sortKey(b));
}

function sortKey({ agent, solution }: CheckedSolution): string {
  return JSON.stringify([agent, solution.name, solution.summary, solution.implementation_plan]);
}
