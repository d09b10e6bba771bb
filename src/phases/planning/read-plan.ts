import { changedAmong } from '../../git/base.ts';
import type { Repository } from '../../git/repository.ts';
import type { Finding } from '../../model/finding.ts';
import { taskFile } from '../../model/plan-rules.ts';
import type { Task } from '../../model/task.ts';
import type { Tools } from '../tools.ts';
import { type PlanInFolder, readFolder } from '../validate-folder.ts';
import { planHash } from './approval.ts';
import { blockingFirst } from './check-plan.ts';
import { finishWrites } from './write-plan.ts';

/** The plan files as they are on disk, checked. `plan` is null where they cannot be read as one. */
export type StoredPlan = { readonly findings: readonly Finding[] } & (
  | (PlanInFolder & { readonly hash: string })
  | { readonly plan: null; readonly tasks: readonly []; readonly hash: null }
);

/** Reads plan and tasks from disk and checks shape, meaning and the plan check. Changes nothing. */
export async function readStoredPlan({
  folder,
  schemas,
  repository,
}: Pick<Tools, 'folder' | 'schemas' | 'repository'>): Promise<StoredPlan> {
  const check = schemas.check.bind(schemas);
  const exists = (path: string) => repository.exists(path);
  const read = await readFolder({ folder: folder.path, check, existsAt: async () => exists });
  const findings = blockingFirst(read.findings.filter(({ rule }) => rule !== 'approval-stale'));
  if (read.stored === null) {
    return { plan: null, tasks: [], findings: withReason(findings), hash: null };
  }
  const { plan, tasks } = read.stored;
  const changed = await changedFindings(tasks, repository);
  return { ...read.stored, findings: [...findings, ...changed], hash: planHash(plan, tasks) };
}

/** Files of the plan that are not as they were when the session started. */
async function changedFindings(
  tasks: readonly Task[],
  repository: Repository,
): Promise<readonly Finding[]> {
  const cited = tasks.flatMap(({ id, files = [] }) =>
    files.map(({ path }, at) => ({ id, path, pointer: `/files/${at}/path` })),
  );
  const paths = [...new Set(cited.map(({ path }) => path))];
  const { signal } = new AbortController();
  const changed = new Set(await changedAmong(repository, { paths, signal }));
  return cited
    .filter(({ path }) => changed.has(path))
    .map(({ id, path, pointer }) => ({
      severity: 'warning',
      rule: 'file-changed',
      file: taskFile(id),
      pointer,
      message: `${path} has changed since the session started; see whether the task still fits it.`,
    }));
}

/** The same for the owner of a session: completes and tells what was cut short first. */
export async function readOwnPlan(
  tools: Parameters<typeof readStoredPlan>[0] & Pick<Tools, 'emit'>,
): Promise<StoredPlan> {
  for (const text of await finishWrites(tools.folder)) tools.emit({ type: 'warning.raised', text });
  return await readStoredPlan(tools);
}

/** Where a part is missing altogether, no finding of a file says so. */
function withReason(findings: readonly Finding[]): readonly Finding[] {
  if (findings.some(({ severity }) => severity === 'blocking')) return findings;
  const message =
    'plan.json or context-package.json is missing, so there is no plan to review; fork the session to write both again.';
  const place = { file: 'plan.json', pointer: '' };
  return [{ severity: 'blocking', rule: 'plan-missing', ...place, message }, ...findings];
}
