// Writes agreements and disagreements as sentences.
import type { ComparedPair, Convergence, Remark, Synthesis } from '../../model/synthesis.ts';
import { clause, distinct, listed, verbFor } from '../../model/wording.ts';
import type { Candidate } from './candidate.ts';
import { isSettled } from './converge.ts';
import { remarkStateText } from '../remark-words.ts';
import { reasonFor } from './reasons.ts';
import { opponentsOfOldText, type Support, supportOf, type Voices } from './votes.ts';

export interface CrossVerification {
  readonly verification: Synthesis['cross_verification'];
  /** Solutions that some agents support and others oppose. */
  readonly disputed: readonly Candidate[];
}

/** The sources of the sentences besides the solutions. */
interface Known {
  readonly voices: Voices;
  readonly remarks: readonly Remark[];
  readonly compared: readonly ComparedPair[];
  readonly tie: Convergence['chosen_by_rule'] | null;
}

/**
 * Agreements and disagreements as sentences, counted from who recommends, supports and opposes what; never
 * taken from prose. In round 1 vendors agree if their models recommend the same, later if they support the same
 * and no agent opposes it or is unsure. They disagree on solutions that some support and some oppose, and if
 * they would build different ones. `candidates` come best first.
 */
export function crossVerify(candidates: readonly Candidate[], known: Known): CrossVerification {
  const { voices, remarks, compared, tie } = known;
  const judged = candidates.map((candidate) => ({
    candidate,
    support: supportOf(candidate, voices),
  }));
  const [first] = judged;
  const disputed = judged.filter(
    ({ support }) => support.opponents.length > 0 && support.supporters.length > 0,
  );
  return {
    verification: {
      agreements: judged.filter(isAgreed).map((one) => agreement(one, known)),
      disagreements: [
        ...disputed.map(dispute),
        ...rivalry(judged, voices),
        ...judged.flatMap((one) => earlierDispute(one, remarks)),
        ...compared.filter(saysMore).map(comparison),
        ...judged.slice(1).flatMap((one) => silentDissent(one, voices)),
      ],
      resolution: [
        tie?.why ?? resolution(first, voices),
        ...(first === undefined || !isSettled(first.candidate, voices)
          ? []
          : conflicts(first.candidate, remarks)),
      ].join(' '),
    },
    disputed: disputed.map(({ candidate }) => candidate),
  };
}

interface JudgedCandidate {
  readonly candidate: Candidate;
  readonly support: Support;
}

function isAgreed({ support: { supporters, opponents, unsure } }: JudgedCandidate): boolean {
  return supporters.length > 1 && opponents.length === 0 && unsure.length === 0;
}

function agreement(
  { candidate: { name }, support }: JudgedCandidate,
  { voices, compared }: Known,
): string {
  const vendors = `The vendors ${listed(support.supporters)}`;
  if (voices.round > 1) return `${vendors} support “${name}”, and nobody opposes it.`;
  const judges = compared
    .filter(({ agents }) => agents.every((agent) => support.voters.includes(agent)))
    .flatMap((pair) => pair.judges);
  const who = distinct(judges);
  const how = `independently of each other (${support.voters.join(', ')})`;
  return `${vendors} recommend “${name}” ${how}; ${listed(who)} ${verbFor(who, 'find')} their solutions the same.`;
}

/** True if a comparison says more than that the two differ, which the recommendations already show. */
function saysMore({ relation, difference }: ComparedPair): boolean {
  return relation !== 'same' && (relation !== 'different' || difference !== '');
}

/** Describes two recommended solutions that stay separate, and why. */
function comparison({ names: [first, second], relation, difference }: ComparedPair): string {
  const says = {
    same: 'are the same',
    variant: 'are variants of one idea',
    different: 'are different',
    unclear: 'could not be compared, so they stay apart',
  }[relation];
  const what = difference === '' ? '.' : `: ${clause(difference)}.`;
  return `“${first}” and “${second}” ${says}${what}`;
}

function dispute({ candidate: { name, stances }, support }: JudgedCandidate): string {
  const side = (vendors: readonly string[], stance: 'support' | 'oppose') => {
    const reason = reasonFor(stance, stances);
    const why = reason === null ? '' : ` (${clause(reason)})`;
    return `${listed(vendors)} ${verbFor(vendors, stance)} it${why}`;
  };
  return `“${name}”: ${side(support.supporters, 'support')}; ${side(support.opponents, 'oppose')}.`;
}

/** Names the agents that opposed a since revised text and have not said if the revision settles it. */
function earlierDispute(
  { candidate }: JudgedCandidate,
  remarks: readonly Remark[],
): readonly string[] {
  const { id, name, revised_in: revised } = candidate;
  return opponentsOfOldText(candidate).map((agent) => {
    const ids = remarks
      .filter(
        ({ kind, solution, state, agents }) =>
          kind === 'objection' && solution === id && state === 'revised' && agents.includes(agent),
      )
      .map((remark) => remark.id);
    const which = ids.length === 0 ? '' : ` (${ids.join(', ')})`;
    return `${agent} opposed “${name}” as it was before the revision of round ${revised}${which}.`;
  });
}

/** Says which vendors would build which solution, if they would not all build the same. */
function rivalry(judged: readonly JudgedCandidate[], { round }: Voices): readonly string[] {
  const does = round === 1 ? 'recommend' : 'prefer';
  const wanted = judged
    .map(({ candidate: { name }, support: { supporters, preferrers } }) => {
      return { name, vendors: round === 1 ? supporters : preferrers };
    })
    .filter(({ vendors }) => vendors.length > 0);
  if (wanted.length < 2) return [];
  const ways = wanted.map(
    ({ name, vendors }) => `${listed(vendors)} ${verbFor(vendors, does)} “${name}”`,
  );
  const isShared = wanted.some(({ vendors }) => vendors.length > 1);
  const head = isShared ? 'The vendors do not agree' : `No two vendors ${does} the same`;
  return [`${head}: ${ways.join('; ')}.`];
}

/** Names the agents that would have built this solution and did not answer in the last round. */
function silentDissent(
  { candidate: { name, preferred_by: by } }: JudgedCandidate,
  { vendors, round }: Voices,
): readonly string[] {
  const silent = by.filter((agent) => !vendors.has(agent));
  return silent.length === 0
    ? []
    : [`${listed(silent)} would build “${name}”, and did not answer in round ${round}.`];
}

/** Says what became of each objection to the settled solution; its text stands with the remarks. */
function conflicts({ id: settled }: Candidate, remarks: readonly Remark[]): readonly string[] {
  return remarks
    .filter(({ kind, solution }) => kind === 'objection' && solution === settled)
    .map(
      ({ id, agents, round, state }) =>
        `Objection ${id} of ${listed(agents)} in round ${round}: ${remarkStateText(state)}.`,
    );
}

function resolution(first: JudgedCandidate | undefined, voices: Voices): string {
  if (first === undefined) return 'No solution was proposed.';
  const { name } = first.candidate;
  const { supporters, opponents } = first.support;
  if (voices.vendors.size === 0) {
    return `No model answered, so nothing could be cross-checked; “${name}” comes from the built-in analysts.`;
  }
  if (isSettled(first.candidate, voices)) {
    return `The vendors ${listed(supporters)} agree on “${name}”, and nobody opposes it.`;
  }
  if (voices.known.length < 2) {
    return `Models of fewer than two known vendors answered, so nothing could be cross-checked; “${name}” leads by its own values.`;
  }
  const against = opponents.length === 0 ? '' : `, against ${listed(opponents)}`;
  const does = verbFor(supporters, voices.round === 1 ? 'recommend' : 'support');
  return `Open: “${name}” leads; ${supporters.length} of ${voices.known.length} vendors ${does} it${against}.`;
}
