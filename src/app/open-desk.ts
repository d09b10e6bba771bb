// Opens the plan of a saved session without owning the session.
import { openRepository } from '../git/open-repository.ts';
import type { Repository } from '../git/repository.ts';
import { neverAborted } from '../model/signal.ts';
import { planDesk, type PlanDesk } from '../phases/planning/plan-desk.ts';
import { finishWrites, unfinishedFile } from '../phases/planning/write-plan.ts';
import { withLock } from '../store/lock.ts';
import { schemaCheck, type SchemaCheck } from '../store/published-schemas.ts';
import type { SessionFolder } from '../store/session-folder.ts';
import type { PlanRecord } from '../workflow/recorded.ts';
import { snapshotsIn } from './session-places.ts';
import type { Workplace } from './workplace.ts';

export interface OpenDesk {
  readonly desk: PlanDesk;
  readonly repository: Repository;
  readonly schemas: SchemaCheck;
}

/** Opens the desk for reading a plan and for checking edits beforehand. */
export async function openDesk({
  folder,
  root,
  settings,
  planned: { base, written },
}: Pick<Workplace, 'root' | 'settings'> & {
  readonly folder: SessionFolder;
  readonly planned: PlanRecord;
}): Promise<OpenDesk> {
  const snapshots = snapshotsIn(folder);
  const [repository, schemas] = await Promise.all([
    openRepository({ root, base, snapshots, signal: neverAborted }),
    schemaCheck({ extensions: settings.schemas }),
  ]);
  const tools = { folder, repository, schemas, emit: () => undefined };
  const desk = planDesk(tools, { ...written, since: written.before ?? written });
  return { desk, repository, schemas };
}

/** Completes an interrupted change of the plan; returns warnings about it. */
export async function completeWrites(folder: SessionFolder): Promise<readonly string[]> {
  if ((await folder.read(unfinishedFile)) === null) return [];
  return await withLock(folder, () => finishWrites(folder));
}
