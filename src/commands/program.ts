import { Command, CommanderError, type HelpConfiguration } from 'commander';
import type { Finish } from './program/options.ts';
import { addInspection } from './program/inspection.ts';
import { addPlanning } from './program/planning.ts';
import { addSessions } from './program/sessions.ts';
import { route } from './program/route.ts';

/**
 * Runs the command that the words name; resolves to its exit code. Help goes to stdout. Throws
 * `usage` for words that make no command. Loads only what the named command needs.
 */
export async function run(argv: readonly string[]): Promise<number> {
  let code = 0;
  const program = conclave((given) => {
    code = given;
  });
  try {
    await program.parseAsync(await route(argv, program), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw await usageError(error);
  }
  return code;
}

function conclave(finish: Finish): Command {
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
  addPlanning(program, finish);
  addSessions(program, finish);
  addInspection(program, finish);
  return program;
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
  6    the plan is invalid or stale
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

async function usageError(error: CommanderError): Promise<Error> {
  const { Stopped } = await import('../model/failure.ts');
  const text = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ');
  const message = `${text}${text.endsWith('.') || text.endsWith(')') ? '' : '.'}`;
  return new Stopped({ reason: 'usage', message });
}
