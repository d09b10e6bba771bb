import type { AgentStanding, CodeAround, SavedEntry } from '../../faces/tui/ports.ts';
import { eachLimited } from '../../git/disk.ts';
import { git } from '../../git/git.ts';
import type { Repository } from '../../git/repository.ts';
import { walk } from '../../git/walk.ts';
import { cleanText } from '../../model/clean-text.ts';
import { listSessionIds } from '../../store/session-folder.ts';
import { agentReports } from '../agents.ts';
import { type SavedSession, readSession } from '../saved-session.ts';
import { analystNames } from '../settings/roster.ts';
import type { Settings } from '../settings/load-settings.ts';

/** Shows every agent at once as `looking`, and each again when more is known. */
export async function probeAgents(
  workplace: { readonly root: string; readonly settings: Settings },
  show: (standing: AgentStanding) => void,
): Promise<void> {
  const { tools, fallback_chain: chain } = workplace.settings.run;
  const order = [...new Set([...tools, ...chain, ...analystNames])];
  await agentReports(workplace, (report) => {
    const turn = order.indexOf(report.name);
    show({ ...report, turn: turn === -1 ? null : turn });
  });
}

/** Tasks further back are not recalled by a key: the picker searches them. */
const mostRecalled = 100;

/** The tasks of the latest sessions, the latest first, each once. */
export async function earlierTasks(root: string): Promise<readonly string[]> {
  const ids = (await listSessionIds(root)).slice(0, mostRecalled);
  const sessions = await eachLimited(ids, (id) => readSession(root, id));
  const tasks = sessions.map(({ state }) => state?.task_description ?? '');
  return [...new Set(tasks.filter((task) => task !== ''))];
}

/** Every saved session, the latest first. */
export async function savedEntries(root: string): Promise<readonly SavedEntry[]> {
  const ids = await listSessionIds(root);
  return (await eachLimited(ids, (id) => readSession(root, id))).map(entryOf);
}

function entryOf({ id, state, fault }: SavedSession): SavedEntry {
  if (state === null) {
    const why = fault?.message ?? 'It ended before its first step.';
    const nothing = {
      task: '',
      phase: '',
      changed: '',
      score: null,
      hasPlan: false,
      isOpen: false,
      rejected: null,
    };
    return { id, status: 'unreadable', ...nothing, fault: why };
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
