// Lets a model read the repository: list files, read lines and search for a text, within limits.
import { traitsOf } from '../../context/file-kinds.ts';
import { openSearchTree } from '../../context/search/read-hits.ts';
import { findText } from '../../context/search/find-text.ts';
import { isPlainName, plainPath } from '../../git/paths.ts';
import type { Repository } from '../../git/repository.ts';
import { withoutInvisible } from '../../model/invisible.ts';
import { redactFile } from '../../model/secrets.ts';
import { bytesWithin } from '../../model/text-size.ts';
import { counted } from '../../model/wording.ts';
import { mostCalls } from './api-setup.ts';

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

const most = { names: 300, lines: 400, hits: 60, lineLength: 300, bytesAtOnce: 24_000 };

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
    const shown = cutTo(withoutInvisible(text).text, Math.min(bytesLeft, most.bytesAtOnce));
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
  if (inside.length <= most.names) return { text: inside.join('\n') };
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
  const last = Math.min(lines.length, first + most.lines - 1, Math.max(first, to ?? Infinity));
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
  const hits = await findText({ repository: tree, paths, text, most: most.hits, signal });
  if (hits.length === 0) return { text: `No line holds "${text}".` };
  const lines = hits.map(({ path, line, text: found }) => {
    return `${path}:${line}: ${found.trim().slice(0, most.lineLength)}`;
  });
  const isCut = hits.length === most.hits ? [`[only the first ${most.hits} hits]`] : [];
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
