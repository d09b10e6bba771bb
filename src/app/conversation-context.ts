// Reads the files that somebody adds to a question.
import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { wrongUsage } from '../model/failure.ts';
import { redactFile } from '../model/secrets.ts';
import { tokensOf } from '../model/text-size.ts';
import { nullIfAbsent } from '../store/system-error.ts';

/** Of all files together. */
const mostTokens = 30_000;
/** In bytes. */
const largestFile = 1024 * 1024;

interface GivenContext {
  readonly cwd: string;
  readonly tool: 'work' | 'consult';
  readonly context: readonly string[];
}

/**
 * The files with secrets taken out, and the folders that the agent may reach. Throws `usage` for one
 * that is not there, is no text, or does not fit.
 */
export async function readContext({ cwd, tool, context }: GivenContext): Promise<{
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly folders: readonly string[];
}> {
  const files: { path: string; content: string }[] = [];
  const folders: string[] = [];
  let left = mostTokens;
  for (const path of context) {
    const absolute = resolve(cwd, path);
    const found = await nullIfAbsent(stat(absolute));
    if (found === null) throw wrongUsage(`--context: there is no file ${path}.`);
    if (found.isDirectory()) {
      if (tool === 'consult') {
        throw wrongUsage(`--context: ${path} is a folder; "consult" takes files, "work" both.`);
      }
      folders.push(absolute);
      continue;
    }
    const content = await textIn(absolute, { path, size: found.size, isFile: found.isFile() });
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

async function textIn(
  absolute: string,
  {
    path,
    size,
    isFile,
  }: { readonly path: string; readonly size: number; readonly isFile: boolean },
): Promise<string> {
  if (!isFile) throw wrongUsage(`--context: ${path} is neither a file nor a folder.`);
  if (size > largestFile) {
    throw wrongUsage(
      `--context: ${path} has ${size} bytes, but at most ${largestFile} are allowed.`,
    );
  }
  const bytes = await readFile(absolute);
  if (!isUtf8(bytes) || bytes.includes(0))
    throw wrongUsage(`--context: ${path} is not UTF-8 text.`);
  return redactFile(path, bytes.toString('utf8'));
}
