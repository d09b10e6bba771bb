import type { Command } from 'commander';

/** A command of the command line, as it is declared. */
export interface CommandEntry {
  readonly name: string;
  /** In the list of commands; a command of a group has none. */
  readonly summary?: string;
  readonly about: string;
  readonly usage?: string;
  readonly argument?: readonly [name: string, about: string];
  readonly options?: readonly OptionEntry[];
  /** Something to copy, without the name of the program. */
  readonly examples: readonly string[];
  readonly commands?: readonly CommandEntry[];
  /** Takes the words that are no flags; returns the exit code. */
  readonly run?: (
    words: readonly string[],
    values: RawOptions,
    program: Command,
  ) => Promise<number> | number;
}

export type OptionEntry = readonly [flag: string, about: string, repeats?: 'repeatable'];

/** Option values as commander gives them. */
export interface RawOptions {
  readonly json?: boolean;
  readonly cwd?: string;
  readonly yes?: boolean;
  readonly paths?: boolean;
  readonly budget?: string;
  readonly explain?: boolean;
  readonly probe?: boolean;
  readonly at?: string;
  readonly output?: string;
  readonly taskFile?: string;
}

/** What a command is told that runs no session. */
export interface CommonOptions extends Omit<RawOptions, 'json' | 'yes'> {
  /** Where it works: an absolute folder. */
  readonly cwd: string;
  /** The project around it. */
  readonly root: string;
  /** Whether it prints one JSON document. */
  readonly json: boolean;
  readonly yes: boolean;
}

/** Runs such a command. Throws `usage` where `-C` names no folder. */
export function looking(
  command: (words: readonly string[], options: CommonOptions) => Promise<number>,
): NonNullable<CommandEntry['run']> {
  return async (words, values) => {
    const { projectRoot, workingFolder } = await import('../folders.ts');
    const cwd = await workingFolder(values.cwd);
    const root = await projectRoot(cwd);
    const { json = false, yes = false } = values;
    return await command(words, { ...values, cwd, root, json, yes });
  };
}

export const workingFolderOption: OptionEntry = ['-C, --cwd <DIR>', 'work in this folder'];

/** Those of every command that runs no session. */
export const commonFlags: readonly OptionEntry[] = [
  ['--json', 'print one JSON document'],
  workingFolderOption,
];
