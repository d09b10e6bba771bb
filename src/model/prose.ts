// Reads Markdown in a text as blocks: headings, lists, tables and code; all else is a paragraph.
import { type Block, type Parts, type Piece, code, item, list, prose, table } from './document.ts';

/** How deep lists may stand in lists; what is deeper is shown as it was written. */
const deepest = 8;

/** Reads a text of several paragraphs; their line breaks are kept. */
export function readProse(text: string): readonly Block[] {
  const blocks = readLines(text.split(/\r?\n/), 0);
  return blocks.filter((block) => block !== null);
}

function readLines(lines: readonly string[], depth: number): Parts {
  const blocks: (Block | null)[] = [];
  for (let at = 0; at < lines.length;) {
    const end = endOfPart(lines, at, depth);
    blocks.push(readPart(lines.slice(at, end), depth));
    at = end;
  }
  return blocks;
}

/** The place behind the part that begins here. */
function endOfPart(lines: readonly string[], at: number, depth: number): number {
  const first = lines[at] ?? '';
  const ends = (isEnd: (line: string, place: number) => boolean) => {
    const found = lines.findIndex((line, place) => place > at && isEnd(line, place));
    return found === -1 ? lines.length : found;
  };
  const [, mark] = fence.exec(first) ?? [];
  if (mark !== undefined) return ends((line) => line.trim().startsWith(mark)) + 1;
  if (isBlank(first) || heading.test(first)) return at + 1;
  if (isTable(lines, at)) return ends((line) => !line.includes('|'));
  if (depth < deepest && entry.test(first)) {
    const own = indentOf(first);
    const goesOn = (line: string) => indentOf(line) > own || entry.test(line);
    return ends((line, place) => (isBlank(line) ? !goesOn(lines[place + 1] ?? '') : !goesOn(line)));
  }
  return ends(
    (line, place) =>
      isBlank(line) ||
      fence.test(line) ||
      heading.test(line) ||
      isTable(lines, place) ||
      (depth < deepest && entry.test(line)),
  );
}

function readPart(lines: readonly string[], depth: number): Block | null {
  const [first = '', ...others] = lines;
  const [, mark, language = ''] = fence.exec(first) ?? [];
  if (mark !== undefined) {
    const isClosed = others.at(-1)?.trim().startsWith(mark) === true;
    const shift = indentOf(first);
    return code(dedented(isClosed ? others.slice(0, -1) : others, shift).join('\n'), language);
  }
  const [, title] = heading.exec(first) ?? [];
  if (title !== undefined) return prose([{ text: title, tone: 'strong' }]);
  if (isTable(lines, 0)) {
    const [head = [], , ...rows] = lines.map(cellsIn);
    return table(
      head,
      rows.map((cells) => cells.map(readWords)),
    );
  }
  if (depth < deepest && entry.test(first)) return readList(lines, depth);
  return prose(readWords(lines.join('\n').trim()));
}

function readList(lines: readonly string[], depth: number): Block | null {
  const [first = ''] = lines;
  const starts = lines.flatMap((line, at) =>
    entry.test(line) && indentOf(line) <= indentOf(first) ? [at] : [],
  );
  // A list that goes on after something else keeps its numbers.
  const isOrdered = /^\s*1[.)]/.test(first);
  const items = starts.map((start, at) => {
    const [head = '', ...below] = lines.slice(start, starts[at + 1]);
    const [mark = '', text = ''] = entry.exec(head)?.slice(1) ?? [];
    const [own, ...rest] = readLines([text, ...dedented(below, mark.length)], depth + 1);
    const number = isOrdered || !/\d/.test(mark) ? '' : mark.trimStart();
    return own?.kind === 'text'
      ? item([number, ...[own.line].flat()], rest)
      : item(number, [own ?? null, ...rest]);
  });
  return list(items, isOrdered);
}

const fence = /^\s*(`{3,}|~{3,})\s*([\w+#.-]*)\s*$/;
const heading = /^#{1,6}\s+(.*?)[\s#]*$/;
/** The mark of an entry with the blanks around it, and its text. */
const entry = /^(\s*(?:[-*+]|\d{1,9}[.)])\s+)(\S.*)$/;

function isBlank(line: string): boolean {
  return line.trim() === '';
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function dedented(lines: readonly string[], by: number): readonly string[] {
  return lines.map((line) => line.slice(Math.min(by, indentOf(line))));
}

function isTable(lines: readonly string[], at: number): boolean {
  const [head = '', rule = ''] = lines.slice(at, at + 2);
  return head.includes('|') && /^[\s|:-]*-[\s|:-]*$/.test(rule) && rule.includes('|');
}

function cellsIn(line: string): readonly string[] {
  return line
    .trim()
    .replaceAll(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

/** Tells code and strong words apart from the rest. A glob such as `src/**` is neither. */
export function readWords(text: string): readonly Piece[] {
  return splitCode(text).flatMap((part, at): readonly Piece[] =>
    at % 2 === 1 ? [{ code: part.replaceAll('\n', ' ') }] : strongWords(part),
  );
}

function strongWords(text: string): readonly Piece[] {
  const parts = text.split(/(?<=^|[\s(])\*\*(?=\S)([^*\n]+)(?<=\S)\*\*/);
  return parts.flatMap((part, at): readonly Piece[] =>
    part === '' ? [] : at % 2 === 1 ? [{ text: part, tone: 'strong' }] : [part],
  );
}

/** The most runs of backticks that are looked at for the end of code. */
const most = 64;

/**
 * Splits a text at its code, which stands at every second place without its backticks. Code ends at the next run of
 * as many backticks, but not within its own brackets, where the backticks of a regular expression stand. A run that
 * nothing closes is text.
 */
export function splitCode(text: string): readonly string[] {
  const runs = [...text.matchAll(/`+/g)];
  const parts: string[] = [];
  let from = 0;
  for (const [at, { 0: mark, index }] of runs.entries()) {
    const start = index + mark.length;
    const ends = runs
      .slice(at + 1, at + most)
      .flatMap((run) => (run[0] === mark ? [run.index] : []));
    // A run after a blank begins other code.
    const next = ends.findIndex((end) =>
      /^\s`+[^\s.,;:!?)`]/.test(text.slice(end - 1, end + mark.length + 1)),
    );
    const isStray = next === 0 && /^\s/.test(text.slice(start));
    if (index < from || ends[0] === undefined || isStray) continue;
    const own = next === -1 ? ends : ends.slice(0, next);
    const end =
      own.find((one) => {
        const after = text.slice(one + mark.length, one + mark.length + 4);
        return /^[.,;:!?]*(?:\s|$)/.test(after) || !hasOpenBracket(text.slice(start, one));
      }) ?? ends[0];
    const inner = text.slice(start, end);
    const isPadded = mark !== '`' && /^ .*\S.* $/s.test(inner);
    parts.push(text.slice(from, index), isPadded ? inner.slice(1, -1) : inner);
    from = end + mark.length;
  }
  return [...parts, text.slice(from)];
}

function hasOpenBracket(text: string): boolean {
  const signs = text.replaceAll(/\\./gs, '');
  return ['()', '[]', '{}'].some(
    ([opening = '', closing = '']) => signs.split(opening).length > signs.split(closing).length,
  );
}
