// Holds a solution before its rank is known: its estimates, how it is joined with others, how it is revised.
import { kindOf } from '../../context/file-kinds.ts';
import { Level } from '../../model/ids.ts';
import { type Estimate, type Solution, type Version, isDraft } from '../../model/synthesis.ts';
import { compareTexts, distinct } from '../../model/wording.ts';
import { overlap } from '../topic-words.ts';

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

/** Turns a solution of the previous round into a candidate. */
function candidateFrom(solution: Solution): Candidate {
  const { preferred_by = [], estimates = [] } = solution;
  return { ...solution, preferred_by, estimates };
}

/** The text about which a stance is taken. */
export function textOf({
  name,
  summary,
  implementation_plan: plan,
}: Pick<Solution, 'name'> & Partial<Pick<Solution, 'summary' | 'implementation_plan'>>): string {
  return JSON.stringify([name, summary, plan]);
}

/**
 * The part of the references that checked out, from 0 to 1: `1 - failed / all`. Fewer than ten count as ten, so
 * that one slip in a short list does little harm; more than forty count as forty, so that a long list of safe
 * references does not hide false ones.
 */
export function soundness(references: readonly Pick<Estimate, 'sound' | 'failed'>[]): number {
  const failed = sum(references.map((reference) => reference.failed));
  const all = failed + sum(references.map((reference) => reference.sound));
  return Math.max(0, 1 - failed / Math.min(40, Math.max(10, all)));
}

/**
 * The values of a solution: the medians of its authors’ estimates. For an even number, the mean of the middle
 * two counts; a value between two levels is rounded up, to the cautious side. The feasibility is then
 * multiplied by the soundness of all authors’ references.
 */
export function jointEstimate(
  estimates: readonly Estimate[],
): Pick<Estimate, 'feasibility' | 'effort' | 'risk'> {
  const feasibility = median(estimates.map((estimate) => estimate.feasibility));
  return {
    feasibility: roundValue(feasibility * soundness(estimates)),
    effort: medianLevel(estimates.map(({ effort }) => effort)),
    risk: medianLevel(estimates.map(({ risk }) => risk)),
  };
}

/** Rounds to three digits, so that a reader sees the value that was compared. */
export function roundValue(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** The median of some values; 0 if there are none. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

function medianLevel(values: readonly Level[]): Level {
  const places = values.map((level) => Level.options.indexOf(level));
  return Level.options[Math.ceil(median(places))] ?? 'medium';
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/**
 * Joins recommended solutions only if they were found to be the same, and drafts if they change the same code.
 * Solutions that no agent recommends carry no vote, and stay as they are.
 */
export function newCandidates(
  candidates: readonly Candidate[],
  isSame: IsSame,
): readonly Candidate[] {
  const isWanted = ({ preferred_by: by }: Candidate) => by.length > 0;
  const kinds = Map.groupBy(candidates, (one) =>
    isDraft(one) ? 'draft' : isWanted(one) ? 'wanted' : 'other',
  );
  return [
    ...groupSame(kinds.get('wanted') ?? [], isSame),
    ...groupSame(kinds.get('other') ?? [], () => false),
    ...groupSame(kinds.get('draft') ?? [], changesSame),
  ].map(joinCandidates);
}

type IsSame = (a: Candidate, b: Candidate) => boolean;

/** Groups equal solutions; a solution joins a group only if it equals every member. */
function groupSame(
  candidates: readonly Candidate[],
  isSame: IsSame,
): readonly (readonly Candidate[])[] {
  const groups: Candidate[][] = [];
  for (const candidate of candidates.toSorted(byKey)) {
    const group = groups.find((all) => all.every((other) => isSame(other, candidate)));
    if (group === undefined) groups.push([candidate]);
    else group.push(candidate);
  }
  return groups;
}

function byKey(a: Candidate, b: Candidate): number {
  const keyOf = (one: Candidate) => JSON.stringify([one.source_cli, textOf(one)]);
  return compareTexts(keyOf(a), keyOf(b));
}

/**
 * Joins solutions of different agents into the one with the soundest references, then the highest feasibility.
 * The other texts are kept as its versions.
 */
function joinCandidates(candidates: readonly Candidate[]): Candidate {
  const [base, ...others] = candidates.toSorted(bySupport);
  if (base === undefined) throw new Error('there is nothing to join');
  if (others.length === 0) return base;
  const all = [base, ...others];
  return {
    ...base,
    source_cli: distinct(all.flatMap(({ source_cli }) => source_cli)),
    claims: all.flatMap(({ claims }) => claims),
    versions: others.map(versionOf),
    preferred_by: distinct(all.flatMap(({ preferred_by }) => preferred_by)),
    estimates: byAgent(all.flatMap(({ estimates }) => estimates)),
  };
}

function versionOf(candidate: Candidate): Version {
  const { name, source_cli, summary, implementation_plan, dependencies } = candidate;
  const { technical_concerns, pros, cons, affected_files } = candidate;
  const text = { name, source_cli, summary, implementation_plan, dependencies };
  return { ...text, technical_concerns, pros, cons, affected_files };
}

function bySupport(a: Candidate, b: Candidate): number {
  return (
    soundness(b.estimates) - soundness(a.estimates) ||
    jointEstimate(b.estimates).feasibility - jointEstimate(a.estimates).feasibility ||
    byKey(a, b)
  );
}

function byAgent<T extends { readonly agent: string }>(entries: readonly T[]): T[] {
  return entries.toSorted((a, b) => compareTexts(a.agent, b.agent));
}

/** A revision, with the label of its author’s solution that it replaces. */
export interface RevisedCandidate {
  readonly candidate: Candidate;
  /** Null for a new solution. */
  readonly revises: string | null;
}

/**
 * The solutions after the revisions of a round. Each revision replaces the solution that it names; if two
 * authors revise the same one, the sounder revision replaces it and the other becomes a separate solution. A
 * revision with exactly the words of another solution changes nothing.
 */
export function reviseCandidates(
  examined: readonly Solution[],
  revisions: readonly RevisedCandidate[],
  round: number,
): readonly Candidate[] {
  const fresh = revisions.filter(({ candidate }) => copiedFrom(candidate, examined) === undefined);
  const byLabel = Map.groupBy(fresh, ({ candidate, revises }) => {
    const isTarget = (one: Solution) => one.label === revises && shareAuthor(one, candidate);
    return examined.find(isTarget)?.label;
  });
  const further = (byLabel.get(undefined) ?? []).map(({ candidate }) => candidate);
  const revised = examined.map((solution) => {
    const own = byLabel.get(solution.label)?.map(({ candidate }) => candidate) ?? [];
    const [best, ...others] = own.toSorted(bySupport);
    further.push(...others);
    const before = candidateFrom(solution);
    return best === undefined ? before : reviseCandidate(before, best, round);
  });
  return [...revised, ...further];
}

/** Finds the solution of other agents whose words a revision repeats. */
export function copiedFrom(
  revision: Candidate,
  examined: readonly Solution[],
): Solution | undefined {
  return examined.find((one) => !shareAuthor(one, revision) && textOf(one) === textOf(revision));
}

/**
 * A solution of the previous round with the text of a revision. It keeps its id, the stances on it, and the
 * claims, estimates and versions of co-authors who did not revise it.
 */
function reviseCandidate(candidate: Candidate, revision: Candidate, round: number): Candidate {
  const { versions = [] } = candidate;
  const isOthers = ({ agent }: { readonly agent: string }) => !revision.source_cli.includes(agent);
  return {
    ...revision,
    id: candidate.id,
    stances: candidate.stances,
    preferred_by: candidate.preferred_by,
    revised_in: textOf(revision) === textOf(candidate) ? candidate.revised_in : round,
    source_cli: distinct([...candidate.source_cli, ...revision.source_cli]),
    claims: [...revision.claims, ...candidate.claims.filter(isOthers)],
    estimates: byAgent([...revision.estimates, ...candidate.estimates.filter(isOthers)]),
    versions: versions.filter((version) => !shareAuthor(version, revision)),
  };
}

type Authored = Pick<Solution, 'source_cli'>;

function shareAuthor(a: Authored, b: Authored): boolean {
  return a.source_cli.some((author) => b.source_cli.includes(author));
}

/** The least overlap of existing code that two drafts change, by which they count as one. */
const leastInCommon = 0.75;

/** True if drafts of two analysts change nearly the same existing code; tests and documents follow from it. */
function changesSame(a: Candidate, b: Candidate): boolean {
  const [ours, theirs] = [existingCode(a), existingCode(b)];
  const isNone = ours.size === 0 && theirs.size === 0;
  return !shareAuthor(a, b) && (isNone || overlap(ours, theirs) >= leastInCommon);
}

function existingCode({ affected_files: files }: Candidate): ReadonlySet<string> {
  const changed = files.filter(
    ({ file, status, action }) =>
      status !== 'failed' && action !== 'create' && kindOf(file) === 'source',
  );
  return new Set(changed.map(({ file }) => file));
}
