import type { Command } from 'commander';

/** Takes the exit code that a command ended with. */
export type Finish = (code: number) => void;

/** Option values as commander gives them for the commands that run no session. */
export interface RawOptions {
  readonly json?: true;
  readonly cwd?: string;
  readonly yes?: true;
  readonly paths?: true;
  readonly budget?: string;
  readonly at?: string;
}

/** Where a command works, an absolute folder, and whether it prints one JSON document. */
export interface CommonOptions {
  readonly cwd: string;
  readonly json: boolean;
}

/** Throws `usage` where `-C` names no folder. */
export async function commonOptions(values: RawOptions): Promise<CommonOptions> {
  const { workingFolder } = await import('../working-folder.ts');
  return { cwd: await workingFolder(values.cwd), json: values.json === true };
}

/** A command with these options. */
export function commandIn(parent: Command, name: string): Command {
  return parent
    .command(name)
    .option('--json', 'print one JSON document')
    .option('-C, --cwd <DIR>', 'work in this folder');
}

/** For an option that may be given again. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** The end of a command's help: something to copy. */
export function examples(...lines: readonly string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  $ conclave ${line}`)].join('\n');
}
