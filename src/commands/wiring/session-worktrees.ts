import type { Snapshots } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import type { Worktrees } from '../../git/worktrees.ts';
import type { Tools } from '../../phases/tools.ts';
import type { Journal } from '../../store/journal.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import { worktreesFolder } from '../folders.ts';
import type { Settings } from '../settings/load-settings.ts';

/** What an execution of the session works with. */
export function executionTools({
  folder,
  settings,
  environment,
  repository,
  journal,
}: {
  readonly folder: SessionFolder;
  readonly settings: Settings;
  readonly environment: NodeJS.ProcessEnv;
  readonly repository: Repository;
  readonly journal: Journal;
}): Tools['execution'] {
  return {
    settings: settings.execution,
    environment,
    records: journal.records,
    worktrees: (signal) => sessionWorktrees({ folder, environment, repository, signal }),
  };
}

/** The work trees of a session’s execution, in the user’s data folder. */
export async function sessionWorktrees({
  folder,
  environment,
  ...rest
}: {
  readonly folder: SessionFolder;
  readonly environment: NodeJS.ProcessEnv;
  readonly repository: Repository;
  readonly signal: AbortSignal;
}): Promise<Worktrees> {
  const { openWorktrees } = await import('../../git/git-worktrees.ts');
  const place = worktreesFolder(environment, folder.path);
  return await openWorktrees({
    ...rest,
    session: folder.id,
    snapshots: snapshotsIn(folder),
    folder: place,
  });
}

/** Uncommitted contents at the start of the session, by their hash. */
export function snapshotsIn(folder: SessionFolder): Snapshots {
  return {
    // One character for each byte, so that any content comes back as it was.
    save: (sha256, content) => folder.write(`base/${sha256}`, content.toString('latin1')),
    async load(sha256) {
      const text = await folder.read(`base/${sha256}`);
      return text === null ? null : Buffer.from(text, 'latin1');
    },
  };
}
