// Gives the screens agents, saved sessions, files, the code around a place, and the user's editor.
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type {
  AgentState,
  CodeAround,
  CodeLocation,
  EditorResult,
  SavedEntry,
} from '../../faces/tui/ports.ts';
import { lookAt, withoutLinks } from '../../git/disk.ts';
import { git } from '../../git/git.ts';
import type { Repository } from '../../git/repository.ts';
import { walk } from '../../git/walk.ts';
import { cleanText } from '../../model/clean-text.ts';
import { neverAborted } from '../../model/signal.ts';
import { Stopped } from '../../model/failure.ts';
import { runInTerminal } from '../../store/run-program.ts';
import { isSystemError } from '../../store/system-error.ts';
import { agentReports } from '../agents-command.ts';
import { offerLocalAgents } from '../local-models.ts';
import { sessionStateText } from '../../faces/session-words.ts';
import { listSessions } from '../../app/list-sessions.ts';
import type { SavedSession } from '../../app/read-session.ts';
import { poolToAsk } from '../../app/make-pool.ts';
import type { Workplace } from '../../app/workplace.ts';

/** Shows all agents at once, as `looking`, and again whenever more is known. */
export async function probeAgents(
  workplace: Workplace,
  show: (standings: readonly AgentState[]) => void,
): Promise<void> {
  const { settings, environment } = workplace;
  let last: readonly AgentState[] = [];
  const offered = offerLocalAgents(settings, environment);
  await agentReports(workplace, (reports) => {
    last = reports;
    show(reports);
  });
  show([...last, ...(await offered)]);
}

/** Runs the login of an agent, which uses the terminal meanwhile; a sentence if it is not logged in afterwards. */
export async function logAgentIn(workplace: Workplace, name: string): Promise<string | null> {
  const pool = poolToAsk(workplace);
  const ways = pool.describe(name)?.keyWays ?? [];
  if (ways.length > 0) return `${name} needs a key: ${ways.join(' ')}`;
  try {
    await pool.logIn(name);
    const login = pool.loginOf(name);
    return login.state === 'logged-out' ? `${name} is still not logged in: ${login.why}.` : null;
  } catch (error) {
    if (error instanceof Stopped) return error.message;
    throw error;
  }
}

/** Every saved session, the latest first. */
export async function listEntries(
  workplace: Pick<Workplace, 'root' | 'environment'>,
): Promise<readonly SavedEntry[]> {
  return (await listSessions(workplace)).map(entryOf);
}

function entryOf({ id, state, fault }: SavedSession): SavedEntry {
  const why = fault?.message ?? 'It ended before its first step.';
  return {
    id,
    task: state?.task_description ?? '',
    state: state === null ? 'unreadable' : sessionStateText(state),
    started: state?.created_at ?? '',
    changed: state?.updated_at ?? '',
    cost: state?.spent.cost_usd ?? 0,
    hasPlan: state?.artifacts.includes('plan.json') ?? false,
    canExecute:
      state !== null && state.applied === null && state.artifacts.includes('approval.json'),
    // A plan that a person left also waits, but no process has it open.
    isOpen: state?.end === null && (state.status === 'running' || state.status === 'waiting'),
    forkOf: state?.forked_from ?? null,
    rejected: state?.plan_rejected ?? null,
    fault: state === null ? why : null,
  };
}

/** The tasks of all sessions, each once, the latest first. */
export async function earlierTasks(
  project: Pick<Workplace, 'root' | 'environment'>,
): Promise<readonly string[]> {
  const sessions = await listSessions(project);
  return [...new Set(sessions.flatMap(({ state }) => state?.task_description ?? []))];
}

/** The most files that are offered: a few typed letters cannot find one among more. */
const mostFiles = 50_000;
const linesBefore = 7;
const linesAfter = 60;
/** The longest line that is shown, in characters, because a line of a built file can have megabytes. */
const longestLine = 500;

/**
 * The tracked files and the untracked ones that are not ignored, relative to `root`. Names that cannot be shown
 * as they are, e.g. with control characters, are left out, because they cannot be typed.
 */
export async function repositoryFiles(root: string): Promise<readonly string[]> {
  const signal = neverAborted;
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = await git({ root, signal }, args);
  const paths = listed.ok
    ? listed.stdout.toString('utf8').split('\0').slice(0, mostFiles)
    : (await walk(root, { signal })).files;
  return paths.filter((path) => path !== '' && isShowable(path));
}

/** A piece of a file at the session’s base; null without a session or such a text file. */
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
 * Lets the user change a text in `$VISUAL`, otherwise `$EDITOR`, otherwise vi, which uses the terminal
 * meanwhile. The file is private and is removed afterwards, however the editor ended.
 */
export async function editText(
  { name, text }: { readonly name: string; readonly text: string },
  environment: NodeJS.ProcessEnv,
): Promise<EditorResult> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'conclave-edit-'));
    try {
      // Its extension tells the editor what kind of text it is.
      const file = join(folder, basename(name).replaceAll(/[^\w.-]/g, '_') || 'text');
      await writeFile(file, text, { mode: 0o600, flag: 'wx' });
      const fault = await runEditor(editorOf(environment), [file]);
      if (fault !== null) return { ok: false, why: `${fault} Nothing was changed.` };
      return { ok: true, text: await readFile(file, 'utf8') };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const why = `The file for the editor cannot be written or read (${error.code}).`;
    return { ok: false, why };
  }
}

/** Opens a file of the project at a line. Returns a sentence if that fails. */
export async function openFile(
  { root, path, line }: CodeLocation & { readonly root: string },
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  const base = await realpath(root);
  const real = await withoutLinks(base, path);
  if (real === null || (await lookAt(base, real)).kind !== 'file') {
    return `${path} is not a file of the project any more.`;
  }
  const editor = editorOf(environment);
  return await runEditor(editor, wordsAt(editor, { file: join(base, real), line }));
}

/** The user’s editor with its options, e.g. `code --wait`. */
function editorOf({ VISUAL, EDITOR }: NodeJS.ProcessEnv): string {
  return VISUAL?.trim() || EDITOR?.trim() || 'vi';
}

/** Runs the editor, without a shell. Null if it ended successfully, otherwise a sentence. */
async function runEditor(editor: string, words: readonly string[]): Promise<string | null> {
  const [program = editor, ...options] = wordsOfCommand(editor);
  const { exitCode, endedBy } = await runInTerminal({
    command: program,
    args: [...options, ...words],
    env: process.env,
  });
  if (exitCode === 0) return null;
  if (exitCode === null && endedBy === null) {
    const hint = options.length === 0 ? '' : ` A path with a blank needs quotes around it.`;
    return `The editor "${editor}" could not be started; to set another: export EDITOR=nano.${hint}`;
  }
  const how = endedBy === null ? `with exit code ${exitCode}` : `by ${endedBy}`;
  return `The editor "${editor}" ended ${how}.`;
}

/** Splits a command into words; a quoted word may contain spaces: `"/opt/my editor/bin/edit" --wait`. */
function wordsOfCommand(command: string): readonly string[] {
  return (command.match(/"[^"]*"|'[^']*'|\S+/g) ?? []).map((word) =>
    word.replace(/^(["'])(.*)\1$/s, '$2'),
  );
}

/** The arguments that open a file, at a line for editors that we know. */
export function wordsAt(
  editor: string,
  { file, line }: { readonly file: string; readonly line: number },
): readonly string[] {
  const name = basename(wordsOfCommand(editor)[0] ?? '');
  if (/^(?:code|codium|cursor|windsurf)$/.test(name)) return ['--goto', `${file}:${line}`];
  if (/^(?:subl|zed|hx|helix)$/.test(name)) return [`${file}:${line}`];
  const takesPlus = /^(?:vi|vim|nvim|nano|emacs|emacsclient|micro|kak)$/.test(name);
  return takesPlus ? [`+${line}`, file] : [file];
}
