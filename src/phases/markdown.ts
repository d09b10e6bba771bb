// Puts text from outside into our Markdown, and builds sections and lists of it.
import { cleanText } from '../model/clean-text.ts';
import { oneLine } from '../model/wording.ts';

/**
 * Makes text from outside safe for a single line of our Markdown: it cannot become HTML, a link, an image,
 * emphasis or a table border. Its code spans stay code and keep their white space.
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

/** Writes a span as code. Markdown strips a space from both ends if there is one at each, so both are doubled. */
function codeSpan(span: string): string {
  const line = span.slice(1, -1).replaceAll(/[\r\n]+/g, ' ');
  const isPadded = line.startsWith(' ') && line.endsWith(' ') && line.trim() !== '';
  return isPadded ? `\` ${line} \`` : `\`${line}\``;
}

// An underscore inside a word does not start emphasis, and names are full of them.
const special = /[\\`*<[\]|]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** Writes a path or another name as code, letter by letter. */
export function code(text: string): string {
  return `\`${oneLine(cleanText(text)).replaceAll('`', "'") || ' '}\``;
}

/**
 * Makes text of several lines safe: paragraphs, lists and code blocks stay, everything else that starts a block
 * is escaped.
 */
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

/** The index of the line that closes the code block that starts here; null if no code block starts here. */
function endOfCode(lines: readonly string[], at: number): number | null {
  const [, opening] = fence.exec(lines[at] ?? '') ?? [];
  if (opening === undefined) return null;
  const end = lines.findIndex((line, index) => {
    const closing = line.trim();
    return index > at && closing.startsWith(opening) && new Set(closing).size === 1;
  });
  return end === -1 ? null : end;
}

/** Writes a code block with its white space, in a fence that nothing inside it closes. */
function codeLines(lines: readonly string[]): readonly string[] {
  const [, , language = ''] = fence.exec(lines[0] ?? '') ?? [];
  const inner = lines.slice(1, -1);
  const ticks = Math.max(2, ...inner.map((line) => /^\s*(`+)/.exec(line)?.[1]?.length ?? 0)) + 1;
  const mark = '`'.repeat(ticks);
  return [`${mark}${language}`, ...inner, mark];
}

/** Writes a list entry on one line, unless it contains a code block. */
export function listEntry(text: string): string {
  const lines = cleanText(text).split(/\r?\n/);
  const hasCode = lines.some((_, at) => endOfCode(lines, at) !== null);
  if (!hasCode) return inline(text);
  return block(text).replaceAll(/\n(?!\n)/g, '\n    ');
}

/** Writes a section; an empty string if it has no lines. */
export function writeSection(heading: string, lines: readonly string[], lead = ''): string {
  if (lines.length === 0) return '';
  return [heading, ...(lead === '' ? [] : [lead]), lines.join('\n')].join('\n\n');
}

export function dashLines(entries: readonly string[]): readonly string[] {
  return entries.map((entry) => `- ${entry}`);
}
