// Lists the files of a folder without git, by its `.gitignore` and `.ignore` files.
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ignore } from 'ignore';
import { absentCodes, hasCode, isAbsent } from '../store/system-error.ts';
import { readPlainFile } from './disk.ts';
import { isOwnFolder, isPlainName, joinPath } from './paths.ts';

/** Folders that hold built or fetched files, for use without git’s ignore rules. */
export const builtFolders: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'target',
  'vendor',
  '__pycache__',
]);

/** The most files to list: beyond this, the remaining folders are not taken for parts of the project. */
const mostFiles = 200_000;

/** Folders that were not looked into. */
export interface LeftOut {
  /** Folders that were skipped because there were too many files before. */
  readonly unlisted: number;
  /** Folders that cannot be read. */
  readonly refused: number;
}

export const nothingLeftOut: LeftOut = { unlisted: 0, refused: 0 };

/** Files that were found without git. */
interface Walked extends LeftOut {
  /** The sorted paths. */
  readonly files: readonly string[];
}

/**
 * Lists the files below `root` without git, those nearest to the root first if there are too many.
 * It leaves out what `.gitignore` and `.ignore` files name, hidden and built folders that they do
 * not take back in, links, and names that are not UTF-8.
 */
export async function walk(
  root: string,
  { signal, most = mostFiles }: { readonly signal: AbortSignal; readonly most?: number },
): Promise<Walked> {
  const files: string[] = [];
  const folders = [{ folder: '', around: noRules(root) }];
  let looked = 0;
  let refused = 0;
  for (const { folder, around } of folders) {
    if (files.length > most) break;
    signal.throwIfAborted();
    looked++;
    const entries = await entriesOf(join(root, folder));
    if (entries === 'refused') {
      refused++;
      continue;
    }
    const rules = await around.within(folder, new Set(entries.map(({ name }) => name)));
    for (const entry of entries) {
      if (entry.name.includes('\uFFFD') || isOwnFolder(entry.name)) continue;
      const path = joinPath(folder, entry.name);
      if (entry.isFile() && rules.on(path) !== 'ignored') files.push(path);
      if (!entry.isDirectory()) continue;
      const verdict = rules.on(`${path}/`);
      if (verdict === 'kept' || (verdict === 'unsaid' && !isSkipped(entry.name))) {
        folders.push({ folder: path, around: rules });
      }
    }
  }
  return {
    files: files.filter(isPlainName).toSorted(),
    unlisted: folders.length - looked,
    refused,
  };
}

/** The entries of a folder; empty if it has gone since it was seen. */
async function entriesOf(folder: string): Promise<readonly Dirent[] | 'refused'> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isAbsent(error)) return [];
    if (hasCode(error, absentCodes)) return 'refused';
    throw error;
  }
}

function isSkipped(name: string): boolean {
  return name.startsWith('.') || builtFolders.has(name);
}

/** The verdict of the ignore files: `kept` if a rule takes a path back in, `unsaid` if no rule matches it. */
type Verdict = 'ignored' | 'kept' | 'unsaid';

/** The rules that apply in a folder: git’s, with the deeper file and the later line winning. */
interface IgnoreRules {
  /** Judges a `path` relative to the root; that of a folder ends in `/`. */
  on(path: string): Verdict;
  /** The rules of a folder in this one, which are the same if it has no ignore file. */
  within(folder: string, names: ReadonlySet<string>): Promise<IgnoreRules>;
}

/** The ignore files; later ones win, and `.ignore` is for search tools only. */
const ignoreFiles = ['.gitignore', '.ignore'];
/** The largest ignore file that is read, in bytes: nobody writes a longer list. */
const largestFile = 256 * 1024;

/** The empty rules above the root, because nothing outside of it is read. */
function noRules(root: string): IgnoreRules {
  return rulesOf(root, null);
}

function rulesOf(root: string, list: Ignore | null): IgnoreRules {
  const rules: IgnoreRules = {
    on(path) {
      if (list === null) return 'unsaid';
      const { ignored, unignored } = list.test(path);
      if (ignored) return 'ignored';
      return unignored ? 'kept' : 'unsaid';
    },
    async within(folder, names) {
      const lines: string[] = [];
      for (const name of ignoreFiles.filter((one) => names.has(one))) {
        const content = await readPlainFile(root, joinPath(folder, name));
        if (content === null || content.length > largestFile) continue;
        for (const line of linesOf(content)) lines.push(below(folder, line));
      }
      if (lines.length === 0) return rules;
      const { default: ignore } = await import('ignore');
      const own = ignore({ ignorecase: false });
      if (list !== null) own.add(list);
      return rulesOf(root, own.add(lines));
    },
  };
  return rules;
}

function linesOf(content: Buffer): readonly string[] {
  const lines = content
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  return lines.filter((line) => !saysNothing.test(line));
}

/** Matches a comment, or a rule without a name. */
const saysNothing = /^(?:#|!?\/*\s*$)/;

/** Rewrites a rule of a folder for the root. Without a slash in it, it applies at every depth. */
function below(folder: string, line: string): string {
  if (folder === '') return line;
  const negation = line.startsWith('!') ? '!' : '';
  const pattern = line.slice(negation.length);
  const isAnchored = /\/(?!\s*$)/.test(pattern);
  const place = folder.replaceAll(/[\\*?[\]!# ]/g, '\\$&');
  return `${negation}/${place}/${isAnchored ? '' : '**/'}${pattern.replace(/^\//, '')}`;
}
