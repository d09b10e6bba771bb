// Tells a check that cannot run from one that fails, by what it says and by the user’s own folder.
import { posix } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { errorLine } from '../../agents/phrases.ts';
import { joinCommands, setUpFiles, submodulesAt } from '../../context/package/set-up-tools.ts';
import { lookAt } from '../../git/disk.ts';
import { listUncommitted } from '../../git/made-files.ts';
import { nameOfPath, plainPath, stemOf } from '../../git/paths.ts';
import type { Check } from '../../model/check.ts';
import type { CheckRun } from '../../model/check-record.ts';
import type { Task } from '../../model/task.ts';
import { listed, oneLine, quoteForShell } from '../../model/wording.ts';
import { runCheck } from './checks.ts';
import { holdsSecrets } from './prepare-tree.ts';
import { type ProposedSetUp, setUpText } from './propose-set-up.ts';
import type { CheckConditions } from './run-command.ts';

/** Something that a check needs to run at all. */
export interface MissingPart {
  readonly check: string;
  /** The output line that says so. */
  readonly line: string;
  /** The path of a file that the work tree lacks and the user’s folder, or a set-up, has; otherwise null. */
  readonly copy: string | null;
  /** A sentence on what helps, where no set-up does; otherwise null. */
  readonly help: string | null;
}

/**
 * Finds what a failed check lacks: a file that exists only in the user’s folder, a program, a module, a service
 * or something from the network. Null if it failed for another reason, or lacks what the tasks themselves make.
 */
export async function missingPart(
  run: CheckRun,
  tasks: readonly Pick<Task, 'files'>[],
  place: Pick<CheckConditions, 'home' | 'cwd'> & {
    /** True for a file that is missing and that a set-up, which the project proposes, may bring. */
    readonly isMade?: (path: string) => Promise<boolean>;
  },
): Promise<MissingPart | null> {
  if (run.passed !== false) return null;
  const { cwd } = place;
  const { check, note } = run;
  const lines = [note, ...stripVTControlCharacters(run.output).split('\n')];
  const found = await fileAtHome(lines, place);
  const brief = (line: string) => oneLine(line).trim().replaceAll(`${cwd}/`, '');
  if (found !== null) return { check, line: brief(found.line), copy: found.copy, help: null };
  const files = tasks.flatMap((task) => (task.files ?? []).map(({ path }) => path));
  const created: string[] = [];
  for (const path of files) {
    if ((await lookAt(cwd, path)).kind === 'absent') created.push(...path.split('/'));
  }
  const isPlanned = (name: string) =>
    created.some((part) => part === name || stemOf(part) === name);
  const bringsModules = files.some((path) => setUpFiles.has(nameOfPath(path)));
  for (const line of lines) {
    const said = { check, line: brief(line), copy: null };
    const program = missingProgram(line, run);
    if (program !== null && !isPlanned(program.name)) return { ...said, help: program.help };
    const name = bringsModules ? null : moduleIn(line);
    const [first = ''] = name?.replace(/^@/, '').split(/[./\\:]/) ?? [];
    if (name !== null && !isPlanned(first)) return { ...said, help: null };
    const help = helpOutside(line);
    if (help !== null) return { ...said, help };
  }
  return note === 'exit code 127'
    ? { check, line: oneLine(errorLine(run.output)) || note, copy: null, help: null }
    : null;
}

/** The program that a line reports as missing; a name with a path belongs to the project itself. */
function missingProgram(
  line: string,
  { check, note }: CheckRun,
): { readonly name: string; readonly help: string | null } | null {
  const shell = note === 'exit code 127' ? /([\w.+-]+): (?:command )?not found$/ : null;
  const [, name] = /^([^\s/]+) cannot be started: /.exec(line) ?? shell?.exec(line.trim()) ?? [];
  if (name === undefined) return null;
  // What a script of the project starts may come with its dependencies.
  const isOwn = check.split(' ').includes(name);
  return { name, help: isOwn ? `${name} is not installed: install it, or change the check` : null };
}

function moduleIn(line: string): string | null {
  return modulePatterns.flatMap((pattern) => pattern.exec(line)?.[1] ?? [])[0] ?? null;
}

/** How runtimes and compilers name a module that is installed nowhere. */
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

/** Says what helps where something outside of the project is missing or in the way; null for any other line. */
function helpOutside(line: string): string | null {
  if (/EADDRINUSE|address already in use/i.test(line)) {
    return 'Another program uses that port: end it, or set another port by env in the [execution] table of your settings';
  }
  const service = /ECONNREFUSED|connection(?: to \S+)? refused/i.test(line)
    ? services.find(([port]) => new RegExp(`(?<!\\d)${port}(?!\\d)`).test(line))
    : undefined;
  if (service !== undefined) {
    const [port, name] = service;
    return `Nothing answers on port ${port}, where ${name} usually does: start it`;
  }
  return fetching.test(line)
    ? 'It has to be fetched first: run the build once in your folder, with the network, or set setup to what fetches it'
    : null;
}

/** Ports of programs that no task of a plan starts. */
const services: readonly (readonly [port: number, name: string])[] = [
  [5432, 'PostgreSQL'],
  [3306, 'MySQL'],
  [6379, 'Redis'],
  [27017, 'MongoDB'],
  [1433, 'SQL Server'],
  [5672, 'RabbitMQ'],
  [9092, 'Kafka'],
  [9200, 'Elasticsearch'],
  [11211, 'Memcached'],
  [4444, 'Selenium'],
];

/** Maven and Gradle about plugins and libraries, and any program about a host that it cannot find. */
const fetching =
  /\[ERROR\].*(?:could not be resolved|Cannot access|Could not (?:find|transfer) artifact)|Could not resolve (?:all|[\w.-]+:[\w.-]+)|Plugin \[id: .* was not found|getaddrinfo (?:ENOTFOUND|EAI_AGAIN)|Could not resolve host/;

/** Words of a line about something that is not there. */
const saysMissing =
  /not found|not exist|no such|cannot|can't|could not|couldn't|unable|missing|undefined reference|ENOENT/i;

/** A path among the words of a line: quoted, with a slash, or before the words that it is not there. */
const paths =
  /['"`]([^'"`]+)['"`]|((?:[\w@.~+-]*\/)[\w@./~+-]+)|([^\s:'"]+): (?:not found|No such file or directory)/g;

/** The first file or module that a line says is missing, and that is there in the user’s folder or made by a set-up. */
async function fileAtHome(
  lines: readonly string[],
  { home, cwd, isMade = async () => false }: Parameters<typeof missingPart>[2],
): Promise<{ readonly line: string; readonly copy: string } | null> {
  for (const line of lines.filter((one) => saysMissing.test(one))) {
    for (const [, ...found] of line.matchAll(paths)) {
      const named = (found.find((path) => path !== undefined) ?? '').replace(/^file:\/\//, '');
      const inTree = posix.isAbsolute(named) ? posix.relative(cwd, named) : named;
      // A word in quotes is the name of a module rather than of a folder.
      const isWord = found[0] === inTree && !/[./]/.test(inTree);
      for (const path of [...(isWord ? [] : [inTree]), `node_modules/${inTree}`]) {
        const plain = plainPath(path.replace(/(?::\d+)+$/, ''));
        if (plain === null || plain === '' || plain === 'node_modules') continue;
        if ((await lookAt(cwd, plain)).kind !== 'absent') continue;
        const isAtHome = (await lookAt(home, plain)).kind !== 'absent';
        if (isAtHome || (path === inTree && (await isMade(plain)))) return { line, copy: plain };
      }
    }
  }
  return null;
}

/** What the user’s folder holds and a work tree does not. */
interface Apart {
  readonly submodules: readonly string[];
  readonly ignored: readonly string[];
  readonly others: readonly string[];
}

/** Lists what is there in the user’s folder and not in the work tree. */
async function listApart({ home, cwd, signal }: CheckConditions): Promise<Apart> {
  const isAbsent = async (path: string) => (await lookAt(cwd, path)).kind === 'absent';
  const absent = async (all: readonly string[]) => {
    const are = await Promise.all(all.map((path) => isAbsent(path.replace(/\/$/, ''))));
    return all.filter((_, at) => are[at] === true);
  };
  const { ignored, others } = await listUncommitted(home, signal);
  const here = new Set(await submodulesAt(cwd));
  const submodules = (await submodulesAt(home)).filter((path) => !here.has(path));
  return { submodules, ignored: await absent(ignored), others: await absent(others) };
}

/** A check that failed in a work tree for a reason that its output does not tell. */
interface RedCheck {
  readonly check: Check;
  readonly run: CheckRun;
  readonly place: CheckConditions;
  /** Keeps the record of the run in the user’s folder. */
  readonly keep: (run: CheckRun) => Promise<void>;
}

/**
 * Runs a check once in the user’s folder, which it cannot write to, with secrets hidden: what passes there, or
 * does not say there what it lacks in the work tree, needs more than git holds. Null if there is no difference,
 * or nothing confines it.
 */
export async function differsAtHome({
  check,
  run,
  place,
  keep,
}: RedCheck): Promise<MissingPart | null> {
  const { home, cwd, confine = null, secrets = [] } = { ...place, secrets: place.confine?.secrets };
  if (run.passed !== false || confine === null) return null;
  const apart = await listApart(place);
  const only = [...apart.submodules, ...apart.ignored, ...apart.others];
  if (only.length === 0) return null;
  const files = only.filter((path) => !path.endsWith('/'));
  const hold = await Promise.all(files.map((path) => holdsSecrets(home, path)));
  const hidden = files.filter((_, at) => hold[at]).map((path) => posix.join(home, path));
  const bounds = { ...confine, top: home, isReadOnly: true, secrets: [...secrets, ...hidden] };
  const there = { ...place, cwd: home, confine: bounds, begins: () => undefined };
  const atHome = await runCheck(check, there);
  await keep(atHome);
  if (atHome.passed === null || atHome.held === true) return null;
  const said = fold(`${atHome.note}\n${atHome.output}`, home);
  const missing = run.output
    .split('\n')
    .find((line) => saysMissing.test(line) && !said.includes(fold(line, cwd)));
  const line = atHome.passed ? tellingLine(run) : missing;
  if (line === undefined) return null;
  const how = atHome.passed ? 'it passes in your folder, which has' : 'your folder has';
  const shown = only.length > mostShown ? [...only.slice(0, mostShown), 'more'] : only;
  const help = `A clean checkout of the work lacks something, as ${how} ${listed(shown)}: set setup in your settings to the command that makes it, or copy to the files that the check needs`;
  const [submodule] = apart.submodules;
  const of = { check: run.check, line: oneLine(line).trim().replaceAll(`${cwd}/`, '') };
  return submodule === undefined
    ? { ...of, copy: null, help }
    : { ...of, copy: submodule, help: null };
}

const mostShown = 8;

/** The last line of a failed run that says what was wrong, or else how it ended. */
function tellingLine({ output, note }: CheckRun): string {
  const lines = stripVTControlCharacters(output).split('\n');
  const says = /\b(?:\w*error|expected|assert\w*|fail\w*)\b.*\w/i;
  return lines.findLast((line) => says.test(line) && !countsTests.test(line)) ?? note;
}

const countsTests = /^[#ℹ] \w+ [\d.]+$/;

/** A text without its folder, numbers and ids, so that two runs can be compared. */
function fold(text: string, folder: string): string {
  return text
    .replaceAll(folder, '')
    .replaceAll(/\b[0-9a-f]{6,}\b|\d+/gi, '#')
    .replaceAll(/[ \t]+/g, ' ')
    .trim();
}

interface SetUpKnown {
  readonly place: Pick<CheckConditions, 'home' | 'cwd' | 'buildFacts'>;
  readonly setup: readonly string[];
  readonly found: ProposedSetUp | null;
  readonly session: string;
  /** True for a path that git ignores. */
  readonly isIgnored: (path: string) => Promise<boolean>;
}

/** Explains in a sentence what helps. */
export async function remedyFor(
  { copy, help }: Pick<MissingPart, 'copy' | 'help'>,
  known: SetUpKnown,
): Promise<string> {
  const own = help ?? (copy === null ? null : await remedyAtHome(copy, known));
  if (own !== null) return own;
  const { setup, found, session } = known;
  if (setup.length > 0) {
    return `The set-up "${setup.join(' ')}" does not bring it: change setup in your settings ("conclave config" shows where it stands)`;
  }
  if (found !== null && found.argv.length > 0) {
    const text = `${found.source} proposes the set-up "${setUpText(found)}"`;
    return found.missing === null
      ? `${text}: take it with conclave execute ${session} --take-setup`
      : `${text}, and ${found.missing} is not installed: install it first`;
  }
  return 'Set setup in the [execution] table of your settings to the command that brings it, or copy to your ignored folders that hold it';
}

/** Explains how what the user’s folder has gets into a work tree; null if the project’s set-up brings it. */
async function remedyAtHome(path: string, known: SetUpKnown): Promise<string | null> {
  const { place, setup, found, session, isIgnored } = known;
  const { home } = place;
  const before = setup.length > 0 ? setup : (found?.argv ?? []);
  const adding = (more: readonly string[]) => {
    const key = quoteForShell(`projects.${JSON.stringify(home)}.setup`);
    return `conclave config set ${key} ${quoteForShell(JSON.stringify(joinCommands(before, more)))}`;
  };
  const inside = (await submodulesAt(home)).find((one) => `${path}/`.startsWith(`${one}/`));
  if (inside !== undefined) {
    const update = 'git submodule update --init';
    const how =
      setup.length === 0 ? `conclave execute ${session} --take-setup` : adding(update.split(' '));
    return `${inside} is a submodule, which a work tree has only after "${update}": take that as set-up with ${how}`;
  }
  const module = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
  if (module !== undefined) {
    const state = await lookAt(home, module);
    const target = state.kind === 'link' ? posix.resolve(home, module, '..', state.target) : home;
    if (`${target}/`.startsWith(`${home}/`)) return null;
    return `Your folder has ${module} as a link to ${target}, which no installer brings: set link = ${JSON.stringify([module])} in the [execution] table of your settings`;
  }
  if (found?.copy.includes(path) === true) {
    return `Your folder has ${path}, and git ignores it; ${found.source} names it: take a copy with conclave execute ${session} --take-setup`;
  }
  const isFolder = (await lookAt(home, path)).kind === 'other';
  const top = `${path}${isFolder ? '/' : ''}`.split('/').slice(0, -1)[0] ?? '';
  const build = top !== '' && (await isIgnored(`${top}/`)) ? commandOf(place) : null;
  if (build !== null) {
    return `Your folder has ${path}, and git ignores it: if "${build.join(' ')}" makes it, take that as set-up with ${adding(build)}`;
  }
  if (setup.length === 0 && top !== '' && found !== null && found.argv.length > 0) return null;
  return (await isIgnored(isFolder ? `${path}/` : path))
    ? `Your folder has ${path}, and git ignores it: set copy = ${JSON.stringify([path])} in the [execution] table of your settings`
    : `Your folder has ${path}, and it is not committed: commit it, or let a task of the plan name it`;
}

/** The words of the command that builds the project; null if it states none. */
function commandOf({ buildFacts }: Pick<CheckConditions, 'buildFacts'>): readonly string[] | null {
  const fact = buildFacts.find(({ kind, folder }) => kind === 'build' && folder === '');
  return fact === undefined ? null : fact.value.split(/\s+/);
}
