// Decides which opinions are votes, says why others are not, and counts them by vendor.
import type { Assumption, Examination } from '../../model/proposal.ts';
import type { CheckedClaim, HeldStance, Solution, Synthesis } from '../../model/synthesis.ts';
import { distinct } from '../../model/wording.ts';
import type { Candidate } from './candidate.ts';

/** An agent that answered in a round; agreement is counted in voices. */
export interface Voice {
  readonly agent: string;
  readonly kind: 'model' | 'analyst';
  /** Provider of the model that answered; null if unknown, and for analysts. */
  readonly vendor: string | null;
}

/** The answer of one agent in a round, with every reference checked. */
export interface RoundAnswer extends Voice {
  /** Its solutions in round 1, later its revision, if any. */
  readonly candidates: readonly Candidate[];
  /** The label of the solution that its revision replaces; null for a new solution. */
  readonly revises?: string | null;
  /** The label of the solution that it would build, from round 2 on; null in round 1 or if it names none. */
  readonly preferred: string | null;
  /** Its stances on the solutions of the previous round, by their labels. */
  readonly stances: readonly (Omit<HeldStance, 'agent' | 'reason'> & { readonly label: string })[];
  /** Parts of solutions that should be added to another one. */
  readonly adopted: readonly {
    readonly label: string;
    readonly part: string;
    readonly evidence: readonly CheckedClaim[];
  }[];
  /** Its answers to remarks of earlier rounds. */
  readonly verdicts: NonNullable<Examination['remarks']>;
  /** Questions to the user. */
  readonly questions: readonly string[];
  /** What it assumed where the user had not answered. */
  readonly assumptions: readonly Assumption[];
  /** Its answer to what the user said before the round. */
  readonly reply?: string | undefined;
  readonly searchTerms: readonly string[];
  /** Notes on the repairs that were needed to read it, as sentences. */
  readonly notes: readonly string[];
}

/** What an answer says that proposes solutions and nothing else. */
export const emptyAnswer = {
  preferred: null,
  stances: [],
  adopted: [],
  verdicts: [],
  questions: [],
  assumptions: [],
  searchTerms: [],
  notes: [],
};

/** The parts of a solution that the votes on it depend on. */
export type JudgedSolution = Pick<
  Solution,
  'name' | 'stances' | 'estimates' | 'preferred_by' | 'revised_in'
>;

/** The models that answered in a round. */
export interface Voices {
  readonly round: number;
  /** Each model with its vendor in lower case, or null if unknown. */
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

/** The voices of a recorded round: every agent with a receipt, because analysts take no stance anyway. */
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
  /** A clause on why it does not count; null if it does. */
  readonly reason: string | null;
}

/**
 * The votes on a solution, one for each agent that takes a stance on it or would build it. In round 1 a model
 * votes for its recommendation, if it gives it at least an even chance and more of its references hold than
 * failed. Later it votes by a stance whose words count (`reasons.ts`), or as an author by preferring its own. A
 * stance ends with the text that it was taken on. An opposition remains while its agent is silent, a support or
 * a doubt does not.
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
    // An author need not repeat why it would build its own solution.
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

/** Says in a clause why an agent for or against a solution is not counted; null if it is. */
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

/** The vendors for and against a solution, in order, each once. */
export interface Support {
  /** Known vendors whose models support it. */
  readonly supporters: readonly string[];
  /** The agents that cast these votes. */
  readonly voters: readonly string[];
  /** Vendors whose models would build it and do not oppose it; if the vendor is unknown, the agent’s name. */
  readonly preferrers: readonly string[];
  /** Vendors against it; for an unknown vendor or an agent of another round, the agent’s name. */
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

/** True if an agent that answered in the last round would build a solution or supports it. */
export function isBacked(
  solution: JudgedSolution,
  synthesis: Pick<Synthesis, 'round' | 'receipts'>,
): boolean {
  const { voters, preferrers } = supportOf(solution, voicesIn(synthesis));
  return voters.length > 0 || preferrers.length > 0;
}

/** The least feasibility at which an author still backs its solution. */
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

/** True if the text that a stance was taken on has not been revised since. */
function isOnText({ round }: HeldStance, { revised_in: revised }: JudgedSolution): boolean {
  return round === undefined || revised === undefined || round > revised;
}

/** Names the agents that opposed the text before its last revision with a reason that counts. */
export function opponentsOfOldText(solution: JudgedSolution): readonly string[] {
  const old = solution.stances.filter((held) => !isOnText(held, solution));
  return distinct(
    old
      .filter(({ stance, reason }) => stance === 'oppose' && reason === null)
      .map(({ agent }) => agent),
  );
}
