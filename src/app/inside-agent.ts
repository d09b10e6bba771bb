// Keeps agents from answering for the person: where a run of theirs goes on, nothing is approved or run.
import { marksAround } from '../agents/process/process-table.ts';
import { type Stopped, wrongUsage } from '../model/failure.ts';
import { sha256Of } from '../store/digest.ts';
import { sessionKey } from './session-key.ts';

/** The part of a mark that tells whose run it is, without telling the key. */
export function userMark(key: Buffer | null): string {
  return key === null ? '' : `u${sha256Of(key).slice(0, 16)}.`;
}

/**
 * True within an agent’s run of the user with this key, or within a check of theirs. An agent’s run
 * of which nothing tells whose it is counts; a process with a key of its own has sessions of its own.
 */
export function isInsideAgent(environment: NodeJS.ProcessEnv, key: Buffer | null): boolean {
  const user = userMark(key);
  const isTheirs = ({ of, mark }: ReturnType<typeof marksAround>[number]) =>
    user !== '' && hasUser.test(mark) ? mark.includes(`.${user}`) : of === 'agent';
  return environment['CONCLAVE_INSIDE'] !== undefined || marksAround(environment).some(isTheirs);
}

const hasUser = /\.u[0-9a-f]{16}\./;

/** Throws `usage` within an agent’s run of this user: it starts and removes nothing of theirs. */
export async function refuseInside(environment: NodeJS.ProcessEnv): Promise<void> {
  if (isInsideAgent(environment, await sessionKey(environment))) throw insideEnd();
}

/** Throws `usage` within any agent’s run: what trusts something, or widens a setting, is no agent’s. */
export async function refuseAgents(environment: NodeJS.ProcessEnv): Promise<void> {
  const keys = [null, await sessionKey(environment)];
  if (keys.some((key) => isInsideAgent(environment, key))) throw insideEnd();
}

export function insideEnd(): Stopped {
  return wrongUsage(
    'Within the run of an agent nobody answers for the person; do this in a terminal of your own.',
  );
}
