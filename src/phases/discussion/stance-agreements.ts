import type { CheckedClaim, HeldStance, Synthesis } from '../../model/synthesis.ts';
import type { Level } from '../../model/ids.ts';
import type { Voice } from './answers.ts';
import { isSettled } from './converge.ts';
import type { Draft } from './draft.ts';
import { type Standing, type Voices, saysSomething, standingOf, voicesOf } from './standing.ts';

export interface CrossVerificationInput {
  readonly round: number;
  readonly voices: readonly Voice[];
  /** Best first. */
  readonly drafts: readonly Draft[];
}

/**
 * Agreements and disagreements as sentences, counted from who proposed, supports and opposes
 * what; never from prose. In round 1 vendors agree where their models proposed the same, later
 * where they support the same and nobody opposes it or is unsure. Places that two vendors cite
 * alike are added as agreements on facts, three at most.
 */
export function crossVerification(
  input: CrossVerificationInput,
): Synthesis['cross_verification'] & { readonly disputed: readonly Draft[] } {
  const voices = voicesOf(input.voices);
  const judged = input.drafts.map((draft) => ({ draft, standing: standingOf(draft, voices) }));
  const disputed = judged.filter(({ draft, standing }) => isDisputed(draft, standing));
  return {
    agreements: [
      ...judged.flatMap(({ draft, standing }) => agreement(draft, standing, input.round)),
      ...sharedFacts(input.drafts, voices).slice(0, mostFacts),
    ],
    disagreements: [
      ...disputed.map(({ draft, standing }) => dispute(draft, standing, voices)),
      ...(input.round === 1 ? firstDifferences(judged, voices) : []),
    ],
    resolution: resolution(input, judged, voices),
    disputed: disputed.map(({ draft }) => draft),
  };
}

const mostFacts = 3;

interface JudgedDraft {
  readonly draft: Draft;
  readonly standing: Standing;
}

function agreement(draft: Draft, standing: Standing, round: number): readonly string[] {
  const { supporters, opponents, unsure } = standing;
  if (supporters.length < 2 || opponents.length > 0 || unsure.length > 0) return [];
  const authors = draft.source_cli.join(', ');
  return round === 1
    ? [`${listed(supporters)} propose “${draft.name}” independently of each other (${authors}).`]
    : [`${listed(supporters)} support “${draft.name}”, and nobody opposes it.`];
}

function isDisputed({ estimates }: Draft, { opponents }: Standing): boolean {
  return opponents.length > 0 && estimates.some(({ kind }) => kind === 'model');
}

function dispute(draft: Draft, { supporters, opponents }: Standing, voices: Voices): string {
  const why = (side: HeldStance['stance']) => {
    const reason = draft.stances
      .filter(({ agent, stance }) => stance === side && !voices.analysts.has(agent))
      .flatMap(({ reasons }) => reasons)
      .find(saysSomething);
    return reason === undefined ? '' : ` (${oneLine(reason)})`;
  };
  const behind = supporters.length === 0 ? `${draft.source_cli.join(', ')} proposed it` : '';
  const pro = behind === '' ? `${listed(supporters)} ${verb(supporters, 'support')} it` : behind;
  return `“${draft.name}”: ${pro}${why('support')}; ${listed(opponents)} ${verb(opponents, 'oppose')} it${why('oppose')}.`;
}

/** What the groups of round 1 show: no common way, or a common way judged differently. */
function firstDifferences(judged: readonly JudgedDraft[], voices: Voices): readonly string[] {
  const ofModels = judged.filter(({ standing }) => standing.supporters.length > 0);
  const shared = ofModels.some(({ standing }) => standing.supporters.length > 1);
  const ways = voices.known.flatMap((vendor) => {
    const first = ofModels.find(({ standing }) => standing.supporters.includes(vendor));
    return first === undefined ? [] : [`${vendor} proposes “${first.draft.name}”`];
  });
  return [
    ...(!shared && ways.length > 1
      ? [`No way is proposed by two vendors: ${ways.join('; ')}.`]
      : []),
    ...judged.flatMap(({ draft }) => [...apart(draft, 'effort'), ...apart(draft, 'risk')]),
  ];
}

function apart(draft: Draft, what: 'effort' | 'risk'): readonly string[] {
  const said = (level: Level) =>
    draft.estimates
      .filter((estimate) => estimate.kind === 'model' && estimate[what] === level)
      .map(({ agent }) => agent);
  const [low, high] = [said('low'), said('high')];
  return low.length > 0 && high.length > 0
    ? [`The ${what} of “${draft.name}” is low for ${listed(low)} and high for ${listed(high)}.`]
    : [];
}

/** Below this many characters, a common quote is too common to be a finding. */
const leastFact = 12;

function sharedFacts(drafts: readonly Draft[], voices: Voices): readonly string[] {
  const claims = drafts
    .flatMap((draft) => [...draft.claims, ...draft.stances.flatMap(({ evidence }) => evidence)])
    .filter((claim) => isFinding(claim) && voices.vendors.get(claim.agent) !== undefined);
  const facts = new Map<string, string>();
  for (const claim of claims) {
    const place = `${claim.path}:${claim.found_line ?? claim.line}`;
    const vendors = new Set(
      claims
        .filter((other) => citesSame(claim, other))
        .map(({ agent }) => voices.vendors.get(agent)),
    );
    vendors.delete(null);
    const near = [...facts.keys()].some((key) => key.startsWith(`${claim.path}:`));
    if (vendors.size < 2 || near) continue;
    const who = [...vendors].filter((vendor) => typeof vendor === 'string').toSorted();
    facts.set(place, `${listed(who)} both found at ${place}: ${oneLine(claim.statement)}.`);
  }
  return [...facts.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
}

function isFinding({ status, quote }: CheckedClaim): boolean {
  return (
    (status === 'verified' || status === 'moved') && quote.replaceAll(/\s/g, '').length >= leastFact
  );
}

function citesSame(a: CheckedClaim, b: CheckedClaim): boolean {
  return a.path === b.path && Math.abs((a.found_line ?? a.line) - (b.found_line ?? b.line)) <= 3;
}

function resolution(
  { voices: answers }: CrossVerificationInput,
  judged: readonly JudgedDraft[],
  voices: Voices,
): string {
  const [first] = judged;
  if (first === undefined) return 'No solution was proposed.';
  const { name } = first.draft;
  if (voices.vendors.size === 0) {
    return `No model answered, so nothing could be cross-checked; “${name}” comes from built-in analysts.`;
  }
  if (isSettled(first.draft, answers)) {
    return `${listed(first.standing.supporters)} agree on “${name}”, and nobody opposes it.`;
  }
  if (voices.known.length < 2) {
    return `Models of fewer than two known vendors answered, so nothing could be cross-checked; “${name}” leads by its own values.`;
  }
  const { supporters, opponents } = first.standing;
  const against = opponents.length === 0 ? '' : `, against ${listed(opponents)}`;
  return `Open: “${name}” leads with the support of ${supporters.length} of ${voices.known.length} vendors${against}.`;
}

function listed(names: readonly string[]): string {
  return names.length < 2
    ? (names[0] ?? 'nobody')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

function verb(subjects: readonly string[], stem: string): string {
  return subjects.length === 1 ? `${stem}s` : stem;
}

function oneLine(text: string): string {
  const line = text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/[.;]+$/, '');
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
