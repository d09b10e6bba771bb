// Writes agreements and disagreements as sentences.
import type { Synthesis } from '../../model/synthesis.ts';
import { listed, verbFor } from '../../model/wording.ts';
import { clause } from '../options.ts';
import { isSettled } from './converge.ts';
import type { Draft } from './draft.ts';
import { reasonFor, type Support, supportOf, type Voices } from './support.ts';

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
 * support and some oppose, and in round 1 where no two vendors recommend the same. `drafts` come
 * best first.
 */
export function crossVerification(drafts: readonly Draft[], voices: Voices): CrossVerified {
  const judged = drafts.map((draft) => ({ draft, support: supportOf(draft, voices) }));
  const disputed = judged.filter(
    ({ support }) => support.opponents.length > 0 && support.supporters.length > 0,
  );
  const rivals = rivalsAmong(judged, voices);
  return {
    verification: {
      agreements: judged.filter(isAgreed).map((one) => agreement(one, voices.round)),
      disagreements: [
        ...disputed.map(dispute),
        ...(voices.round === 1 && rivals.length > 0 ? [rivalry(rivals)] : []),
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

function isAgreed({ support: { supporters, opponents, unsure } }: JudgedDraft): boolean {
  return supporters.length > 1 && opponents.length === 0 && unsure.length === 0;
}

function agreement({ draft: { name }, support }: JudgedDraft, round: number): string {
  const vendors = listed(support.supporters);
  return round === 1
    ? `${vendors} recommend “${name}” independently of each other (${support.voters.join(', ')}).`
    : `${vendors} support “${name}”, and nobody opposes it.`;
}

function dispute({ draft: { name, stances }, support }: JudgedDraft): string {
  const side = (vendors: readonly string[], stance: 'support' | 'oppose') => {
    const reason = reasonFor(stance, stances);
    const why = reason === null ? '' : ` (${clause(reason)})`;
    return `${listed(vendors)} ${verbFor(vendors, stance)} it${why}`;
  };
  return `“${name}”: ${side(support.supporters, 'support')}; ${side(support.opponents, 'oppose')}.`;
}

function rivalsAmong(judged: readonly JudgedDraft[], voices: Voices): readonly JudgedDraft[] {
  if (judged.some(({ support }) => support.supporters.length > 1)) return [];
  const first = voices.known.flatMap(
    (vendor) => judged.find(({ support }) => support.supporters.includes(vendor)) ?? [],
  );
  return first.length > 1 ? first : [];
}

function rivalry(rivals: readonly JudgedDraft[]): string {
  const ways = rivals.map(
    ({ draft, support }) => `${listed(support.supporters)} recommends “${draft.name}”`,
  );
  return `No two vendors recommend the same: ${ways.join('; ')}.`;
}

function resolution([first]: readonly JudgedDraft[], voices: Voices): string {
  if (first === undefined) return 'No solution was proposed.';
  const { name } = first.draft;
  const { supporters, opponents } = first.support;
  if (voices.vendors.size === 0) {
    return `No model answered, so nothing could be cross-checked; “${name}” comes from the built-in analysts.`;
  }
  if (isSettled(first.draft, voices)) {
    return `${listed(supporters)} agree on “${name}”, and nobody opposes it.`;
  }
  if (voices.known.length < 2) {
    return `Models of fewer than two known vendors answered, so nothing could be cross-checked; “${name}” leads by its own values.`;
  }
  const against = opponents.length === 0 ? '' : `, against ${listed(opponents)}`;
  const does = verbFor(supporters, voices.round === 1 ? 'recommend' : 'support');
  return `Open: “${name}” leads; ${supporters.length} of ${voices.known.length} vendors ${does} it${against}.`;
}
