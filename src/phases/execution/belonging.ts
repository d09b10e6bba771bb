// Sorts the files that a task changed: those of the work, those that come along, those that wait for a person.
import { posix } from 'node:path';
import { kindOf, languageFamily } from '../../context/file-kinds.ts';
import { endingOf, folderOf, foldersAbove, joinPath, nameOfPath, stemOf } from '../../git/paths.ts';
import { isObject, jsonIn } from '../../model/json.ts';
import { type Task, checksOf, filesOf } from '../../model/task.ts';
import { type Imports, importsIn, modulePath, type SourceTree } from './imports.ts';
import { testTypes } from './judge.ts';
import { isLockfile, isManifest, isTestFile, loadedByName } from './runner-files.ts';

export interface ChangedWork {
  readonly task: Pick<Task, 'files' | 'test' | 'type' | 'checks'>;
  /** The files that differ between the start of the task and its work. */
  readonly changed: readonly string[];
  /** The commit that the task began from. */
  readonly before: SourceTree;
  /** The commit with everything that the agent changed. */
  readonly after: SourceTree;
}

export interface SortedWork {
  /** The files that belong to the work, and so show it done. */
  readonly work: readonly string[];
  /** The files that stay out of the result until a person accepts them, with what they are. */
  readonly apart: readonly { readonly path: string; readonly kind: string }[];
  /** The links that lead out of the repository. */
  readonly linksOut: readonly string[];
  /**
   * The files that the task names and that nobody touched, without those that a check looks at or runs, and
   * those that import an unnamed file of the work.
   */
  readonly untouched: readonly string[];
}

/**
 * Sorts what a task changed; what is neither of the work nor apart comes along with the result, although it shows
 * nothing. Hardly any file is read if the task names all that changed.
 */
export async function sortWork(changes: ChangedWork): Promise<SortedWork> {
  const { task, changed, before, after } = changes;
  const apart: { path: string; kind: string }[] = [];
  const open: string[] = [];
  for (const path of changed) {
    const kind = isMeant(task, path) ? null : await kindApart(changes, path);
    if (kind === null) open.push(path);
    else apart.push({ path, kind });
  }
  const imports = { old: importsIn(before, mostFiles), now: importsIn(after, mostFiles) };
  const work = new Set(await findWork(changes, open, imports));
  const rest = apart.length === 0 ? [] : open.filter((path) => !work.has(path));
  for (const path of rest.filter(isTestFile))
    apart.push({ path, kind: 'a test that may rest on it' });
  return {
    work: changed.filter((path) => work.has(path)),
    apart,
    linksOut: await linksOut(changes),
    untouched: await untouchedFiles(changes, work, imports.now),
  };
}

/** The most files of a tree that are read for their imports. */
const mostFiles = 300;

/** True for a file that a task names, or that is in a folder that it names. */
export function isNamed(
  { files = [], test = {} }: Pick<Task, 'files' | 'test'>,
  path: string,
): boolean {
  const tests = [...(test.unit ?? []), ...(test.integration ?? [])];
  return (
    files.some((one) => path === one.path || path.startsWith(`${one.path.replace(/\/$/, '')}/`)) ||
    tests.some((text) => text.includes(path))
  );
}

/** True for a file that a task names, or that one of its checks looks into. */
function isMeant(task: ChangedWork['task'], path: string): boolean {
  const isLooked = checksOf(task).some(
    (check) => 'path' in check && check.kind !== 'test' && check.path === path,
  );
  return isLooked || isNamed(task, path);
}

/** What an unnamed file is if it waits until a person accepts it, otherwise null. */
async function kindApart(
  { task, before, after }: ChangedWork,
  path: string,
): Promise<string | null> {
  if (
    isLockfile(path) &&
    (task.files ?? []).some((file) => isManifest(file.path) && isBelow(file.path, folderOf(path)))
  )
    return null;
  const kind = loadedByName(path, path.endsWith('_test.go') ? await after.read(path) : null);
  return kind ?? (isTestFile(path) && before.files.has(path) ? 'a test from before' : null);
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

async function findWork(
  { task, before, after }: ChangedWork,
  open: readonly string[],
  { old: then, now }: { readonly old: Imports; readonly now: Imports },
): Promise<readonly string[]> {
  const isForTests = testTypes.has(task.type ?? '');
  const others = open.filter((path) => !isMeant(task, path));
  const own = open.filter((path) => isMeant(task, path) && (!isForTests || isTestFile(path)));
  const named = filesOf([task]);
  if (named.length === 0)
    return [...own, ...others.filter((path) => isTestFile(path) === isForTests)];
  // A fault may be in a file that an untouched one imports.
  const around = [...own, ...(isForTests ? [] : named)];
  const isOld = (path: string) => before.files.has(path);
  const old = others.filter((path) => isOld(path) && !isForTests && kindOf(path) === 'source');
  const fresh = others.filter(
    (path) => isLockfile(path) || !(isOld(path) || (isForTests && !isTestFile(path))),
  );
  const packages = packagesOf(before);
  const near = old.filter((path) => around.some((one) => packages(one) === packages(path)));
  const work = new Set(own);
  if (near.length > 0) {
    const { isWord, isRun } = await runByChecks(task, before);
    const sources = around.filter((one) => !isTestFile(one));
    const [known, added] = [await reachedFrom(sources, then), await reachedFrom(sources, now)];
    // A file may not become part of the work by an import that the agent adds to it, except of a new file.
    const wired: Imports = async (path) => [
      ...(await then(path)),
      ...(await now(path)).filter((one) => !isOld(one)),
    ];
    // A test may import the value that it expects.
    const isExpected = async (path: string) => {
      const text = (await before.read(path)) ?? '';
      const isOfValues = value.test(text) && !code.test(text);
      return isOfValues && (await usersOf(path, before, then)).some(isTestFile);
    };
    const belongs = async (path: string) => {
      if (isWord(path) || (await isExpected(path))) return false;
      if (known.has(path) || isCompiledWith(path, around)) return true;
      const isAdded = added.has(path);
      const uses = isAdded ? null : await reachedFrom([path], wired);
      if (isRun(path) || (uses !== null && !around.some((one) => uses.has(one)))) return false;
      const users = await usersOf(path, before, then);
      const text = (await before.read(path)) ?? '';
      const isOfChecks = users.length > 0 && users.every((one) => isTestFile(one) || isRun(one));
      return !isOfChecks || !(isAdded || users.some(isRun) || assertion.test(text));
    };
    for (const path of near) if (await belongs(path)) work.add(path);
  }
  for (const path of fresh) if (isLockfile(path) || isCompiledWith(path, around)) work.add(path);
  const blank: string[] = [];
  for (const path of fresh.filter((one) => nameOfPath(one) === '__init__.py')) {
    if (!statement.test((await after.read(path)) ?? '')) blank.push(path);
  }
  const toFresh: Imports = async (path) => {
    if (fresh.length === 0) return [];
    const imported = await now(path);
    const isBuilt = loadedByName(path, null) !== null;
    const byName = fresh.filter((one) => isBuilt || kindOf(one) !== 'source');
    const text = byName.length > 0 && work.size > 0 ? ((await after.read(path)) ?? '') : '';
    const ends = isBuilt ? [...quotes, ' ', ')', '\n'] : quotes;
    return fresh.filter(
      (one) =>
        imported.includes(one) ||
        (byName.includes(one) && ends.some((end) => text.includes(nameOfPath(one) + end))) ||
        (blank.includes(one) && isBelow(path, folderOf(one))) ||
        (isTestFile(path) &&
          one.startsWith(joinPath(folderOf(path), `__snapshots__/${stemOf(path)}.`))),
    );
  };
  return [...work, ...(await reachedFrom([...work, ...around], toFresh))];
}

/** The signs that end the name of a file that a program reads. */
const quotes = ["'", '"', '`'];
/** A line of Python that does something: in `__init__.py` it may change every module below. */
const statement = /^\s*[^\s#]/m;
/** A word of a file that judges others, such as a helper of tests. */
const assertion = /\b(?:assert|expect|should)/;
/** A value that a file gives a name, and the signs of a file that does more than that. */
const value = /(?:=|\bdefine[ \t]+\w+)[ \t]*[-+\d'"`[{]/;
const code = /=>|\b(?:function|func?|def|fun|class)\b|\)\s*\{/;

/** The other sources that import a file. */
async function usersOf(
  path: string,
  { files }: SourceTree,
  imports: Imports,
): Promise<readonly string[]> {
  const users: string[] = [];
  for (const one of files) {
    const isAlike = languageFamily(one) === languageFamily(path);
    if (isAlike && (await imports(one)).includes(path)) users.push(one);
  }
  return users;
}

/** The endings of languages that compile the files of a folder together. */
const compiledByFolder: ReadonlySet<string> = new Set(['go', 'java', 'kt', 'cs', 'swift']);

function isCompiledWith(path: string, named: readonly string[]): boolean {
  const ending = endingOf(path);
  const isBeside = (one: string) => folderOf(one) === folderOf(path) && endingOf(one) === ending;
  return (
    compiledByFolder.has(ending) &&
    named.some((one) => isBeside(one) && (isTestFile(one) || !isTestFile(path)))
  );
}

async function reachedFrom(
  paths: readonly string[],
  imports: Imports,
): Promise<ReadonlySet<string>> {
  const reached = new Set<string>();
  const queue = [...paths];
  for (const path of queue) {
    const more = (await imports(path)).filter((one) => !reached.has(one));
    for (const one of more) reached.add(one);
    queue.push(...more);
  }
  return reached;
}

/** Returns the folder of the package that a file is in: the nearest one with a manifest. */
function packagesOf({ files }: SourceTree): (path: string) => string {
  const folders = new Set([...files].filter(isManifest).map(folderOf));
  return (path) => foldersAbove(path).find((folder) => folders.has(folder)) ?? '';
}

/** The words of the checks’ commands. */
function wordsOfChecks(task: ChangedWork['task']): ReadonlySet<string> {
  return new Set(linesOfChecks(task).flatMap((line) => wordsIn(line, '')));
}

const linesOfChecks = (task: ChangedWork['task']) =>
  checksOf(task).flatMap((check) => (check.kind === 'command' ? check.argv.join(' ') : []));

/** The words of a line, and these as paths in folders that other words name, as in `make -C tools check`. */
function wordsIn(line: string, folder: string): readonly string[] {
  const words = line.split(/[^\w./@+-]+/).slice(0, mostWords);
  const all = [...words, ...programsIn(line).map((word) => `${word}${asProgram}`)];
  return [folder, '', ...words].flatMap((one) => all.map((word) => posix.join(one, word)));
}

/** How many words of a line are read, and how many lines. */
const mostWords = 100;
/** Marks a word that is called as a program. */
const asProgram = '\0';

/**
 * Recognises the files that are words of the checks, and those that the checks run, too: by the scripts, the targets
 * and the programs of tests that these words name.
 */
async function runByChecks(task: ChangedWork['task'], { files, read }: SourceTree) {
  const parts: Part[] = [];
  for (const folder of new Set(filesOf([task]).flatMap(foldersAbove))) {
    for (const [name, partsIn] of Object.entries(partsOf)) {
      const path = joinPath(folder, name);
      const text = files.has(path) ? await read(path) : null;
      for (const [part, line] of partsIn(text ?? '')) parts.push([part, line, folder]);
    }
  }
  const lines = [...linesOfChecks(task), 'test'].map((line): Part => ['', line, '']);
  const all = new Set<string>();
  for (const [, line, folder] of lines) {
    for (const word of wordsIn(line, folder).filter((one) => !all.has(one))) {
      all.add(word);
      const isScript = files.has(word) && languageFamily(word) === null && lines.length < mostWords;
      const text = isScript ? await read(word) : null;
      if (text !== null) lines.push([word, text, folderOf(word)]);
      lines.push(...parts.filter(([part]) => part === word));
    }
  }
  const own = wordsOfChecks(task);
  return {
    isWord: (path: string) => isAmong(own, path),
    isRun: (path: string) => isAmong(all, path),
  };
}

/** True for a file among words. A program may be called without its ending, as a module, or as its folder. */
function isAmong(words: ReadonlySet<string>, path: string): boolean {
  const module = modulePath(path);
  const calls = [path, module, module.replaceAll('/', '.')].map((one) => one + asProgram);
  return [path, ...calls].some((one) => words.has(one));
}

/** A script or a target by its name, with its line and the folder in which that runs. */
type Part = readonly [name: string, line: string, folder: string];

/** Reads the scripts and targets of a file. */
const partsOf: Readonly<Record<string, (text: string) => readonly (readonly [string, string])[]>> =
  {
    'package.json'(text) {
      const manifest = jsonIn(text);
      const scripts =
        isObject(manifest) && isObject(manifest['scripts']) ? manifest['scripts'] : {};
      return Object.entries(scripts).map(([name, line]) => [
        name.replace(/^(?:pre|post)(?=test$)/, ''),
        typeof line === 'string' ? line : '',
      ]);
    },
    Makefile: (text) =>
      text
        .split(/^(?=[\w.-]+[ \t]*[?:+]?[:=])/m)
        .map((part) => [/^[\w.-]*/.exec(part)?.[0] ?? '', part]),
    'CMakeLists.txt': (text) =>
      [...text.matchAll(/\badd_(test|executable)\s*\(\s*(\w+)([^)]*)/g)].map(
        ([, kind, name = '', words = '']) => [kind === 'test' ? 'ctest' : name, words],
      ),
  };

/** The programs that a shell line runs, without the folders whose tests it runs. */
function programsIn(line: string): readonly string[] {
  return [...line.matchAll(program)].flatMap(([whole, word = '']) =>
    /\s--test\b/.test(whole) && !/\.\w+$/.test(word) ? [] : word,
  );
}

/** A file that a shell line runs: the first argument of an interpreter, or a path as the command. */
const program =
  /(?:(?:^|[\s;&|@])(?:node|tsx|ts-node|deno|bun|python[\d.]*|ruby|perl|php|(?:ba)?sh)(?:\s+(?:run|-\S+))*\s+|(?:^|[\s;&|@])(?=\.{0,2}\/))([\w./-]+)/g;

async function linksOut({ changed, after }: ChangedWork): Promise<readonly string[]> {
  const out: string[] = [];
  for (const path of changed.filter((one) => after.isLink(one))) {
    const target = (await after.read(path)) ?? '';
    if (posix.isAbsolute(target) || posix.join(folderOf(path), target).startsWith('..'))
      out.push(path);
  }
  return out;
}

async function untouchedFiles(
  { task, changed, after }: ChangedWork,
  work: ReadonlySet<string>,
  imports: Imports,
): Promise<readonly string[]> {
  const unnamed = [...work].filter((path) => !isMeant(task, path));
  const looks = checksOf(task).flatMap((check) => ('path' in check ? check.path : []));
  const covered = new Set([...wordsOfChecks(task), ...looks]);
  const untouched: string[] = [];
  for (const file of task.files ?? []) {
    const { path, action } = file;
    const isGone = action === 'delete' && !after.files.has(path);
    const isTouched = changed.some((one) => isNamed({ files: [file] }, one));
    if (isGone || isTouched || covered.has(path)) continue;
    const used = unnamed.length === 0 ? null : await reachedFrom([path], imports);
    if (!unnamed.some((one) => used?.has(one))) untouched.push(path);
  }
  return untouched;
}
