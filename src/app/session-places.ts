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
 * Starts the mark of every process that a session starts. The same folder has the same mark in
 * every process of ours; a copy of the folder elsewhere has another.
 */
export function markPrefixOf({ path }: SessionFolder): string {
  return `${sha256Of(path).slice(0, 16)}.`;
}

/**
 * Uncommitted contents at the start of the session, by their hash. What holds a secret is not kept:
 * `leftOut` hears of it, and the file can be read only until it changes.
 */
export function snapshotsIn(
  folder: SessionFolder,
  leftOut: (path: string) => void = () => undefined,
): Snapshots {
  return {
    async save(sha256, content, path) {
      const text = content.toString('utf8');
      if (redactFile(path, text) !== text) leftOut(path);
      // One character for each byte, so that any content comes back as it was.
      else await folder.write(`base/${sha256}`, content.toString('latin1'));
    },
    async load(sha256) {
      const text = await folder.read(`base/${sha256}`);
      return text === null ? null : Buffer.from(text, 'latin1');
    },
  };
}

/** Tells which files with secrets `snapshotsIn` did not keep. */
export function tellLeftOut(paths: readonly string[]): string {
  return `The session keeps no copy of files with secrets: ${listed(paths.toSorted())}. They can be read only until they change.`;
}

/** The confinement of checks on this machine; null where there is none, or none is wanted. */
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
  /** Of its branches, where it has none yet. */
  readonly branchPrefix?: string;
  /** Commits that come home are made with the hooks and the signature of the user. */
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
