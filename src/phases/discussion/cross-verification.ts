import type { Level } from '../../model/ids.ts';
import type { CheckedClaim, HeldStance, Synthesis } from '../../model/synthesis.ts';
import { compareTexts, listed, oneLine, verbFor } from '../../model/wording.ts';
import { saysSomething, type Support, supportOf, type Voices, distinct } from './support.ts';
import { isSettled } from './converge.ts';
import type { Draft } from './draft.ts';
import { nearLines } from './quote.ts';

export interface CrossVerificationInput {
  readonly voices: Voices;
  /** Best first. */
  readonly drafts: readonly Draft[];
}

export interface CrossVerified {
  readonly verification: Synthesis['cross_verification'];
  /** Solutions that some support and some oppose. */
  readonly disputed: readonly Draft[];
  /** Where no solution has two vendors behind it, the best one of each vendor. */
  readonly rivals: readonly Draft[];
}

/**
 * Agreements and disagreements as sentences, counted from who recommends, supports and opposes
 * what; never from prose. In round 1 vendors agree where their models recommend the same, later
 * where they support the same and nobody opposes it or is unsure. They disagree on what some
 * support and some oppose, and in round 1 where no two vendors recommend the same, or judge the
 * effort or risk of the same as low and as high.
 */
export function crossVerification(input: CrossVerificationInput): CrossVerified {
  const { voices } = input;
  const judged = input.drafts.map((draft) => ({ draft, support: supportOf(draft, voices) }));
  const disputed = judged.filter(isDisputed);
  const rivals = rivalsAmong(judged, voices);
  return {
    verification: {
      agreements: [
        ...judged.flatMap((one) => agreement(one, voices.round)),
        ...sharedFacts(input.drafts, voices),
      ],
      disagreements: [
        ...disputed.map((one) => dispute(one, voices)),
        ...(voices.round === 1 ? firstDifferences(judged, rivals) : []),
      ],
      resolution: resolution(judged, voices),
    },
    disputed: disputed.map(({ draft }) => draft),
    rivals: rivals.map(({ draft }) => draft),
  };
}

interface JudgedDraft {
  readonly draft: Draft;
  readonly support: Support;
}

function agreement({ draft, support }: JudgedDraft, round: number): readonly string[] {
  const { supporters, voters, opponents, unsure } = support;
  if (supporters.length < 2 || opponents.length > 0 || unsure.length > 0) return [];
  return round === 1
    ? [
        `${listed(supporters)} recommend “${draft.name}” independently of each other (${voters.join(', ')}).`,
      ]
    : [`${listed(supporters)} support “${draft.name}”, and nobody opposes it.`];
}

/** An author stands behind its solution unless it says otherwise. */
function isDisputed({ draft, support }: JudgedDraft): boolean {
  const { estimates, stances } = draft;
  const behind = estimates.some(
    ({ agent, kind }) =>
      kind === 'model' && !stances.some((one) => one.agent === agent && one.stance === 'oppose'),
  );
  return support.opponents.length > 0 && (behind || support.supporters.length > 0);
}

function dispute({ draft, support }: JudgedDraft, voices: Voices): string {
  const { supporters, opponents } = support;
  const why = (side: HeldStance['stance']) => {
    const reason = draft.stances
      .filter(({ agent, stance }) => stance === side && !voices.analysts.has(agent))
      .flatMap(({ reasons }) => reasons)
      .find(saysSomething);
    return reason === undefined ? '' : ` (${clause(reason)})`;
  };
  const behind =
    supporters.length === 0
      ? `${listed(draft.source_cli)} proposed it`
      : `${listed(supporters)} ${verbFor(supporters, 'support')} it${why('support')}`;
  return `“${draft.name}”: ${behind}; ${listed(opponents)} ${verbFor(opponents, 'oppose')} it${why('oppose')}.`;
}

function rivalsAmong(judged: readonly JudgedDraft[], voices: Voices): readonly JudgedDraft[] {
  if (judged.some(({ support }) => support.supporters.length > 1)) return [];
  const first = voices.known.flatMap(
    (vendor) => judged.find(({ support }) => support.supporters.includes(vendor)) ?? [],
  );
  return first.length > 1 ? first : [];
}

function firstDifferences(
  judged: readonly JudgedDraft[],
  rivals: readonly JudgedDraft[],
): readonly string[] {
  const ways = rivals.map(
    ({ draft, support }) =>
      `${listed(support.supporters)} ${verbFor(support.supporters, 'recommend')} “${draft.name}”`,
  );
  return [
    ...(ways.length > 0 ? [`No two vendors recommend the same: ${ways.join('; ')}.`] : []),
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

function resolution(judged: readonly JudgedDraft[], voices: Voices): string {
  const [first] = judged;
  if (first === undefined) return 'No solution was proposed.';
  const { name } = first.draft;
  if (voices.vendors.size === 0) {
    return `No model answered, so nothing could be cross-checked; “${name}” comes from the built-in analysts.`;
  }
  if (isSettled(first.draft, voices)) {
    return `${listed(first.support.supporters)} agree on “${name}”, and nobody opposes it.`;
  }
  if (voices.known.length < 2) {
    return `Models of fewer than two known vendors answered, so nothing could be cross-checked; “${name}” leads by its own values.`;
  }
  const { supporters, opponents } = first.support;
  const against = opponents.length === 0 ? '' : `, against ${listed(opponents)}`;
  const does = voices.round === 1 ? 'recommend' : 'support';
  return `Open: “${name}” leads; ${supporters.length} of ${voices.known.length} vendors ${verbFor(supporters, does)} it${against}.`;
}

const mostFacts = 3;
/** In characters without spaces; a shorter quote is too common to be a finding. */
const leastFact = 12;

/**
 * Places in the code that models of two vendors cite, as sentences: one for a file, three at
 * most, so that many small ones do not pass for agreement on the way. They count for nothing.
 */
function sharedFacts(drafts: readonly Draft[], voices: Voices): readonly string[] {
  const findings = drafts
    .flatMap((draft) => [...draft.claims, ...draft.stances.flatMap(({ evidence }) => evidence)])
    .filter(isFinding)
    .flatMap(({ agent, path, line, found_line: found, quote }) => {
      const vendor = voices.vendors.get(agent) ?? null;
      return vendor === null ? [] : [{ agent, vendor, path, line: found ?? line, quote }];
    })
    .toSorted(
      (a, b) =>
        compareTexts(a.path, b.path) ||
        a.line - b.line ||
        compareTexts(`${a.quote} ${a.agent}`, `${b.quote} ${b.agent}`),
    );
  const facts = [...Map.groupBy(findings, ({ path }) => path).values()].flatMap((inFile) => {
    const cited = inFile.map((finding) => {
      const near = inFile.filter(({ line }) => Math.abs(line - finding.line) <= nearLines);
      return { ...finding, vendors: distinct(near.map(({ vendor }) => vendor)) };
    });
    return cited.find(({ vendors }) => vendors.length > 1) ?? [];
  });
  return facts
    .slice(0, mostFacts)
    .map(
      ({ vendors, path, line, quote }) =>
        `${listed(vendors)} cite ${path}:${line}: “${clause(quote)}”.`,
    );
}

function isFinding({ status, quote }: CheckedClaim): boolean {
  return (
    (status === 'verified' || status === 'moved') && quote.replaceAll(/\s/g, '').length >= leastFact
  );
}

/** A text as a part of a sentence: without a full stop, at most 200 characters. */
function clause(text: string): string {
  const line = oneLine(text).replace(/[.;]+$/, '');
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
