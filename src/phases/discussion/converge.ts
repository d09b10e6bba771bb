// Computes score and recommendation of a round, breaks ties by rule, and orders solutions, best first.
import { Level } from '../../model/ids.ts';
import { planAuthor } from '../../model/id-patterns.ts';
import { type Convergence, type Remark, isDraft } from '../../model/synthesis.ts';
import { compareTexts, counted, listed, verbFor } from '../../model/wording.ts';
import { sha256Of } from '../../store/digest.ts';
import { type Candidate, jointEstimate, roundValue, soundness, textOf } from './candidate.ts';
import {
  type JudgedSolution,
  type Support,
  type Voice,
  type Voices,
  opponentsOfOldText,
  supportOf,
  voicesOf,
} from './votes.ts';

/** The parts of a solution that the end of a round depends on. */
export type SettlingSolution = JudgedSolution &
  Parameters<typeof textOf>[0] & { readonly id?: string | null };

/** The remarks that count when a tie is broken. */
export type OpenRemarks = readonly Pick<Remark, 'id' | 'kind' | 'solution' | 'state' | 'from'>[];

/** The structured answers of a round. */
export interface ConvergenceInput {
  readonly round: number;
  /** Every agent that answered in this round. */
  readonly voices: readonly Voice[];
  /**
   * If several have the same score, the reasons are about the first one; otherwise the order makes no
   * difference.
   */
  readonly solutions: readonly SettlingSolution[];
  readonly remarks: OpenRemarks;
  readonly newInsights: boolean;
  /** No solution was added or revised in this round, and the user has not been asked about the dispute. */
  readonly isStuck: boolean;
  /** Questions of the agents that the user has not been asked yet. */
  readonly questions: readonly string[];
}

/** The lowest score of converged agents: nearly all vendors support a solution with nearly clean evidence. */
const convergedFrom = 0.8;
/** The fewest vendors that can agree with each other. */
export const fewestVendors = 2;

/**
 * Measures the agreement of the agents on one solution, from 0 to 1. For each solution
 *
 *     quality = supporters / max(2, vendors) × 0.5^opponents × soundness
 *
 * halved where nobody would build it, and `score` is the highest quality, 0 without solutions.
 * `vendors` are the distinct vendors of the models that answered, `supporters` those of them whose
 * models vote for the solution, `opponents` the vendors whose models vote against it (`votes.ts` has
 * the rules); `soundness` is the part of the references of its authors that checked out
 * (`candidate.ts`), in round 1 of those authors that recommend it. Models of unknown vendor count
 * only as opponents. Analysts never count. Opposition to another solution is left out: that is how
 * an agent says which one it prefers.
 *
 * `recommendation` is
 * - `converged` from a score of 0.8 on, for a text that was not revised in this round. One vendor
 *   reaches 0.5 at most, one opponent halves the score, and so does a solution that nobody would
 *   build; so it takes two known vendors and no open opposition: of two to four vendors all, of five
 *   or more at least four fifths, and at most a fifth of the references failed. In round 1, where
 *   nobody has read the others yet, every model that answered must recommend it, and no question of
 *   theirs may be open. Where several solutions get that far, `findTie` chooses one by rule, and the
 *   agents have converged if no objection to it and no question is open;
 * - else `user_input_needed` if agents ask the user something new, or if from round 2 on two
 *   vendors each support what the other opposes and neither has moved: then what the user wants
 *   has to decide;
 * - else `continue`.
 */
export function converge(input: ConvergenceInput): Convergence {
  const { round, solutions, remarks, newInsights } = input;
  const voices = voicesOf(round, input.voices);
  const judged = solutions.map((solution) => judge(solution, voices));
  const tie = findTie(solutions, voices, remarks);
  const [highest] = judged.toSorted((a, b) => b.quality - a.quality);
  const best = judged.find(({ solution }) => solution === tie?.chosen) ?? highest;
  const asks = input.questions.filter((question) => question.trim() !== '').length;
  const ends = (recommendation: Convergence['recommendation'], why: string): Convergence => ({
    score: best?.quality ?? 0,
    new_insights: newInsights,
    recommendation,
    vendors: [...voices.known],
    reasons: [scoreReason(best, voices), why],
    ...(tie !== null && { chosen_by_rule: tie.record }),
  });
  // Open questions keep round 1, and a choice by rule, from ending the discussion.
  const isOpen = asks > 0 && (round === 1 || tie !== null);
  const open = tie === null ? [] : openOn(tie.chosen, 'objection', remarks);
  if (!isOpen && open.length === 0 && judged.some((verdict) => hasSettled(verdict, voices))) {
    return ends('converged', tie?.record.why ?? settledReason(round));
  }
  if (asks > 0) {
    return ends('user_input_needed', `The agents ask the user ${counted(asks, 'question')}.`);
  }
  if (tie !== null) {
    const ids = open.map(({ id }) => id);
    const still = `The objection ${listed(ids)} to it is still open.`;
    return ends('continue', `${tie.record.why} ${still}`);
  }
  const rival = round >= 2 && input.isStuck ? deadlock(judged) : undefined;
  return rival === undefined
    ? ends('continue', whyNot(best, voices))
    : ends('user_input_needed', rival);
}

/** A broken tie between solutions. */
interface Tie<T> {
  readonly chosen: T;
  readonly over: readonly T[];
  readonly record: NonNullable<Convergence['chosen_by_rule']>;
}

/**
 * Chooses one of several solutions on which the agents could converge, by the first rule that tells them apart:
 * more vendors prefer it; a vendor that is not its author prefers it; fewer changes to it are open; lower risk;
 * lower effort; the hash of its text. Null if fewer than two solutions qualify.
 */
export function findTie<T extends SettlingSolution>(
  solutions: readonly T[],
  voices: Voices,
  remarks: OpenRemarks,
): Tie<T> | null {
  const settled = solutions
    .map((solution) => ({ ...judge(solution, voices), solution }))
    .filter((verdict) => hasSettled(verdict, voices));
  if (settled.length < 2) return null;
  let left = settled.toSorted((a, b) => compareTexts(hashOf(a.solution), hashOf(b.solution)));
  let because = 'the hash of its text comes first, as nothing else tells them apart';
  for (const [why, valueOf] of tieRules) {
    const values = left.map((verdict) => valueOf(verdict, voices, remarks));
    left = left.filter((_, at) => values[at] === Math.max(...values));
    if (left.length > 1) continue;
    because = why;
    break;
  }
  const [first] = left;
  if (first === undefined) return null;
  const { solution: chosen } = first;
  const over = settled.map(({ solution }) => solution).filter((one) => one !== chosen);
  const names = [chosen, ...over].map(({ name }) => `“${name}”`);
  const why = `Chosen by rule: the agents support ${listed(names)}, and nobody opposes them; ${names[0]} is taken because ${because}.`;
  const ids = over.map(({ id }) => id ?? '');
  return { chosen, over, record: { solution: chosen.id ?? '', over: ids, why } };
}

function hashOf(solution: SettlingSolution): string {
  return sha256Of(textOf(solution));
}

type TieRule = (verdict: Verdict, voices: Voices, remarks: OpenRemarks) => number;

/** The rules, each with its reason for people; the highest value wins. */
const tieRules: readonly (readonly [string, TieRule])[] = [
  ['more vendors prefer it', ({ support }) => support.preferrers.length],
  [
    'a vendor that did not propose it prefers it',
    ({ support, solution: { estimates = [] } }, { vendors }) => {
      const authors = estimates.map(({ agent }) => vendors.get(agent) ?? agent);
      return Number(support.preferrers.some((vendor) => !authors.includes(vendor)));
    },
  ],
  [
    'fewer changes to it are open',
    ({ solution }, _, remarks) => -openOn(solution, 'change', remarks).length,
  ],
  ['its risk is lower', ({ solution }) => -levelOf(solution, 'risk')],
  ['its effort is lower', ({ solution }) => -levelOf(solution, 'effort')],
];

function levelOf({ estimates = [] }: SettlingSolution, field: 'risk' | 'effort'): number {
  return Level.options.indexOf(jointEstimate(estimates)[field]);
}

/** Counts the open remarks on a solution; changes that were brought along from another solution do not count. */
function openOn({ id }: SettlingSolution, kind: Remark['kind'], remarks: OpenRemarks) {
  return remarks.filter(
    (one) =>
      one.kind === kind && one.solution === id && one.state === 'open' && one.from === undefined,
  );
}

/** True for a solution that the agents of a round could converge on. */
export function isSettled(solution: JudgedSolution, voices: Voices): boolean {
  return hasSettled(judge(solution, voices), voices);
}

interface Verdict {
  readonly solution: JudgedSolution;
  readonly support: Support;
  /** The number of failed references of the authors that count. */
  readonly failed: number;
  readonly quality: number;
}

function judge(solution: JudgedSolution, voices: Voices): Verdict {
  const { estimates = [], preferred_by = [] } = solution;
  const support = supportOf(solution, voices);
  const authors = estimates.filter(
    ({ agent, kind }) => kind === 'model' && (voices.round > 1 || preferred_by.includes(agent)),
  );
  const share = support.supporters.length / Math.max(fewestVendors, voices.known.length);
  const choice = support.preferrers.length === 0 ? 0.5 : 1;
  const quality = share * 0.5 ** support.opponents.length * soundness(authors) * choice;
  const failed = authors.reduce((sum, estimate) => sum + estimate.failed, 0);
  return { solution, support, failed, quality: roundValue(quality) };
}

function hasSettled({ quality, support, solution }: Verdict, { round, vendors }: Voices): boolean {
  return (
    quality >= convergedFrom &&
    solution.revised_in !== round &&
    (round > 1 || support.voters.length === vendors.size)
  );
}

/** Says which two solutions block each other, preferring a pair with the first one. */
function deadlock(judged: readonly Verdict[]): string | undefined {
  const blocks = ({ support: a }: Verdict, { support: b }: Verdict) =>
    a.supporters.some((vendor) => b.opponents.includes(vendor));
  const pairs = judged.flatMap((a) => judged.filter((b) => a !== b).map((b) => [a, b] as const));
  const [first, second] = pairs.find(([a, b]) => blocks(a, b) && blocks(b, a)) ?? [];
  return first === undefined || second === undefined
    ? undefined
    : `Supporters of “${first.solution.name}” and of “${second.solution.name}” oppose each other’s solution, and neither side has moved.`;
}

function settledReason(round: number): string {
  return round === 1
    ? 'All models that answered recommend it, each without having seen the others’ answers, and the comparison found their solutions the same.'
    : 'At least two vendors support it, at least one prefers it, and nobody opposes it.';
}

function scoreReason(best: Verdict | undefined, voices: Voices): string {
  if (best === undefined) return 'Score 0: there is no solution.';
  const { solution, support, failed } = best;
  if (isDraft(solution)) return `“${solution.name}” is a rule-based draft, not rated.`;
  if (voices.round === 1 && isBy(solution, planAuthor))
    return `“${solution.name}” was given, and nobody has examined it yet.`;
  // A given plan needs only one examiner.
  const fewest = isBy(solution, planAuthor) ? 1 : fewestVendors;
  const all = Math.max(fewest, voices.known.length);
  const count = support.supporters.length;
  const does = `${voices.round === 1 ? 'recommend' : 'support'}${count === 1 ? 's' : ''}`;
  const before = opponentsOfOldText(solution);
  const nobody =
    before.length === 0 ? 'nobody opposes it' : `${listed(before)} opposed its earlier text`;
  const parts = [
    `${count} of ${all} vendors ${does} “${solution.name}”`,
    support.opponents.length === 0
      ? nobody
      : `${listed(support.opponents)} ${verbFor(support.opponents, 'oppose')} it`,
    ...(failed === 0 ? [] : [`${counted(failed, 'reference')} in it failed the check`]),
  ];
  return `Score ${best.quality.toFixed(2)}: ${parts.join('; ')}.`;
}

function isBy({ estimates = [] }: JudgedSolution, agent: string): boolean {
  return estimates.some((one) => one.agent === agent);
}

function whyNot(best: Verdict | undefined, voices: Voices): string {
  if (voices.known.length < fewestVendors) {
    if (voices.known.length === 1 && best !== undefined && isBy(best.solution, planAuthor))
      return 'Only one vendor examined it.';
    return `Agreement needs models of two known vendors; ${voices.known.length === 0 ? 'none' : 'only one'} answered.`;
  }
  if (voices.round === 1) return 'Not every model that answered recommends it.';
  if (best?.solution.revised_in === voices.round) {
    return 'It was revised in this round, so what others said was about its earlier text, and they are asked again.';
  }
  if (best === undefined || best.support.supporters.length < fewestVendors) {
    return 'Fewer than two vendors support it.';
  }
  if (best.support.preferrers.length === 0) return 'Nobody would build it.';
  return best.support.opponents.length > 0
    ? 'There is no agreement while somebody opposes it.'
    : `Its score is below ${convergedFrom}.`;
}

export interface RankedCandidate {
  readonly candidate: Candidate;
  readonly score: number;
}

/**
 * Orders solutions, best first. The score of each is the sum of
 *
 *     100 if the agents converged on it, or it is the one that a rule chose
 *     − 200 if nobody would build it, where somebody would build another that nobody opposes
 *     + 20 × vendors that support it − 20 × vendors that oppose it
 *     + 20 × vendors that prefer it, from round 2 on
 *     + 40 × feasibility
 *     + effort (low 10, medium 5, high 0) + risk (low 10, medium 5, high 0)
 *
 * so that another vendor weighs as much as half the scale of feasibility, or as all of effort and
 * risk. Failed references have lowered the feasibility. Ties go by name, then by authors.
 */
export function rankCandidates(
  candidates: readonly Candidate[],
  voices: Voices,
  remarks: OpenRemarks,
): readonly RankedCandidate[] {
  const tie = findTie(candidates, voices, remarks);
  const judged = candidates.map((candidate) => ({
    candidate,
    support: supportOf(candidate, voices),
  }));
  const hasChoice = judged.some(
    ({ support }) => support.preferrers.length > 0 && support.opponents.length === 0,
  );
  const isBest = (candidate: Candidate) =>
    tie === null ? isSettled(candidate, voices) : candidate === tie.chosen;
  return judged
    .map(({ candidate, support: { supporters, preferrers, opponents } }) => {
      const { feasibility, effort, risk } = jointEstimate(candidate.estimates);
      const preference = voices.round === 1 ? 0 : preferrers.length;
      const score =
        (isBest(candidate) ? 100 : 0) -
        (hasChoice && preferrers.length === 0 ? 200 : 0) +
        20 * (supporters.length + preference - opponents.length) +
        40 * feasibility +
        ease[effort] +
        ease[risk];
      return { candidate, score: Math.round(score * 100) / 100 };
    })
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        compareTexts(a.candidate.name, b.candidate.name) ||
        compareTexts(a.candidate.source_cli.join(), b.candidate.source_cli.join()),
    );
}

const ease: Readonly<Record<Level, number>> = { low: 10, medium: 5, high: 0 };
