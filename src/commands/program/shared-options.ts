// Declares commands, and the options that they share.
import type { Command } from 'commander';

/** A command of the command line, as it is declared. */
export interface CommandEntry {
  readonly name: string;
  /** The text in the list of commands; a command of a group has none. */
  readonly summary?: string;
  readonly about: string;
  readonly argument?: readonly [name: string, about: string];
  /** True if words may follow that the help does not mention. */
  readonly takesMore?: true;
  readonly options?: readonly OptionEntry[];
  /** Examples to copy, without the name of the program. */
  readonly examples: readonly string[];
  /** Help pages that explain more. */
  readonly topics?: readonly string[];
  readonly commands?: readonly CommandEntry[];
  /** Runs the command with the words that are not flags; returns the exit code. */
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
  readonly y?: boolean;
  readonly probe?: boolean;
  readonly queue?: boolean;
  readonly machine?: string;
  readonly anchors?: boolean;
  readonly at?: string;
  readonly format?: string;
  readonly taskFile?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly session?: string;
  readonly role?: string;
  readonly context?: readonly string[];
  readonly readOnly?: boolean;
  readonly undo?: boolean;
  readonly fast?: boolean;
  readonly hook?: boolean;
  readonly hostVendor?: string;
  readonly plan?: boolean;
  readonly revise?: boolean;
  readonly dryRun?: boolean;
  readonly ready?: boolean;
  readonly remove?: boolean;
  readonly print?: boolean;
  readonly scope?: string;
}

export const workingFolderOption: OptionEntry = ['-C, --cwd <DIR>', 'work in this folder'];

/** The options of a command that runs no session. */
export interface CommonOptions extends Omit<RawOptions, 'json' | 'y'> {
  /** The absolute folder in which it works. */
  readonly cwd: string;
  /** The project around that folder. */
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  /** True if it prints one JSON document. */
  readonly json: boolean;
  readonly yes: boolean;
}

interface InspectionEntry extends Omit<CommandEntry, 'run'> {
  readonly run: (words: readonly string[], options: CommonOptions) => Promise<number>;
}

/** Declares a command that runs no session; besides its own options it takes `--json` and `-C`. */
export function inspection({ options = [], run, ...entry }: InspectionEntry): CommandEntry {
  return {
    ...entry,
    options: [['--json', 'print one JSON document'], workingFolderOption, ...options],
    async run(words, values) {
      const { projectRoot, workingFolder } = await import('../../app/folders.ts');
      const cwd = await workingFolder(values.cwd);
      const root = await projectRoot(cwd);
      const { json = false, y: yes = false } = values;
      const { env: environment } = process;
      return await run(words, { ...values, cwd, root, environment, json, yes });
    },
  };
}
