// Puts text from outside into our Markdown, and builds sections and lists of it.
import { cleanText } from '../model/clean-text.ts';
import { oneLine } from '../model/wording.ts';

/**
 * One line of text from outside inside our Markdown: no HTML, link, image, emphasis or table
 * border can come of it. Its code spans stay code.
 */
export function inline(text: string): string {
  return oneLine(cleanText(text))
    .split(/(`[^`]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(special, String.raw`\$&`)))
    .join('');
}

// An underline inside a word is no emphasis, and names are full of them.
const special = /[\\`*<[\]|]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;

/** A path or another name, letter by letter. */
export function code(text: string): string {
  return `\`${oneLine(cleanText(text)).replaceAll('`', "'") || ' '}\``;
}

/** Text of several lines: paragraphs and lists stay, anything else that starts a block does not. */
export function block(text: string): string {
  const lines = cleanText(text)
    .split(/\r?\n/)
    .map((line) => inline(line.replace(/^\s*[*+] /, '- ')))
    .map((line) => line.replace(/^(?:#|>|~~~|=+$|-+$|(?:- ?){3,}$)/, String.raw`\$&`));
  return lines
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Nothing where there are no lines. */
export function writeSection(heading: string, lines: readonly string[], lead = ''): string {
  if (lines.length === 0) return '';
  return [heading, ...(lead === '' ? [] : [lead]), lines.join('\n')].join('\n\n');
}

export function dashLines(entries: readonly string[]): readonly string[] {
  return entries.map((entry) => `- ${entry}`);
}
