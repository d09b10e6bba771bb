import { fileURLToPath } from 'node:url';
import { isObject } from '../../model/json.ts';
import { plainPath } from '../../git/paths.ts';

interface Lines {
  /** Counted from 1; null where they are not told. */
  readonly start: number | null;
  readonly end: number | null;
}

/** A place in the code as somebody wrote it down. */
export interface WrittenPlace extends Lines {
  /** What its path may be, the likeliest first: a text may go on after a path. */
  readonly names: readonly string[];
}

/** A file of the repository, with the lines that were named of it. */
export interface NamedFile extends Lines {
  readonly path: string;
}

/** The files of the repository among some places, each once with its first lines. */
export function filesNamed(
  places: readonly WrittenPlace[],
  repository: { readonly root: string; readonly files: ReadonlySet<string> },
): readonly NamedFile[] {
  const found = new Map<string, NamedFile>();
  for (const { names, start, end } of places) {
    const paths = names.map((name) => pathOf(name, repository.root));
    const path = paths.find((one) => one !== null && repository.files.has(one)) ?? null;
    if (path === null || found.has(path)) continue;
    // The lines of a part are counted from the part’s first one.
    const isPart = names.some((name) => partOfFile.test(name));
    found.set(path, isPart ? { path, start: null, end: null } : { path, start, end });
  }
  return [...found.values()];
}

/** Some servers cut large files and name the parts `a.ts#chunk2of3`. */
const partOfFile = /#chunk\d+of\d+$/;

function pathOf(name: string, root: string): string | null {
  const path = decoded(name).replace(partOfFile, '');
  const slashed = path.includes('/') ? path : path.replaceAll('\\', '/');
  return plainPath(slashed.startsWith(`${root}/`) ? slashed.slice(root.length + 1) : slashed);
}

function decoded(name: string): string {
  if (!name.startsWith('file:')) return name;
  try {
    return fileURLToPath(name);
  } catch (error) {
    // Another host’s file, or bytes that are no path.
    if (error instanceof TypeError || error instanceof URIError) return '';
    throw error;
  }
}

const deepest = 8;

/** The places in an answer that is JSON, in their order, however deep they are. */
export function placesInJson(value: unknown, depth = 0): readonly WrittenPlace[] {
  if (depth > deepest) return [];
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown) =>
      typeof one === 'string'
        ? [{ names: [one], start: null, end: null }]
        : placesInJson(one, depth + 1),
    );
  }
  if (!isObject(value)) return [];
  const name = fieldIn(value, pathFields);
  if (typeof name === 'string' && name !== '') return [{ names: [name], ...linesOf(value) }];
  return Object.values(value).flatMap((one) =>
    typeof one === 'string' ? [] : placesInJson(one, depth + 1),
  );
}

const pathFields = ['path', 'filepath', 'relativepath', 'file', 'filename', 'uri'];
const startFields = ['startline', 'linestart', 'start', 'line', 'linenumber', 'from'];
const endFields = ['endline', 'lineend', 'end', 'to'];

/** From `startLine` and the like, from a `range` with these, or from a list of two numbers. */
function linesOf(value: Record<string, unknown>): Lines {
  const range = fieldIn(value, ['range', 'lines', 'span']);
  const [first, last] = Array.isArray(range) ? range : [];
  const from = isObject(range) ? range : value;
  const start = asLine(fieldIn(from, startFields)) ?? asLine(first);
  return { start, end: asLine(fieldIn(from, endFields)) ?? asLine(last) ?? start };
}

/** By the likeliest name, however it is spelt: `startLine`, `start_line`. */
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
 * The places in an answer that is prose with code, in their order, by two readings: paths with a
 * label (`Path: a.ts`), and paths anywhere outside code. The first is the surer one.
 */
export function placesInText(text: string): readonly (readonly WrittenPlace[])[] {
  let isCode = false;
  const lines = text.split(/\r?\n/).map((line): Line => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    const [, number] = /^\s*L?(\d{1,7})(?:\t|:|\s*[|│]| {2})/.exec(line) ?? [];
    const shown = number === undefined ? null : Number(number);
    return { text: line.slice(0, longestLine), code: isCode && !isFence, shown };
  });
  return [labelled, mentioned].map((reading) => withShownLines(lines, reading));
}

/** No place is written further along; it keeps a hostile line from being slow to read. */
const longestLine = 500;

interface Line {
  readonly text: string;
  /** Inside a code fence. */
  readonly code: boolean;
  /** The number that stands before a line of code, e.g. 12 of `  12  return`. */
  readonly shown: number | null;
}

/** `Path: src/a.ts`, `   Location: src/a.ts:3-9`, `**File:** a.ts (lines 3-9)`. */
function labelled({ text, code, shown }: Line): readonly WrittenPlace[] {
  const [, name = '', rest] = label.exec(text) ?? [];
  // Code may have such a line too, hardly ever with a capital.
  if (rest === undefined || shown !== null || (code && !/^[A-Z]/.test(name))) return [];
  const bare = rest.replaceAll(/[*`"'“”]/g, '').trim();
  const [, before = bare, ...numbers] = rangeAtEnd.exec(bare) ?? [];
  const path = before.replace(/\s+[-–—([{].*$/, '').replace(/[\s,:;]+$/, '');
  return [{ names: [...new Set([path, path.split(/\s/)[0] ?? ''])], ...linesIn(numbers) }];
}

const label =
  /^[\s\d.)*#>_`-]{0,12}((?:file[ _-]?)?(?:path|name)|file|location|source)[*_`]*\s*:[*_`]*\s*(\S.*)$/i;

/** Any word outside code with a slash or an ending. */
function mentioned({ text, code, shown }: Line): readonly WrittenPlace[] {
  if (code || shown !== null) return [];
  return [...text.matchAll(word)].map(([, path = '', ...numbers]) => ({
    names: [path.replace(/[.:]+$/, '')],
    ...linesIn(numbers),
  }));
}

const numbers = '[Ll]?(\\d{1,7})(?:\\s*(?:-|–|—|\\.\\.|to|,)\\s*[Ll]?(\\d{1,7}))?';
/** `:3-9`, `#L3-L9`, ` L3-L9`, ` (lines 3-9)`, ` [3-9]`, `, lines 3 to 9`. */
const range = `(?::${numbers}|#${numbers}|\\s+(?=L)${numbers}|[\\s,]*[(\\[]?\\s*\\blines?\\s*:?\\s*${numbers}|\\s*[(\\[]\\s*${numbers}\\s*[)\\]])`;
const rangeAtEnd = new RegExp(`^(.*?)${range}(?![\\w/])`);
const word = new RegExp(
  `([^\\s,;:#()[\\]<>"'\`*|]{0,200}(?:/[^\\s,;:#()[\\]<>"'\`*|]+|\\.\\w{1,12}))[\`*"']*(?:${range}(?![\\w/]))?`,
  'g',
);

function linesIn(numbersFound: readonly (string | undefined)[]): Lines {
  const [start, end] = numbersFound.filter((one) => one !== undefined).map(Number);
  return { start: start ?? null, end: end ?? start ?? null };
}

/** Where a place has no lines, those that the text shows of it: `Lines: 3-9`, or numbered code. */
function withShownLines(
  lines: readonly Line[],
  reading: (line: Line) => readonly WrittenPlace[],
): readonly WrittenPlace[] {
  const places: WrittenPlace[] = [];
  for (const line of lines) {
    const found = reading(line);
    const last = places.at(-1);
    if (found.length > 0) places.push(...found);
    else if (last !== undefined) places.splice(-1, 1, extended(last, line));
  }
  return places;
}

const rangeLine = new RegExp(`^\\W*lines?\\W*${numbers}\\W*$`, 'i');

function extended(place: WrittenPlace, { text, shown }: Line): WrittenPlace {
  const stated = rangeLine.exec(text);
  if (place.start === null && stated !== null) return { ...place, ...linesIn(stated.slice(1)) };
  if (shown === null) return place;
  if (place.start === null) return { ...place, start: shown, end: shown };
  return shown === (place.end ?? 0) + 1 ? { ...place, end: shown } : place;
}
