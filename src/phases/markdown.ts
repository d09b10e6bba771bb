// Puts text from outside into our Markdown, and builds sections and lists of it.
import { cleanText } from '../model/clean-text.ts';
import { oneLine } from '../model/wording.ts';

/**
 * One line of text from outside inside our Markdown: no HTML, link, image, emphasis or table
 * border can come of it. Its code spans stay code, with their white space.
 */
export function inline(text: string): string {
  return cleanText(text)
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? codeSpan(part) : prose(part)))
    .join('')
    .trim();
}

function prose(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll(special, String.raw`\$&`);
}

/** Markdown takes one space off both ends of a span that has one at each. */
function codeSpan(span: string): string {
  const line = span.slice(1, -1).replaceAll(/[\r\n]+/g, ' ');
  const isPadded = line.startsWith(' ') && line.endsWith(' ') && line.trim() !== '';
  return isPadded ? `\` ${line} \`` : `\`${line}\``;
}

// An underline inside a word is no emphasis, and names are full of them.
const special = /[\\`*<[\]|]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** A path or another name, letter by letter. */
export function code(text: string): string {
  return `\`${oneLine(cleanText(text)).replaceAll('`', "'") || ' '}\``;
}

/** Text of several lines: paragraphs, lists and blocks of code stay, anything else that starts a block does not. */
export function block(text: string): string {
  const lines = cleanText(text).split(/\r?\n/);
  const written: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const end = endOfCode(lines, at);
    if (end === null) written.push(proseLine(lines[at] ?? ''));
    else {
      written.push(...codeLines(lines.slice(at, end + 1)));
      at = end;
    }
  }
  return written
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

function proseLine(line: string): string {
  return inline(line.replace(/^\s*[*+] /, '- ')).replace(
    /^(?:#|>|~~~|=+$|-+$|(?:- ?){3,}$)/,
    String.raw`\$&`,
  );
}

const fence = /^\s*(`{3,}|~{3,})\s*([\w+#.-]*)\s*$/;

/** The index of the line that closes the block of code that one opens; null where it opens none. */
function endOfCode(lines: readonly string[], at: number): number | null {
  const [, opening] = fence.exec(lines[at] ?? '') ?? [];
  if (opening === undefined) return null;
  const end = lines.findIndex((line, index) => {
    const closing = line.trim();
    return index > at && closing.startsWith(opening) && new Set(closing).size === 1;
  });
  return end === -1 ? null : end;
}

/** A block of code with its white space, in a fence that nothing in it closes. */
function codeLines(lines: readonly string[]): readonly string[] {
  const [, , language = ''] = fence.exec(lines[0] ?? '') ?? [];
  const inner = lines.slice(1, -1);
  const ticks = Math.max(2, ...inner.map((line) => /^\s*(`+)/.exec(line)?.[1]?.length ?? 0)) + 1;
  const mark = '`'.repeat(ticks);
  return [`${mark}${language}`, ...inner, mark];
}

/** An entry of a list: on one line, unless there is a block of code in it. */
export function listEntry(text: string): string {
  const lines = cleanText(text).split(/\r?\n/);
  const hasCode = lines.some((_, at) => endOfCode(lines, at) !== null);
  if (!hasCode) return inline(text);
  return block(text).replaceAll(/\n(?!\n)/g, '\n    ');
}

/** Nothing where there are no lines. */
export function writeSection(heading: string, lines: readonly string[], lead = ''): string {
  if (lines.length === 0) return '';
  return [heading, ...(lead === '' ? [] : [lead]), lines.join('\n')].join('\n\n');
}

export function dashLines(entries: readonly string[]): readonly string[] {
  return entries.map((entry) => `- ${entry}`);
}
