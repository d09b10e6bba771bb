// Says which commands of checks may run if nobody has looked at them.
import { type Check, checkName, plainWords } from '../../model/check.ts';
import type { BuildFact } from '../../model/context.ts';
import { type Task, checksOf } from '../../model/task.ts';

/** The commands that the repository or the user names. */
interface NamedCommands {
  /** The build facts of the base, before any work. */
  readonly buildFacts: readonly BuildFact[];
  /** The user’s commands; each allows all commands that begin with its words. */
  readonly mayRun: readonly string[];
}

/** True for a command that the repository’s own files name word for word, or that the user’s settings allow. */
export function isNamedCommand(
  argv: readonly string[],
  { buildFacts, mayRun }: NamedCommands,
): boolean {
  const facts = buildFacts.filter(({ folder, kind }) => folder === '' && commandKinds.has(kind));
  return (
    facts.some(({ value }) => isSame(plainWords(value) ?? [], argv)) ||
    mayRun.some((line) => beginsWith(argv, line.trim().split(/\s+/)))
  );
}

const commandKinds: ReadonlySet<BuildFact['kind']> = new Set([
  'build',
  'test',
  'lint',
  'types',
  'format',
]);

function isSame(words: readonly string[], argv: readonly string[]): boolean {
  return words.length === argv.length && beginsWith(argv, words);
}

function beginsWith(argv: readonly string[], words: readonly string[]): boolean {
  return words.length > 0 && words[0] !== '' && words.every((word, at) => argv[at] === word);
}

/** The commands of some tasks that do not run then, each once, as they would be typed. */
export function unnamedCommands(tasks: readonly Task[], named: NamedCommands): readonly string[] {
  const checks = tasks
    .flatMap(checksOf)
    .filter((check): check is Extract<Check, { kind: 'command' }> => check.kind === 'command');
  return [...new Set(checks.filter(({ argv }) => !isNamedCommand(argv, named)).map(checkName))];
}
