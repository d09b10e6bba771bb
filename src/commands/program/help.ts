import type { Command, HelpConfiguration } from 'commander';

/** Only headings are marked, and only on a terminal that wants it (commander knows NO_COLOR). */
export const helpStyle: HelpConfiguration = {
  styleTitle: (title) => `\u{1b}[1m${title}\u{1b}[22m`,
  subcommandTerm: (command) => [command.name(), shortArguments(command)].filter(Boolean).join(' '),
};

/** What a script can rely on. */
export const exitCodes = `Exit codes:
  0    done
  1    a bug in conclave
  2    wrong usage or configuration
  3    no agent could answer
  4    stopped without convergence, and --require-convergence was given
  5    the session is in use by another process
  6    the plan is invalid or stale
  9    the session cannot be read or written, or the output cannot be written
  130  interrupted and saved`;

/** The end of a command's help: something to copy. */
export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  $ conclave ${line}`)].join('\n');
}

function shortArguments(command: Command): string {
  return command.registeredArguments
    .map((argument) => {
      const name = argument.name() + (argument.variadic ? '...' : '');
      return argument.required ? name : `[${name}]`;
    })
    .join(' ');
}
