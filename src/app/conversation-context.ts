// Finds and reads the files that somebody adds to a question; a host may name those of the project only.
import { isUtf8 } from 'node:buffer';
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { isInside, readPlainFile } from '../git/disk.ts';
import { wrongUsage } from '../model/failure.ts';
import { redactFile } from '../model/secrets.ts';
import { tokensOf } from '../model/text-size.ts';
import { nullIfAbsent } from '../store/system-error.ts';
import { isRepository, projectRoot } from './folders.ts';

/** The most tokens of all files together. */
const mostTokens = 30_000;
/** The most bytes of a file. */
const largestFile = 1024 * 1024;

/** Paths that somebody names: how they are read, and how they are told of. */
export interface Naming {
  /** The folder that they are relative to. */
  readonly cwd: string;
  readonly environment: NodeJS.ProcessEnv;
  /** The argument that they stand in. */
  readonly name: string;
}

/**
 * The files with secrets taken out, and the folders that the agent may reach. Throws `usage` for one
 * that is not there, is no text, does not fit, or may not be read.
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
  /** The real paths outside of the project that may be read; null for all, where a person names them. */
  readonly outside: readonly string[] | null;
}): Promise<{
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly folders: readonly string[];
}> {
  const naming: Naming = { cwd, environment, name: '--context' };
  if (outside !== null) {
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

/** The real paths of those that lie outside of the project. Throws `usage` like `findNamed`. */
export async function findOutside(paths: readonly string[], naming: Naming): Promise<string[]> {
  const found = await Promise.all(paths.map((path) => findNamed(path, naming)));
  const root = await realpath(await projectRoot(naming.cwd));
  const isProject = await isRepository(root, naming.environment);
  const outside = found.filter(({ real }) => !isProject || !isInside(root, real));
  return [...new Set(outside.map(({ real }) => real))];
}

/** A file or a folder, after all links. */
interface NamedPath {
  readonly path: string;
  readonly real: string;
  readonly isFolder: boolean;
  /** In bytes. */
  readonly size: number;
}

/** Finds what is named. Throws `usage` where there is no file and no folder, as for a device. */
export async function findNamed(path: string, { cwd, name }: Naming): Promise<NamedPath> {
  const real = await nullIfAbsent(realpath(resolve(cwd, path)));
  const found = real === null ? null : await nullIfAbsent(stat(real));
  if (real === null || found === null) throw wrongUsage(`${name}: there is no file ${path}.`);
  if (!found.isFile() && !found.isDirectory()) {
    throw wrongUsage(`${name}: ${path} is neither a file nor a folder.`);
  }
  return { path, real, isFolder: found.isDirectory(), size: found.size };
}

/** The text of a file. Throws `usage` where it is larger, cannot be read, or is no text. */
export async function readNamed(
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
