// Puts the names of solutions in place of the letters that agents are given for one round.
import type { Examination } from '../../model/proposal.ts';
import { listed, oneLine } from '../../model/wording.ts';

interface Labelled {
  readonly label: string;
  readonly name: string;
}

/**
 * A function that puts names in place of `Solution A`, `option B`, `"A"`, and of a letter alone that
 * is no word. An “A” that begins a sentence may be one, so it stays.
 */
export function namer(solutions: readonly Labelled[]): (text: string) => string {
  const names = new Map(solutions.map(({ label, name }) => [label, `“${oneLine(name)}”`]));
  return (text) =>
    text
      .replaceAll(
        /\b(?:solution|option|proposal)\s+(?:["“`']([A-Z])["”`']|([A-Z])(?![\w+#]|[.-]\w))/gi,
        (all, quoted?: string, bare?: string) => names.get(quoted ?? bare ?? '') ?? all,
      )
      .replaceAll(/["“`]([A-Z])["”`]/g, (all, letter: string) => names.get(letter) ?? all)
      .replaceAll(alone, (all, a?: string, other?: string) => names.get(a ?? other ?? '') ?? all);
}

/** As in “same order as A”, “B handles both”; not in “C++”, “A.b”, “I think” or “A test”. */
const alone =
  /(?<![\w.“"`'/-])(?:(?<=\b(?:as|than|of|like|to|with|and|or|in|over|both|from|for|unlike) )(A)|([B-HJ-Z]))(?![\w+#’'”"`./-]\w|[+#])/g;

/** The stances of an examination, in one line for people. */
export function stancesText(
  { stances, revision }: Pick<Examination, 'stances' | 'revision'>,
  solutions: readonly Labelled[],
): string {
  const names = new Map(solutions.map(({ label, name }) => [label, shortName(name)]));
  const said = verbs.flatMap(([stance, verb]) => {
    const about = stances.filter((one) => one.stance === stance);
    const known = about.flatMap(({ solution }) => names.get(solution) ?? []);
    return known.length === 0 ? [] : `${verb} ${listed(known)}`;
  });
  return [...said, ...(revision === null ? [] : [`revises its own: “${revision.name}”`])].join(
    '; ',
  );
}

const verbs = [
  ['support', 'supports'],
  ['oppose', 'opposes'],
  ['unsure', 'is unsure of'],
] as const;

/** Several of them have to fit into a line. */
const longestName = 44;

/** In quotes, cut where it is long. */
export function shortName(name: string): string {
  const line = oneLine(name);
  const isLong = line.length > longestName;
  return `“${isLong ? `${line.slice(0, longestName - 1).trimEnd()}…` : line}”`;
}
