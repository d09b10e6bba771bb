import { Command, CommanderError, type HelpConfiguration } from 'commander';
import { wrongUsage } from '../model/failure.ts';
import { closestName, suggestion } from './closest-name.ts';
import { inspectionCommands, sessionCommands } from './program/inspection.ts';
import type { CommandEntry, RawOptions } from './program/options.ts';
import { planningCommands } from './program/planning.ts';

/**
 * Runs the command that the words name; resolves to its exit code. Help goes to stdout. Throws
 * `usage` for words that make no command. Loads only what the named command needs.
 */
export async function run(argv: readonly string[]): Promise<number> {
  let code = 0;
  const program = conclave((given) => (code = given));
  try {
    await program.parseAsync(route(argv, program), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageError(error);
  }
  return code;
}

function conclave(finish: (code: number) => void): Command {
  const program = new Command('conclave')
    .description(
      'Lets the coding agents you already have plan a change together, checks what they claim ' +
        'against your code, and writes a plan that you review.',
    )
    .usage('[TASK...]\n       conclave COMMAND [OPTIONS]')
    .option('-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help; also after a command')
    .helpCommand('help [COMMAND]', 'show the help of a command')
    .configureHelp(helpStyle)
    .exitOverride()
    .configureOutput({ outputError: () => undefined, writeErr: () => undefined })
    .addHelpText('after', rootNotes);
  const entries = [...planningCommands, sessionCommands, ...inspectionCommands];
  for (const entry of entries) add(program, entry, { program, finish });
  return program;
}

function add(
  parent: Command,
  entry: CommandEntry,
  root: { readonly program: Command; readonly finish: (code: number) => void },
): void {
  const { name, summary = '', about, usage, argument, options = [], commands = [] } = entry;
  const command = parent.command(name).summary(summary).description(about).helpCommand(false);
  if (usage !== undefined) command.usage(usage);
  if (argument !== undefined) command.argument(...argument);
  for (const [flag, text, repeats] of options) {
    if (repeats === undefined) command.option(flag, text);
    else command.option(flag, `${text}; ${repeats}`, collect);
  }
  const lines = entry.examples.map((line) => `  $ conclave ${line}`);
  command.addHelpText('after', ['', 'Examples:', ...lines].join('\n'));
  for (const inner of commands) add(command, inner, root);
  const { run: action } = entry;
  if (action === undefined) return;
  command.action(async () => {
    root.finish(await action(command.args, command.opts<RawOptions>(), root.program));
  });
}

/** For an option that may be given again. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Only headings are marked, and only on a terminal that wants it (commander knows NO_COLOR). */
const helpStyle: HelpConfiguration = {
  styleTitle: (title) => `\u{1b}[1m${title}\u{1b}[22m`,
  subcommandTerm: (command) => [command.name(), shortArguments(command)].filter(Boolean).join(' '),
};

function shortArguments(command: Command): string {
  return command.registeredArguments
    .map((argument) => {
      const name = argument.name() + (argument.variadic ? '...' : '');
      return argument.required ? name : `[${name}]`;
    })
    .join(' ');
}

/** What a script can rely on. */
const exitCodes = `Exit codes:
  0    done
  1    a bug in conclave
  2    wrong usage or configuration
  3    no agent could answer
  4    stopped without convergence, and --require-convergence was given
  5    the session is in use by another process
  6    the plan is invalid, not approved or stale, or its files changed since
  7    a task failed, the code review found what blocks, or the result was not applied
  8    the budget is used up
  9    the session cannot be read or written, or the output cannot be written
  130  interrupted and saved`;

const rootNotes = `
Examples:
  $ conclave "Add rate limiting to the login endpoint"
  $ conclave plan --auto-yes --json "Replace the date library" > events.jsonl
  $ conclave resume

Without a command, the words are a task to plan, with the flags of "conclave plan".
In a terminal this, "resume" and "review" open the terminal UI, and "conclave" alone
asks for the task there; with --auto-yes, --json or a pipe they run without it.

${exitCodes}`;

function usageError(error: CommanderError): Error {
  const text = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  return wrongUsage(`${text}${text.endsWith('.') || text.endsWith(')') ? '' : '.'}`);
}

/**
 * Puts the command’s name first, so that flags may stand before it, and `plan` where the words
 * are a task. Throws `usage` where a task looks like a misspelt command: it would be paid for.
 */
function route(argv: readonly string[], program: Command): readonly string[] {
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
