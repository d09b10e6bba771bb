// Joins solutions that were found the same, and puts each revision in the place of what it revises.
import { kindOf } from '../../context/file-kinds.ts';
import { nameOfPath } from '../../git/paths.ts';
import { type Version, isDraft } from '../../model/synthesis.ts';
import { compareTexts } from '../../model/wording.ts';
import { overlap, topicWords } from '../topic-words.ts';
import { type Candidate, jointEstimate, soundness } from './candidate.ts';
import { distinct } from './support.ts';

/**
 * The least likeness of solutions that mean the same. Measured on the answers to five tasks: like
 * pairs have 0.39 and more, others 0.37 and less.
 */
const leastLikeness = 0.38;
/** One that changes a module more is another solution, however alike the words are. */
const leastCodeInCommon = 0.75;
/** An author itself calls its solution a revision, so half the usual likeness is enough. */
const ownFactor = 2;

/**
 * Joins what agents recommend where it was found the same, and nothing else of it. What nobody
 * recommends carries no vote, so like words are enough to show it as one; so are those of drafts.
 */
export function newCandidates(
  candidates: readonly Candidate[],
  isSame: (a: Candidate, b: Candidate) => boolean,
): readonly Candidate[] {
  const [drafts, others] = parted(candidates, isDraft);
  const [recommended, alternatives] = parted(others, isRecommended);
  return [
    ...groupSame(recommended, isSame),
    ...groupCandidates(alternatives),
    ...groupCandidates(drafts),
  ].map(joinCandidates);
}

function parted<T>(all: readonly T[], isOf: (one: T) => boolean) {
  return [all.filter(isOf), all.filter((one) => !isOf(one))] as const;
}

function isRecommended({ preferred_by: by }: Candidate): boolean {
  return by.length > 0;
}

/** One joins a group only where it is the same as each of it. */
function groupSame(
  candidates: readonly Candidate[],
  isSame: (a: Candidate, b: Candidate) => boolean,
): readonly CandidateGroup[] {
  const groups: Candidate[][] = [];
  for (const candidate of candidates.toSorted(byKey)) {
    const group = groups.find((all) => all.every((other) => isSame(other, candidate)));
    if (group === undefined) groups.push([candidate]);
    else group.push(candidate);
  }
  return groups;
}

/** The solutions after the revisions of a round, and the revisions that only copy another one. */
export interface RevisedCandidates {
  readonly candidates: readonly Candidate[];
  readonly copies: readonly { readonly copy: Candidate; readonly of: Candidate }[];
}

/**
 * Puts the revisions of a round in the place of the author’s own solution that they are most like;
 * of several authors’ revisions of one, the sounder one, while the others stand apart. One like
 * nothing of its author is a new solution. One that copies what somebody else proposed
 * changes nothing, so that its author’s own solution stays.
 */
export function reviseCandidates(
  previous: readonly Candidate[],
  revisions: readonly Candidate[],
  round: number,
): RevisedCandidates {
  const copies = revisions.flatMap((copy) => {
    const of = copiedFrom(copy, previous);
    return of === null ? [] : [{ copy, of }];
  });
  const own = revisions.filter((revision) => !copies.some(({ copy }) => copy === revision));
  const byTarget = Map.groupBy(own, (revision) => targetOf(revision, previous));
  const further = [...(byTarget.get(null) ?? [])];
  const revised = previous.map((candidate) => {
    const [best, ...others] = (byTarget.get(candidate) ?? []).toSorted(bySupport);
    further.push(...others);
    return best === undefined ? candidate : reviseCandidate(candidate, best, round);
  });
  return { candidates: [...revised, ...further], copies };
}

/** From this likeness on, what its author did not write is a copy. */
const copyLikeness = 0.8;

function copiedFrom(revision: Candidate, previous: readonly Candidate[]): Candidate | null {
  const isOwn = (candidate: Candidate) => shareAuthor([candidate], [revision]);
  const own = mostLike(revision, previous.filter(isOwn));
  const other = mostLike(
    revision,
    previous.filter((candidate) => !isOwn(candidate)),
  );
  return other !== null && other.value >= copyLikeness && other.value > (own?.value ?? 0)
    ? other.candidate
    : null;
}

function targetOf(revision: Candidate, previous: readonly Candidate[]): Candidate | null {
  const own = previous.filter((candidate) => shareAuthor([candidate], [revision]));
  const best = mostLike(revision, own);
  return best !== null && ownFactor * best.value >= leastLikeness ? best.candidate : null;
}

function mostLike(revision: Candidate, candidates: readonly Candidate[]) {
  const [best] = candidates
    .map((candidate) => ({ candidate, value: likeness(candidate, revision) }))
    .toSorted((a, b) => b.value - a.value);
  return best ?? null;
}

/**
 * Joins solutions of different agents into the words of the one with the soundest references, then
 * the highest feasibility. The others keep theirs as versions of it.
 */
function joinCandidates(candidates: readonly Candidate[]): Candidate {
  const [base, ...others] = candidates.toSorted(bySupport);
  if (base === undefined) throw new Error('there is nothing to join');
  if (others.length === 0) return base;
  const all = [base, ...others];
  return {
    ...base,
    source_cli: [...distinct(all.flatMap(({ source_cli }) => source_cli))],
    claims: all.flatMap(({ claims }) => claims),
    versions: others.map(versionOf),
    preferred_by: [...distinct(all.flatMap((candidate) => candidate.preferred_by))],
    estimates: byAgent(all.flatMap(({ estimates }) => estimates)),
  };
}

function versionOf(candidate: Candidate): Version {
  const { name, source_cli, summary, implementation_plan, dependencies } = candidate;
  const { technical_concerns, pros, cons, affected_files } = candidate;
  const text = { name, source_cli, summary, implementation_plan, dependencies };
  return { ...text, technical_concerns, pros, cons, affected_files };
}

/**
 * A solution of the round before in the words of a revision. It keeps its id, the stances on it,
 * and the claims, estimates and versions of co-authors who did not revise it.
 */
function reviseCandidate(candidate: Candidate, revision: Candidate, round: number): Candidate {
  const { versions = [] } = candidate;
  const isOtherText = textOf(revision) !== textOf(candidate);
  const isOthers = ({ agent }: { readonly agent: string }) => !revision.source_cli.includes(agent);
  return {
    ...revision,
    id: candidate.id,
    stances: candidate.stances,
    revised_in: isOtherText ? round : candidate.revised_in,
    source_cli: [...distinct([...candidate.source_cli, ...revision.source_cli])],
    claims: [...revision.claims, ...candidate.claims.filter(isOthers)],
    estimates: byAgent([...revision.estimates, ...candidate.estimates.filter(isOthers)]),
    versions: versions.filter(({ source_cli: [agent = ''] }) => isOthers({ agent })),
  };
}

/** The text that a stance is taken on. */
function textOf({ name, summary, implementation_plan: plan }: Candidate): string {
  return JSON.stringify([name, summary, plan]);
}

function bySupport(a: Candidate, b: Candidate): number {
  return (
    soundness(b.estimates) - soundness(a.estimates) ||
    jointEstimate(b.estimates).feasibility - jointEstimate(a.estimates).feasibility ||
    compareTexts(JSON.stringify([a.source_cli, a.name]), JSON.stringify([b.source_cli, b.name]))
  );
}

function byAgent<T extends { readonly agent: string }>(entries: readonly T[]): T[] {
  return entries.toSorted((a, b) => compareTexts(a.agent, b.agent));
}

/** Solutions of different agents that mean the same. */
export type CandidateGroup = readonly Candidate[];

/**
 * Groups like solutions of different agents; those of one agent never meet in a group, as it
 * offered them as alternatives. One after the other joins the group that it is most like, if it is
 * like enough.
 */
export function groupCandidates(candidates: readonly Candidate[]): readonly CandidateGroup[] {
  const groups: Candidate[][] = [];
  for (const candidate of candidates.toSorted(byKey)) {
    const [best] = groups
      .filter((group) => !shareAuthor(group, [candidate]))
      .map((group) => ({ group, value: mean(group.map((other) => sameness(other, candidate))) }))
      .toSorted((a, b) => b.value - a.value);
    if (best !== undefined && best.value >= leastLikeness) best.group.push(candidate);
    else groups.push([candidate]);
  }
  return groups;
}

function byKey(a: Candidate, b: Candidate): number {
  return compareTexts(sortKey(a), sortKey(b));
}

function sortKey({ source_cli, name, summary, implementation_plan }: Candidate): string {
  return JSON.stringify([source_cli, name, summary, implementation_plan]);
}

function shareAuthor(a: CandidateGroup, b: CandidateGroup): boolean {
  const authors = new Set(a.flatMap(({ source_cli }) => source_cli));
  return b.some(({ source_cli }) => source_cli.some((author) => authors.has(author)));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The likeness of two solutions, but 0 where they do not change mostly the same existing code. */
function sameness(a: Candidate, b: Candidate): number {
  return codeInCommon(a, b) < leastCodeInCommon ? 0 : likeness(a, b);
}

/** The likeness of two solutions, from 0 to 1, by the words that they say and the files they touch. */
function likeness(a: Candidate, b: Candidate): number {
  return overlap(wordsAndFiles(a), wordsAndFiles(b));
}

function wordsAndFiles(candidate: Candidate): ReadonlySet<string> {
  const { name, summary, implementation_plan: plan, affected_files } = candidate;
  const created = plan.tasks.flatMap(({ files }) => files).filter(isCreated);
  const words = [
    name,
    summary,
    plan.approach,
    ...plan.tasks.flatMap((task) => [task.name, task.key_point ?? '']),
    ...created.map(({ file }) => nameOfPath(file)),
  ].flatMap(topicWords);
  const files = affected_files.filter(({ status }) => status !== 'failed');
  return new Set([...words, ...files.map(({ file }) => `file ${file}`)]);
}

/**
 * The share of existing code that two solutions both change, from 0 to 1; 1 where neither
 * changes any. Tests and documents follow from the rest, and new files have any name.
 */
export function codeInCommon(a: Candidate, b: Candidate): number {
  const [ours, theirs] = [existingCode(a), existingCode(b)];
  return ours.size === 0 || theirs.size === 0 ? 1 : overlap(ours, theirs);
}

function existingCode({ affected_files: files }: Candidate): ReadonlySet<string> {
  const changed = files.filter(
    (file) => file.status !== 'failed' && !isCreated(file) && kindOf(file.file) === 'source',
  );
  return new Set(changed.map(({ file }) => file));
}

function isCreated({ action }: { readonly action: string }): boolean {
  return action === 'create';
}
