import type { Command } from 'commander';
import { wrongUsage } from '../../model/failure.ts';
import { closestName, suggestion } from '../closest-name.ts';

/**
 * Puts the command’s name first, so that flags may stand before it, and `plan` where the words
 * are a task. Throws `usage` where a task looks like a misspelt command: it would be paid for.
 */
export function route(argv: readonly string[], program: Command): readonly string[] {
  const operands = operandsOf(argv, program);
  const [first] = operands;
  if (first === undefined) return asksForHelp(argv) ? argv : ['plan', ...argv];
  const rest = argv.toSpliced(first.index, 1);
  if (first.word === 'help') return routeHelp(rest, program);
  const group = program.commands.find((command) => command.name() === first.word);
  if (group === undefined) {
    refuseMisspelt(first.word, { names: namesOf(program), alone: operands.length === 1 });
    return ['plan', ...argv];
  }
  return [first.word, ...(group.commands.length === 0 ? rest : routeInGroup(rest, group))];
}

function routeHelp(argv: readonly string[], program: Command): readonly string[] {
  const [first] = operandsOf(argv, program);
  if (first !== undefined && !namesOf(program).includes(first.word)) {
    throw wrongUsage(`There is no command "${first.word}". "conclave --help" lists them.`);
  }
  return route([...argv, '--help'], program);
}

/** A group without a further word does the first thing that it can. */
function routeInGroup(argv: readonly string[], group: Command): readonly string[] {
  const [first] = operandsOf(argv, group);
  const names = namesOf(group);
  if (first === undefined) return asksForHelp(argv) ? argv : [...names.slice(0, 1), ...argv];
  if (names.includes(first.word)) return [first.word, ...argv.toSpliced(first.index, 1)];
  const known = suggestion(first.word, names, ` It has ${names.join(', ')}.`);
  throw wrongUsage(`"conclave ${group.name()}" has no command "${first.word}".${known}`);
}

/** The words that are neither a flag nor a flag’s value, up to a `--`. */
function operandsOf(
  argv: readonly string[],
  parent: Command,
): readonly { readonly word: string; readonly index: number }[] {
  const withValue = new Set(
    parent.commands
      .flatMap((command) => command.options)
      .filter((option) => option.required)
      .flatMap((option) => [option.short, option.long]),
  );
  return argv
    .slice(0, endOfFlags(argv))
    .map((word, index) => ({ word, index }))
    .filter(({ word, index }) => !isFlag(word) && !(index > 0 && withValue.has(argv[index - 1])));
}

function isFlag(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}

function asksForHelp(argv: readonly string[]): boolean {
  return argv.slice(0, endOfFlags(argv)).some((word) => word === '-h' || word === '--help');
}

function endOfFlags(argv: readonly string[]): number {
  return argv.includes('--') ? argv.indexOf('--') : argv.length;
}

function namesOf(parent: Command): readonly string[] {
  return parent.commands.map((command) => command.name());
}

// A task is a sentence; one bare word is a command that was misspelt or that does not exist.
function refuseMisspelt(
  word: string,
  { names, alone }: { names: readonly string[]; alone: boolean },
): void {
  if (!/^[a-z][a-z-]*$/i.test(word)) return;
  const near = closestName(word, names);
  if (near === null && !alone) return;
  const hint = near === null ? '"conclave --help" lists them.' : `Did you mean ${near}?`;
  throw wrongUsage(
    `There is no command "${word}". ${hint} ` +
      `To plan a task that starts with this word: conclave plan ${word}${alone ? '' : ' ...'}`,
  );
}
