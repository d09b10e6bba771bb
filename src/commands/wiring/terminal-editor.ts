import { spawn } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { CodePlace, EditorResult } from '../../faces/tui/ports.ts';
import { lookAt, withoutLinks } from '../../git/disk.ts';
import { isSystemError } from '../../store/system-error.ts';

/**
 * Lets the user change a text in `$VISUAL`, else `$EDITOR`, else vi, which has the terminal meanwhile. The
 * file is private and removed afterwards, however the editor ended.
 */
export async function editText(
  { name, text }: { readonly name: string; readonly text: string },
  environment: NodeJS.ProcessEnv,
): Promise<EditorResult> {
  const words = editorWords(environment);
  try {
    const folder = await mkdtemp(join(tmpdir(), 'conclave-edit-'));
    try {
      return await editIn(join(folder, plainName(name)), { words, text });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return refused(`The file for the editor cannot be written or read (${error.code}).`);
  }
}

/** Opens a file of the project at a line. One sentence where that fails. */
export async function openFile(
  { root, path, line }: CodePlace & { readonly root: string },
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  const base = await realpath(root);
  const real = await withoutLinks(base, path);
  if (real === null || (await lookAt(base, real)).kind !== 'file') {
    return `${path} is not a file of the project any more.`;
  }
  return await faultOf(wordsAt(editorWords(environment), { file: join(base, real), line }));
}

async function editIn(
  file: string,
  { words, text }: { readonly words: readonly string[]; readonly text: string },
): Promise<EditorResult> {
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  const fault = await faultOf([...words, file]);
  if (fault !== null) return refused(`${fault} Nothing was changed.`);
  return { ok: true, text: await readFile(file, 'utf8') };
}

/** Null where the editor ended well, else one sentence. */
async function faultOf(words: readonly string[]): Promise<string | null> {
  const [command = '', ...args] = words;
  const editor = spawn(command, args, { stdio: 'inherit' });
  const { promise, resolve } = Promise.withResolvers<string | null>();
  editor.once('error', (error) => {
    const why = isSystemError(error) && error.code === 'ENOENT' ? 'not found' : error.message;
    resolve(
      `The editor "${command}" could not be started (${why}); to set another: export EDITOR=nano.`,
    );
  });
  editor.once('exit', (code, signal) => {
    if (signal !== null) resolve(`The editor "${command}" was ended by ${signal}.`);
    else resolve(code === 0 ? null : `The editor "${command}" ended with exit code ${code}.`);
  });
  return await promise;
}

/** A name for the file whose ending tells the editor what it holds. */
function plainName(name: string): string {
  return basename(name).replaceAll(/[^\w.-]/g, '_') || 'text';
}

function refused(why: string): EditorResult {
  return { ok: false, why };
}

/** The editor’s words with a file and, where we know how to say it, the line. */
export function wordsAt(
  words: readonly string[],
  { file, line }: { readonly file: string; readonly line: number },
): readonly string[] {
  const name = basename(words[0] ?? '').replace(/\.(?:exe|cmd)$/, '');
  if (/^(?:code|code-insiders|codium|cursor|windsurf)$/.test(name)) {
    return [...words, '--goto', `${file}:${line}`];
  }
  if (/^(?:subl|zed|hx|helix)$/.test(name)) return [...words, `${file}:${line}`];
  const takesPlus =
    /^(?:n?vi|g?vim|nvim|view|vis|nano|pico|emacs|emacsclient|micro|joe|jed|kak|mg|ne)$/;
  return takesPlus.test(name) ? [...words, `+${line}`, file] : [...words, file];
}

/**
 * The user’s editor as words, e.g. `code --wait`; vi where none is set. Quotes and backslashes
 * keep a space in a word as they do in a shell; nothing else of a shell is understood.
 */
export function editorWords(environment: {
  readonly VISUAL?: string | undefined;
  readonly EDITOR?: string | undefined;
}): readonly string[] {
  const line = [environment.VISUAL, environment.EDITOR].find((one) => (one ?? '').trim() !== '');
  const words = (line ?? '').match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g) ?? [];
  return words.length === 0 ? ['vi'] : words.map(unquoted);
}

function unquoted(word: string): string {
  return word.replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g, (_, double, single, escaped) =>
    String(single ?? escaped ?? String(double).replaceAll(/\\(["\\$`])/g, '$1')),
  );
}
