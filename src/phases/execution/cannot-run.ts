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
import { filesOf, type Task } from '../../model/task.ts';
import { listed, oneLine, quoteForShell } from '../../model/wording.ts';
import { runCheck } from './checks.ts';
import { holdsSecrets } from './prepare-tree.ts';
import { type ProposedSetUp, setUpText } from './propose-set-up.ts';
import type { CheckConditions } from './run-command.ts';
import { patternOf } from './runner-files.ts';

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
  const { cwd } = place;
  const { check, note, passed } = run;
  if (passed !== false) return null;
  const said = [note, ...linesOf(run)];
  for (const line of said) {
    const copy = await pathAtHome(line, place);
    if (copy !== null) return { check, line: brief(line, cwd), copy, help: null };
  }
  const files = filesOf(tasks);
  const isThere = await Promise.all(files.map(async (path) => !(await isAbsent(cwd, path))));
  const created = files.flatMap((path, at) => (isThere[at] === true ? [] : path.split('/')));
  const isPlanned = (name: string) =>
    created.some((part) => part === name || stemOf(part) === name);
  const bringsModules = files.some((path) => setUpFiles.has(nameOfPath(path)));
  const isUnknown = note === 'exit code 127';
  for (const line of said) {
    for (const [of, pattern, help = null] of signs) {
      const [isThis, name = ''] = pattern.exec(line.trim()) ?? [];
      const isProgram = of === 'program' || of === 'shell';
      const isOther = of === 'shell' ? !isUnknown : of === 'module' && bringsModules;
      const [first = ''] = name.split(/[./\\:]/);
      if (isThis === undefined || isOther || (isProgram && name.includes('/'))) continue;
      if (isPlanned(isProgram ? name : first)) continue;
      // What a script of the project starts may come with its dependencies.
      const isOwn = of === 'program' || (isProgram && check.split(' ').includes(name));
      const install = `${name} is not installed: install it, or change the check`;
      return { check, line: brief(line, cwd), copy: null, help: isOwn ? install : help };
    }
    const isRefused = /ECONNREFUSED|connection(?: to \S+)? ?refused/i.test(line);
    // Python names the port in other lines.
    const service = services.find(
      ([port = '']) => isRefused && new RegExp(`(?<!\\d)${port}(?!\\d)`).test(run.output),
    );
    if (service !== undefined) {
      const [port, ...name] = service;
      const help = `Nothing answers on port ${port}, where ${name.join(' ')} usually does: start it`;
      return { check, line: brief(line, cwd), copy: null, help };
    }
  }
  const last = oneLine(errorLine(run.output)) || note;
  return isUnknown ? { check, line: last, copy: null, help: null } : null;
}

const linesOf = ({ output }: CheckRun) => stripVTControlCharacters(output).split('\n');
const brief = (line: string, cwd: string) => oneLine(line).trim().replaceAll(`${cwd}/`, '');
const isAbsent = async (root: string, path: string) =>
  (await lookAt(root, path.replace(/\/$/, ''))).kind === 'absent';

const portHelp =
  'Another program uses that port: end it, or set another port by env in the [execution] table of your settings';
const confinedHelp =
  'Checks may write to their work tree and to caches only: have it write there by env in the [execution] table of your settings, or let it run with --unconfined';
const dockerHelp = 'Start Docker; if it runs, let the check reach it with --unconfined';
const pluginHelp = 'Install that plugin of Docker, or change the check';
const fetchHelp =
  'It has to be fetched first: run the build once in your folder, with the network, or set setup to what fetches it';

/**
 * The lines by which programs tell of something that is missing or in the way, as `patternOf` reads them, with what
 * helps where no set-up does. A name with a path is of the project itself.
 */
const lines: readonly (readonly ['module' | 'program' | 'shell' | 'machine', string, string?])[] = [
  ['program', 'NAME cannot be started: *'],
  ['shell', '*NAME: {command ,}not found'],
  ['module', "*Cannot find {module,package} 'NAME'*"],
  // A globally installed compiler says this about the project’s types.
  ['module', '*npm i --save-dev @types/NAME*'],
  ['module', "*Cannot find type definition file for 'NAME'*"],
  ['module', '*following package{ was,s were} not found and will be installed: NAME'],
  ['module', "*No module named {',}NAME*"],
  ['module', '*no required module provides package NAME*'],
  ['module', '*missing go.sum entry for {module providing package ,}NAME*'],
  ['module', '*cannot find module providing package NAME*'],
  ['module', '*cannot load such file -- NAME*'],
  ['module', "*Could not find {gem ,}{',}NAME* in {locally installed gems,any of the sources}*"],
  ['module', '*failed to open stream*vendor/autoload.php*'],
  ['machine', '*{EADDRINUSE,address already in use}*', portHelp],
  // Node says ENOENT of a folder that it cannot make in a linked one.
  ['machine', "*{EROFS,read-only file system,ENOENT*mkdir '*/node_modules/}*", confinedHelp],
  ['machine', '*connect to the Docker daemon*', dockerHelp],
  ['machine', 'docker: {unknown command: *,* is not a docker command*}', pluginHelp],
  [
    'machine',
    '*[ERROR]*{could not be resolved,Cannot access,Could not {find,transfer} artifact}*',
    fetchHelp,
  ],
  ['machine', '*{Could not resolve {all,host,*:*:},getaddrinfo {ENOTFOUND,EAI_AGAIN}}*', fetchHelp],
  ['machine', '*Plugin [id: * was not found*', fetchHelp],
];

const signs = lines.map(([of, line, help]) => [of, patternOf(line), help] as const);

/** Ports of programs that no task of a plan starts. */
const services =
  '5432 PostgreSQL,3306 MySQL,6379 Redis,27017 MongoDB,1433 SQL Server,5672 RabbitMQ,9092 Kafka,9200 Elasticsearch,11211 Memcached,4444 Selenium'
    .split(',')
    .map((one) => one.split(' '));

/** Words of a line about something that is not there. */
const saysMissing =
  /not found|not exist|no such|cannot|can't|could not|couldn't|unable|missing|undefined reference|ENOENT/i;

/** A path among the words of a line: quoted, with a slash, or before the words that it is not there. */
const paths =
  /['"`]([^'"`]+)['"`]|((?:[\w@.~+-]*\/)[\w@./~+-]+)|([^\s:'"]+): (?:not found|No such file or directory)/g;

/** The first file or module that a line says is missing, and that is there in the user’s folder or made by a set-up. */
async function pathAtHome(
  line: string,
  { home, cwd, isMade = async () => false }: Parameters<typeof missingPart>[2],
): Promise<string | null> {
  for (const [, ...found] of saysMissing.test(line) ? line.matchAll(paths) : []) {
    const named = (found.find((path) => path !== undefined) ?? '').replace(/^file:\/\//, '');
    const inTree = posix.isAbsolute(named) ? posix.relative(cwd, named) : named;
    // A word in quotes is the name of a module rather than of a folder.
    const isWord = found[0] === inTree && !/[./]/.test(inTree);
    for (const path of [...(isWord ? [] : [inTree]), `node_modules/${inTree}`]) {
      const plain = plainPath(path.replace(/(?::\d+)+$/, ''));
      if (plain === null || plain === 'node_modules' || !(await isAbsent(cwd, plain))) continue;
      if (!(await isAbsent(home, plain)) || (path === inTree && (await isMade(plain))))
        return plain;
    }
  }
  return null;
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
  const { home, cwd, confine = null, signal } = place;
  if (run.passed !== false || confine === null) return null;
  const { ignored, others } = await listUncommitted(home, signal);
  const here = await submodulesAt(cwd);
  const submodules = (await submodulesAt(home)).filter((path) => !here.includes(path));
  const only = [...submodules];
  for (const path of [...ignored, ...others]) if (await isAbsent(cwd, path)) only.push(path);
  if (only.length === 0) return null;
  const secrets = [...confine.secrets];
  for (const path of only) if (await holdsSecrets(home, path)) secrets.push(posix.join(home, path));
  const bounds = { ...confine, top: home, isReadOnly: true, secrets };
  const there = { ...place, cwd: home, confine: bounds, begins: () => undefined };
  const atHome = await runCheck(check, there);
  await keep(atHome);
  if (atHome.passed === null || atHome.held === true) return null;
  const said = fold(`${atHome.note}\n${atHome.output}`, home);
  const isNew = (line: string) => saysMissing.test(line) && !said.includes(fold(line, cwd));
  const telling = linesOf(run).findLast((line) =>
    /\b(?:\w*error|expected|assert\w*)\b.*\w/i.test(line),
  );
  const line = atHome.passed ? (telling ?? run.note) : linesOf(run).find(isNew);
  if (line === undefined) return null;
  const how = atHome.passed ? 'it passes in your folder, which has' : 'your folder has';
  const shown = only.length > mostShown ? [...only.slice(0, mostShown), 'more'] : only;
  const help = `A clean checkout of the work lacks something, as ${how} ${listed(shown)}: set setup in your settings to the command that makes it, or copy to the files that the check needs`;
  const [copy = null] = submodules;
  return { check: run.check, line: brief(line, cwd), copy, help: copy === null ? help : null };
}

const mostShown = 8;

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
  const { setup, found, session } = known;
  const own = help ?? (copy === null ? null : await remedyAtHome(copy, known));
  if (own !== null) return own;
  if (setup.length > 0) {
    return `The set-up "${setup.join(' ')}" does not bring it: change setup in your settings ("conclave config" shows where it stands)`;
  }
  if (found === null || found.argv.length === 0) {
    return 'Set setup in the [execution] table of your settings to the command that brings it, or copy to your ignored folders that hold it';
  }
  const how =
    found.missing === null
      ? `: take it with conclave execute ${session} --take-setup`
      : `, and ${found.missing} is not installed: install it first`;
  return `${found.source} proposes the set-up "${setUpText(found)}"${how}`;
}

/** Explains how what the user’s folder has gets into a work tree; null if the project’s set-up brings it. */
async function remedyAtHome(path: string, known: SetUpKnown): Promise<string | null> {
  const { place, setup, found, session, isIgnored } = known;
  const { home, buildFacts } = place;
  const before = setup.length > 0 ? setup : (found?.argv ?? []);
  const take = `conclave execute ${session} --take-setup`;
  const adding = (command: string) => {
    const key = quoteForShell(`projects.${JSON.stringify(home)}.setup`);
    const all = JSON.stringify(joinCommands(before, command.split(/\s+/)));
    return `conclave config set ${key} ${quoteForShell(all)}`;
  };
  const has = `Your folder has ${path}`;
  const inside = (await submodulesAt(home)).find((one) => `${path}/`.startsWith(`${one}/`));
  if (inside !== undefined) {
    const update = 'git submodule update --init';
    const how = setup.length === 0 ? take : adding(update);
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
    return `${has}, and git ignores it; ${found.source} names it: take a copy with ${take}`;
  }
  const [venv = ''] = path.split('/');
  if (!(await isAbsent(home, `${venv}/pyvenv.cfg`))) {
    const how = (await isIgnored(venv)) ? 'link' : 'copy';
    return `${has}, and ${venv} is a virtual environment: set ${how} = ${JSON.stringify([venv])} in the [execution] table of your settings`;
  }
  const isFolder = (await lookAt(home, path)).kind === 'other';
  const top = `${path}${isFolder ? '/' : ''}`.split('/').slice(0, -1)[0] ?? '';
  const build = buildFacts.find(({ kind, folder }) => kind === 'build' && folder === '')?.value;
  if (build !== undefined && top !== '' && (await isIgnored(`${top}/`))) {
    return `${has}, and git ignores it: if "${build}" makes it, take that as set-up with ${adding(build)}`;
  }
  if (setup.length === 0 && top !== '' && before.length > 0) return null;
  return (await isIgnored(isFolder ? `${path}/` : path))
    ? `${has}, and git ignores it: set copy = ${JSON.stringify([path])} in the [execution] table of your settings`
    : `${has}, and it is not committed: commit it, or let a task of the plan name it`;
}
