// Lets a model read the repository: list files, read lines and search for a text, within limits.
import { traitsOf } from '../../context/file-kinds.ts';
import { openSearchTree } from '../../context/search/read-hits.ts';
import { isPlainName, plainPath } from '../../git/paths.ts';
import type { Repository } from '../../git/repository.ts';
import { withoutInvisible } from '../../model/invisible.ts';
import { redactFile } from '../../model/secrets.ts';
import { bytesWithin } from '../../model/text-size.ts';
import { counted } from '../../model/wording.ts';
import { mostCalls } from './api-setup.ts';
import { findChanges } from '../../git/base.ts';
import { runProgram } from '../../store/run-program.ts';
import { hasCode, isSystemError } from '../../store/system-error.ts';
import { ripgrepPath, splitPaths } from '../../context/search/find-hits.ts';

/** The files that a model may read. */
export type ReadableTree = Pick<Repository, 'root' | 'base' | 'files' | 'read'>;

/** The result of a tool: the text for the model, and whether that is a refusal. */
export interface ToolResult {
  readonly text: string;
  readonly isRefused?: true;
}

/** The tools that a model may call. */
export interface ReadingTools {
  list(given: { readonly folder?: string | undefined }): Promise<ToolResult>;
  read(given: {
    readonly path: string;
    readonly from?: number | undefined;
    readonly to?: number | undefined;
  }): Promise<ToolResult>;
  search(given: {
    readonly text: string;
    readonly folder?: string | undefined;
  }): Promise<ToolResult>;
  /** False once the calls or the tokens of this run are used up. */
  hasRoom(): boolean;
}

const bounds = { names: 300, lines: 400, hits: 60, lineLength: 300, bytesAtOnce: 24_000 };

/** Makes the tools of one run, which share their limits: 40 calls, and a number of tokens in results. */
export function readingTools(given: {
  readonly tree: ReadableTree;
  readonly tokens: number;
  readonly signal: AbortSignal;
}): ReadingTools {
  const { tree, tokens, signal } = given;
  let calls = 0;
  let bytesLeft = bytesWithin(tokens);
  let listed: Promise<readonly string[]> | null = null;
  const files = () => (listed ??= readableFiles(tree));
  const hasRoom = () => calls < mostCalls && bytesLeft > 0;

  async function runWithinLimits(work: () => Promise<ToolResult>): Promise<ToolResult> {
    if (!hasRoom()) return refuse('nothing more can be read in this answer: answer now');
    calls += 1;
    const { text, ...rest } = await work();
    const shown = cutTo(withoutInvisible(text).text, Math.min(bytesLeft, bounds.bytesAtOnce));
    bytesLeft -= Buffer.byteLength(shown);
    return { ...rest, text: shown };
  }

  return {
    list: ({ folder = '' }) => runWithinLimits(async () => filesIn(await files(), folder)),
    read: (range) => runWithinLimits(async () => readLines(tree, await files(), range)),
    search: (search) =>
      runWithinLimits(async () => searchFiles({ ...search, tree, signal }, await files())),
    hasRoom,
  };
}

/**
 * Lists the files that the code search may read: not ignored, not in our own folders, without a
 * secret in their name.
 */
async function readableFiles(tree: ReadableTree): Promise<readonly string[]> {
  return (await tree.files()).filter(isPlainName);
}

/** The files below a folder; if they are too many, its direct entries, with counts. */
function filesIn(files: readonly string[], folder: string): ToolResult {
  const inside = within(files, folder);
  if (typeof inside === 'string') return refuse(inside);
  if (inside.length <= bounds.names) return { text: inside.join('\n') };
  const { length } = prefixOf(folder);
  const counts = new Map<string, number>();
  for (const path of inside) {
    const [first = '', ...rest] = path.slice(length).split('/');
    const name = path.slice(0, length) + (rest.length === 0 ? first : `${first}/`);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const lines = [...counts].map(([name, count]) =>
    name.endsWith('/') ? `${name} (${counted(count, 'file')})` : name,
  );
  return {
    text: [`${counted(inside.length, 'file')}; list a folder to see more:`, ...lines].join('\n'),
  };
}

/** The files below a folder, or why there are none. */
function within(files: readonly string[], folder: string): readonly string[] | string {
  const prefix = prefixOf(folder);
  if (prefix !== '' && plainPath(folder) === null) return wrongPath(folder);
  const inside = files.filter((path) => path.startsWith(prefix));
  return inside.length > 0 ? inside : `there is no folder "${folder}" with files to read`;
}

function prefixOf(folder: string): string {
  if (/^(?:\.?\/?)$/.test(folder)) return '';
  return `${plainPath(folder) ?? folder}/`;
}

function wrongPath(path: string): string {
  return `"${path}" is refused: give a path inside the repository, relative to its root, without ".."`;
}

async function readLines(
  tree: ReadableTree,
  files: readonly string[],
  { path, from = 1, to }: Parameters<ReadingTools['read']>[0],
): Promise<ToolResult> {
  const plain = plainPath(path);
  if (plain === null) return refuse(wrongPath(path));
  const fault = faultOf(plain, tree, files);
  if (fault !== null) return refuse(fault);
  const content = await tree.read(plain);
  if (content === null) return refuse(`"${plain}" is not text`);
  const lines = redactFile(plain, content).split('\n');
  const first = Math.max(1, Math.floor(from));
  if (first > lines.length) return refuse(`"${plain}" has only ${counted(lines.length, 'line')}`);
  const last = Math.min(lines.length, first + bounds.lines - 1, Math.max(first, to ?? Infinity));
  const shown = lines.slice(first - 1, last).map((line, at) => `${first + at}: ${line}`);
  const rest = lines.length - last;
  const more = rest === 0 ? [] : [`[${counted(rest, 'more line')} from line ${last + 1} on]`];
  return { text: [...shown, ...more].join('\n') };
}

function faultOf(path: string, { root }: ReadableTree, files: readonly string[]): string | null {
  if (!files.includes(path)) {
    return files.some((one) => one.startsWith(`${path}/`))
      ? `"${path}" is a folder: list it, or read a file in it`
      : `there is no file "${path}" to read`;
  }
  if (traitsOf(path).isBinary) return `"${path}" is not text`;
  const { skipped } = openSearchTree(root, [path]);
  return skipped.huge > 0 ? `"${path}" is too large to be read` : null;
}

async function searchFiles(
  search: Parameters<ReadingTools['search']>[0] & {
    readonly tree: ReadableTree;
    readonly signal: AbortSignal;
  },
  files: readonly string[],
): Promise<ToolResult> {
  const { text, folder = '', tree, signal } = search;
  if (text.trim() === '' || /[\n\r\0]/.test(text))
    return refuse('give a text of one line to search for');
  const paths = within(files, folder);
  if (typeof paths === 'string') return refuse(paths);
  const hits = await findText({ repository: tree, paths, text, most: bounds.hits, signal });
  if (hits.length === 0) return { text: `No line holds "${text}".` };
  const lines = hits.map(({ path, line, text: found }) => {
    return `${path}:${line}: ${found.trim().slice(0, bounds.lineLength)}`;
  });
  const isCut = hits.length === bounds.hits ? [`[only the first ${bounds.hits} hits]`] : [];
  return { text: [...lines, ...isCut].join('\n') };
}

function refuse(why: string): ToolResult {
  return { text: why, isRefused: true };
}

function cutTo(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  const kept = Buffer.from(text).subarray(0, Math.max(0, bytes)).toString('utf8');
  return `${kept.replace(/\uFFFD+$/, '')}\n[cut here: ask for less at once]`;
}

/** A line that contains the text; lines count from 1. Secrets in it are not shown. */
interface TextHit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

interface TextSearch {
  readonly repository: Pick<Repository, 'root' | 'base' | 'read'>;
  readonly paths: readonly string[];
  /** The text to find as written, except for the case of its letters. */
  readonly text: string;
  /** The most hits to find. */
  readonly most: number;
  readonly signal: AbortSignal;
}

/** Finds the lines that contain a text, in the order of the paths, within the limits of the code search. */
async function findText(search: TextSearch): Promise<readonly TextHit[]> {
  const { repository, text, most, signal } = search;
  const wanted = text.toLowerCase();
  const hits: TextHit[] = [];
  for (const path of await pathsWith(search)) {
    signal.throwIfAborted();
    const content = redactFile(path, (await repository.read(path)) ?? '');
    for (const [index, line] of content.split('\n').entries()) {
      if (line.toLowerCase().includes(wanted)) hits.push({ path, line: index + 1, text: line });
      if (hits.length === most) return hits;
    }
  }
  return hits;
}

/** The files that may contain the text: those on the disk that do, and those changed since the base. */
async function pathsWith({ repository, paths, text, signal }: TextSearch): Promise<string[]> {
  const { sizes } = openSearchTree(repository.root, paths);
  const searched = paths.filter((_, file) => (sizes[file] ?? 0) > 0);
  const found = new Set(await findChanges(repository, signal));
  for (const part of splitPaths(searched)) {
    for (const path of await searchDisk({ root: repository.root, part, text, signal }))
      found.add(path);
  }
  return paths.filter((path) => found.has(path));
}

interface DiskSearch {
  readonly root: string;
  readonly part: readonly string[];
  readonly text: string;
  readonly signal: AbortSignal;
}

/** Finds the files with ripgrep; if it is not installed, each file is read later. */
async function searchDisk({ root, part, text, signal }: DiskSearch): Promise<readonly string[]> {
  const { stdout, fault } = await runProgram({
    command: await ripgrepPath(),
    args: [...flags, '--regexp', text, '--', ...part],
    env: process.env,
    cwd: root,
    maxOutput: 16 * 1024 * 1024,
    signal,
  });
  if (hasCode(fault, ['ENOENT', 'EACCES'])) return part;
  if (isSystemError(fault)) throw fault;
  return stdout.toString('utf8').split('\0').filter(Boolean);
}

const flags =
  `--no-config --no-messages --no-ignore --hidden --encoding none --color never --fixed-strings
  --null --files-with-matches --ignore-case`.split(/\s+/);
