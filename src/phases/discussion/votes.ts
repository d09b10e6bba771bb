// Decides which opinions are votes, says why another is none, and counts them by vendor.
import type { Assumption, Examination } from '../../model/proposal.ts';
import type { CheckedClaim, HeldStance, Solution, Synthesis } from '../../model/synthesis.ts';
import { distinct, oneLine } from '../../model/wording.ts';
import type { Candidate } from './candidate.ts';
import { isBareVerdict } from './reasons.ts';

/** An agent that answered in a round: the agreement is counted by these. */
export interface Voice {
  readonly agent: string;
  readonly kind: 'model' | 'analyst';
  /** Provider of the model that answered; null if unknown, and for analysts. */
  readonly vendor: string | null;
}

/** The answer of one agent in a round, with every reference checked. */
export interface RoundAnswer extends Voice {
  /** Its solutions in round 1, later its revision if it has one. */
  readonly candidates: readonly Candidate[];
  /** The label of the solution that its revision takes the place of; null where that is new. */
  readonly revises?: string | null;
  /** The label of the solution that it would build, from round 2 on; else null. */
  readonly preferred: string | null;
  /** Its positions on the solutions of the round before, named by their labels. */
  readonly stances: readonly (Omit<HeldStance, 'agent' | 'reason'> & { readonly label: string })[];
  /** Parts of solutions that should come along with another one. */
  readonly adopted: readonly {
    readonly label: string;
    readonly part: string;
    readonly evidence: readonly CheckedClaim[];
  }[];
  /** Its answers to remarks of the rounds before. */
  readonly verdicts: NonNullable<Examination['remarks']>;
  /** Questions to the user. */
  readonly questions: readonly string[];
  /** What it took for granted, as nobody had answered. */
  readonly assumptions: readonly Assumption[];
  /** Its answer to what the user said before the round. */
  readonly reply?: string | undefined;
  readonly searchTerms: readonly string[];
  /** What was needed to read it, as sentences. */
  readonly notes: readonly string[];
}

/** The parts of a solution that its votes depend on. */
export type JudgedSolution = Pick<
  Solution,
  'name' | 'stances' | 'estimates' | 'preferred_by' | 'revised_in'
>;

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

/** The voices of a recorded round: whoever has a receipt, as analysts take no stance anyway. */
function voicesIn({ round, receipts }: Pick<Synthesis, 'round' | 'receipts'>): Voices {
  const answered = receipts.filter(({ failure }) => failure === null);
  return voicesOf(
    round,
    answered.map(({ agent, vendor }) => ({ agent, vendor, kind: 'model' })),
  );
}

/** What one agent thinks of a solution. */
interface Vote {
  readonly agent: string;
  readonly stance: HeldStance['stance'];
  /** Why it does not count, as a clause; null where it does. */
  readonly reason: string | null;
}

/**
 * The votes on a solution, one of each agent that takes a stance on it or would build it. In round 1
 * a model votes for what it recommends, if it gives it at least an even chance and more of its
 * references hold than failed. Later it votes by a stance whose words count (`reasons.ts`), or as an
 * author by preferring its own. A stance ends with the text that it was taken on. An opposition
 * stands while its agent is silent, a support or a doubt does not.
 */
function votesOn(solution: JudgedSolution, voices: Voices): readonly Vote[] {
  const { stances, preferred_by: preferring = [], estimates = [], revised_in: revised } = solution;
  const missing = (agent: string) =>
    voices.vendors.has(agent) ? null : `${agent} did not answer in round ${voices.round}`;
  return distinct([...preferring, ...stances.map(({ agent }) => agent)]).map((agent): Vote => {
    const held = stances.find((one) => one.agent === agent);
    const stance = held?.stance ?? 'support';
    if (voices.round === 1 && stance === 'support') {
      const reason = standsBehind(agent, solution) ? null : doubtful;
      return { agent, stance, reason: missing(agent) ?? reason };
    }
    const isCurrent = held !== undefined && isOnText(held, solution);
    const isSilent = !isCurrent || (stance === 'support' && held.evidence.length === 0);
    const isAuthor = estimates.some((one) => one.agent === agent);
    // An author need not say again why it would build its own.
    if (isSilent && isAuthor && preferring.includes(agent) && voices.vendors.has(agent)) {
      return { agent, stance: 'support', reason: null };
    }
    if (held !== undefined && !isCurrent) {
      return { agent, stance, reason: `it was said before the revision of round ${revised}` };
    }
    const said = held === undefined ? 'it gives no reason' : held.reason;
    return { agent, stance, reason: (stance === 'oppose' ? null : missing(agent)) ?? said };
  });
}

const doubtful = 'it gives it less than an even chance, or its references failed';

/** Says why an agent that is for or against a solution is not counted, as a clause; null where it is. */
export function whyNoVote(
  agent: string,
  solution: JudgedSolution,
  synthesis: Pick<Synthesis, 'round' | 'receipts'>,
): string | null {
  const voices = voicesIn(synthesis);
  const vote = votesOn(solution, voices).find((one) => one.agent === agent);
  if (vote === undefined || vote.reason !== null || vote.stance === 'oppose')
    return vote?.reason ?? null;
  return voices.vendors.get(agent) === null ? 'the vendor of its model is unknown' : null;
}

/** Vendors behind a solution and against it, in order, each once. */
export interface Support {
  /** Known vendors whose models support it. */
  readonly supporters: readonly string[];
  /** The agents whose votes these are. */
  readonly voters: readonly string[];
  /** Vendors whose models would build it and do not oppose it; an unknown one by its agent. */
  readonly preferrers: readonly string[];
  /** Vendors against it; an agent of an unknown vendor, or of another round, by its name. */
  readonly opponents: readonly string[];
  readonly unsure: readonly string[];
}

/** Counts the votes on a solution by vendor. */
export function supportOf(solution: JudgedSolution, voices: Voices): Support {
  const { preferred_by: preferring = [], estimates = [], revised_in: revised } = solution;
  const votes = votesOn(solution, voices).filter(({ reason }) => reason === null);
  const taking = (stance: HeldStance['stance']) =>
    votes.filter((one) => one.stance === stance).map(({ agent }) => agent);
  const vendorsOf = (agents: readonly string[]) =>
    distinct(agents.map((agent) => voices.vendors.get(agent) ?? agent));
  const [voters, opposing] = [taking('support'), taking('oppose')];
  const isAuthor = (agent: string) => estimates.some((one) => one.agent === agent);
  return {
    supporters: distinct(voters.flatMap((agent) => voices.vendors.get(agent) ?? [])),
    voters,
    preferrers: vendorsOf(
      preferring.filter(
        (agent) =>
          voices.vendors.has(agent) &&
          !opposing.includes(agent) &&
          (revised !== voices.round || isAuthor(agent)),
      ),
    ),
    opponents: vendorsOf(opposing),
    unsure: vendorsOf(taking('unsure')),
  };
}

/** True where an agent that answered in the last round would build a solution, or supports it. */
export function isBacked(
  solution: JudgedSolution,
  synthesis: Pick<Synthesis, 'round' | 'receipts'>,
): boolean {
  const { voters, preferrers } = supportOf(solution, voicesIn(synthesis));
  return voters.length > 0 || preferrers.length > 0;
}

/** The first telling reason of those who take a stance, on one line; null where nobody gives one. */
export function reasonFor(
  stance: HeldStance['stance'],
  stances: readonly HeldStance[],
): string | null {
  const reasons = stances.filter((held) => held.stance === stance).flatMap((held) => held.reasons);
  const first = reasons.find((text) => !isBareVerdict(text));
  return first === undefined ? null : oneLine(first);
}

/** The least feasibility that an author gives a solution behind which it stands. */
const leastFeasibility = 0.5;

function standsBehind(agent: string, { estimates = [], preferred_by = [] }: JudgedSolution) {
  return (
    preferred_by.includes(agent) &&
    estimates.some(
      ({ agent: author, feasibility, sound, failed }) =>
        author === agent && feasibility >= leastFeasibility && sound > failed,
    )
  );
}

/** True while the text that a stance was taken on stands. */
export function isOnText({ round }: HeldStance, { revised_in: revised }: JudgedSolution): boolean {
  return round === undefined || revised === undefined || round > revised;
}

/** Names the agents that opposed, with a reason that counts, the text before its last revision. */
export function opponentsOfOldText(solution: JudgedSolution): readonly string[] {
  const old = solution.stances.filter((held) => !isOnText(held, solution));
  return distinct(
    old
      .filter(({ stance, reason }) => stance === 'oppose' && reason === null)
      .map(({ agent }) => agent),
  );
}
