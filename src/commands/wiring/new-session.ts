import { gitFolders } from '../../context/git-stamps.ts';
import { claimSession, type SessionFolder } from '../../store/session-folder.ts';

/**
 * The folder of a new session. Throws `Stopped` where git refuses the repository, before anything is
 * written: nothing could be planned there.
 */
export async function newSession(of: {
  readonly root: string;
  readonly task: string;
}): Promise<SessionFolder> {
  const { signal } = new AbortController();
  await gitFolders({ root: of.root, signal });
  return await claimSession({ ...of, now: new Date() });
}
