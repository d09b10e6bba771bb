// Chooses the regions of a file that the task is about, by its definitions and the hits in them.
import type { Definition } from '../symbols.ts';
import { jointShare } from './content-signals.ts';
import { tally, type Clues } from './search-signal.ts';

/** Lines of a file, counted from 1. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** Shorter definitions are combined, longer ones split. */
const fewestLines = 12;
const mostLines = 40;

/** The sections of a file: a definition with the comment above it, or several short ones. */
export function sectionsOf(
  lines: readonly string[],
  definitions: readonly Pick<Definition, 'line'>[],
): readonly Region[] {
  const starts: number[] = [1];
  const begin = (line: number): void => {
    for (let at = (starts.at(-1) ?? 1) + mostLines; at < line; at += mostLines) starts.push(at);
    if (line - (starts.at(-1) ?? 1) >= fewestLines) starts.push(line);
  };
  for (const { line } of definitions) begin(withComment(lines, line));
  begin(lines.length + 1);
  const all = starts.filter((start) => start <= lines.length);
  return all.map((start, at) => ({ start, end: (all[at + 1] ?? lines.length + 1) - 1 }));
}

const commentLine = /^\s*(?:\/\/|\/?\*|#|@|--)/;

function withComment(lines: readonly string[], line: number): number {
  let start = line;
  while (start > 1 && line - start < mostLines && commentLine.test(lines[start - 2] ?? '')) start--;
  return start;
}

const mostRegions = 3;
/** Share of the best region's value that a region needs. */
const leastShare = 0.5;
/** A gap of fewer lines between two regions is shown, too. */
const smallestGap = 4;

/** The sections with the most telling hits, best first; those that touch are joined. */
export function bestRegions(
  file: {
    readonly hits: readonly number[];
    readonly sections: readonly Region[];
    readonly definitions: readonly Pick<Definition, 'name' | 'line'>[];
  },
  clues: Pick<Clues, 'terms' | 'values' | 'termsIn'>,
): readonly Region[] {
  const { sections } = file;
  const values = sectionValues(file, clues);
  const best = Math.max(0, ...values);
  const chosen = [...sections.keys()]
    .filter((at) => best > 0 && (values[at] ?? 0) >= leastShare * best)
    .toSorted((a, b) => (values[b] ?? 0) - (values[a] ?? 0))
    .slice(0, mostRegions);
  return joinRegions(chosen.flatMap((at) => sections[at] ?? []));
}

function sectionValues(
  { hits, sections, definitions }: Parameters<typeof bestRegions>[0],
  { terms, values, termsIn }: Pick<Clues, 'terms' | 'values' | 'termsIn'>,
): readonly number[] {
  const places = sections.flatMap(({ start, end }, at) =>
    Array.from({ length: end - start + 1 }, () => at),
  );
  const sectionAt = (line: number): number => places[line - 1] ?? -1;
  const bySection = Map.groupBy(hits, (hit) => sectionAt(Math.floor(hit / terms.length) + 1));
  const names = Map.groupBy(definitions, ({ line }) => sectionAt(line));
  const valueOf = (counts: ReadonlyMap<number, number>): number =>
    [...counts].reduce((sum, [term, count]) => {
      const share = terms[term]?.isJoint === true ? jointShare : 1;
      return sum + ((values[term] ?? 0) * share * count) / (count + 0.6);
    }, 0);
  return sections.map((_, at) => {
    const inText = valueOf(tally((bySection.get(at) ?? []).map((hit) => hit % terms.length)));
    const inNames = valueOf(tally((names.get(at) ?? []).flatMap(({ name }) => termsIn(name))));
    return inText + inNames;
  });
}

/** Joins regions that touch, at the place of the better one. */
function joinRegions(regions: readonly Region[]): readonly Region[] {
  const all: Region[] = [];
  for (const region of regions) {
    const near = all.findIndex(
      ({ start, end }) => region.start <= end + smallestGap && region.end >= start - smallestGap,
    );
    const { start, end } = all[near] ?? region;
    const whole = { start: Math.min(start, region.start), end: Math.max(end, region.end) };
    if (near === -1) all.push(whole);
    else all[near] = whole;
  }
  return all;
}
