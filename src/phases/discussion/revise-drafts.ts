import { compareTexts } from '../../model/wording.ts';
import { type Draft, hasModel } from './draft.ts';
import { joinDrafts } from './join-drafts.ts';
import { changesInCommon, codeInCommon, similarityIn } from './similarity.ts';

/** The author itself calls it a revision, so half the usual likeness is enough. */
const ownFactor = 0.5;

/**
 * Puts the revisions of a round in the place of what they revise. A revision belongs to the one
 * of its author’s own solutions that it is most like, else to another one that it is like; such a
 * solution keeps its id and stances. It replaces what its author said before, while co-authors’
 * text, files and claims stay. A revision like none of them is a new solution.
 */
export function reviseDrafts(
  previous: readonly Draft[],
  revisions: readonly Draft[],
): readonly Draft[] {
  const similarity = similarityIn([...previous, ...revisions]);
  const least = likeness(previous.length + revisions.length);
  const byTarget = Map.groupBy(revisions, (revision) =>
    targetOf({ revision, previous, similarity, least }),
  );
  return [
    ...previous.map((draft) => revised(draft, byTarget.get(draft) ?? [])),
    ...newDrafts(byTarget.get(null) ?? []),
  ];
}

/** Joins like solutions that were not there before. */
export function newDrafts(drafts: readonly Draft[]): readonly Draft[] {
  const ofModels = drafts.filter(hasModel);
  // What nobody recommends comes second and analysts come last, so that neither can change which
  // models are found to agree.
  const recommended = groupSolutions(ofModels.filter(isRecommended));
  const others = ofModels.filter((draft) => !isRecommended(draft));
  const joinable = groupSolutions(others, recommended);
  const solutions = drafts.filter((draft) => !hasModel(draft));
  return groupByChanges({ solutions, joinable }).map((group) => joinDrafts({ drafts: group }));
}

function isRecommended({ preferred_by: by }: Draft): boolean {
  return by.length > 0;
}

function targetOf(search: {
  readonly revision: Draft;
  readonly previous: readonly Draft[];
  readonly similarity: (a: Draft, b: Draft) => number;
  readonly least: number;
}): Draft | null {
  const { revision, previous, similarity, least } = search;
  const [author = ''] = revision.source_cli;
  const mostAlike = (candidates: readonly Draft[], threshold: number) => {
    const rated = candidates.map((draft) => ({ draft, value: similarity(draft, revision) }));
    const best = rated.toSorted((a, b) => b.value - a.value)[0];
    return best !== undefined && best.value >= threshold ? best.draft : null;
  };
  const own = previous.filter(({ source_cli: authors }) => authors.includes(author));
  const others = previous.filter((candidate) => !own.includes(candidate));
  return mostAlike(own, least * ownFactor) ?? mostAlike(others, least);
}

function revised(draft: Draft, revisions: readonly Draft[]): Draft {
  if (revisions.length === 0) return draft;
  const authors = new Set(revisions.flatMap((revision) => revision.source_cli));
  const rest = without(draft, authors);
  if (rest !== null) return joinDrafts({ first: revisions, drafts: [rest] });
  const { id, stances } = draft;
  return { ...joinDrafts({ drafts: revisions }), id, stances };
}

/** What stays of a solution when some authors take back what they said; null if nothing does. */
function without(draft: Draft, authors: ReadonlySet<string>): Draft | null {
  const estimates = draft.estimates.filter(({ agent }) => !authors.has(agent));
  if (estimates.length === 0) return null;
  const claims = draft.claims.filter(({ agent }) => !authors.has(agent));
  const failedClaims = claims.filter(({ status }) => status === 'failed').length;
  const failed = estimates.reduce((sum, estimate) => sum + estimate.failed, 0);
  // A task file does not say whose it is: a failed one stays only while a remaining author has one.
  const files = draft.affected_files.filter(
    ({ status }) => status !== 'failed' || failed > failedClaims,
  );
  const source_cli = draft.source_cli.filter((agent) => !authors.has(agent));
  return { ...draft, source_cli, estimates, claims, affected_files: files };
}

/** Solutions of different agents that mean the same. */
export type SolutionGroup = readonly Draft[];

/**
 * Groups like solutions of different agents; one agent’s solutions never meet in a group, as it
 * offered them as alternatives. The two most alike groups are joined, again and again, while the
 * mean similarity of their members reaches the threshold. The result does not depend on the order
 * of the solutions; groups and members are sorted by agent and name. `joinable` groups are there
 * from the start and stay apart from each other.
 */
export function groupSolutions(
  solutions: readonly Draft[],
  joinable: readonly SolutionGroup[] = [],
): readonly SolutionGroup[] {
  const all = [...joinable.flat(), ...solutions];
  const inWords = similarityIn(all);
  // One that changes a module more is another solution, however alike the words are.
  const similarity = (a: Draft, b: Draft) => (codeInCommon(a, b) < sameChanges ? 0 : inWords(a, b));
  return grouped({ solutions, joinable }, { similarity, least: likeness(all.length) });
}

/** More than half of what either of two solutions changes is then changed by both. */
const sameChanges = 0.6;

/**
 * The same for solutions of analysts. Their sentences come from templates, so what they change
 * says whether they mean the same.
 */
export function groupByChanges(input: Grouping): readonly SolutionGroup[] {
  return grouped(input, { similarity: changesInCommon, least: sameChanges });
}

/**
 * The least similarity of solutions that mean the same, where `count` solutions are compared.
 * Set on the rounds in `grouping-scenarios.json` of the tests: like pairs had 0.23 and more,
 * others 0.18 and less. The fewer solutions there are, the less the weights can tell the words
 * of the idea from those of the task, so more is asked for: 0.25 of two, 0.22 of four.
 */
function likeness(count: number): number {
  return 0.19 + 0.12 / Math.max(count, 2);
}

interface Grouping {
  readonly solutions: readonly Draft[];
  readonly joinable: readonly SolutionGroup[];
}

interface Measure {
  readonly similarity: (a: Draft, b: Draft) => number;
  readonly least: number;
}

function grouped({ solutions, joinable }: Grouping, measure: Measure): readonly SolutionGroup[] {
  const sorted = solutions.toSorted(byAuthorAndName);
  const apart = new Set(joinable.flat());
  let groups = [...joinable, ...sorted.map((solution) => [solution])];
  for (;;) {
    const pair = closestPair(groups, apart, measure);
    if (pair === null) break;
    const joined = [...pair[0], ...pair[1]].toSorted(byAuthorAndName);
    groups = groups
      .map((group) => (group === pair[0] ? joined : group))
      .filter((group) => group !== pair[1]);
  }
  return groups.toSorted(([a], [b]) => (a && b ? byAuthorAndName(a, b) : 0));
}

function closestPair(
  groups: readonly SolutionGroup[],
  apart: ReadonlySet<Draft>,
  { similarity, least }: Measure,
): readonly [SolutionGroup, SolutionGroup] | null {
  const staysApart = (group: SolutionGroup) => group.some((solution) => apart.has(solution));
  let best: readonly [SolutionGroup, SolutionGroup] | null = null;
  let bestMean = least;
  for (const [index, a] of groups.entries()) {
    for (const b of groups.slice(index + 1)) {
      if (shareAuthor(a, b) || (staysApart(a) && staysApart(b))) continue;
      const mean = meanOf(a.flatMap((x) => b.map((y) => similarity(x, y))));
      if (mean < bestMean || (mean === bestMean && best !== null)) continue;
      best = [a, b];
      bestMean = mean;
    }
  }
  return best;
}

function shareAuthor(a: SolutionGroup, b: SolutionGroup): boolean {
  const authors = new Set(a.flatMap(({ source_cli }) => source_cli));
  return b.some(({ source_cli }) => source_cli.some((author) => authors.has(author)));
}

// Sorted, because sums of fractions depend on their order in the last digit.
function meanOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b).reduce((sum, value) => sum + value, 0) / values.length;
}

function byAuthorAndName(a: Draft, b: Draft): number {
  return compareTexts(sortKey(a), sortKey(b));
}

function sortKey({ source_cli, name, summary, implementation_plan }: Draft): string {
  return JSON.stringify([source_cli, name, summary, implementation_plan]);
}
