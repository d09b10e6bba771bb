// Declares the whole command line, finds the requested command, and shapes help and terminal output.
import { Command, CommanderError } from 'commander';
import { wrongUsage } from '../model/failure.ts';
import { closestName, suggestion } from '../model/closest-name.ts';
import { conversationCommands, critiqueCommands, planningCommands } from './program/planning.ts';
import { hostCommands, inspectionCommands } from './program/inspection.ts';
import type { CommandEntry, RawOptions } from './program/shared-options.ts';

/**
 * Runs the command that the words name; resolves to its exit code. Help goes to stdout. Throws `usage` for
 * words that do not form a command. Loads only what this command needs.
 */
export async function run(argv: readonly string[]): Promise<number> {
  let code = 0;
  if (wantsAscii(process.env)) for (const one of [process.stdout, process.stderr]) drawInAscii(one);
  const isOverview = argv.length === 1 && asksForHelp(argv);
  // Only some commands take flags of settings, and their table takes long to load.
  const isPlain = isOverview || plainCommands.some(({ name }) => name === argv[0]);
  const settings = isPlain ? [] : (await import('../model/settings.ts')).settingsList;
  const all: readonly CommandEntry[] = [
    ...planningCommands(settings),
    ...conversationCommands,
    ...critiqueCommands(settings),
    ...hostCommands,
    ...inspectionCommands,
  ];
  const words = route(argv, { name: 'conclave', commands: all });
  const named = all.filter(({ name }) => name === words[0]);
  // To declare all commands takes long; only those that list or describe commands need all.
  const needsAll = named.length === 0 || named.some(({ name }) => describing.includes(name));
  const entries = needsAll ? all : named;
  const program = conclave({ isOverview, entries, finish: (given) => (code = given) });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageError(error);
  }
  return code;
}

/** The commands that show other commands, with all of their flags. */
const describing = ['completion', 'help'];

/** The commands that take no flags of settings. */
const plainCommands = [
  ...conversationCommands,
  ...hostCommands,
  ...inspectionCommands.filter(({ name }) => !describing.includes(name)),
];

interface ProgramUse {
  /** True to print only the list of commands. */
  readonly isOverview: boolean;
  readonly entries: readonly CommandEntry[];
  readonly finish: (code: number) => void;
}

function conclave(use: ProgramUse): Command {
  const program = new Command('conclave')
    .description(
      'Lets the coding agents you already have plan a change together, checks what they claim ' +
        'against your code, and writes a plan that you review.',
    )
    .usage('[TASK...]\n       conclave COMMAND [OPTIONS]')
    .option('-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help; also after a command')
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined, writeErr: () => undefined })
    .addHelpText('after', rootNotes);
  for (const entry of use.entries) add(program, entry, { program, ...use });
  return program;
}

function add(
  parent: Command,
  entry: CommandEntry,
  root: ProgramUse & { readonly program: Command },
): void {
  const { name, summary = '', about, argument, options = [], commands = [], topics = [] } = entry;
  const command = parent.command(name).summary(summary).description(about).helpCommand(false);
  if (commands.length > 0)
    command.usage(`[${commands.map((one) => one.name).join('|')}] [OPTIONS]`);
  if (argument !== undefined) command.argument(...argument);
  command.allowExcessArguments(entry.takesMore === true);
  // The list of commands only says that there are options, and declaring all of them takes long.
  for (const [flag, text, repeats] of root.isOverview ? options.slice(0, 1) : options) {
    if (repeats === undefined) command.option(flag, text);
    else command.option(flag, `${text}; ${repeats}`, collect);
  }
  if (root.isOverview) return;
  const lines = entry.examples.map((line) => `  $ conclave ${line}`);
  const more = topics.length === 0 ? [] : ['', `Read more: ${topicsText(topics)}`];
  command.addHelpText('after', ['', 'Examples:', ...lines, ...more].join('\n'));
  for (const inner of commands) add(command, { topics, ...inner }, root);
  const { run: action } = entry;
  if (action === undefined) return;
  command.action(async () => {
    root.finish(await action(command.args, command.opts<RawOptions>(), root.program));
  });
}

function topicsText(topics: readonly string[]): string {
  return topics.map((topic) => `conclave help ${topic}`).join(', ');
}

/** Collects the values of a repeatable option. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Scripts rely on these codes. */
const exitCodes = `Exit codes:
  0    done
  1    a bug in conclave
  2    wrong usage or configuration
  3    no agent could answer
  4    the agents did not agree, and --require-convergence was given;
       or --auto-yes found no option that an agent supports;
       or a plan that was examined has faults
  5    the session, or the history, is in use by another process
  6    the plan is invalid, not approved or stale, or its files changed since
  7    a task failed, the code review blocks the result, or it could not be applied
  8    the budget is used up
  9    the session cannot be read or written, or is not known to be yours; or the output
       cannot be written
  130  interrupted and saved`;

const rootNotes = `
Examples:
  $ conclave "Add rate limiting to the login endpoint"
  $ conclave plan --auto-yes --json "Replace the date library" > events.jsonl
  $ conclave resume

Without a command, the words are a task to plan, with the flags of "conclave plan".
In a terminal this, "resume" and "review" open the terminal UI, and "conclave" alone
asks for the task there; with --auto-yes, --json or a pipe they run without it.

Read more: "conclave help" lists the topics, such as settings, agents, files and trust.

${exitCodes}`;

function usageError({ code, message }: CommanderError): Error {
  const text = message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  const isMissing = code === 'commander.missingArgument';
  const [, names = ''] = /'(.+)'/.exec(text) ?? [];
  const said = isMissing ? `Missing: ${names.replaceAll('> <', ' ')}` : text;
  if (/[.)]$/.test(said)) return wrongUsage(said);
  const isHelped = isMissing || code === 'commander.unknownOption';
  return wrongUsage(
    `${said}${isHelped ? '; with -h, the command shows its options and examples' : ''}.`,
  );
}

/**
 * Puts the names of the command first, so that flags may come before them. Without a name, it is the first
 * command of its parent: `plan`, or `list` after `sessions`. Throws `usage` if a task looks like a misspelt
 * command, because running it would cost money.
 */
function route(
  argv: readonly string[],
  { name, commands = [] }: Pick<CommandEntry, 'name' | 'commands'>,
): readonly string[] {
  const names = commands.map((command) => command.name);
  const [first] = operandsOf(argv, commands);
  if (names.length === 0) return argv;
  if (first === undefined) return asksForHelp(argv) ? argv : [...names.slice(0, 1), ...argv];
  const rest = argv.toSpliced(first.index, 1);
  const command = commands.find((one) => one.name === first.word);
  if (command !== undefined) return [first.word, ...route(rest, command)];
  if (name !== 'conclave') {
    const hint = suggestion(first.word, names, ` It has ${names.join(', ')}.`);
    throw wrongUsage(`"conclave ${name}" has no command "${first.word}".${hint}`);
  }
  refuseMisspelt(first.word, { names, isAlone: operandsOf(rest, commands).length === 0 });
  return ['plan', ...argv];
}

/** The words that are neither a flag nor a flag’s value, up to a `--`. */
function operandsOf(
  argv: readonly string[],
  commands: readonly CommandEntry[],
): readonly { readonly word: string; readonly index: number }[] {
  const options = commands.flatMap((command) => command.options ?? []);
  const withValue = options.filter(([flag]) => flag.includes('<'));
  const names = new Set(withValue.flatMap(([flag]) => flag.match(/(?<![\w-])--?[a-z-]+/gi) ?? []));
  return beforeDashes(argv)
    .map((word, index) => ({ word, index }))
    .filter(({ word }) => !word.startsWith('-') || word === '-')
    .filter(({ index }) => index === 0 || !names.has(argv[index - 1] ?? ''));
}

function asksForHelp(argv: readonly string[]): boolean {
  return beforeDashes(argv).some((word) => word === '-h' || word === '--help');
}

function beforeDashes(argv: readonly string[]): readonly string[] {
  return argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
}

// Refuses a single bare word: a task is a sentence, so the word is a misspelt or unknown command.
function refuseMisspelt(
  word: string,
  { names, isAlone }: { names: readonly string[]; isAlone: boolean },
): void {
  if (!/^[a-z][a-z-]*$/i.test(word)) return;
  const near = closestName(word, names);
  if (near === null && !isAlone) return;
  const hint = near === null ? '"conclave --help" lists them.' : `Did you mean ${near}?`;
  throw wrongUsage(
    `There is no command "${word}". ${hint} ` +
      `To plan a task that starts with this word: conclave plan ${word}${isAlone ? '' : ' ...'}`,
  );
}

/** True if the first of the variables that is set names another charset; without any, it is UTF-8. */
function wantsAscii({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = LC_ALL || LC_CTYPE || LANG || '';
  return /^(?:C|POSIX)$|\.(?!utf-?8\b)/i.test(locale);
}

/** Replaces our own signs in all terminal output by ASCII characters of the same width. */
function drawInAscii(terminal: NodeJS.WriteStream): void {
  if (!terminal.isTTY) return;
  terminal.write = new Proxy(terminal.write.bind(terminal), {
    apply(write, _, [text, ...rest]: readonly unknown[]): unknown {
      const drawn = typeof text === 'string' ? inAscii(text) : text;
      return Reflect.apply(write, terminal, [drawn, ...rest]);
    },
  });
}

const signs: ReadonlyMap<string, string> = new Map(
  '-─—–−·  |│  +┌┬├┼└┴┐┘┤╭╮╰╯  #█  .░…  *●•★  o○⊘  >▶▸→⇒›»  <←‹«  v✓✔↓  x✗×  /✎  ^↑  !⚠  iℹ  \'’‘  "“”„'
    .split('  ')
    .flatMap(([plain = '', ...drawn]) => drawn.map((sign) => [sign, plain] as const)),
);
const anySign = new RegExp(`[${[...signs.keys()].join('')}]`, 'g');

function inAscii(text: string): string {
  return text.replaceAll(anySign, (sign) => signs.get(sign) ?? sign);
}
