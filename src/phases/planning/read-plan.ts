// Reads the plan files from disk and checks them.
import { z } from 'zod';
import { findChangesAmong } from '../../git/base.ts';
import type { Repository } from '../../git/repository.ts';
import { Approval } from '../../model/decision.ts';
import { ContextPackage } from '../../model/context-package.ts';
import { Stopped } from '../../model/failure.ts';
import { Finding, blockingFinding, warningFinding } from '../../model/finding.ts';
import { jsonIn } from '../../model/json.ts';
import { taskFile } from '../../model/plan-rules.ts';
import { Plan } from '../../model/plan.ts';
import { Task } from '../../model/task.ts';
import type { SessionFolder } from '../../store/session-folder.ts';
import type { Tools } from '../phase-tools.ts';
import { type KnownFiles, readFolder } from './validate-folder.ts';
import { planHash } from './plan-hash.ts';
import { type PlannedFiles, putBlockingFirst } from './check-plan.ts';
import { factsForTests } from './test-facts.ts';

/** The plan that is on disk now, including a person’s edits; null if it cannot be read as one. */
export const ReviewedPlan = z.object({
  plan: Plan.nullable(),
  tasks: z.array(Task).readonly().describe('The tasks in the order of `plan.task_ids`.'),
  findings: z
    .array(Finding)
    .readonly()
    .describe('Findings about the shapes and of the plan check, blocking ones first.'),
  hash: z.string().nullable(),
});
export type ReviewedPlan = z.infer<typeof ReviewedPlan>;

/** The plan on disk with the package it was made from. */
export type StoredPlan = { readonly findings: readonly Finding[] } & (
  | (PlannedFiles & { readonly hash: string })
  | { readonly plan: null; readonly tasks: readonly []; readonly hash: null }
);

/** Reads plan and tasks from disk and checks shape, meaning and the plan check. Changes nothing. */
export async function readStoredPlan({
  folder,
  schemas,
  repository,
  known,
}: Pick<Tools, 'folder' | 'schemas' | 'repository'> & {
  readonly known?: KnownFiles;
}): Promise<StoredPlan> {
  const check = schemas.check.bind(schemas);
  const openBase = async () => repository;
  const read = await readFolder({ folder: folder.path, check, openBase, known });
  const findings = putBlockingFirst(read.findings.filter(({ rule }) => rule !== 'approval-stale'));
  if (read.stored === null) {
    return { plan: null, tasks: [], findings: withReason(findings), hash: null };
  }
  const { plan, tasks } = read.stored;
  const changed = await changedFindings(tasks, repository);
  return { ...read.stored, findings: [...findings, ...changed], hash: planHash(plan, tasks) };
}

/** The plan on disk, unchecked; null if it cannot be read as one. */
export async function readUncheckedPlan({
  folder,
  schemas,
}: Pick<Tools, 'folder' | 'schemas'>): Promise<PlannedFiles | null> {
  const check = schemas.check.bind(schemas);
  return (await readFolder({ folder: folder.path, check })).stored;
}

/** Reports the files of open tasks that have changed since the session started. */
async function changedFindings(
  tasks: readonly Task[],
  repository: Repository,
): Promise<readonly Finding[]> {
  const changed = await findChangedFiles(tasks, repository);
  return changed.map(({ task, at, path }) =>
    warningFinding(
      'file-changed',
      taskFile(task),
      `/files/${at}/path`,
      `${path} has changed since the session started; see whether the task still fits it.`,
    ),
  );
}

/** The files of open tasks that have changed since the session started, with their places in the tasks. */
export async function findChangedFiles(
  tasks: readonly Task[],
  repository: Repository,
): Promise<readonly { readonly task: string; readonly at: number; readonly path: string }[]> {
  const { signal } = new AbortController();
  const changed = new Set(await filesChangedSince(tasks, repository, signal));
  // The work of a task that was carried out has changed its files.
  const open = tasks.filter(({ status }) => status !== 'completed' && status !== 'unproven');
  return open.flatMap(({ id: task, files = [] }) =>
    files.flatMap(({ path }, at) => (changed.has(path) ? { task, at, path } : [])),
  );
}

/** The files named by tasks that have changed since the plan was made. */
export function filesChangedSince(
  tasks: readonly Task[],
  repository: Repository,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const paths = new Set(tasks.flatMap(({ files = [] }) => files.map(({ path }) => path)));
  return findChangesAmong(repository, { paths: [...paths], signal });
}

/** Adds a finding if a part is missing altogether, because no finding of a file says so. */
function withReason(findings: readonly Finding[]): readonly Finding[] {
  if (findings.some(({ severity }) => severity === 'blocking')) return findings;
  return [
    blockingFinding(
      'plan-missing',
      'plan.json',
      '',
      'plan.json or context-package.json is missing, so there is no plan to review; fork the session to write both again.',
    ),
    ...findings,
  ];
}

/** Reads `approval.json`; null if it is missing or cannot be read. */
export async function readApproval(folder: SessionFolder): Promise<Approval | null> {
  return Approval.safeParse(jsonIn((await folder.read('approval.json')) ?? '')).data ?? null;
}

/** Reads `context-package.json`; throws `Stopped` if it is missing or cannot be read. */
async function readContextPackage({ folder }: Pick<Tools, 'folder'>): Promise<ContextPackage> {
  const read = ContextPackage.safeParse(jsonIn((await folder.read('context-package.json')) ?? ''));
  if (read.success) return read.data;
  const message =
    'context-package.json is missing or cannot be read; fork the session to write it again.';
  throw new Stopped({ reason: 'session-unreadable', session: folder.id, message });
}

/** Reads `context-package.json`, and adds how the tests are run that checks of these tasks name. */
export async function readPackageFor(
  tasks: readonly Task[],
  { folder, repository }: Pick<Tools, 'folder' | 'repository'>,
): Promise<ContextPackage> {
  const contextPackage = await readContextPackage({ folder });
  const { build_facts: known = [] } = contextPackage;
  const text = (path: string) => repository.read(path);
  const base = { files: () => repository.files(), text };
  return { ...contextPackage, build_facts: [...(await factsForTests(tasks, known, base))] };
}
