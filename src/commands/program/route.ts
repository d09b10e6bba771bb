import type { Command } from 'commander';

/** What the command groups do without a further word. */
const standards: Readonly<Record<string, string>> = { sessions: 'list', config: 'show' };

/**
 * Puts the command’s name first, so that flags may stand before it, and `plan` where the words
 * are a task. Throws `usage` where a task looks like a misspelt command: it would be paid for.
 */
export async function route(argv: readonly string[], program: Command): Promise<readonly string[]> {
  const operands = operandsOf(argv, program);
  const [first] = operands;
  if (first === undefined) return asksForHelp(argv) ? argv : ['plan', ...argv];
  if (first.word === 'help') return await routeHelp(argv.toSpliced(first.index, 1), program);
  const names = namesOf(program);
  if (!names.includes(first.word)) {
    await refuseMisspelt({ word: first.word, names, alone: operands.length === 1 });
    return ['plan', ...argv];
  }
  const rest = argv.toSpliced(first.index, 1);
  const group = program.commands.find((command) => command.name() === first.word);
  if (group === undefined || group.commands.length === 0) return [first.word, ...rest];
  return [first.word, ...(await routeInGroup(rest, group))];
}

async function routeHelp(argv: readonly string[], program: Command): Promise<readonly string[]> {
  const [first] = operandsOf(argv, program);
  if (first !== undefined && !namesOf(program).includes(first.word)) {
    await refuse(`There is no command "${first.word}". "conclave --help" lists them.`);
  }
  return await route([...argv, '--help'], program);
}

async function routeInGroup(argv: readonly string[], group: Command): Promise<readonly string[]> {
  const [first] = operandsOf(argv, group);
  const standard = standards[group.name()];
  if (first === undefined) {
    return asksForHelp(argv) || standard === undefined ? argv : [standard, ...argv];
  }
  const names = namesOf(group);
  if (names.includes(first.word)) return [first.word, ...argv.toSpliced(first.index, 1)];
  const { closestName } = await import('../closest-name.ts');
  const near = closestName(first.word, names);
  const known = near === null ? `It has ${names.join(', ')}.` : `Did you mean ${near}?`;
  return await refuse(`"conclave ${group.name()}" has no command "${first.word}". ${known}`);
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
async function refuseMisspelt({
  word,
  names,
  alone,
}: {
  word: string;
  names: readonly string[];
  alone: boolean;
}): Promise<void> {
  if (!/^[a-z][a-z-]*$/i.test(word)) return;
  const { closestName } = await import('../closest-name.ts');
  const near = closestName(word, names);
  if (near === null && !alone) return;
  const hint = near === null ? '"conclave --help" lists them.' : `Did you mean ${near}?`;
  await refuse(
    `There is no command "${word}". ${hint} ` +
      `To plan a task that starts with this word: conclave plan ${word}${alone ? '' : ' ...'}`,
  );
}

async function refuse(message: string): Promise<never> {
  const { Stopped } = await import('../../model/failure.ts');
  throw new Stopped({ reason: 'usage', message });
}
