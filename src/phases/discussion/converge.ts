// Computes the score and the recommendation of a round, and orders solutions, best first.
import type { Level } from '../../model/ids.ts';
import { planAuthor } from '../../model/plan-author.ts';
import { type Convergence, isDraft } from '../../model/synthesis.ts';
import { compareTexts, counted, listed, verbFor } from '../../model/wording.ts';
import { type Candidate, jointEstimate, roundValue, soundness } from './candidate.ts';

import {
  type JudgedSolution,
  type Support,
  type Voice,
  type Voices,
  opponentsOfOldText,
  supportOf,
  voicesOf,
} from './support.ts';

/** The structured answers of a round. */
export interface ConvergenceInput {
  readonly round: number;
  /** Everybody that answered in this round. */
  readonly voices: readonly Voice[];
  /** Of those with the same score the reasons are about the first; else the order makes no difference. */
  readonly solutions: readonly JudgedSolution[];
  readonly newInsights: boolean;
  /** A solution was added or revised in this round, so the dispute may not be stuck. */
  readonly revised: boolean;
  /** Questions of the agents that the user has not been asked yet. */
  readonly questions: readonly string[];
}

/** From this score on agents have converged: nearly all vendors behind nearly clean evidence. */
const convergedFrom = 0.8;
/** Fewer vendors cannot agree with each other. */
export const fewestVendors = 2;

/**
 * Measures the agreement of the agents on one solution, from 0 to 1. For each solution
 *
 *     quality = supporters / max(2, vendors) × 0.5^opponents × soundness
 *
 * halved where nobody would build it, and `score` is the highest quality, 0 without solutions.
 * `vendors` are the distinct vendors of the models that answered, `supporters` those of them whose
 * models recommend the solution (round 1) or support or prefer it (later), `opponents` the vendors
 * that oppose it (`support.ts` has the rules); `soundness` is the part of the references of its
 * authors that checked out (`candidate.ts`), in round 1 of those authors that recommend it.
 * Models of unknown vendor count only as opponents.
 * Analysts never count. Opposition to another solution is left out: that is how an agent says
 * which one it prefers.
 *
 * `recommendation` is
 * - `converged` from a score of 0.8 on. One vendor reaches 0.5 at most, one opponent halves the
 *   score, and so does a solution that nobody would build; so it takes two known vendors and no
 *   open opposition: of two to four vendors all, of five or more at least four fifths, and at most
 *   a fifth of the references failed. In round 1, where nobody has read the others yet, every
 *   model that answered must recommend it, and no question of theirs may be open. Where several
 *   solutions get that far and are preferred by as many vendors each, the user decides;
 * - else `user_input_needed` if agents ask the user something new, or if from round 2 on two
 *   vendors each support what the other opposes and neither has moved: then what the user wants
 *   has to decide;
 * - else `continue`.
 */
export function converge(input: ConvergenceInput): Convergence {
  const voices = voicesOf(input.round, input.voices);
  const judged = input.solutions.map((solution) => judge(solution, voices));
  const [best] = judged.toSorted((a, b) => b.quality - a.quality);
  const asks = input.questions.filter((question) => question.trim() !== '').length;
  const rival = input.round >= 2 && !input.revised ? deadlock(judged) : undefined;
  const head = {
    score: best?.quality ?? 0,
    new_insights: input.newInsights,
    vendors: [...voices.known],
  };
  const ends = (recommendation: Convergence['recommendation'], why: string): Convergence => ({
    ...head,
    recommendation,
    reasons: [scoreReason(best, voices), why],
  });
  const tied = tiedAmong(judged, voices);
  const isOpen = input.round === 1 && asks > 0;
  if (tied.length === 0 && !isOpen && judged.some((verdict) => hasSettled(verdict, voices))) {
    return ends('converged', settledReason(input.round));
  }
  if (asks > 0) {
    return ends('user_input_needed', `The agents ask the user ${counted(asks, 'question')}.`);
  }
  if (tied.length > 0) return ends('user_input_needed', tieReason(tied));
  return rival === undefined
    ? ends('continue', whyNot(best, voices))
    : ends('user_input_needed', rival);
}

/** The solutions that are all supported alike, and each preferred by as many vendors; else empty. */
export function findTies<T extends JudgedSolution>(solutions: readonly T[], voices: Voices): T[] {
  const tied = tiedAmong(
    solutions.map((solution) => judge(solution, voices)),
    voices,
  ).map(({ solution }) => solution);
  return solutions.filter((solution) => tied.includes(solution));
}

// Which of them comes first by name must not decide.
function tiedAmong(judged: readonly Verdict[], voices: Voices): readonly Verdict[] {
  const settled = judged.filter((verdict) => hasSettled(verdict, voices));
  const most = Math.max(0, ...settled.map(({ support }) => support.preferrers.length));
  const first = settled.filter(({ support }) => support.preferrers.length === most);
  const isOne = first.every(({ solution: a }) =>
    first.every(({ solution: b }) => a === b || isFoundSame(a, b)),
  );
  return first.length > 1 && !isOne ? first : [];
}

/** True where authors of both say so, and no author of either says otherwise. */
function isFoundSame(a: JudgedSolution, b: JudgedSolution): boolean {
  return isSameTo(a, b) && isSameTo(b, a);
}

function isSameTo(own: JudgedSolution, { stances }: JudgedSolution): boolean {
  const said = stances.flatMap(({ agent, relation }) => (isBy(own, agent) ? (relation ?? []) : []));
  return said.length > 0 && said.every((relation) => relation === 'same');
}

function isBy({ estimates }: JudgedSolution, agent: string): boolean {
  return estimates.some((one) => one.agent === agent);
}

function tieReason(tied: readonly Verdict[]): string {
  const names = tied.map(({ solution }) => `“${solution.name}”`);
  return `The vendors support ${listed(names)} equally, and each side would build its own.`;
}

/** True for the solutions that the agents of a round have converged on. */
export function isSettled(solution: JudgedSolution, voices: Voices): boolean {
  return hasSettled(judge(solution, voices), voices);
}

interface Verdict {
  readonly solution: JudgedSolution;
  readonly support: Support;
  /** References that failed, of the authors that count. */
  readonly failed: number;
  readonly quality: number;
}

function judge(solution: JudgedSolution, voices: Voices): Verdict {
  const support = supportOf(solution, voices);
  const authors = solution.estimates.filter(
    ({ agent, kind }) =>
      kind === 'model' && (voices.round > 1 || solution.preferred_by.includes(agent)),
  );
  const share = support.supporters.length / Math.max(fewestVendors, voices.known.length);
  const choice = support.preferrers.length === 0 ? 0.5 : 1;
  const quality = share * 0.5 ** support.opponents.length * soundness(authors) * choice;
  const failed = authors.reduce((sum, estimate) => sum + estimate.failed, 0);
  return { solution, support, failed, quality: roundValue(quality) };
}

// One vendor alone reaches 0.5 at most, and one opponent halves the score.
function hasSettled({ quality, support }: Verdict, { round, vendors }: Voices): boolean {
  return quality >= convergedFrom && (round > 1 || support.voters.length === vendors.size);
}

/** Says which two solutions block each other, the first one if it is among them. */
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
  // One examiner is enough for a plan that was given.
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
 * Solutions best first. The score of each is the sum of
 *
 *     100 if the agents converged on it
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
): readonly RankedCandidate[] {
  const judged = candidates.map((candidate) => ({
    candidate,
    support: supportOf(candidate, voices),
  }));
  const hasChoice = judged.some(
    ({ support }) => support.preferrers.length > 0 && support.opponents.length === 0,
  );
  return judged
    .map(({ candidate, support: { supporters, preferrers, opponents } }) => {
      const { feasibility, effort, risk } = jointEstimate(candidate.estimates);
      const preference = voices.round === 1 ? 0 : preferrers.length;
      const score =
        (isSettled(candidate, voices) ? 100 : 0) -
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
