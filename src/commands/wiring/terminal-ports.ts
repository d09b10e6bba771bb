import { spawn } from 'node:child_process';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type {
  AgentStanding,
  CodeAround,
  CodePlace,
  EditorResult,
  SavedEntry,
} from '../../faces/tui/ports.ts';
import { eachLimited, lookAt, withoutLinks } from '../../git/disk.ts';

import { git } from '../../git/git.ts';
import type { Repository } from '../../git/repository.ts';
import { walk } from '../../git/walk.ts';
import { cleanText } from '../../model/clean-text.ts';
import { Stopped } from '../../model/failure.ts';
import { listSessionIds } from '../../store/session-folder.ts';
import { isSystemError } from '../../store/system-error.ts';
import { agentReports } from '../agents.ts';
import { type SavedSession, readSession } from '../saved-session.ts';
import { poolToAsk } from './agents-and-providers.ts';
import type { Settings } from '../settings/load-settings.ts';

/** Shows all agents at once, as `looking`, and again whenever more is known. */
export async function probeAgents(
  workplace: { readonly root: string; readonly settings: Settings },
  show: (standings: readonly AgentStanding[]) => void,
): Promise<void> {
  await agentReports(workplace, show);
}

/** Runs the login of an agent, which has the terminal meanwhile; one sentence where it cannot start. */
export async function logAgentIn(
  workplace: { readonly root: string; readonly settings: Settings },
  name: string,
): Promise<string | null> {
  const pool = poolToAsk({ ...workplace, signal: new AbortController().signal });
  try {
    await pool.logIn(name);
    return null;
  } catch (error) {
    if (error instanceof Stopped) return error.message;
    throw error;
  }
}

/** Every saved session, the latest first. */
export async function savedEntries(root: string): Promise<readonly SavedEntry[]> {
  const ids = await listSessionIds(root);
  return (await eachLimited(ids, (id) => readSession(root, id))).map(entryOf);
}

function entryOf({ id, state, fault }: SavedSession): SavedEntry {
  if (state === null) {
    return {
      id,
      task: '',
      status: 'unreadable',
      phase: '',
      changed: '',
      score: null,
      hasPlan: false,
      isOpen: false,
      rejected: null,
      fault: fault?.message ?? 'It ended before its first step.',
    };
  }
  return {
    id,
    task: state.task_description,
    status: state.status,
    phase: state.phase,
    changed: state.updated_at,
    score: state.score,
    hasPlan: state.artifacts.includes('plan.json'),
    // A plan that was left waits, too, but nobody has it open.
    isOpen: state.end === null && (state.status === 'running' || state.status === 'waiting'),
    rejected: state.plan_rejected,
    fault: null,
  };
}

/** More files than these nobody finds by a few letters. */
const mostFiles = 50_000;
const linesBefore = 7;
const linesAfter = 60;
/** A line of a built file can have megabytes. */
const longestLine = 500;

/**
 * The tracked and the untracked files that are not ignored, relative to `root`. Names that cannot
 * be shown as they are, e.g. with control characters, are left out: nobody could type them.
 */
export async function repositoryFiles(root: string): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = await git({ root, signal }, args);
  const paths = listed.ok
    ? listed.stdout.toString('utf8').split('\0').slice(0, mostFiles)
    : (await walk(root, { signal })).files;
  return paths.filter((path) => path !== '' && isShowable(path));
}

/** A piece of a file at the session’s base; null where there is no session or no such text file. */
export async function codeAround(
  repository: Repository | null,
  { path, line }: { readonly path: string; readonly line: number },
): Promise<CodeAround | null> {
  const text = (await repository?.read(path)) ?? null;
  if (text === null) return null;
  const lines = text.split('\n');
  const start = Math.max(1, Math.min(line, lines.length) - linesBefore);
  const shown = lines.slice(start - 1, start - 1 + linesBefore + linesAfter);
  return { path, start, lines: shown.map((one) => one.slice(0, longestLine)) };
}

function isShowable(path: string): boolean {
  return cleanText(path) === path && !/[\n\t\uFFFD]/.test(path);
}

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
