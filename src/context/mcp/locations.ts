// Reads the files and lines that an answer names, in JSON or in prose.
import { fileURLToPath } from 'node:url';
import { isObject } from '../../model/json.ts';
import { plainPath } from '../../git/paths.ts';

/** A place in the code. Lines are counted from 1; null if they are not given. */
export interface CodeLocation {
  /** A path or a URI as the server wrote it. */
  readonly name: string;
  readonly start: number | null;
  readonly end: number | null;
}

/** Picks the places that are files of the repository, each path once with its first lines. */
export function filesAmong(
  places: readonly CodeLocation[],
  repository: { readonly root: string; readonly files: ReadonlySet<string> },
): readonly CodeLocation[] {
  const found = new Map<string, CodeLocation>();
  for (const { name, ...lines } of places) {
    const path = plainPath(decode(name).replace(`${repository.root}/`, '').replace(part, ''));
    if (path === null || found.has(path) || !repository.files.has(path)) continue;
    // The lines of a part are counted from the part’s own first line.
    const told = part.test(name) ? { start: null, end: null } : lines;
    found.set(path, { name: path, ...told });
  }
  return [...found.values()];
}

/** Some servers cut large files and name the parts `a.ts#chunk2of3`. */
const part = /#chunk\d+of\d+$/;

function decode(name: string): string {
  if (!name.startsWith('file:')) return name;
  try {
    return fileURLToPath(name);
  } catch (error) {
    // The name is a file of another host, or its bytes are not a path.
    if (error instanceof TypeError || error instanceof URIError) return '';
    throw error;
  }
}

const deepest = 8;

/** The places in an answer that is JSON, in their order, at any depth. */
export function locationsInJson(value: unknown, depth = 0): readonly CodeLocation[] {
  if (depth > deepest) return [];
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown) =>
      typeof one === 'string'
        ? [{ name: one, start: null, end: null }]
        : locationsInJson(one, depth + 1),
    );
  }
  if (!isObject(value)) return [];
  const name = fieldIn(value, pathFields);
  if (typeof name === 'string' && name !== '') return [{ name, ...linesOf(value) }];
  return Object.values(value).flatMap((one) =>
    typeof one === 'string' ? [] : locationsInJson(one, depth + 1),
  );
}

const pathFields = ['path', 'filepath', 'relativepath', 'file', 'filename', 'uri'];
const startFields = ['startline', 'linestart', 'start', 'line', 'linenumber', 'from'];
const endFields = ['endline', 'lineend', 'end', 'to'];

/**
 * Reads the lines from `startLine` and the like, from a `range` with these, or from a list of two
 * numbers.
 */
function linesOf(value: Record<string, unknown>): Pick<CodeLocation, 'start' | 'end'> {
  const range = fieldIn(value, ['range', 'lines', 'span']);
  const [first, last] = Array.isArray(range) ? range : [];
  const from = isObject(range) ? range : value;
  const start = asLine(fieldIn(from, startFields)) ?? asLine(first);
  return { start, end: asLine(fieldIn(from, endFields)) ?? asLine(last) ?? start };
}

/** Reads the likeliest of some fields, however its name is spelt: `startLine`, `start_line`. */
function fieldIn(value: Record<string, unknown>, names: readonly string[]): unknown {
  const fields = new Map(
    Object.entries(value).map(([key, one]) => [key.toLowerCase().replaceAll(/[_-]/g, ''), one]),
  );
  return fields.get(names.find((name) => fields.has(name)) ?? '');
}

function asLine(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

/**
 * The places in an answer that is prose with code, in their order: words outside code with a slash
 * or an ending. A place without lines gets those that the text shows for it: `Lines: 3-9`, or
 * numbered code.
 */
export function locationsInText(text: string): readonly CodeLocation[] {
  const places: CodeLocation[] = [];
  let isCode = false;
  for (const whole of text.split(/\r?\n/)) {
    const line = whole.slice(0, longestLine);
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    const isShown = (isCode && !isFence) || numbered.test(line);
    const found = isShown ? [] : placesInLine(line);
    const last = places.at(-1);
    if (found.length > 0) places.push(...found);
    else if (last !== undefined) places.splice(-1, 1, extend(last, line));
  }
  return places;
}

/** The longest line that is read, so that a hostile line is not slow; places come earlier in a line. */
const longestLine = 500;

function placesInLine(line: string): readonly CodeLocation[] {
  return [...line.matchAll(word)].map(([, path = '', ...numbers]) => ({
    name: path.replace(/[.:]+$/, ''),
    ...linesIn(numbers),
  }));
}

const numbers = '[Ll]?(\\d{1,7})(?:\\s*(?:-|–|—|\\.\\.|to|,)\\s*[Ll]?(\\d{1,7}))?';
/** The forms `:3-9`, `#L3-L9`, ` L3-L9`, ` (lines 3-9)`, ` [3-9]`, `, lines 3 to 9`. */
const range = `(?::${numbers}|#${numbers}|\\s+(?=L)${numbers}|[\\s,]*[(\\[]?\\s*\\blines?\\s*:?\\s*${numbers}|\\s*[(\\[]\\s*${numbers}\\s*[)\\]])`;
const inPath = '[^\\s,;:#()[\\]<>"\'`*|]';
const word = new RegExp(
  `(${inPath}{0,200}(?:/${inPath}+|\\.\\w{1,12})(?:#chunk\\d+of\\d+)?)[\`*"']*(?:${range}(?![\\w/]))?`,
  'g',
);

function linesIn(found: readonly (string | undefined)[]): Pick<CodeLocation, 'start' | 'end'> {
  const [start, end] = found.filter((one) => one !== undefined).map(Number);
  return { start: start ?? null, end: end ?? start ?? null };
}

const rangeLine = new RegExp(`^\\W*lines?\\W*${numbers}\\W*$`, 'i');
/** A line of code with its number before it, e.g. `  12  return`. */
const numbered = /^\s*L?(\d{1,7})(?:\t|:|\s*[|│]| {2})/;

function extend(place: CodeLocation, line: string): CodeLocation {
  const stated = place.start === null ? rangeLine.exec(line) : null;
  if (stated !== null) return { ...place, ...linesIn(stated.slice(1)) };
  const shown = Number(numbered.exec(line)?.[1] ?? Number.NaN);
  if (Number.isNaN(shown)) return place;
  if (place.start === null) return { ...place, start: shown, end: shown };
  return shown === (place.end ?? 0) + 1 ? { ...place, end: shown } : place;
}
