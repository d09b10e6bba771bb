import type { Level } from '../../model/ids.ts';
import type { Convergence } from '../../model/synthesis.ts';
import { compareTexts, listed, verbFor } from '../../model/wording.ts';
import type { Draft } from './draft.ts';
import { jointEstimate, rounded, soundness } from './estimates.ts';
import {
  type Judged,
  type Support,
  type Voice,
  type Voices,
  supportOf,
  voicesOf,
} from './support.ts';

/** The structured answers of a round. */
export interface ConvergenceInput {
  readonly round: number;
  /** Who answered in this round. */
  readonly voices: readonly Voice[];
  /** Best first: the reasons are about the first. Otherwise the order makes no difference. */
  readonly solutions: readonly Judged[];
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
 * How far the agents agree on one solution, from 0 to 1. For each solution
 *
 *     quality = supporters / max(2, vendors) × 0.5^opponents × soundness
 *
 * halved where nobody would build it, and `score` is the highest quality, 0 without solutions.
 * `vendors` are the distinct vendors of the models that answered, `supporters` those of them whose
 * models recommend the solution (round 1) or support or prefer it (later), `opponents` the vendors
 * that oppose it (`support.ts` has the rules); `soundness` is the part of the references of its
 * authors that checked out (`estimates.ts`), in round 1 of those authors that recommend it.
 * Models of unknown vendor count as one vendor if no vendor is known, else only as opponents.
 * Analysts never count. Opposition to another solution is left out: that is how an agent says
 * which one it prefers.
 *
 * `recommendation` is
 * - `converged` from a score of 0.8 on. One vendor reaches 0.5 at most, one opponent halves the
 *   score, and so does a solution that nobody would build; so it takes two known vendors and no
 *   open opposition: of two to four vendors all, of five or more at least four fifths, and at most
 *   a fifth of the references failed. In round 1, where nobody has read the others yet, every
 *   model that answered must recommend it;
 * - else `user_input_needed` if agents ask the user something new, or if from round 2 on two
 *   vendors each support what the other opposes and neither has moved: then what the user wants
 *   has to decide;
 * - else `continue`.
 */
export function converge(input: ConvergenceInput): Convergence {
  const voices = voicesOf(input.round, input.voices);
  const judged = input.solutions.map((solution) => judge(solution, voices));
  const [first] = judged;
  const score = Math.max(0, ...judged.map(({ quality }) => quality));
  const head = { score, new_insights: input.newInsights, vendors: [...voices.known] };
  const reasons = [scoreReason(judged, voices)];
  if (judged.some((verdict) => hasSettled(verdict, voices))) {
    const text = settledReason(input.round);
    return { ...head, recommendation: 'converged', reasons: [...reasons, text] };
  }
  const asks = input.questions.filter((question) => question.trim() !== '').length;
  if (asks > 0) {
    const text = `The agents ask the user ${asks === 1 ? 'a question' : `${asks} questions`}.`;
    return { ...head, recommendation: 'user_input_needed', reasons: [...reasons, text] };
  }
  const rival = input.round >= 2 && !input.revised ? deadlock(judged) : undefined;
  if (rival !== undefined) {
    return { ...head, recommendation: 'user_input_needed', reasons: [...reasons, rival] };
  }
  return { ...head, recommendation: 'continue', reasons: [...reasons, whyNot(first, voices)] };
}

/** True for the solutions that the agents of a round have converged on. */
export function isSettled(solution: Judged, voices: Voices): boolean {
  return hasSettled(judge(solution, voices), voices);
}

interface Verdict {
  readonly solution: Judged;
  readonly support: Support;
  readonly soundness: number;
  readonly quality: number;
}

function judge(solution: Judged, voices: Voices): Verdict {
  const support = supportOf(solution, voices);
  const counted = solution.estimates.filter(
    ({ agent, kind }) =>
      kind === 'model' && (voices.round > 1 || solution.preferred_by.includes(agent)),
  );
  const sound = soundness(counted);
  const count = Math.max(support.supporters.length, support.supportedByUnknown ? 1 : 0);
  const share = count / Math.max(fewestVendors, voices.known.length);
  const choice = support.preferrers.length === 0 ? 0.5 : 1;
  const quality = rounded(share * 0.5 ** support.opponents.length * sound * choice);
  return { solution, support, soundness: sound, quality };
}

// One vendor alone reaches 0.5 at most, and one opponent halves the score.
function hasSettled({ quality, support }: Verdict, { round, vendors }: Voices): boolean {
  return quality >= convergedFrom && (round > 1 || support.voters.length === vendors.size);
}

/** Says which two solutions block each other, the first one if it is among them. */
function deadlock(judged: readonly Verdict[]): string | undefined {
  const blocks = ({ support: a }: Verdict, { support: b }: Verdict) =>
    a.supporters.some((vendor) => b.opponents.includes(vendor));
  return judged.flatMap((a) =>
    judged
      .filter((b) => a !== b && blocks(a, b) && blocks(b, a))
      .map(
        (b) =>
          `A supporter of “${a.solution.name}” opposes “${b.solution.name}”, one of “${b.solution.name}” opposes “${a.solution.name}”, and neither has moved.`,
      ),
  )[0];
}

function settledReason(round: number): string {
  return round === 1
    ? 'All vendors that answered recommend it, each without having seen the others’ answers.'
    : 'At least two vendors support it, at least one prefers it, and nobody opposes it.';
}

function scoreReason(judged: readonly Verdict[], voices: Voices): string {
  const [first] = judged;
  if (first === undefined) return 'Score 0: there is no solution.';
  const { solution, support } = first;
  const all = Math.max(fewestVendors, voices.known.length);
  const count = support.supporters.length;
  const against =
    support.opponents.length === 0
      ? 'nobody opposes it'
      : `${listed(support.opponents)} ${verbFor(support.opponents, 'oppose')} it`;
  const does = voices.round === 1 ? 'recommend' : 'support';
  const preferred =
    voices.round === 1
      ? ''
      : support.preferrers.length === 0
        ? 'nobody prefers it, '
        : `${listed(support.preferrers)} ${verbFor(support.preferrers, 'prefer')} it, `;
  const sound = Math.round(first.soundness * 100);
  const citations =
    sound === 100 ? 'all its citations checked out' : `its citations are ${sound} % sound`;
  return `Score ${scoreText(first, judged)}: ${count} of ${all} vendors ${does}${count === 1 ? 's' : ''} “${solution.name}”, ${preferred}${against}, and ${citations}.`;
}

/** The first option need not have the highest score: feasibility, effort and risk rank it, too. */
function scoreText(first: Verdict, judged: readonly Verdict[]): string {
  const own = first.quality.toFixed(2);
  const best = judged.toSorted((a, b) => b.quality - a.quality)[0] ?? first;
  return best.quality === first.quality
    ? own
    : `${best.quality.toFixed(2)} for “${best.solution.name}”, ${own} for the first option`;
}

function whyNot(first: Verdict | undefined, voices: Voices): string {
  if (voices.known.length < fewestVendors) {
    return `Agreement needs models of two known vendors; ${voices.known.length === 0 ? 'none' : 'only one'} answered.`;
  }
  if (voices.round === 1) return 'Not every model that answered recommends it.';
  if (first === undefined || first.support.supporters.length < fewestVendors) {
    return 'Fewer than two vendors support it.';
  }
  if (first.support.preferrers.length === 0) return 'Nobody would build it.';
  return first.support.opponents.length > 0
    ? 'There is no agreement while somebody opposes it.'
    : `Its score is below ${convergedFrom}.`;
}

export interface Ranked {
  readonly draft: Draft;
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
 *     − 2 × failed references, at most 10
 *
 * so that another vendor weighs as much as half the scale of feasibility, or as all of effort and
 * risk. Everything it is made of stands in the solution. Ties go by name, then by id and
 * authors.
 */
export function rankDrafts(drafts: readonly Draft[], voices: Voices): readonly Ranked[] {
  const judged = drafts.map((draft) => ({ draft, support: supportOf(draft, voices) }));
  const hasChoice = judged.some(
    ({ support }) => support.preferrers.length > 0 && support.opponents.length === 0,
  );
  return judged
    .map(({ draft, support }) => {
      const isPassedOver = hasChoice && support.preferrers.length === 0;
      const score = rankScore({ draft, support, voices }) - (isPassedOver ? 200 : 0);
      return { draft, score: Math.round(score * 100) / 100 };
    })
    .toSorted(
      (a, b) =>
        b.score - a.score ||
        compareTexts(a.draft.name, b.draft.name) ||
        compareTexts(a.draft.id ?? '', b.draft.id ?? '') ||
        compareTexts(a.draft.source_cli.join(), b.draft.source_cli.join()),
    );
}

function rankScore(judged: {
  readonly draft: Draft;
  readonly support: Support;
  readonly voices: Voices;
}): number {
  const { draft, voices } = judged;
  const { supporters, supportedByUnknown, preferrers, opponents } = judged.support;
  const { feasibility, effort, risk } = jointEstimate(draft.estimates);
  const support = Math.max(supporters.length, supportedByUnknown ? 1 : 0);
  const preference = voices.round === 1 ? 0 : preferrers.length;
  const failed = draft.estimates.reduce((sum, estimate) => sum + estimate.failed, 0);
  return (
    (isSettled(draft, voices) ? 100 : 0) +
    20 * (support + preference - opponents.length) +
    40 * feasibility +
    ease[effort] +
    ease[risk] -
    Math.min(10, 2 * failed)
  );
}

const ease: Readonly<Record<Level, number>> = { low: 10, medium: 5, high: 0 };
