import { openRepository } from '../../git/open-repository.ts';
import type { Repository } from '../../git/repository.ts';
import { planDesk, type PlanDesk } from '../../phases/planning/plan-desk.ts';
import { finishWrites, unfinishedFile } from '../../phases/planning/write-plan.ts';
import { lockSession } from '../../store/lock.ts';
import { schemaCheck, type SchemaCheck } from '../../store/published-schemas.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import type { Planned } from '../../workflow/recorded.ts';
import type { Settings } from '../settings/load-settings.ts';
import { snapshotsIn } from './open-session.ts';

export interface OpenDesk {
  readonly desk: PlanDesk;
  readonly repository: Repository;
  readonly schemas: SchemaCheck;
}

/** The desk of a session that nobody has to own: for looking, and for judging edits beforehand. */
export async function openDesk({
  folder,
  root,
  settings,
  planned: { start, written },
}: {
  readonly folder: SessionFolder;
  readonly root: string;
  readonly settings: Settings;
  readonly planned: Planned;
}): Promise<OpenDesk> {
  const { signal } = new AbortController();
  const snapshots = snapshotsIn(folder);
  const [repository, schemas] = await Promise.all([
    openRepository({ root, base: start.base, snapshots, signal }),
    schemaCheck({ extensions: settings.schemas }),
  ]);
  const tools = { folder, repository, schemas, owned: false, emit: () => undefined };
  const { version, before } = written;
  return { desk: planDesk(tools, { version, since: before ?? written }), repository, schemas };
}

/** Completes a change of the plan that was cut short; returns what there is to say about it. */
export async function completeWrites(folder: SessionFolder): Promise<readonly string[]> {
  if ((await folder.read(unfinishedFile)) === null) return [];
  const lock = await lockSession(folder);
  try {
    return await finishWrites(folder);
  } finally {
    await lock.release();
  }
}
