// Reads reasons that name a remark of an earlier round by its id instead of putting it in other words.
import type { HeldStance, Remark } from '../../model/synthesis.ts';

interface Citation {
  /** The ids at the start of the text, e.g. of "O3 and O4 still stand: the queue has no bound". */
  readonly ids: readonly string[];
  /** The text after them. */
  readonly rest: string;
}

/** The citation that a text begins with; null where it begins with its own words. */
export function citationIn(text: string): Citation | null {
  const [, list, rest] =
    /^\W*(O\d+(?:(?:,|\/|&|\s|and\b)+O\d+)*)\b(?:[\s:.,;*_`)\]–—-]|\b(?:still|stands?|holds?)\b)*(.*)$/s.exec(
      text,
    ) ?? [];
  if (list === undefined || rest === undefined) return null;
  return { ids: list.match(/O\d+/g) ?? [], rest: rest.trim() };
}

type Held = Pick<HeldStance, 'stance' | 'reasons' | 'changes' | 'evidence'>;

/** An opposition with the words and the evidence of the remarks that it names, for the count of votes. */
export function withCitedRemarks(
  held: Held,
  solution: string | null,
  remarks: readonly Remark[],
): Held {
  if (held.stance !== 'oppose') return held;
  const ids = new Set(held.reasons.flatMap((reason) => citationIn(reason)?.ids ?? []));
  const cited = remarks.filter((one) => one.solution === solution && ids.has(one.id));
  return {
    ...held,
    reasons: [...held.reasons, ...cited.map(({ text }) => text)],
    evidence: [...held.evidence, ...cited.flatMap(({ evidence }) => evidence)],
  };
}
