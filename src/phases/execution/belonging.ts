// Sorts the files that a task changed: those of the work, those that come along, those that wait for a person.
import { posix } from 'node:path';
import { kindOf, languageFamily } from '../../context/file-kinds.ts';
import { endingOf, folderOf, foldersAbove, joinPath, stemOf } from '../../git/paths.ts';
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
  /** The files of `work` that the task does not name. */
  readonly unnamed: readonly string[];
  /** The files that come along with the result although they show nothing. */
  readonly along: readonly string[];
  /** The files that stay out of the result until a person accepts them, with what they are. */
  readonly apart: readonly { readonly path: string; readonly kind: string }[];
  /** The links that lead out of the repository; each is also in one of the lists above. */
  readonly linksOut: readonly string[];
  /**
   * The files that the task names and that nobody touched, without those that a check looks at or runs, and
   * those that import an unnamed file of the work.
   */
  readonly untouched: readonly string[];
}

/** Sorts what a task changed. It reads hardly any file if the task names all that changed. */
export async function sortWork(changes: ChangedWork): Promise<SortedWork> {
  const { task, changed } = changes;
  const named = changed.filter((path) => isMeant(task, path));
  const others = await Promise.all(
    changed
      .filter((path) => !isMeant(task, path))
      .map(async (path) => ({ path, kind: await kindApart(changes, path) })),
  );
  const held = others.flatMap(({ path, kind }) => (kind === null ? [] : [{ path, kind }]));
  const open = others.flatMap(({ path, kind }) => (kind === null ? path : []));
  const belongs = new Set(await findWork(changes, { named, open }));
  const unnamed = open.filter((path) => belongs.has(path));
  const rest = [...named, ...open].filter((path) => !belongs.has(path));
  const tests = held.length === 0 ? [] : rest.filter(isTestFile);
  return {
    work: changed.filter((path) => belongs.has(path)),
    unnamed,
    along: rest.filter((path) => !tests.includes(path)),
    apart: [...held, ...tests.map((path) => ({ path, kind: 'a test that may rest on it' }))],
    linksOut: await linksOut(changes),
    untouched: await untouchedFiles(changes, unnamed),
  };
}

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
  const looks = checksOf(task).some(
    (check) => 'path' in check && check.kind !== 'test' && check.path === path,
  );
  return looks || isNamed(task, path);
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

interface Candidates {
  readonly named: readonly string[];
  /** The unnamed files that need not wait for a person. */
  readonly open: readonly string[];
}

async function findWork(
  changes: ChangedWork,
  { named, open }: Candidates,
): Promise<readonly string[]> {
  const { task, before } = changes;
  const isForTests = testTypes.has(task.type ?? '');
  const own = isForTests ? named.filter(isTestFile) : named;
  if ((task.files ?? []).length === 0)
    return [...own, ...open.filter((path) => isTestFile(path) === isForTests)];
  const locks = isForTests ? [] : open.filter(isLockfile);
  const fitting = open.filter((path) => isTestFile(path) === isForTests && !isLockfile(path));
  const old = fitting.filter((path) => before.files.has(path) && kindOf(path) === 'source');
  // A fault may be in a file that an untouched one imports.
  const around = [...new Set([...own, ...(isForTests ? [] : filesOf([task]))])];
  const related = isForTests || old.length === 0 ? [] : await findRelated(changes, around, old);
  const work = [...own, ...related, ...locks];
  const added = fitting.filter((path) => !before.files.has(path));
  if (added.length === 0) return work;
  const imported = await findImported(changes, { work, named: around, candidates: added });
  return [...work, ...imported];
}

/** The most files of a tree that are read for their imports. */
const mostFiles = 300;

/** Picks the existing sources of the named files’ packages that these import, or that import them. */
async function findRelated(
  { task, before, after }: ChangedWork,
  named: readonly string[],
  candidates: readonly string[],
): Promise<readonly string[]> {
  const isRunByChecks = await programsOfChecks(task, before);
  const packages = packagesOf(before);
  const near = candidates.filter(
    (path) => !isRunByChecks(path) && named.some((one) => packages(one) === packages(path)),
  );
  if (near.length === 0) return [];
  const [then, now] = [importsIn(before, mostFiles), importsIn(after, mostFiles)];
  const known = await reachedFrom(named, then);
  const added = await reachedFrom(named, now);
  const isRelated = async (path: string) => {
    if (reaches(known, path) || isCompiledWith(path, named)) return true;
    if (reaches(added, path) && !(await onlyTestsImport(path, before, then))) return true;
    // A file may not become part of the work by an import that the agent adds, except of a new file.
    const [old, own] = [await reachedFrom([path], then), await reachedFrom([path], now)];
    return named.some((one) => (before.files.has(one) ? old : own).has(one));
  };
  const found = await Promise.all(near.map(async (path) => ((await isRelated(path)) ? path : [])));
  return found.flat();
}

/** True for a file that tests import and no other source does, such as a helper with assertions. */
async function onlyTestsImport(
  path: string,
  { files }: SourceTree,
  imports: Imports,
): Promise<boolean> {
  const sources = [...files].filter((one) => languageFamily(one) === languageFamily(path));
  const users = await Promise.all(
    sources.map(async (one) => ((await imports(one)).includes(path) ? one : [])),
  );
  return users.flat().length > 0 && users.flat().every(isTestFile);
}

/** Picks the new files that files of the work import, through other new ones, or that compile with a named file. */
async function findImported(
  { after }: ChangedWork,
  {
    work,
    named,
    candidates,
  }: {
    readonly work: readonly string[];
    readonly named: readonly string[];
    readonly candidates: readonly string[];
  },
): Promise<readonly string[]> {
  const imports = importsIn(after, mostFiles);
  const found = new Set(candidates.filter((path) => isCompiledWith(path, named)));
  const queue = [...work, ...found];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const own = candidates.filter((one) => isSourceOf(one, path));
    for (const one of [...(await imports(path)), ...own]) {
      if (!candidates.includes(one) || found.has(one)) continue;
      found.add(one);
      queue.push(one);
    }
  }
  return [...found];
}

function reaches(reached: ReadonlySet<string>, path: string): boolean {
  return reached.has(path) || [...reached].some((one) => isSourceOf(path, one));
}

/** True for the C source beside a header of the same name: files include the header, and the linker needs both. */
function isSourceOf(path: string, header: string): boolean {
  const isHeader =
    endingOf(header).startsWith('h') && languageFamily(header) === languageFamily(path);
  return isHeader && folderOf(path) === folderOf(header) && stemOf(path) === stemOf(header);
}

/** The endings of languages that compile the files of a folder together. */
const compiledByFolder: ReadonlySet<string> = new Set(['go', 'java', 'kt', 'cs', 'swift']);

function isCompiledWith(path: string, named: readonly string[]): boolean {
  const ending = endingOf(path);
  return (
    compiledByFolder.has(ending) &&
    named.some((one) => folderOf(one) === folderOf(path) && endingOf(one) === ending)
  );
}

async function reachedFrom(
  paths: readonly string[],
  imports: Imports,
): Promise<ReadonlySet<string>> {
  const reached = new Set<string>();
  const queue = [...paths];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    for (const one of await imports(path)) {
      if (reached.has(one)) continue;
      reached.add(one);
      queue.push(one);
    }
  }
  return reached;
}

/** Returns the folder of the package that a file is in: the nearest one with a manifest. */
function packagesOf({ files }: SourceTree): (path: string) => string {
  const folders = new Set([...files].filter(isManifest).map(folderOf));
  return (path) => foldersAbove(path).find((folder) => folders.has(folder)) ?? '';
}

/** The words of the checks’ commands, as paths: a command may go to a folder first, as in `make -C tools check`. */
function wordsOfChecks(task: ChangedWork['task']): ReadonlySet<string> {
  const found = checksOf(task).flatMap((check) => {
    const argv = check.kind === 'command' ? check.argv : [];
    const words = argv.flatMap((text) => text.split(/[^\w./@+-]+/)).slice(0, mostWords);
    return ['', ...words].flatMap((folder) => words.map((word) => posix.join(folder, word)));
  });
  return new Set(found);
}

/** Recognises the files that the checks run: words of their commands, and programs of the scripts for tests. */
async function programsOfChecks(
  task: ChangedWork['task'],
  { files, read }: SourceTree,
): Promise<(path: string) => boolean> {
  const found = wordsOfChecks(task);
  const programs = new Set<string>();
  for (const check of checksOf(task)) {
    const text = check.kind === 'command' ? check.argv.join(' ') : '';
    const names = programsIn(text).map((name) => posix.normalize(name));
    const isRun = (word: string) => names.some((name) => `/${word}`.endsWith(`/${name}`));
    for (const word of found) if (isRun(word)) programs.add(word);
  }
  const named = (task.files ?? []).flatMap(({ path }) => foldersAbove(path));
  for (const folder of new Set(named)) {
    for (const name of ['package.json', 'Makefile']) {
      const path = joinPath(folder, name);
      const text = files.has(path) ? await read(path) : null;
      for (const line of shellLines(text ?? '')) {
        for (const word of programsIn(line)) programs.add(posix.join(folder, word));
      }
    }
  }
  // A program may be called without its ending, or as the folder that it represents.
  return (path) => found.has(path) || programs.has(path) || programs.has(modulePath(path));
}

/** The programs that a shell line runs, without the folders whose tests it runs. */
function programsIn(line: string): readonly string[] {
  return [...line.matchAll(program)].flatMap(([whole, word = '']) =>
    /\s--test\b/.test(whole) && !/\.\w+$/.test(word) ? [] : word,
  );
}

/** How many words of one check are read. */
const mostWords = 100;

/** A file that a shell line runs: the first argument of an interpreter, or a path as the command. */
const program =
  /(?:(?:^|[\s;&|@])(?:node|tsx|ts-node|deno|bun|python[\d.]*|ruby|perl|php|(?:ba)?sh)(?:\s+(?:run|-\S+))*\s+|(?:^|[\s;&|@])(?=\.{0,2}\/))([\w./-]+)/g;

/** The lines of a Makefile, or of those scripts of a manifest that start no program of the project itself. */
function shellLines(text: string): readonly string[] {
  const manifest = jsonIn(text);
  if (!isObject(manifest)) return text.split('\n');
  const scripts = isObject(manifest['scripts']) ? manifest['scripts'] : {};
  return Object.entries(scripts).flatMap(([name, line]) =>
    typeof line === 'string' && !/^(?:start|dev|serve|watch)/.test(name) ? line : [],
  );
}

async function linksOut({ changed, after }: ChangedWork): Promise<readonly string[]> {
  const found = await Promise.all(
    changed
      .filter((path) => after.isLink(path))
      .map(async (path) => {
        const target = (await after.read(path)) ?? '';
        const isOut =
          posix.isAbsolute(target) || posix.join(folderOf(path), target).startsWith('..');
        return isOut ? path : [];
      }),
  );
  return found.flat();
}

async function untouchedFiles(
  { task, changed, after }: ChangedWork,
  unnamed: readonly string[],
): Promise<readonly string[]> {
  const covered = new Set([
    ...wordsOfChecks(task),
    ...checksOf(task).flatMap((check) => ('path' in check ? check.path : [])),
  ]);
  const left = (task.files ?? []).flatMap((file) => {
    const isGone = file.action === 'delete' && !after.files.has(file.path);
    const isTouched = changed.some((path) => isNamed({ files: [file] }, path));
    return isGone || isTouched || covered.has(file.path) ? [] : file.path;
  });
  if (unnamed.length === 0) return left;
  const imports = importsIn(after, mostFiles);
  const found = await Promise.all(
    left.map(async (path) => {
      const used = await reachedFrom([path], imports);
      return unnamed.some((one) => reaches(used, one)) ? [] : path;
    }),
  );
  return found.flat();
}
