import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { Approval } from '../model/approval.ts';
import { type Base, CodebaseContext } from '../model/context.ts';
import { ContextPackage } from '../model/context-package.ts';
import { type Finding, blockingFinding, warningFinding } from '../model/finding.ts';
import { planFindings, taskFile } from '../model/plan-rules.ts';
import { Plan } from '../model/plan.ts';
import { Task } from '../model/task.ts';
import type { SchemaCheck } from '../store/published-schemas.ts';
import { approvalHolds } from './planning/approval.ts';
import { type Exists, checkAgainstSolution, shapeFindings } from './planning/check-plan.ts';
import { unfinishedFile } from './planning/write-plan.ts';
import { listArtifacts, type ListedArtifact, readArtifact } from './validating/artifacts.ts';

/**
 * Checks what is in a session folder, or in any folder with `plan.json` and `.task/`: first that
 * it can be read, then its shape, then its meaning, then whether the approval still fits. What is
 * not there yet is no fault, except for parts of a plan. `folder` is an absolute path. With
 * `context-package.json` there is the plan check, too: `existsAt` opens the base that the folder
 * names (null for none) for it, and gives null where that cannot be.
 */
export async function validateFolder(checked: CheckedFolder): Promise<readonly Finding[]> {
  return (await readFolder(checked)).findings;
}

/** A plan that can be read, whether or not it fits the schemas. */
export interface PlanInFolder {
  readonly plan: Plan;
  /** In the order of `plan.task_ids`. */
  readonly tasks: readonly Task[];
  /** Task files that `plan.task_ids` does not name. */
  readonly leftOver: readonly Task[];
  readonly contextPackage: ContextPackage;
}

interface CheckedFolder {
  readonly folder: string;
  readonly check: SchemaCheck['check'];
  readonly existsAt?: (base: Base | null) => Promise<Exists | null>;
}

/** The findings, and the plan; null where a part of it is missing or cannot be read. */
export async function readFolder({
  folder,
  check,
  existsAt = async () => null,
}: CheckedFolder): Promise<{
  readonly findings: readonly Finding[];
  readonly stored: PlanInFolder | null;
}> {
  const { artifacts, findings } = listArtifacts(folder);
  const found = artifacts.flatMap((artifact) => readShaped(folder, artifact, check) ?? []);
  if (found.length === 0 && findings.length === 0) {
    const message =
      'The folder holds no file of a session; name a session folder or one with plan.json and .task/.';
    const nothing = { rule: 'nothing-to-validate', file: '', pointer: '', message };
    return { findings: [blockingFinding(nothing)], stored: null };
  }
  const all = [
    ...findings,
    ...found.flatMap((entry) => entry.findings),
    ...planMeaning(found),
    ...(await planCheck(found, existsAt)),
    ...approvalMeaning(found),
    ...cutShort(folder),
  ];
  return { findings: all, stored: planIn(found) };
}

/** A file that is there. */
interface ReadArtifact extends ListedArtifact {
  readonly isGood: boolean;
  readonly value: unknown;
  /** Null where it is no task, or not even to be read as one. */
  readonly task: Task | null;
  readonly findings: readonly Finding[];
}

function readShaped(
  folder: string,
  artifact: ListedArtifact,
  check: SchemaCheck['check'],
): ReadArtifact | null {
  const { file, schema } = artifact;
  const read = readArtifact(folder, file);
  if (read.state === 'absent') return null;
  if (read.state === 'bad') {
    return { ...artifact, isGood: false, value: null, task: null, findings: [read.finding] };
  }
  const { value } = read;
  const findings = shapeFindings(file, check(schema, value));
  const task = schema === 'task' ? (Task.safeParse(value).data ?? null) : null;
  // Of thousands of tasks, only one form is kept.
  return { ...artifact, isGood: findings.length === 0, value: task ?? value, task, findings };
}

/** The typed value of that file; null where it is missing or has a fault. */
function goodValue<T>(found: readonly ReadArtifact[], name: string, shape: z.ZodType<T>): T | null {
  const entry = found.find(({ file, isGood }) => isGood && file === name);
  return shape.safeParse(entry?.value).data ?? null;
}

function planIn(found: readonly ReadArtifact[]): PlanInFolder | null {
  const valueOf = (name: string) => found.find(({ file }) => file === name)?.value;
  const plan = Plan.safeParse(valueOf('plan.json')).data;
  const contextPackage = ContextPackage.safeParse(valueOf('context-package.json')).data;
  if (plan === undefined || contextPackage === undefined) return null;
  const inFolder = found.flatMap(({ file, task }) =>
    task !== null && file === taskFile(task.id) ? [task] : [],
  );
  const byId = new Map(inFolder.map((task) => [task.id, task]));
  const tasks = plan.task_ids.flatMap((id) => byId.get(id) ?? []);
  if (tasks.length < plan.task_ids.length) return null;
  const listed = new Set(plan.task_ids);
  const leftOver = inFolder.filter(({ id }) => !listed.has(id));
  return { plan, tasks, leftOver, contextPackage };
}

function planMeaning(found: readonly ReadArtifact[]): readonly Finding[] {
  const plan = goodValue(found, 'plan.json', Plan);
  const files = found.flatMap(({ file, schema }) => (schema === 'task' ? file : []));
  if (plan !== null) return planFindings({ plan, tasks: goodTasks(found), files });
  if (files.length === 0 || found.some(({ file }) => file === 'plan.json')) return [];
  const message = 'There are task files but no plan.json; write it.';
  return [blockingFinding({ rule: 'plan-missing', file: 'plan.json', pointer: '', message })];
}

/** Nothing where a part of the plan, or what it was made from, cannot be read. */
async function planCheck(
  found: readonly ReadArtifact[],
  existsAt: (base: Base | null) => Promise<Exists | null>,
): Promise<readonly Finding[]> {
  const made = planIn(found.filter(({ isGood }) => isGood));
  if (made === null) return [];
  const base = goodValue(found, 'codebase-context.json', CodebaseContext)?.base ?? null;
  return await checkAgainstSolution({ ...made, exists: await existsAt(base) });
}

function goodTasks(found: readonly ReadArtifact[]) {
  return found.flatMap(({ file, isGood, task }) => (isGood && task !== null ? { file, task } : []));
}

/** Nothing is said where plan or tasks cannot be read: that is a finding already. */
function approvalMeaning(found: readonly ReadArtifact[]): readonly Finding[] {
  const approval = goodValue(found, 'approval.json', Approval);
  const ofPlan = found.filter(({ file, schema }) => file === 'plan.json' || schema === 'task');
  if (approval === null || ofPlan.some(({ isGood }) => !isGood)) return [];
  const plan = goodValue(found, 'plan.json', Plan);
  const listed = new Set(plan?.task_ids);
  const tasks = goodTasks(found).flatMap(({ task }) => (listed.has(task.id) ? task : []));
  if (plan !== null && approvalHolds(approval, plan, tasks)) return [];
  const message =
    'The plan is not the one that was approved; review it and approve it again before it is executed.';
  const at = { file: 'approval.json', pointer: '/plan_hash' };
  return [warningFinding({ rule: 'approval-stale', ...at, message })];
}

/** The files of a plan are changed together; one that died in the middle left this behind. */
function cutShort(folder: string): readonly Finding[] {
  const left = lstatSync(join(folder, unfinishedFile), { throwIfNoEntry: false });
  if (left === undefined) return [];
  const message =
    'A change of the plan was begun and is not finished, so plan and tasks may not fit together; "conclave review" completes it.';
  const at = { file: unfinishedFile, pointer: '' };
  return [warningFinding({ rule: 'plan-change-unfinished', ...at, message })];
}
