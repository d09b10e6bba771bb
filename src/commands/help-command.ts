// Lists the topics of the help, formats the page of one, or shows the flags of a command.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { styleText } from 'node:util';
import type { Command } from 'commander';
import wrapAnsi from 'wrap-ansi';
import { suggestion } from '../model/closest-name.ts';
import { wrongUsage } from '../model/failure.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { printTable, tableText } from './columns.ts';
import { bold, pageWidth, printPage } from './output.ts';

/**
 * `conclave help [TOPIC|COMMAND]`. A topic takes precedence over a command of the same name, whose flags `-h`
 * shows. A page is fitted to a terminal, and stays Markdown elsewhere. Throws `usage` for any other word.
 */
export function helpCommand(words: readonly string[], program: Command): number {
  const [word] = words;
  if (word === undefined) listTopics();
  else if (words.length === 1 && topicNames().includes(word)) printTopic(word);
  else commandOf(words, program).outputHelp();
  return 0;
}

/** The names of the pages in `templates/help`, without their file extension. */
export function topicNames(): readonly string[] {
  const pages = globSync('*.md', { cwd: helpFolder() });
  return pages.map((page) => basename(page, '.md')).toSorted();
}

function listTopics(): void {
  printTable({
    head: ['topic', 'what it tells'],
    rows: topicNames().map((name) => [name, titleOf(pageOf(name))]),
  });
  printPage([
    '',
    'conclave help TOPIC      prints the page of a topic',
    'conclave COMMAND -h      shows what a command does, its flags and examples',
    'conclave -h              lists the commands',
  ]);
}

function printTopic(name: string): void {
  const page = pageOf(name);
  printPage(process.stdout.isTTY ? helpLines(page, pageWidth()) : [page.trimEnd()]);
}

function commandOf(words: readonly string[], program: Command): Command {
  let found = program;
  for (const word of words) {
    found = found.commands.find((one) => one.name() === word) ?? refuse(words, program);
  }
  return found;
}

function refuse(words: readonly string[], { commands }: Command): never {
  const topics = topicNames();
  const asked = words.join(' ');
  const hint = suggestion(asked, [...topics, ...commands.map((one) => one.name())]);
  throw wrongUsage(`There is no help on "${asked}".${hint} The topics are ${topics.join(', ')}.`);
}

function pageOf(name: string): string {
  return readFileSync(join(helpFolder(), `${name}.md`), 'utf8');
}

/** The first line of a page, without its heading mark. */
function titleOf(page: string): string {
  return page.slice(0, page.indexOf('\n')).replace(/^# /, '');
}

function helpFolder(): string {
  return join(packageRoot(), 'templates/help');
}

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
