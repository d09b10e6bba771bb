// Writes completion scripts for bash, zsh and fish, and the words that they request.
import type { Command } from 'commander';
import { wrongUsage } from '../model/failure.ts';
import { listSessionIds } from '../store/session-folder.ts';
import { suggestion } from '../model/closest-name.ts';
import { projectRoot } from '../app/folders.ts';
import { topicNames } from './help-command.ts';
import { printLines } from './output.ts';

/**
 * Scripts that ask the program itself what fits, with `conclave completion words -- WORDS…`; the last word is
 * being typed.
 */
const scripts: Readonly<Record<string, string>> = {
  bash: `# Completion of conclave for bash: source <(conclave completion bash)
_conclave() {
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  mapfile -t COMPREPLY < <(conclave completion words -- "\${words[@]}" 2>/dev/null | cut -f 1)
}
complete -o default -F _conclave conclave`,
  zsh: `#compdef conclave
# Completion of conclave for zsh: source <(conclave completion zsh)
_conclave() {
  local -a found
  found=(\${(f)"$(conclave completion words -- "\${(@)words[2,CURRENT]}" 2>/dev/null | tr '\\t' ':')"})
  _describe conclave found || _files
}
compdef _conclave conclave`,
  fish: `# Completion of conclave for fish: conclave completion fish | source
function __conclave
  set -l words (commandline -opc)
  set -l typed (commandline -ct)
  conclave completion words -- $words[2..] "$typed" 2>/dev/null
end
complete -c conclave -a '(__conclave)'`,
};

/** `conclave completion SHELL`: prints a script for the shell. Throws `usage` for another shell. */
export async function completionCommand(
  [shell = '', ...words]: readonly string[],
  program: Command,
): Promise<number> {
  if (shell === 'words') printLines(...(await fittingWords(words, program)));
  else if (words.length === 0) printLines(scripts[shell] ?? noShell(shell));
  else throw wrongUsage(`completion takes one SHELL, not also: ${words.join(', ')}.`);
  return 0;
}

function noShell(shell: string): never {
  const hint = suggestion(shell, Object.keys(scripts), ' It knows bash, zsh and fish.');
  throw wrongUsage(`There is no completion for "${shell}".${hint}`);
}

/** The words that may replace the last one, one per line, described after a tab. */
async function fittingWords(
  words: readonly string[],
  program: Command,
): Promise<readonly string[]> {
  const typed = words.at(-1) ?? '';
  let command = program;
  for (const word of words.slice(0, -1)) {
    command = command.commands.find((one) => one.name() === word) ?? command;
  }
  const takesSession = command.registeredArguments.some((one) => one.name().startsWith('SESSION'));
  const offered: readonly (readonly [word: string, about: string])[] = [
    ...command.commands.map((one) => [one.name(), one.summary() || one.description()] as const),
    ...command.options.map(({ long, description }) => [long ?? '', description] as const),
    ...(takesSession ? await sessions() : []),
    ...(command.name() === 'help' ? topics() : []),
  ];
  return offered.flatMap(([word, about]) =>
    word !== '' && word.startsWith(typed) ? `${word}\t${plain(about)}` : [],
  );
}

async function sessions(): Promise<readonly (readonly [id: string, about: string])[]> {
  const ids = await listSessionIds(await projectRoot(process.cwd()));
  return ids.map((id) => [id, 'a saved session']);
}

function topics(): readonly (readonly [topic: string, about: string])[] {
  return topicNames().map((name) => [name, 'a topic of the help']);
}

/** Replaces colons, because they would end the word in zsh. */
function plain(about: string): string {
  return about.replaceAll(':', '').replace(/\.$/, '');
}
