import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { EditorResult } from '../../faces/tui/ports.ts';
import { isSystemError } from '../../store/system-error.ts';

/**
 * Lets the user change a text in `$VISUAL`, else `$EDITOR`, which has the terminal meanwhile. The
 * file is private and removed afterwards, however the editor ended.
 */
export async function editText(
  { name, text }: { readonly name: string; readonly text: string },
  environment: NodeJS.ProcessEnv,
): Promise<EditorResult> {
  const words = editorWords(environment);
  if (words === null) return refused('No editor is set; try: export EDITOR=nano');
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

async function editIn(
  file: string,
  { words, text }: { readonly words: readonly string[]; readonly text: string },
): Promise<EditorResult> {
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  const fault = await faultOf(words, file);
  if (fault !== null) return refused(`${fault} Nothing was changed.`);
  return { ok: true, text: await readFile(file, 'utf8') };
}

/** Null where the editor ended well, else one sentence. */
async function faultOf(words: readonly string[], file: string): Promise<string | null> {
  const [command = '', ...args] = words;
  const editor = spawn(command, [...args, file], { stdio: 'inherit' });
  const { promise, resolve } = Promise.withResolvers<string | null>();
  editor.once('error', (error) => {
    const why = isSystemError(error) && error.code === 'ENOENT' ? 'not found' : error.message;
    resolve(`The editor "${command}" could not be started (${why}).`);
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

/**
 * The user’s editor as words, e.g. `code --wait`; null where none is set. Quotes and backslashes
 * keep a space in a word as they do in a shell; nothing else of a shell is understood.
 */
export function editorWords(environment: {
  readonly VISUAL?: string | undefined;
  readonly EDITOR?: string | undefined;
}): readonly string[] | null {
  const line = [environment.VISUAL, environment.EDITOR].find((one) => (one ?? '').trim() !== '');
  const words = (line ?? '').match(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g) ?? [];
  return words.length === 0 ? null : words.map(unquoted);
}

function unquoted(word: string): string {
  return word.replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/g, (_, double, single, escaped) =>
    String(single ?? escaped ?? String(double).replaceAll(/\\(["\\$`])/g, '$1')),
  );
}
