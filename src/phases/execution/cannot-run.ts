// Tells a check that cannot run from one that fails, and the setting that helps.
import { posix } from 'node:path';
import { errorLine } from '../../agents/phrases.ts';
import { setUpFiles } from '../../context/package/set-up-tools.ts';
import { lookAt } from '../../git/disk.ts';
import { nameOfPath, plainPath } from '../../git/paths.ts';
import type { CheckRun } from '../../model/check-record.ts';
import type { Task } from '../../model/task.ts';
import { oneLine } from '../../model/wording.ts';
import type { CheckConditions } from './run-command.ts';

/** Something that a check needs to run at all. */
export interface MissingPart {
  readonly check: string;
  /** The output line that says so. */
  readonly line: string;
  /** The path of a file that exists in the user’s folder but not in the work tree; otherwise null. */
  readonly copy: string | null;
}

/**
 * Finds what a failed check lacks: a program, a module, or a file that exists only in the user’s folder. Null
 * if it failed for another reason, or lacks something that the tasks themselves create.
 */
export async function missingPart(
  run: CheckRun,
  tasks: readonly Pick<Task, 'files'>[],
  { home, cwd }: Pick<CheckConditions, 'home' | 'cwd'>,
): Promise<MissingPart | null> {
  if (run.passed !== false) return null;
  const { check, note } = run;
  const lines = [note, ...run.output.split('\n')];
  const copy = await fileAtHome(lines, { home, cwd });
  if (copy !== null) return { check, ...copy };
  const files = tasks.flatMap((task) => (task.files ?? []).map(({ path }) => path));
  const bringsModules = files.some((path) => setUpFiles.has(nameOfPath(path)));
  for (const line of lines) {
    const name = missingName(line, bringsModules);
    const [first = ''] = name?.replace(/^@/, '').split(/[./\\:]/) ?? [];
    const isPlanned = first !== '' && files.some((path) => path.includes(first));
    if (name !== null && !isPlanned) return { check, line: oneLine(line).trim(), copy: null };
  }
  return note === 'exit code 127'
    ? { check, line: oneLine(errorLine(run.output)) || note, copy: null }
    : null;
}

/**
 * The name of a program or module that a line reports as missing; a name with a path belongs to the project
 * itself.
 */
function missingName(line: string, bringsModules: boolean): string | null {
  const program = /^([^\s/]+) cannot be started: /.exec(line)?.[1];
  if (program !== undefined) return program;
  if (bringsModules) return null;
  for (const pattern of modulePatterns) {
    const name = pattern.exec(line)?.[1];
    if (name !== undefined) return name;
  }
  return null;
}

const modulePatterns: readonly RegExp[] = [
  /Cannot find (?:package|module) '([^'./][^']*)'/,
  // A globally installed compiler says this about the project’s types.
  /npm i --save-dev @types\/([\w-]+)/,
  /Cannot find type definition file for '([^']+)'/,
  /No module named '?([\w.]+)'?/,
  /no required module provides package (\S+?)[;:]/,
  /missing go\.sum entry for (?:module providing package )?(\S+)/,
  /cannot find module providing package (\S+)/,
  /cannot load such file -- ([\w-][\w/.-]*)/,
  /Could not find (?:gem )?'?([\w-]+)[^']*'? in (?:locally installed gems|any of the sources)/,
  /failed to open stream[^]*(vendor)\/autoload\.php/i,
];

const missingFile =
  /(?:ENOENT[^']*'([^']+)'|No such file or directory: '([^']+)'|([^\s:'"]+): (?:not found|No such file or directory))/;

async function fileAtHome(
  lines: readonly string[],
  { home, cwd }: { readonly home: string; readonly cwd: string },
): Promise<Pick<MissingPart, 'line' | 'copy'> | null> {
  for (const line of lines) {
    const [, ...found] = missingFile.exec(line) ?? [];
    const named = found.find((path) => path !== undefined);
    if (named === undefined) continue;
    const path = plainPath(posix.isAbsolute(named) ? posix.relative(cwd, named) : named);
    if (path === null || path === '') continue;
    const isHere = (await lookAt(cwd, path)).kind !== 'absent';
    const isAtHome = (await lookAt(home, path)).kind !== 'absent';
    if (isAtHome && !isHere) return { line: oneLine(line).trim(), copy: path };
  }
  return null;
}

/** Explains in a sentence which setting helps. */
export function remedyFor(
  { copy }: Pick<MissingPart, 'copy'>,
  { setup, found, session }: SetUpKnown,
): string {
  const settings = 'in the [execution] table of your settings';
  if (copy !== null) {
    return `Your folder has ${copy}, and git ignores it: set copy = ${JSON.stringify([copy])} ${settings}`;
  }
  if (setup.length > 0)
    return `The set-up "${setup.join(' ')}" does not bring it: change setup ${settings}`;
  if (found !== null) {
    return `${found.source} proposes the set-up "${found.argv.join(' ')}": take it with conclave execute ${session} --take-setup`;
  }
  return `Set setup ${settings} to the command that brings it, or copy to your ignored folders that hold it`;
}

interface SetUpKnown {
  readonly setup: readonly string[];
  readonly found: { readonly argv: readonly string[]; readonly source: string } | null;
  readonly session: string;
}
