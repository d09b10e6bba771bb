// Formats a help page for a terminal: bold headings, and text and tables fitted to its width.
import { styleText } from 'node:util';
import wrapAnsi from 'wrap-ansi';
import { tableText } from './columns.ts';
import { bold } from './output.ts';

/**
 * The lines of a page, at most `width` columns wide except for code. Supports the Markdown in which our own
 * pages are written: headings, paragraphs, lists of one level, tables and fenced code.
 */
export function helpLines(markdown: string, width: number): readonly string[] {
  const blocks = blocksOf(markdown.replaceAll(/<!--[^]*?-->\n*/g, ''));
  return blocks.flatMap((block) => [...blockLines(block, width), '']);
}

/** The parts between empty lines; empty lines in fenced code do not separate parts. */
function blocksOf(markdown: string): readonly string[] {
  const fenced = /^```.*\n[^]*?^```$/m;
  const [code = ''] = fenced.exec(markdown) ?? [];
  const at = code === '' ? markdown.length : markdown.indexOf(code);
  const before = markdown.slice(0, at).split(/\n{2,}/);
  const rest = code === '' ? [] : [code, ...blocksOf(markdown.slice(at + code.length))];
  return [...before.map((part) => part.trim()).filter((part) => part !== ''), ...rest];
}

function blockLines(block: string, width: number): readonly string[] {
  const lines = block.split('\n');
  if (block.startsWith('```')) return lines.slice(1, -1).map((line) => `  ${line}`.trimEnd());
  if (block.startsWith('#')) return wrapText(`**${block.replace(/^#+ /, '')}**`, width);
  if (block.startsWith('|')) return tableLines(lines, width);
  if (block.startsWith('- ')) return listLines(block, width);
  return wrapText(block, width);
}

function tableLines([head = '', , ...rows]: readonly string[], width: number): readonly string[] {
  const table = { head: cellsOf(head), rows: rows.map(cellsOf), width };
  return tableText(table).trimEnd().split('\n');
}

function cellsOf(line: string): readonly string[] {
  const cells = line.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => plain(cell.replaceAll(String.raw`\|`, '|').trim()));
}

function listLines(block: string, width: number): readonly string[] {
  return block.split(/\n(?=- )/).flatMap((item) => {
    const [first = '', ...more] = wrapText(item.slice(2), width - 2);
    return [`- ${first}`, ...more.map((line) => `  ${line}`)];
  });
}

function wrapText(text: string, width: number): readonly string[] {
  const line = styleMarks(text.replaceAll(/\s*\n\s*/g, ' '));
  return wrapAnsi(line, width, { hard: true }).split('\n');
}

function styleMarks(text: string): string {
  const hasColours = colourCode('x') !== 'x';
  return withoutLinks(text)
    .replaceAll(/\*\*(.+?)\*\*/g, (_, strong: string) => bold(strong))
    .replaceAll(/`([^`]+)`/g, (whole, span: string) => (hasColours ? colourCode(span) : whole));
}

function colourCode(code: string): string {
  return styleText('cyan', code, { stream: process.stdout });
}

function plain(text: string): string {
  return withoutLinks(text).replaceAll(/\*\*|`/g, '');
}

/** Writes the address of a link that leads out of these pages next to its text. */
function withoutLinks(text: string): string {
  return text.replaceAll(/\[([^\]]+)\]\(([^)]+)\)/g, (_, shown: string, to: string) =>
    to.startsWith('http') ? `${shown} (${to})` : shown,
  );
}
