import { type Draft, hasModel } from './draft.ts';
import { groupByChanges, groupSolutions, likeness } from './group-solutions.ts';
import { joinDrafts } from './join-drafts.ts';
import { similarityIn } from './similarity.ts';

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
