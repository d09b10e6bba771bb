import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { Approval } from '../model/approval.ts';
import { type Base, CodebaseContext } from '../model/context.ts';
import { ContextPackage } from '../model/context-package.ts';
import type { Finding } from '../model/finding.ts';
import { Plan } from '../model/plan.ts';
import { Task } from '../model/task.ts';
import { type TaskInFile, planFindings, taskFile, taskFindings } from '../model/plan-rules.ts';
import type { SchemaName } from '../model/published.ts';
import { Synthesis } from '../model/synthesis.ts';
import { approvalHolds } from './planning/approval.ts';
import { checkAgainstSolution } from './planning/check-plan.ts';
import { unfinishedFile } from './planning/write-plan.ts';
import { listArtifacts, type ListedArtifact, readArtifact } from './validating/artifacts.ts';

/** What a value has against its published schema; empty if it is good. */
type ShapeCheck = (
  schema: SchemaName,
  value: unknown,
) => readonly { readonly pointer: string; readonly message: string }[];

/** Whether there is a file at the base, by its path in the repository. */
export type Exists = (path: string) => Promise<boolean>;

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
  readonly check: ShapeCheck;
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
  const refused = folderFindings(folder);
  if (refused.length > 0) return { findings: refused, stored: null };
  const { artifacts, findings } = listArtifacts(folder);
  const read = artifacts.map((artifact) => readShaped(folder, artifact, check));
  const found = read.filter((entry) => entry.state !== 'absent');
  if (found.length === 0 && findings.length === 0) {
    return { findings: [nothingHere()], stored: null };
  }
  const all = [
    ...findings,
    ...found.flatMap((entry) => entry.findings),
    ...planMeaning(found),
    ...(await planCheck(found, existsAt)),
    ...roundMeaning(found),
    ...approvalMeaning(found),
    ...cutShort(folder),
  ];
  return { findings: all, stored: planIn(found) };
}

interface ReadArtifact extends ListedArtifact {
  readonly state: 'absent' | 'bad' | 'good';
  readonly value: unknown;
  /** Null where it is no task, or not even to be read as one. */
  readonly task: Task | null;
  readonly findings: readonly Finding[];
}

function readShaped(folder: string, artifact: ListedArtifact, check: ShapeCheck): ReadArtifact {
  const { file, schema } = artifact;
  const read = readArtifact(folder, file);
  if (read.state !== 'read') {
    const findings = read.state === 'bad' ? [read.finding] : [];
    return { ...artifact, state: read.state, value: null, task: null, findings };
  }
  const { value } = read;
  const findings = check(schema, value).map(({ pointer, message }): Finding => {
    return { severity: 'blocking', rule: 'shape', file, pointer, message };
  });
  const task = schema === 'task' ? (Task.safeParse(value).data ?? null) : null;
  const state = findings.length === 0 ? 'good' : 'bad';
  // Of thousands of tasks, only one form is kept.
  return { ...artifact, state, value: task ?? value, task, findings };
}

/** The typed value of a good artifact; null for any other. */
function typed<T>(shape: z.ZodType<T>, entry: ReadArtifact | undefined): T | null {
  return entry?.state === 'good' ? (shape.safeParse(entry.value).data ?? null) : null;
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
  const planEntry = found.find(({ file }) => file === 'plan.json');
  const taskEntries = found.filter(({ schema }) => schema === 'task');
  const tasks = tasksIn(taskEntries);
  const plan = typed(Plan, planEntry);
  const files = taskEntries.map(({ file }) => file);
  if (plan !== null) return planFindings({ plan, tasks, files });
  const missing = planEntry === undefined && taskEntries.length > 0;
  const message = 'There are task files but no plan.json; write it.';
  return [
    ...(missing ? [blocking('plan-missing', 'plan.json', message)] : []),
    ...taskFindings({ tasks, files }),
  ];
}

/** Nothing where a part of the plan, or what it was made from, cannot be read. */
async function planCheck(
  found: readonly ReadArtifact[],
  existsAt: (base: Base | null) => Promise<Exists | null>,
): Promise<readonly Finding[]> {
  const made = planIn(found.filter(({ state }) => state === 'good'));
  if (made === null) return [];
  const codebase = found.find(({ file }) => file === 'codebase-context.json');
  const base = typed(CodebaseContext, codebase)?.base ?? null;
  return await checkAgainstSolution({ ...made, exists: await existsAt(base) });
}

function tasksIn(entries: readonly ReadArtifact[]): readonly TaskInFile[] {
  return entries.flatMap(({ file, state, task }) =>
    state === 'good' && task !== null ? [{ file, task }] : [],
  );
}

function roundMeaning(found: readonly ReadArtifact[]): readonly Finding[] {
  return found.flatMap((entry) => {
    const synthesis = entry.schema === 'synthesis' ? typed(Synthesis, entry) : null;
    if (synthesis === null || entry.file === `rounds/${synthesis.round}/synthesis.json`) return [];
    const message = `${entry.file} says it is of round ${synthesis.round}; correct the number or move the file.`;
    return [warning('round-number', entry.file, '/round', message)];
  });
}

/** Nothing is said where plan or tasks cannot be read: that is a finding already. */
function approvalMeaning(found: readonly ReadArtifact[]): readonly Finding[] {
  const approval = typed(
    Approval,
    found.find(({ file }) => file === 'approval.json'),
  );
  if (approval === null) return [];
  const planEntry = found.find(({ file }) => file === 'plan.json');
  const plan = typed(Plan, planEntry);
  const entries = found.filter(({ schema }) => schema === 'task');
  const listed = new Set(plan?.task_ids);
  const tasks = tasksIn(entries).map(({ task }) => task);
  const unreadable = tasks.length < entries.length || (planEntry !== undefined && plan === null);
  if (unreadable) return [];
  const approved = tasks.filter(({ id }) => listed.has(id));
  if (plan !== null && approvalHolds(approval, plan, approved)) return [];
  const message =
    'The plan is not the one that was approved; review it and approve it again before it is executed.';
  return [warning('approval-stale', 'approval.json', '/plan_hash', message)];
}

/** The files of a plan are changed together; one that died in the middle left this behind. */
function cutShort(folder: string): readonly Finding[] {
  const left = lstatSync(join(folder, unfinishedFile), { throwIfNoEntry: false });
  if (left === undefined) return [];
  const message =
    'A change of the plan was begun and is not finished, so plan and tasks may not fit together; "conclave review" completes it.';
  return [warning('plan-change-unfinished', unfinishedFile, '', message)];
}

function folderFindings(folder: string): readonly Finding[] {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() === true) return [];
  const isLink = stats?.isSymbolicLink() === true;
  const fault = isLink ? 'is a symbolic link' : 'is not a folder';
  const why = stats === undefined ? 'does not exist' : fault;
  const message = `The folder ${why}; name a session folder or one with plan.json.`;
  return [blocking(isLink ? 'link-refused' : 'folder-missing', '', message)];
}

function nothingHere(): Finding {
  const message =
    'The folder holds no file of a session; name a session folder or one with plan.json and .task/.';
  return blocking('nothing-to-validate', '', message);
}

function blocking(rule: string, file: string, message: string): Finding {
  return { severity: 'blocking', rule, file, pointer: '', message };
}

function warning(rule: string, file: string, pointer: string, message: string): Finding {
  return { severity: 'warning', rule, file, pointer, message };
}
