// Gives solutions their letters for one round, and replaces the letters with names.
import type { Examination } from '../../model/proposal.ts';
import { compareTexts, listed, oneLine } from '../../model/wording.ts';
import { sha256Of } from '../../store/digest.ts';

/**
 * Labels A, B, C… for the next round’s questions, by solution id. They follow the order of a hash of session,
 * round and id, which says nothing about author or rank, so no agent can recognise its own solution or the
 * leading one by the letter; the labels are the same on every replay.
 */
export function neutralLabels({
  sessionId,
  round,
  ids,
}: {
  readonly sessionId: string;
  readonly round: number;
  readonly ids: readonly string[];
}): ReadonlyMap<string, string> {
  const hashOf = (id: string) => sha256Of(JSON.stringify([sessionId, round, id]));
  const sorted = ids.toSorted((a, b) => compareTexts(hashOf(a), hashOf(b)));
  return new Map(sorted.map((id, index) => [id, String.fromCodePoint(65 + index)]));
}

interface Labelled {
  readonly label: string;
  readonly name: string;
}

/** Makes a function that replaces `[A]`, the form in which agents are asked to write labels, with names. */
export function namer(solutions: readonly Labelled[]): (text: string) => string {
  const names = new Map(solutions.map(({ label, name }) => [label, `“${oneLine(name)}”`]));
  return (text) => text.replaceAll(inBrackets, (all, label: string) => names.get(label) ?? all);
}

// Matches a label, except in code such as `list[A]` or in a link.
const inBrackets = /(?<![\w$)\]])\[([A-Z])\](?!\()/g;

/** Summarizes the stances of an examination in one line for people. */
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

/** The longest name, in characters, so that several fit into a line. */
const longestName = 44;

/** Quotes a name and shortens it if it is long. */
export function shortName(name: string): string {
  const line = oneLine(name);
  const isLong = line.length > longestName;
  return `“${isLong ? `${line.slice(0, longestName - 1).trimEnd()}…` : line}”`;
}
