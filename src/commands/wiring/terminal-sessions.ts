import { eachLimited } from '../../git/each-limited.ts';
import type { SavedEntry } from '../../faces/tui/ports.ts';
import { listSessionIds } from '../../store/session-folder.ts';
import { type SavedSession, readSession } from '../saved-session.ts';

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
