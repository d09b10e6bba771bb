// Counts who supports and opposes a solution, and finds the one that an answer recommends or prefers.
import type { Assumption, Examination, ProposedSolution } from '../../model/proposal.ts';
import type { CheckedClaim, Estimate, HeldStance, Solution } from '../../model/synthesis.ts';
import { compareTexts, oneLine } from '../../model/wording.ts';
import type { Candidate } from './candidate.ts';
import { saysSomething } from './reasons.ts';

/** An agent that answered in a round: the agreement is counted by these. */
export interface Voice {
  readonly agent: string;
  readonly kind: 'model' | 'analyst';
  /** Provider of the model that answered; null if unknown, and for analysts. */
  readonly vendor: string | null;
}

type RemarkReply = NonNullable<Examination['remarks']>[number];

/** The answer of one agent in a round, with every reference checked. */
export interface RoundAnswer extends Voice {
  /** In round 1 its solutions, later its revision if it has one. */
  readonly candidates: readonly Candidate[];
  /** From round 2 on the label of the solution that it would build; else null. */
  readonly preferred: string | null;
  /** Its positions on the solutions of the round before, named by their labels. */
  readonly stances: readonly (Omit<HeldStance, 'agent' | 'counts'> & { readonly label: string })[];
  /** Parts of solutions that should come along with another one. */
  readonly adopted: readonly {
    readonly label: string;
    readonly part: string;
    readonly evidence: readonly CheckedClaim[];
  }[];
  /** Answers to remarks of the rounds before. */
  readonly verdicts: readonly RemarkReply[];
  /** Questions to the user. */
  readonly questions: readonly string[];
  /** It took these for granted, as nobody had answered. */
  readonly assumptions: readonly Assumption[];
  /** Its answer to what the user said before the round. */
  readonly reply?: string | undefined;
  readonly searchTerms: readonly string[];
  /** Assumptions that were needed to read it, as sentences. */
  readonly notes: readonly string[];
}

/** The support of a solution depends on these parts of it. */
export interface JudgedSolution extends Pick<Solution, 'name'> {
  readonly estimates: readonly Estimate[];
  /** One of each agent. */
  readonly stances: readonly HeldStance[];
  /** The agents that would build it: they recommend it in round 1, or prefer it later. */
  readonly preferred_by: readonly string[];
  /** The last round in which its text changed. */
  readonly revised_in?: number | undefined;
}

/** Vendors behind a solution and against it, in order, each once. */
export interface Support {
  /** Known vendors whose models support it with substance. */
  readonly supporters: readonly string[];
  /** The agents whose votes these are. */
  readonly voters: readonly string[];
  /** Vendors whose models would build it and do not oppose it; an unknown one by its agent. */
  readonly preferrers: readonly string[];
  /** Vendors against it; an agent of an unknown vendor, or of another round, by its name. */
  readonly opponents: readonly string[];
  readonly unsure: readonly string[];
}

/**
 * Finds who is for a solution and who against it. In round 1 a model supports the solution that it recommends, if
 * it gives it at least an even chance and more of its references hold than failed; to propose
 * another one as well supports nothing. From then on it supports or opposes with a reason that
 * counts (`reasons.ts`), or as an author by preferring its own; a stance holds for the text that it
 * was taken on, and ends where that text is revised. Agents that did not answer in this round can
 * still oppose, but no longer support.
 */
export function supportOf(solution: JudgedSolution, voices: Voices): Support {
  const { stances, preferred_by: preferring } = solution;
  const isRevised = solution.revised_in === voices.round;
  const current = stances.filter((held) => isOnText(held, solution));
  const stanceOf = new Map(
    current.filter(({ counts }) => counts).map((held) => [held.agent, held]),
  );
  const wordless = new Map(current.map((held) => [held.agent, held]));
  const isAuthor = (agent: string) => solution.estimates.some((one) => one.agent === agent);
  /** An author need not say again why it would build its own. */
  const standsByOwn = (agent: string) => {
    const held = wordless.get(agent);
    const isSilent =
      held === undefined || (held.stance === 'support' && held.evidence.length === 0);
    return isSilent && preferring.includes(agent) && isAuthor(agent);
  };
  const answering = distinct([...voices.vendors.keys()]);
  const voters = answering.filter((agent) =>
    voices.round === 1
      ? standsBehind(agent, solution)
      : stanceOf.get(agent)?.stance === 'support' || standsByOwn(agent),
  );
  const takes = (agent: string, stance: HeldStance['stance']) =>
    stanceOf.get(agent)?.stance === stance;
  const vendorsOf = (agents: readonly string[]) =>
    distinct(agents.map((agent) => voices.vendors.get(agent) ?? agent));
  return {
    supporters: distinct(voters.flatMap((agent) => voices.vendors.get(agent) ?? [])),
    voters,
    preferrers: vendorsOf(
      answering.filter(
        (agent) =>
          preferring.includes(agent) && !takes(agent, 'oppose') && (!isRevised || isAuthor(agent)),
      ),
    ),
    opponents: vendorsOf([...stanceOf.keys()].filter((agent) => takes(agent, 'oppose'))),
    unsure: vendorsOf(answering.filter((agent) => takes(agent, 'unsure'))),
  };
}

/** The models that answered in a round. */
export interface Voices {
  readonly round: number;
  /** Each with its vendor in lower case, or null if unknown. */
  readonly vendors: ReadonlyMap<string, string | null>;
  /** The distinct known vendors, in order. */
  readonly known: readonly string[];
}

export function voicesOf(round: number, answers: readonly Voice[]): Voices {
  const models = answers.filter(({ kind }) => kind === 'model');
  const vendors = new Map(
    models.map(({ agent, vendor }) => [agent, vendor?.trim().toLowerCase() || null]),
  );
  const known = distinct([...vendors.values()].filter((vendor) => vendor !== null));
  return { round, vendors, known };
}

/** The first reason of those who take a stance, on one line; null where nobody gives one. */
export function reasonFor(
  stance: HeldStance['stance'],
  stances: readonly HeldStance[],
): string | null {
  const reasons = stances.filter((held) => held.stance === stance).flatMap((held) => held.reasons);
  const first = reasons.find(saysSomething);
  return first === undefined ? null : oneLine(first);
}

/** An author that gives its own solution less than this does not stand behind it. */
const leastFeasibility = 0.5;

function standsBehind(
  agent: string,
  { estimates, preferred_by: recommending }: JudgedSolution,
): boolean {
  return (
    recommending.includes(agent) &&
    estimates.some(
      ({ agent: author, feasibility, sound, failed }) =>
        author === agent && feasibility >= leastFeasibility && sound > failed,
    )
  );
}

/** A stance ends with the text that it was taken on. */
export function isOnText({ round }: HeldStance, { revised_in: revised }: JudgedSolution): boolean {
  return round === undefined || revised === undefined || round > revised;
}

/** The agents that opposed, with a reason that counts, the text of before its last revision. */
export function opponentsOfOldText(solution: JudgedSolution): readonly string[] {
  const old = solution.stances.filter((held) => !isOnText(held, solution));
  return distinct(
    old.filter((held) => held.stance === 'oppose' && held.counts).map(({ agent }) => agent),
  );
}

/** Each once, in order. */
export function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted(compareTexts);
}

/** By the name itself, or by the only one that contains the text or is contained in it. */
export function solutionNamed(
  text: string,
  solutions: readonly ProposedSolution[],
): ProposedSolution | null {
  const wanted = foldName(text);
  if (wanted === '') return null;
  const same = solutions.find(({ name }) => foldName(name) === wanted);
  if (same !== undefined) return same;
  const position = positionIn(text);
  if (position !== null) return solutions[position - 1] ?? null;
  const [only, second] = solutions.filter(
    ({ name }) => foldName(name).includes(wanted) || wanted.includes(foldName(name)),
  );
  return only === undefined || second !== undefined ? null : only;
}

/** The place that a text such as `2`, `Solution 2` or `B` means, from 1. */
function positionIn(text: string): number | null {
  const [, number, letter] =
    /^\W*(?:(?:solution|option)\s*)?#?(?:([1-9])|([a-z]))\W*$/i.exec(text) ?? [];
  if (number !== undefined) return Number(number);
  return letter === undefined ? null : letter.toUpperCase().charCodeAt(0) - 64;
}

/** Names are compared without case, white space and punctuation. */
function foldName(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}
