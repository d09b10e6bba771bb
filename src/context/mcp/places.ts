/** A place in the code as somebody wrote it down. Lines count from 1, null where not told. */
export interface Place {
  /** What its path may be, the likeliest first: a text may go on after a path. */
  readonly names: readonly string[];
  readonly start: number | null;
  readonly end: number | null;
}

/**
 * The places in an answer that is prose with code, in their order. Every reading is surer than
 * the next: paths with a label (`Path: a.ts`), lines and code fences that are a path
 * (`### a.ts:3-9`), paths anywhere in the prose. The first that leads to a file is the right one.
 */
export function readingsOf(text: string): readonly (readonly Place[])[] {
  const lines = linesOf(text);
  return [labelled, headed, mentioned].map((reading) => withRanges(lines, reading));
}

interface Line {
  readonly text: string;
  /** Inside a code fence. */
  readonly code: boolean;
  /** The number that stands before a line of code, e.g. 12 of `  12  return`. */
  readonly number: number | null;
}

type Reading = (line: Line) => readonly Place[];

function linesOf(text: string): readonly Line[] {
  let open = false;
  return text.split(/\r?\n/).map((line) => {
    const fence = /^\s*(?:```|~~~)/.test(line);
    if (fence) open = !open;
    const [, number] = /^\s*L?(\d{1,7})(?:\t|:|\s*[|│]| {2})/.exec(line) ?? [];
    return {
      text: line,
      code: open && !fence,
      number: number === undefined ? null : Number(number),
    };
  });
}

/** `Path: src/a.ts`, `   Location: src/a.ts:3-9`, `**File:** a.ts (lines 3-9)`. */
function labelled({ text, code, number }: Line): readonly Place[] {
  const [, label = '', rest] =
    /^\s{0,4}(?:[-*#>]\s*|\d+[.)]\s*)*[*_`]*((?:file[ _-]?)?(?:path|name)|file|location|source)[*_`]*\s*:[*_`]*\s*(\S.*)$/i.exec(
      text,
    ) ?? [];
  // Code may have such a line too, hardly ever with a capital.
  if (rest === undefined || number !== null || (code && !/^[A-Z]/.test(label))) return [];
  return [placeIn(rest)];
}

/** A heading, an item of a list or a code fence that starts with a path. */
function headed({ text, code, number }: Line): readonly Place[] {
  const cursor = /^\s*(?:```|~~~)(\d+):(\d+):(\S+)/.exec(text);
  if (cursor !== null) {
    return [{ names: [cursor[3] ?? ''], start: Number(cursor[1]), end: Number(cursor[2]) }];
  }
  if (code || number !== null) return [];
  const [, fenced] =
    /^\s*(?:```|~~~)[\w+#-]*[\s:]+(?:(?:title|file|path)=)?(\S.*)$/.exec(text) ?? [];
  const rest = fenced ?? text.replace(/^\s*(?:[-*#>]\s*|\d+[.)]\s+|\[\d+\]\s*)*/, '');
  const place = placeIn(rest);
  return place.names.some(isPathLike) ? [place] : [];
}

/** Any word of the prose with a slash or an ending. */
function mentioned({ text, code, number }: Line): readonly Place[] {
  if (code || number !== null) return [];
  return text
    .split(/[\s,;()[\]<>"'`*|]+/)
    .map((word) => placeIn(word.replace(/[.:]+$/, '')))
    .filter(({ names }) => names.some(isPathLike));
}

function isPathLike(name: string): boolean {
  return /^\S*\/\S+$|^\S+\.\w{1,12}$/.test(name);
}

const range = '[Ll]?(\\d{1,7})(?:\\s*(?:-|–|—|\\.\\.|to|,)\\s*[Ll]?(\\d{1,7}))?';
/** `:3-9`, `:3:1`, `#L3-L9`, ` (lines 3-9)`, ` L3-L9`, ` [3-9]`, `, lines 3 to 9`. */
const rangeAfter = new RegExp(
  `^(.*?)(?::${range}(?::\\d+)?|#${range}|[\\s,]*[(\\[]?\\s*\\blines?\\s*:?\\s*${range}|\\s*[(\\[]\\s*${range}\\s*[)\\]]|\\s+L${range})(?![\\w/])`,
);

/** No path that is worth a search is longer; it keeps a hostile line from being slow to read. */
const longestPlace = 300;

function placeIn(text: string): Place {
  const bare = text
    .slice(0, longestPlace)
    .replaceAll(/[*`"'“”]/g, '')
    .trim();
  const match = rangeAfter.exec(bare);
  const [, before = bare, ...numbers] = match ?? [];
  const [start, end] = numbers.filter((number) => number !== undefined).map(Number);
  const whole = before
    .trim()
    .replace(/\s+[-–—([{].*$/, '')
    .replace(/[,:;]$/, '');
  const names = [...new Set([whole, whole.split(/\s/)[0] ?? ''])].filter((name) => name !== '');
  return { names, start: start ?? null, end: end ?? start ?? null };
}

/** Where a place has no lines, those that the answer shows of it: `Lines: 3-9`, or numbered code. */
function withRanges(lines: readonly Line[], reading: Reading): readonly Place[] {
  const places: Place[] = [];
  for (const line of lines) {
    const found = reading(line);
    const last = places.at(-1);
    if (found.length > 0) places.push(...found);
    else if (last !== undefined) places.splice(-1, 1, extended(last, line));
  }
  return places;
}

/** `Lines: L3-L9`. */
const rangeLine = new RegExp(`^\\W*lines?\\W*${range}\\W*$`, 'i');

function extended(place: Place, line: Line): Place {
  const [, from, to] = rangeLine.exec(line.text.slice(0, longestPlace)) ?? [];
  if (place.start === null && from !== undefined) {
    return { ...place, start: Number(from), end: Number(to ?? from) };
  }
  if (line.number === null) return place;
  if (place.start === null) return { ...place, start: line.number, end: line.number };
  const follows = line.number === (place.end ?? 0) + 1;
  return follows ? { ...place, end: line.number } : place;
}
