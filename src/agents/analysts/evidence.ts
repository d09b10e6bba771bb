import { isNamedIn, type Needle } from '../../context/needles.ts';
import { definitionsIn } from '../../context/symbols.ts';
import type { Claim } from '../../model/proposal.ts';
import type { Importer } from './importers.ts';
import type { Target } from './targets.ts';

const longestQuote = 120;
const mostClaims = 8;

/** Statements about the targets that can be checked: what they define and who imports them. */
export function claimsOn(found: {
  readonly targets: readonly Target[];
  readonly needles: readonly Needle[];
  readonly importers: readonly Importer[];
}): Claim[] {
  const { targets, needles, importers } = found;
  const own = targets.flatMap((target) => definitionClaims(target, needles));
  const edges = importers.slice(0, 3).map(({ path, target, line, text }) => ({
    statement: `${path} imports ${target}`,
    path,
    line,
    quote: quoted(text),
  }));
  return [...own, ...edges].filter(({ quote }) => quote !== '').slice(0, mostClaims);
}

/** What a file that is named as a pattern defines first. */
export function patternClaim(path: string, content: string): Claim[] {
  const [first] = definitionsIn(path, content);
  if (first === undefined) return [];
  const statement = `${path} defines ${first.name}: a file of the same kind to follow`;
  return [{ statement, path, line: first.line, quote: quoted(first.text) }];
}

function definitionClaims(target: Target, needles: readonly Needle[]): readonly Claim[] {
  const { path, matched, content } = target;
  if (matched.length > 0) {
    return matched.slice(0, 2).map(({ name, line, text }) => ({
      statement: `${path} defines ${name}`,
      path,
      line,
      quote: quoted(text),
    }));
  }
  for (const [index, text] of content.split('\n').entries()) {
    const needle = needles.find((one) => isNamedIn(text, one));
    if (needle === undefined) continue;
    const statement = `${path} mentions ${needle.keyword}`;
    return [{ statement, path, line: index + 1, quote: quoted(text, needle) }];
  }
  return [];
}

/** A short piece of the line as it stands there; of a long line the piece with the needle. */
function quoted(text: string, needle?: Needle): string {
  const lower = text.toLowerCase();
  const at = needle?.texts.map((one) => lower.indexOf(one)).find((found) => found !== -1) ?? 0;
  const start = at < longestQuote - 20 ? 0 : at;
  return text.slice(start, start + longestQuote).trim();
}
