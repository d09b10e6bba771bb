// Names what belongs to one session outside of its journal: marks, saved contents, work trees.
import type { Confinement } from '../agents/process/confinement.ts';
import { findConfinement } from '../agents/process/find-confinement.ts';
import type { Snapshots } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import { redactFile } from '../model/secrets.ts';
import { listed } from '../model/wording.ts';
import type { Worktrees } from '../git/worktrees.ts';
import { sha256Of } from '../store/digest.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import { worktreesFolder } from './folders.ts';
import type { Workplace } from './workplace.ts';

/**
 * The start of the mark of every process that a session starts. The same folder has the same mark in all our
 * processes; a copy of the folder elsewhere has another.
 */
export function markPrefixOf({ path }: SessionFolder): string {
  return `${sha256Of(path).slice(0, 16)}.`;
}

/**
 * Stores uncommitted contents from the start of the session, by their hash. Files with a secret are not stored:
 * `leftOut` receives them, and they can be read only until they change.
 */
export function snapshotsIn(
  folder: SessionFolder,
  leftOut: (path: string) => void = () => undefined,
): Snapshots {
  return {
    async save(sha256, content, path) {
      const text = content.toString('utf8');
      if (redactFile(path, text) !== text) leftOut(path);
      // One character for each byte, so that any content can be restored exactly.
      else await folder.write(`base/${sha256}`, content.toString('latin1'));
    },
    async load(sha256) {
      const text = await folder.read(`base/${sha256}`);
      return text === null ? null : Buffer.from(text, 'latin1');
    },
  };
}

/** Names the files with secrets that `snapshotsIn` did not store. */
export function tellLeftOut(paths: readonly string[]): string {
  return `The session keeps no copy of files with secrets: ${listed(paths.toSorted())}. They can be read only until they change.`;
}

/** The confinement of checks on this machine; null if there is none or none is wanted. */
export function confinementFor({
  settings,
  environment,
}: Pick<Workplace, 'settings' | 'environment'>): Confinement | null {
  return settings.execution.confine ? findConfinement(environment) : null;
}

/** The work trees of a session’s execution, in the user’s data folder. */
export async function sessionWorktrees({
  folder,
  environment,
  ...rest
}: {
  readonly folder: SessionFolder;
  readonly environment: NodeJS.ProcessEnv;
  /** The change in words, for the messages of commits that come home. */
  readonly title?: string;
  /** The prefix of its branches, if it has none yet. */
  readonly branchPrefix?: string;
  /** True to make commits that come home with the user’s hooks and signature. */
  readonly runsHooks?: boolean;
  readonly repository: Repository;
  readonly signal: AbortSignal;
}): Promise<Worktrees> {
  const { openWorktrees } = await import('../git/git-worktrees.ts');
  return await openWorktrees({
    ...rest,
    session: folder.id,
    snapshots: snapshotsIn(folder),
    folder: worktreesFolder(environment, folder.path),
  });
}
