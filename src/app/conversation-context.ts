// Finds, reads and counts the files that are added to a question; hosts name only the project’s.
import { isUtf8 } from 'node:buffer';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { isInside, readPlainFile } from '../git/disk.ts';
import { wrongUsage } from '../model/failure.ts';
import { redactFile } from '../model/secrets.ts';
import { tokensOf } from '../model/text-size.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { isRepository, projectRoot } from './folders.ts';
import { openRepository } from '../git/open-repository.ts';
import { eachLimited } from '../store/each-limited.ts';

/** The most tokens that all files may have together. */
const mostTokens = 30_000;
/** The largest size of a file, in bytes. */
const largestFile = 1024 * 1024;

/** How paths that a person or host names are read, and how messages refer to them. */
export interface Naming {
  /** The folder that the paths are relative to. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The argument that contains the paths. */
  readonly name: string;
}

/**
 * Reads the files with secrets removed, and the folders that the agent may access. Throws `usage` for a path
 * that does not exist, is not text, does not fit, or may not be read.
 */
export async function readContext({
  cwd,
  environment,
  tool,
  context,
  outside,
}: Pick<Naming, 'cwd' | 'environment'> & {
  readonly tool: 'work' | 'consult';
  readonly context: readonly string[];
  /** The real paths outside of the project that may be read; absent for all, if a person named them. */
  readonly outside?: readonly string[];
}): Promise<{
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly folders: readonly string[];
}> {
  const naming: Naming = { cwd, environment, name: '--context' };
  if (outside !== undefined) {
    const [refused] = (await findOutside(context, naming)).filter(
      (real) => !outside.includes(real),
    );
    if (refused !== undefined) throw wrongUsage(`--context: ${refused} is not in the project.`);
  }
  const files: { path: string; content: string }[] = [];
  const folders: string[] = [];
  let left = mostTokens;
  for (const path of context) {
    const found = await findNamed(path, naming);
    if (found.isFolder) {
      if (tool === 'consult') {
        throw wrongUsage(`--context: ${path} is a folder; "consult" takes files, "work" both.`);
      }
      folders.push(found.real);
      continue;
    }
    const text = await readNamed(found, { ...naming, most: largestFile });
    const content = redactFile(found.real, text);
    left -= tokensOf(content);
    if (left < 0) {
      throw wrongUsage(
        `--context: with ${path} the files have more than about ${mostTokens.toLocaleString('en')} tokens; name fewer, or parts of them.`,
      );
    }
    files.push({ path, content });
  }
  return { files, folders };
}

/** The real paths that are outside of the project. Throws `usage` like `findNamed`. */
export async function findOutside(paths: readonly string[], naming: Naming): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => findNamed(path, naming)));
  const root = await realpath(await projectRoot(naming.cwd));
  const isProject = await isRepository(root, naming.environment);
  const outside = found.filter(({ real }) => !isProject || !isInside(root, real));
  return [...new Set(outside.map(({ real }) => real))];
}

/** A file or a folder, with all links resolved. */
interface NamedPath {
  readonly path: string;
  readonly real: string;
  readonly isFolder: boolean;
  /** The size in bytes. */
  readonly size: number;
}

/** Finds a named path. Throws `usage` if it is neither a file nor a folder, e.g. a device. */
async function findNamed(path: string, { cwd, name }: Naming): Promise<NamedPath> {
  const real = await nullIfAbsent(realpath(resolve(cwd, path)));
  const found = real === null ? null : await nullIfAbsent(stat(real));
  if (real === null || found === null) throw wrongUsage(`${name}: there is no file ${path}.`);
  if (!found.isFile() && !found.isDirectory()) {
    throw wrongUsage(`${name}: ${path} is neither a file nor a folder.`);
  }
  return { path, real, isFolder: found.isDirectory(), size: found.size };
}

/** The text of a file. Throws `usage` if it is too large, cannot be read, or is not text. */
async function readNamed(
  { path, real, size }: NamedPath,
  { name, most }: Pick<Naming, 'name'> & { readonly most: number },
): Promise<string> {
  if (size > most) {
    throw wrongUsage(`${name}: ${path} has ${size} bytes, but at most ${most} are allowed.`);
  }
  const bytes = await nullIfAbsent(readPlainFile(dirname(real), basename(real)));
  if (bytes === null) throw wrongUsage(`${name}: ${path} cannot be read.`);
  if (!isUtf8(bytes) || bytes.includes(0)) throw wrongUsage(`${name}: ${path} is not UTF-8 text.`);
  return bytes.toString('utf8');
}

/** The largest size of a file, in bytes. */
const most = 4 * 1024 * 1024;

/**
 * Counts the tokens of a file, or of a folder without the files that git ignores. Throws `usage` for a file
 * that is not text or too large.
 */
export async function countTokens(
  path: string,
  { signal, ...naming }: Naming & { readonly signal: AbortSignal },
): Promise<{ readonly path: string; readonly tokens: number; readonly files?: number }> {
  const found = await findNamed(path, naming);
  const { real: root, isFolder } = found;
  if (!isFolder) return { path, tokens: tokensOf(await readNamed(found, { ...naming, most })) };
  const repository = await openRepository({ root, base: null, snapshots: null, signal });
  const counts = await eachLimited(await repository.files(), async (file) =>
    tokensOf((await repository.read(file)) ?? ''),
  );
  return { path, tokens: counts.reduce((sum, count) => sum + count, 0), files: counts.length };
}
