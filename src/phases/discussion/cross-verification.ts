// Writes agreements and disagreements as sentences.
import type { ComparedPair, Remark, Synthesis } from '../../model/synthesis.ts';
import { clause, listed, verbFor } from '../../model/wording.ts';
import { isSettled, findTies } from './converge.ts';
import type { Candidate } from './candidate.ts';
import {
  distinct,
  opponentsOfOldText,
  reasonFor,
  type Support,
  supportOf,
  type Voices,
} from './support.ts';

export interface CrossVerification {
  readonly verification: Synthesis['cross_verification'];
  /** Solutions that some support and some oppose. */
  readonly disputed: readonly Candidate[];
  /** The best one of each vendor, if no solution has two vendors behind it; else empty. */
  readonly rivals: readonly Candidate[];
}

/**
 * Agreements and disagreements as sentences, counted from who recommends, supports and opposes
 * what; never from prose. In round 1 vendors agree where their models recommend the same, later
 * where they support the same and nobody opposes it or is unsure. They disagree on what some
 * support and some oppose, and in round 1 where no two vendors recommend the same. `candidates` come
 * best first.
 */
export function crossVerify(
  candidates: readonly Candidate[],
  {
    voices,
    remarks,
    compared,
  }: {
    readonly voices: Voices;
    readonly remarks: readonly Remark[];
    readonly compared: readonly ComparedPair[];
  },
): CrossVerification {
  const judged = candidates.map((candidate) => ({
    candidate,
    support: supportOf(candidate, voices),
  }));
  const disputed = judged.filter(
    ({ support }) => support.opponents.length > 0 && support.supporters.length > 0,
  );
  const rivals = rivalsAmong(judged, findTies(candidates, voices), voices);
  return {
    verification: {
      agreements: judged.filter(isAgreed).map((one) => agreement(one, { voices, compared })),
      disagreements: [
        ...disputed.map(dispute),
        ...(voices.round === 1 ? rivalry(judged, rivals) : []),
        ...judged.flatMap((one) => earlierDispute(one, remarks)),
        ...compared.filter(saysMore).map(comparison),
        ...judged.flatMap((one) => silentDissent(one, judged[0], voices)),
      ],
      resolution: [
        resolution(judged, voices),
        ...conflicts(judged[0], remarks, voices),
        ...decidedAgainst(judged, remarks, voices),
      ].join(' '),
    },
    disputed: disputed.map(({ candidate }) => candidate),
    rivals: rivals.map(({ candidate }) => candidate),
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
  { voices, compared }: { readonly voices: Voices; readonly compared: readonly ComparedPair[] },
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

/** That two are different is said already by who recommends which. */
function saysMore({ relation, difference }: ComparedPair): boolean {
  return relation !== 'same' && (relation !== 'different' || difference !== '');
}

/** Two recommended solutions that stay apart, and why. */
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

/** Those who opposed a text that was revised since, and have not said whether that settles it. */
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

function rivalsAmong(
  judged: readonly JudgedCandidate[],
  tied: readonly Candidate[],
  voices: Voices,
): readonly JudgedCandidate[] {
  if (tied.length > 0) return judged.filter(({ candidate }) => tied.includes(candidate));
  if (judged.some(({ support }) => support.supporters.length > 1)) return [];
  const first = voices.known.flatMap(
    (vendor) => judged.find(({ support }) => support.supporters.includes(vendor)) ?? [],
  );
  return first.length > 1 ? first : [];
}

/** In round 1: which vendors recommend which solution, where not all recommend the same. */
function rivalry(
  judged: readonly JudgedCandidate[],
  rivals: readonly JudgedCandidate[],
): readonly string[] {
  const wanted = judged.filter(({ support }) => support.supporters.length > 0);
  if (wanted.length < 2) return [];
  const ways = wanted.map(
    ({ candidate, support: { supporters } }) =>
      `${listed(supporters)} ${verbFor(supporters, 'recommend')} “${candidate.name}”`,
  );
  const head = rivals.length > 0 ? 'No two vendors recommend the same' : 'The vendors do not agree';
  return [`${head}: ${ways.join('; ')}.`];
}

/** Names the agents that would have built this one and did not answer in the last round. */
function silentDissent(
  { candidate }: JudgedCandidate,
  first: JudgedCandidate | undefined,
  { vendors, round }: Voices,
): readonly string[] {
  if (candidate === first?.candidate) return [];
  const silent = candidate.preferred_by.filter((agent) => !vendors.has(agent));
  return silent.length === 0
    ? []
    : [`${listed(silent)} would build “${candidate.name}”, and did not answer in round ${round}.`];
}

/** Solutions whose authors support another one by now, on which the agents settled, and why. */
function decidedAgainst(
  [first, ...others]: readonly JudgedCandidate[],
  remarks: readonly Remark[],
  voices: Voices,
): readonly string[] {
  if (first === undefined || !isSettled(first.candidate, voices) || voices.round === 1) return [];
  const { name: settled, stances, source_cli: authors } = first.candidate;
  const nowFor = (agent: string) =>
    stances.some((held) => held.agent === agent && held.stance === 'support');
  return others.flatMap(({ candidate: { id, name, source_cli: own } }) => {
    const changed = own.filter((agent) => !authors.includes(agent) && nowFor(agent));
    if (changed.length === 0) return [];
    const against = remarks.find(({ kind, solution }) => kind === 'objection' && solution === id);
    const why =
      against === undefined
        ? 'nobody said what is wrong with it'
        : `against “${name}” stands ${against.id} of ${listed(against.agents)}: ${clause(against.text)}`;
    const does = verbFor(changed, 'support');
    return `${listed(changed)} proposed “${name}” and ${does} “${settled}” now: ${why}.`;
  });
}

/** Objections to the solution that the agents settled on, and what became of each. */
function conflicts(
  first: JudgedCandidate | undefined,
  remarks: readonly Remark[],
  voices: Voices,
): readonly string[] {
  if (first === undefined || !isSettled(first.candidate, voices)) return [];
  const { id, revised_in: revised, stances } = first.candidate;
  return remarks
    .filter(({ kind, solution }) => kind === 'objection' && solution === id)
    .map(({ text, agents, round, state }) => {
      const supports = agents.filter((agent) =>
        stances.some((held) => held.agent === agent && held.stance === 'support'),
      );
      const end =
        state === 'met' && revised !== undefined
          ? `met by the revision of round ${revised}, as ${listed(agents)} ${verbFor(agents, 'say')}`
          : state === 'revised'
            ? `not raised again since the revision of round ${revised}`
            : supports.length > 0
              ? `${listed(supports)} ${verbFor(supports, 'support')} it all the same`
              : 'not answered, but no longer held';
      return `An objection of ${listed(agents)} in round ${round} (${clause(text)}): ${end}.`;
    });
}

function resolution([first]: readonly JudgedCandidate[], voices: Voices): string {
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
