import type { Command } from 'commander';
import { wrongUsage } from '../model/failure.ts';
import { suggestion } from './closest-name.ts';
import { printLines } from './output.ts';

/** What may stand at one place of the command line: after `conclave`, or after a command of it. */
interface Place {
  /** The commands before it, e.g. `sessions show`; empty at the start. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly flags: readonly Word[];
  /** Whether the id of a session may stand here. */
  readonly takesSession: boolean;
}

interface Word {
  readonly word: string;
  readonly about: string;
}

const shells = { bash, zsh, fish };

/** `conclave completion SHELL`: prints a script for the shell. Throws `usage` for another shell. */
export function completionCommand(shell: string, program: Command): number {
  const script = Object.entries(shells).find(([name]) => name === shell)?.[1];
  if (script === undefined) {
    const hint = suggestion(shell, Object.keys(shells), ' It knows bash, zsh and fish.');
    throw wrongUsage(`There is no completion for "${shell}".${hint}`);
  }
  printLines(script([...placesOf(program, '')]));
  return 0;
}

function* placesOf(command: Command, path: string): Generator<Place> {
  yield {
    path,
    commands: command.commands.map((one) => ({
      word: one.name(),
      about: plain(one.summary() || one.description()),
    })),
    flags: command.options.flatMap(({ long, description }) =>
      typeof long === 'string' ? { word: long, about: plain(description) } : [],
    ),
    takesSession: command.registeredArguments.some((one) => one.name().startsWith('SESSION')),
  };
  for (const inner of command.commands) yield* placesOf(inner, `${path} ${inner.name()}`.trim());
}

/** No sign that means something to a shell inside single quotes, or to zsh in a description. */
function plain(text: string): string {
  return text.replaceAll(/['\\:]/g, '’').replace(/\.$/, '');
}

/** Only ids: bash expands what it completes, and a folder may have any name. */
const sessionNames =
  "command ls .workflow/.multi-cli-plan 2>/dev/null | command grep -E '^[A-Za-z0-9][A-Za-z0-9_-]*$'";

/** The lines that find the place of the cursor, the same in bash and zsh. */
function findPlace(places: readonly Place[], before: string): string {
  const paths = places.flatMap(({ path }) => (path === '' ? [] : [`'${path}'`]));
  return `  local place='' word
  for word in ${before}; do
    case "\${place:+$place }$word" in
      ${paths.join('|')}) place="\${place:+$place }$word" ;;
    esac
  done`;
}

function bash(places: readonly Place[]): string {
  const cases = places.map(({ path, commands, flags, takesSession }) => {
    const words = [...commands, ...flags].map(({ word }) => word).join(' ');
    return `    '${path}') words="${words}${takesSession ? ` $(${sessionNames})` : ''}" ;;`;
  });
  return `# Completion of conclave for bash: source <(conclave completion bash)
_conclave() {
${findPlace(places, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  local words=''
  case "$place" in
${cases.join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}")
}
complete -o default -F _conclave conclave`;
}

function zsh(places: readonly Place[]): string {
  const cases = places.map(({ path, commands, flags, takesSession }) => {
    const words = [...commands, ...flags].map(({ word, about }) => `'${word}:${about}'`);
    const sessions = takesSession ? [`\${(f)"$(${sessionNames})"}`] : [];
    return `    ('${path}') found=(${[...words, ...sessions].join(' ')}) ;;`;
  });
  return `#compdef conclave
# Completion of conclave for zsh: source <(conclave completion zsh)
_conclave() {
${findPlace(places, '"${(@)words[2,CURRENT-1]}"')}
  local -a found
  case "$place" in
${cases.join('\n')}
  esac
  _describe conclave found || _files
}
compdef _conclave conclave`;
}

function fish(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, flags, takesSession }) => {
    const inside = path.split(' ').filter((word) => word !== '');
    const seen = inside.map((word) => `__fish_seen_subcommand_from ${word}`);
    const deeper = commands.map(({ word }) => word).join(' ');
    const notDeeper = deeper === '' ? [] : [`not __fish_seen_subcommand_from ${deeper}`];
    const here = [...seen, ...notDeeper].join('; and ');
    const complete = `complete -c conclave -n '${here}'`;
    return [
      ...commands.map(({ word, about }) => `${complete} -f -a ${word} -d '${about}'`),
      ...flags.map(({ word, about }) => `${complete} -l ${word.slice(2)} -d '${about}'`),
      ...(takesSession ? [`${complete} -f -a "(${sessionNames.replace('$', '\\$')})"`] : []),
    ];
  });
  return ['# Completion of conclave for fish: conclave completion fish | source', ...lines].join(
    '\n',
  );
}
