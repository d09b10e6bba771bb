// Lists the topics of the help, prints the page of one, or shows the flags of a command.
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { suggestion } from '../app/closest-name.ts';
import { wrongUsage } from '../model/failure.ts';
import { packageRoot } from '../prompts/package-root.ts';
import { helpLines } from './help-page.ts';
import { printTable } from './columns.ts';
import { pageWidth, printPage } from './output.ts';

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
  printPage(['', 'conclave help TOPIC      prints the page of a topic']);
  printPage(['conclave COMMAND -h      shows what a command does, its flags and examples']);
  printPage(['conclave -h              lists the commands']);
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
