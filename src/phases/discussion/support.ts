import type { Examination, Proposal, ProposedSolution } from '../../model/proposal.ts';
import type { CheckedClaim, Estimate, HeldStance, Solution } from '../../model/synthesis.ts';
import { compareTexts } from '../../model/wording.ts';
import { topicWords } from '../topic-words.ts';
import type { CheckedSolution } from './check-references.ts';

/** Who answered in a round: what the agreement is counted by. */
export interface Voice {
  readonly agent: string;
  readonly kind: 'model' | 'analyst';
  /** Provider of the model that answered; null if unknown, and for analysts. */
  readonly vendor: string | null;
}

/** One agent’s position on a solution, named by its label of the round before. */
interface CheckedStance {
  readonly label: string;
  readonly stance: HeldStance['stance'];
  readonly reasons: readonly string[];
  readonly evidence: readonly CheckedClaim[];
}

/** What one agent answered in a round, with every reference checked. */
export interface RoundAnswer extends Voice {
  /** In round 1 its solutions, later its revision if it has one. */
  readonly checked: readonly CheckedSolution[];
  /** Of `checked` the one that it would build, in round 1; else null. */
  readonly recommended: CheckedSolution | null;
  /** The label of the one that it would build, later; else null. */
  readonly preferred: string | null;
  readonly stances: readonly CheckedStance[];
  /** Questions to the user. */
  readonly questions: readonly string[];
  readonly searchTerms: readonly string[];
  /** What had to be assumed to read it, as sentences. */
  readonly notes: readonly string[];
}

/** What of a solution its support depends on. */
export interface Judged extends Pick<Solution, 'name'> {
  readonly estimates: readonly Estimate[];
  readonly stances: readonly HeldStance[];
  /** The agents that would build it: they recommend it in round 1, or prefer it later. */
  readonly preferred_by: readonly string[];
}

/** Who is behind a solution and who is against it; vendors in order, each once. */
export interface Support {
  /** Vendors whose models support it with substance. */
  readonly supporters: readonly string[];
  /** True where only models of an unknown vendor support it. */
  readonly supportedByUnknown: boolean;
  /** The agents whose votes these are. */
  readonly voters: readonly string[];
  /** Vendors whose models would build it and do not oppose it; an unknown one by its agent. */
  readonly preferrers: readonly string[];
  /** Vendors against it; an agent of an unknown vendor, or of another round, by its name. */
  readonly opponents: readonly string[];
  readonly unsure: readonly string[];
}

/**
 * Who stands where on a solution. In round 1 a model supports the solution that it recommends, if
 * it gives it at least an even chance and more of its references hold than failed; to propose
 * another one as well supports nothing. From then on it supports what it says it supports, with
 * evidence or a reason that says something, or what it prefers. Failed evidence never carries a
 * support, but opposition always counts. Of several stances of one agent the most negative counts.
 * Analysts have no say; agents that did not answer in this round can still oppose, but no longer
 * support.
 */
export function supportOf(solution: Judged, voices: Voices): Support {
  const stances = stancesByAgent(solution.stances);
  const answering = [...voices.vendors.keys()].toSorted(compareTexts);
  const supporting = answering.filter((agent) =>
    voices.round === 1
      ? standsBehind(agent, solution)
      : supports(stances.get(agent), solution.preferred_by.includes(agent)),
  );
  const preferring = answering.filter(
    (agent) => solution.preferred_by.includes(agent) && stances.get(agent)?.stance !== 'oppose',
  );
  const against = [...stances].filter(([, { stance }]) => stance === 'oppose');
  const vendors = supporting.map((agent) => voices.vendors.get(agent) ?? null);
  const unsure = answering.filter((agent) => stances.get(agent)?.stance === 'unsure');
  return {
    supporters: distinct(vendors.filter((vendor) => vendor !== null)),
    supportedByUnknown: vendors.length > 0 && vendors.every((vendor) => vendor === null),
    voters: supporting,
    preferrers: distinct(preferring.map((agent) => voices.vendors.get(agent) ?? agent)),
    opponents: distinct(
      against
        .filter(([agent]) => !voices.analysts.has(agent))
        .map(([agent]) => voices.vendors.get(agent) ?? agent),
    ),
    unsure: distinct(unsure.map((agent) => voices.vendors.get(agent) ?? agent)),
  };
}

/** The answers of a round, by what counts for agreement. */
export interface Voices {
  readonly round: number;
  /** The models that answered, each with its vendor in lower case, or null if unknown. */
  readonly vendors: ReadonlyMap<string, string | null>;
  readonly analysts: ReadonlySet<string>;
  /** The distinct known vendors, in order. */
  readonly known: readonly string[];
}

export function voicesOf(round: number, answers: readonly Voice[]): Voices {
  const analysts = new Set(
    answers.filter(({ kind }) => kind === 'analyst').map(({ agent }) => agent),
  );
  const byAgent = Map.groupBy(
    answers.filter(({ agent }) => !analysts.has(agent)),
    ({ agent }) => agent,
  );
  const vendors = new Map([...byAgent].map(([agent, all]) => [agent, onlyVendor(all)]));
  const known = distinct([...vendors.values()].filter((vendor) => vendor !== null));
  return { round, vendors, analysts, known };
}

/** True where a reason says more than that something is good or bad. */
export function saysSomething(reason: string): boolean {
  return new Set(topicWords(reason).filter((word) => !verdictWords.has(word))).size >= 2;
}

const verdictWords = new Set(
  topicWords(
    `agree agreed disagree good great fine nice okay ok yes sure sound sounds solid excellent best
    better bad worse worst right wrong correct clean clear reasonable sensible idea lgtm looks look
    seems seem think believe like love prefer favour favor overall perfect valid quality strong
    weak choice proposal plan design oppose opposed`,
  ),
);

function standsBehind(agent: string, { estimates, preferred_by: recommending }: Judged): boolean {
  return (
    recommending.includes(agent) &&
    estimates.some(
      ({ agent: author, feasibility, sound, failed }) =>
        author === agent && feasibility >= leastFeasibility && sound > failed,
    )
  );
}

function supports(held: HeldStance | undefined, isPreferred: boolean): boolean {
  if (held === undefined) return isPreferred;
  const { stance, reasons, evidence } = held;
  if (stance !== 'support') return false;
  const failed = evidence.filter(({ status }) => status === 'failed').length;
  const sound = evidence.length - failed;
  if (failed > 0) return sound > failed;
  return isPreferred || sound > 0 || reasons.some(saysSomething);
}

const severity = { support: 0, unsure: 1, oppose: 2 } as const;

function stancesByAgent(stances: readonly HeldStance[]): ReadonlyMap<string, HeldStance> {
  const merged = new Map<string, HeldStance>();
  for (const stance of stances) {
    const known = merged.get(stance.agent);
    merged.set(stance.agent, known === undefined ? stance : mergedStance(known, stance));
  }
  return merged;
}

/** The two stances of one agent on one solution as one: the more negative, with all reasons. */
export function mergedStance(a: HeldStance, b: HeldStance): HeldStance {
  return {
    agent: a.agent,
    stance: severity[a.stance] >= severity[b.stance] ? a.stance : b.stance,
    reasons: [...new Set([...a.reasons, ...b.reasons])],
    evidence: [...a.evidence, ...b.evidence],
  };
}

function onlyVendor(answers: readonly Voice[]): string | null {
  const [vendor, second] = distinct(
    answers.map((answer) => answer.vendor?.trim().toLowerCase() ?? ''),
  );
  return vendor === undefined || vendor === '' || second !== undefined ? null : vendor;
}

/** Each once, in order. */
export function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].toSorted(compareTexts);
}

/** Which solution an agent would build, and what had to be assumed to say so. */
interface Vote<T> {
  readonly choice: T | null;
  readonly notes: readonly string[];
}

/** Who gives its own solution less than this does not stand behind it. */
const leastFeasibility = 0.5;

/**
 * The solution that a proposal recommends, by its name. Where the answer names none of its
 * solutions, the first counts, as the question asks to put it there, unless its own author gives
 * it less than an even chance. A null is an answer: the agent would build none of them.
 */
export function recommendedIn({
  agent,
  proposal,
}: {
  readonly agent: string;
  readonly proposal: Pick<Proposal, 'recommended' | 'solutions'>;
}): Vote<ProposedSolution> {
  const { recommended, solutions } = proposal;
  if (recommended === null) return { choice: null, notes: [] };
  const named = recommended === undefined ? null : solutionNamed(recommended, solutions);
  if (named !== null) return { choice: named, notes: [] };
  const [first, second] = solutions;
  if (first === undefined) return { choice: null, notes: [] };
  const said =
    recommended === undefined
      ? `${agent} did not say which solution it would build`
      : `${agent} recommended “${recommended}”, which is none of its solutions`;
  if (first.feasibility < leastFeasibility) {
    return { choice: null, notes: [`${said}, and doubts its first one: it recommends none.`] };
  }
  const assumed = `${said}; its first one, “${first.name}”, counts as recommended.`;
  return { choice: first, notes: second === undefined ? [] : [assumed] };
}

/**
 * The label that an examination prefers. Where it does not say, the only solution that it
 * supports counts.
 */
export function preferredIn({ preferred, stances }: Examination): string | null {
  if (preferred !== undefined) return preferred;
  const supported = stances.filter(({ stance }) => stance === 'support');
  const [only, second] = new Set(supported.map(({ solution }) => solution));
  return only === undefined || second !== undefined ? null : only;
}

/** Names are compared without case, white space and punctuation; a part of one name is enough. */
function solutionNamed(
  text: string,
  solutions: readonly ProposedSolution[],
): ProposedSolution | null {
  const wanted = folded(text);
  const same = solutions.find(({ name }) => folded(name) === wanted);
  if (same !== undefined || wanted === '') return same ?? null;
  const [only, second] = solutions.filter(
    ({ name }) => folded(name).includes(wanted) || wanted.includes(folded(name)),
  );
  return only === undefined || second !== undefined ? null : only;
}

function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
