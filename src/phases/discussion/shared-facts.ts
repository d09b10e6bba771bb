import type { CheckedClaim } from '../../model/synthesis.ts';
import { compareTexts } from './compare-texts.ts';
import type { Draft } from './draft.ts';
import { nearLines } from './quote.ts';
import { listed, oneLine } from './sentences.ts';
import type { Voices } from './standing.ts';

const mostFacts = 3;
/** In characters without spaces; a shorter quote is too common to be a finding. */
const leastFact = 12;

/**
 * Places in the code that models of two vendors cite, as sentences: one for a file, three at
 * most, so that many small ones do not pass for agreement on the way. They count for nothing.
 */
export function sharedFacts(drafts: readonly Draft[], voices: Voices): readonly string[] {
  const claims = drafts
    .flatMap((draft) => [...draft.claims, ...draft.stances.flatMap(({ evidence }) => evidence)])
    .filter((claim) => isFinding(claim) && typeof voices.vendors.get(claim.agent) === 'string');
  const facts = new Map<string, string>();
  for (const claim of claims.toSorted(byPlace)) {
    const vendors = vendorsCiting(claim, claims, voices);
    if (vendors.length < 2 || facts.has(claim.path)) continue;
    const place = `${claim.path}:${lineOf(claim)}`;
    facts.set(claim.path, `${listed(vendors)} cite ${place}: “${oneLine(claim.quote)}”.`);
  }
  return [...facts.values()].slice(0, mostFacts);
}

function isFinding({ status, quote }: CheckedClaim): boolean {
  return (
    (status === 'verified' || status === 'moved') && quote.replaceAll(/\s/g, '').length >= leastFact
  );
}

function vendorsCiting(
  claim: CheckedClaim,
  claims: readonly CheckedClaim[],
  voices: Voices,
): readonly string[] {
  const same = claims.filter(
    (other) => other.path === claim.path && Math.abs(lineOf(other) - lineOf(claim)) <= nearLines,
  );
  const vendors = same.flatMap(({ agent }) => voices.vendors.get(agent) ?? []);
  return [...new Set(vendors)].toSorted(compareTexts);
}

function byPlace(a: CheckedClaim, b: CheckedClaim): number {
  return (
    compareTexts(a.path, b.path) ||
    lineOf(a) - lineOf(b) ||
    compareTexts(`${a.quote} ${a.agent}`, `${b.quote} ${b.agent}`)
  );
}

function lineOf({ found_line: found, line }: CheckedClaim): number {
  return found ?? line;
}
