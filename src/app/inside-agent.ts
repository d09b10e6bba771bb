// Keeps agents from answering for the person: inside an agent's run, nothing is approved or executed.
import { marksAround } from '../agents/process/process-table.ts';
import { type Stopped, wrongUsage } from '../model/failure.ts';
import { sha256Of } from '../store/digest.ts';
import { sessionKey } from './session-key.ts';

/** The part of a mark that identifies the user of a run without revealing the key. */
export function userMark(key: Buffer | null): string {
  return key === null ? '' : `u${sha256Of(key).slice(0, 16)}.`;
}

/**
 * True inside an agent’s run of the user with this key, or inside a check of theirs. A run whose user is
 * unknown counts, too; a process with its own key has its own sessions.
 */
export function isInsideAgent(environment: NodeJS.ProcessEnv, key: Buffer | null): boolean {
  const user = userMark(key);
  const isTheirs = ({ of, mark }: ReturnType<typeof marksAround>[number]) =>
    user !== '' && hasUser.test(mark) ? mark.includes(`.${user}`) : of === 'agent';
  return environment['CONCLAVE_INSIDE'] !== undefined || marksAround(environment).some(isTheirs);
}

const hasUser = /\.u[0-9a-f]{16}\./;

/** Throws `usage` inside an agent’s run of this user: an agent may not start or remove the user’s sessions. */
export async function refuseInside(environment: NodeJS.ProcessEnv): Promise<void> {
  if (isInsideAgent(environment, await sessionKey(environment))) throw insideEnd();
}

/** Throws `usage` inside any agent’s run: an agent may not trust anything or widen settings. */
export async function refuseAgents(environment: NodeJS.ProcessEnv): Promise<void> {
  const keys = [null, await sessionKey(environment)];
  if (keys.some((key) => isInsideAgent(environment, key))) throw insideEnd();
}

export function insideEnd(): Stopped {
  return wrongUsage(
    'Inside the run of an agent, nobody may answer for the person; do this in your own terminal.',
  );
}
