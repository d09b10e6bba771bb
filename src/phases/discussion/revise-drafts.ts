import type { CheckedSolution } from './check-references.ts';
import { type Draft, draftOf } from './draft.ts';
import { groupByChanges, groupSolutions, likeness } from './group-solutions.ts';
import { joinDrafts } from './join-drafts.ts';
import { type Comparable, similarityIn } from './similarity.ts';
import type { Voice } from './answers.ts';

export interface Revision extends Pick<Voice, 'kind'> {
  readonly checked: CheckedSolution;
}

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
  revisions: readonly Revision[],
): readonly Draft[] {
  const drafted = revisions.map((revision) => ({
    revision,
    draft: draftOf(revision.checked, revision.kind),
  }));
  const alike = similarityIn([...previous, ...drafted.map(({ draft }) => draft)]);
  const least = likeness(previous.length + drafted.length);
  const targeted = drafted.map((entry) => ({
    ...entry,
    target: targetOf({ draft: entry.draft, previous, alike, least }),
  }));
  const fresh = targeted.filter(({ target }) => target === null).map(({ revision }) => revision);
  return [
    ...previous.map((draft) =>
      revised(
        draft,
        targeted.filter(({ target }) => target === draft).map((entry) => entry.draft),
      ),
    ),
    ...newDrafts(fresh),
  ];
}

/** Joins like solutions that were not there before. */
export function newDrafts(revisions: readonly Revision[]): readonly Draft[] {
  const kinds = new Map(revisions.map(({ checked, kind }) => [checked, kind]));
  const pick = (kind: Voice['kind']) =>
    revisions.filter((revision) => revision.kind === kind).map(({ checked }) => checked);
  // Analysts come second, so that they cannot change which models are found to agree.
  const ofModels = groupSolutions(pick('model'));
  const groups = groupByChanges({ solutions: pick('analyst'), joinable: ofModels });
  return groups.map((group) =>
    joinDrafts({ drafts: group.map((checked) => draftOf(checked, kinds.get(checked) ?? 'model')) }),
  );
}

function targetOf(search: {
  readonly draft: Draft;
  readonly previous: readonly Draft[];
  readonly alike: (a: Comparable, b: Comparable) => number;
  readonly least: number;
}): Draft | null {
  const { draft, previous, alike, least } = search;
  const [author = ''] = draft.source_cli;
  const likest = (candidates: readonly Draft[], threshold: number) => {
    const rated = candidates.map((candidate) => ({ candidate, value: alike(candidate, draft) }));
    const best = rated.toSorted((a, b) => b.value - a.value)[0];
    return best !== undefined && best.value >= threshold ? best.candidate : null;
  };
  const own = previous.filter(({ source_cli: authors }) => authors.includes(author));
  const others = previous.filter((candidate) => !own.includes(candidate));
  return likest(own, least * ownFactor) ?? likest(others, least);
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
