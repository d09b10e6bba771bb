// Checks all files of a session folder, which it reads safely.
import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { Approval } from '../../model/decision.ts';
import { cleanText } from '../../model/clean-text.ts';
import { type Base, CodebaseContext } from '../../model/context.ts';
import { ContextPackage } from '../../model/context-package.ts';
import { type Finding, blockingFinding, warningFinding } from '../../model/finding.ts';
import { jsonIn } from '../../model/json.ts';
import { editedFindings, planFindings, taskFile } from '../../model/plan-rules.ts';
import { Plan } from '../../model/plan.ts';
import { pathProblem } from '../../model/repository-path.ts';
import type { SchemaName } from '../../model/published.ts';
import { Task } from '../../model/task.ts';
import type { SchemaCheck } from '../../store/published-schemas.ts';
import { isSystemError } from '../../store/system-error.ts';
import { approvalHolds } from './plan-hash.ts';
import { type PlannedFiles, checkAgainstBase, shapeFindings } from './check-plan.ts';
import { editRule, proofFile, proofHash } from '../proof/proof-files.ts';
import { jsonFault } from './json-fault.ts';
import type { PlanRepository } from './plan-base.ts';
import { unfinishedFile } from './write-plan.ts';

/**
 * Checks what is in a session folder, or in any folder with `plan.json` and `.task/`: first that it can be
 * read, then its shape, then its meaning, then if the approval still fits. A file that does not exist yet is
 * not a fault, except for parts of a plan. `folder` is an absolute path. With `context-package.json`, the plan
 * check runs, too: `openBase` opens the base that the folder names (null for none) for it, and returns null if
 * that is impossible.
 */
export async function validateFolder(checked: CheckedFolder): Promise<readonly Finding[]> {
  return (await readFolder(checked)).findings;
}

interface CheckedFolder {
  readonly folder: string;
  readonly check: SchemaCheck['check'];
  readonly openBase?: (base: Base | null) => Promise<PlanRepository | null>;
  readonly known?: KnownFiles | undefined;
}

/** The files that were checked before, by path: one that still has the same text is not checked again. */
export type KnownFiles = Map<string, { readonly text: string; readonly read: ReadArtifact }>;

/** Returns the findings, and the plan, even if it does not fit the schemas; null if it cannot be read. */
export async function readFolder({
  folder,
  check,
  openBase = async () => null,
  known = new Map(),
}: CheckedFolder): Promise<{
  readonly findings: readonly Finding[];
  readonly stored: PlannedFiles | null;
}> {
  const { artifacts, findings } = listArtifacts(folder);
  const found = artifacts.flatMap((one) => readArtifact(folder, one, { check, known }) ?? []);
  if (found.length === 0 && findings.length === 0) {
    const message =
      'The folder has no session files; name a session folder or one with plan.json and .task/.';
    return { findings: [blockingFinding('nothing-to-validate', '', '', message)], stored: null };
  }
  const good = found.filter(({ isGood }) => isGood);
  const plan = valueIn(good, 'plan.json', Plan);
  const tasks = good.flatMap(({ file, task }) => (task === null ? [] : { file, task }));
  const files = found.flatMap(({ file, schema }) => (schema === 'task' ? file : []));
  // The plan check needs all parts of the plan, and the package it was made from.
  const made = planIn(good);
  const base = valueIn(good, 'codebase-context.json', CodebaseContext)?.base ?? null;
  const all = [
    ...findings,
    ...found.flatMap((entry) => entry.findings),
    ...(plan === null
      ? planMissing(found, files)
      : [...planFindings({ plan, tasks, files }), ...editedFindings(tasks)]),
    ...(made === null ? [] : await checkAgainstBase({ ...made, repository: await openBase(base) })),
    // An unreadable plan or task is already a finding.
    ...(tasks.length < files.length ? [] : approvalMeaning(found, { plan, tasks })),
    ...cutShort(folder),
    ...proofCodeFindings(folder, plan),
  ];
  return { findings: all, stored: planIn(found) };
}

/** Finds proofs whose code is not what ran at the base. */
function proofCodeFindings(folder: string, plan: Plan | null): readonly Finding[] {
  return (plan?.proofs ?? []).flatMap((proof, at) => {
    const { id, path } = proof;
    const content = pathProblem(path) === null ? textIn(folder, proofFile(proof)) : null;
    const pointer = `/proofs/${at}`;
    if (content === null) {
      const message = `The code of ${id} is missing (${proofFile(proof)}); put it back, or drop the proof.`;
      return [blockingFinding('proof-missing', 'plan.json', pointer, message)];
    }
    if (typeof content !== 'string') return [content];
    if (proofHash({ ...proof, content }) === proof.hash) return [];
    const message = `${id} was changed and has not run since; the next review runs it at the base.`;
    return [blockingFinding(editRule, 'plan.json', pointer, message)];
  });
}

/** The typed value of a file; null if it is missing or does not fit. */
function valueIn<T>(found: readonly ReadArtifact[], name: string, shape: z.ZodType<T>): T | null {
  return shape.safeParse(found.find(({ file }) => file === name)?.value).data ?? null;
}

function planIn(found: readonly ReadArtifact[]): PlannedFiles | null {
  const plan = valueIn(found, 'plan.json', Plan);
  const contextPackage = valueIn(found, 'context-package.json', ContextPackage);
  if (plan === null || contextPackage === null) return null;
  const byFile = new Map(found.map(({ file, task }) => [file, task]));
  const tasks = plan.task_ids.flatMap((id) => {
    const task = byFile.get(taskFile(id));
    return task?.id === id ? task : [];
  });
  return tasks.length < plan.task_ids.length ? null : { plan, tasks, contextPackage };
}

/** Finds task files without a plan; one that cannot be read is already a finding. */
function planMissing(found: readonly ReadArtifact[], files: readonly string[]) {
  if (files.length === 0 || found.some(({ file }) => file === 'plan.json')) return [];
  const message = 'There are task files but no plan.json; write it.';
  return [blockingFinding('plan-missing', 'plan.json', '', message)];
}

function approvalMeaning(
  found: readonly ReadArtifact[],
  { plan, tasks }: { readonly plan: Plan | null; readonly tasks: readonly { task: Task }[] },
): readonly Finding[] {
  const approval = valueIn(
    found.filter(({ isGood }) => isGood),
    'approval.json',
    Approval,
  );
  const isBad = plan === null && found.some(({ file }) => file === 'plan.json');
  if (approval === null || isBad) return [];
  const listed = new Set(plan?.task_ids);
  const own = tasks.flatMap(({ task }) => (listed.has(task.id) ? task : []));
  if (plan !== null && approvalHolds(approval, plan, own)) return [];
  const message =
    'The plan is not the one that was approved; review it and approve it again before it is executed.';
  return [warningFinding('approval-stale', 'approval.json', '/plan_hash', message)];
}

/** Reports an interrupted change of the plan’s files, which are changed together. */
function cutShort(folder: string): readonly Finding[] {
  const left = lstatSync(join(folder, unfinishedFile), { throwIfNoEntry: false });
  if (left === undefined) return [];
  return [
    warningFinding(
      'plan-change-unfinished',
      unfinishedFile,
      '',
      'A change of the plan was started and not finished, so plan and tasks may not fit together; "conclave review" completes it.',
    ),
  ];
}

/** A JSON file of a session folder that has a published schema. */
interface Artifact {
  /** The path relative to the folder. */
  readonly file: string;
  readonly schema: SchemaName;
}

const singles = [
  'session-state',
  'codebase-context',
  'context-package',
  'plan',
  'approval',
  'execution-context',
  'execution-result',
  'code-review',
] as const;

/** Lists every file that may exist, and the links on the way. */
function listArtifacts(folder: string): {
  readonly artifacts: readonly Artifact[];
  readonly findings: readonly Finding[];
} {
  const tasks = entriesOf(folder, '.task');
  const rounds = entriesOf(folder, 'rounds');
  const numbers = rounds.names.filter((name) => /^\d+$/.test(name));
  const inRounds = numbers.map((name) => entriesOf(folder, `rounds/${name}`));
  return {
    artifacts: [
      ...singles.map((schema) => ({ file: `${schema}.json`, schema })),
      { file: 'proof/proof.json', schema: 'proof' as const },
      ...tasks.names
        .filter((name) => name.endsWith('.json'))
        .map((name) => ({ file: `.task/${name}`, schema: 'task' as const })),
      // A round whose folder is a link contributes nothing.
      ...inRounds
        .filter((round) => round.findings.length === 0)
        .map(({ inner }) => ({ file: `${inner}/synthesis.json`, schema: 'synthesis' as const })),
    ],
    findings: [tasks, rounds, ...inRounds].flatMap(({ findings }) => findings),
  };
}

/** Lists the names in a folder, in order; a link instead of the folder is not followed. */
function entriesOf(folder: string, inner: string) {
  const path = join(folder, inner);
  const refused = (rule: string, clause: string) => {
    return { inner, names: [], findings: [unreadable(inner, rule, clause)] };
  };
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { inner, names: [], findings: [] };
    if (!stats.isDirectory()) return refused('link-refused', 'is not a folder; put one here');
    return { inner, names: readdirSync(path).toSorted(byNumber.compare), findings: [] };
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return refused('unreadable', `cannot be read (${error.code}); check its permissions`);
  }
}

const byNumber = new Intl.Collator('en', { numeric: true });

/** A file that exists. */
interface ReadArtifact extends Artifact {
  readonly isGood: boolean;
  readonly value: unknown;
  /** Null if it is not a task, or not readable as one. */
  readonly task: Task | null;
  readonly findings: readonly Finding[];
}

/** Reads and checks a file of the session; null if it does not exist. */
function readArtifact(
  folder: string,
  artifact: Artifact,
  { check, known }: { readonly check: SchemaCheck['check']; readonly known: KnownFiles },
): ReadArtifact | null {
  const { file, schema } = artifact;
  const text = textIn(folder, file);
  if (text === null) return null;
  const unread = (fault: Finding) => {
    return { ...artifact, isGood: false, value: null, task: null, findings: [fault] };
  };
  if (typeof text !== 'string') return unread(text);
  const before = known.get(file);
  if (before?.text === text) return before.read;
  const value = jsonIn(text);
  if (value === undefined)
    return unread(unreadable(file, 'invalid-json', `is not JSON${jsonFault(text)}`));
  const findings = shapeFindings(file, check(schema, value));
  const task = schema === 'task' ? (Task.safeParse(value).data ?? null) : null;
  // Keeps a single form of the value, because there may be thousands of tasks.
  const read = { ...artifact, isGood: findings.length === 0, value: task ?? value, task, findings };
  known.set(file, { text, read });
  return read;
}

/**
 * The largest file that is read, in bytes: real ones are far smaller, and a hostile one must not fill the
 * memory.
 */
const largest = 32 * 1024 * 1024;

/**
 * The text of a file, or the reason why it cannot be read; null if there is none. Reads synchronously, which is
 * several times faster for a thousand small task files.
 */
function textIn(folder: string, file: string): string | Finding | null {
  const opened = openPlain(join(folder, file));
  if (opened === 'ENOENT') return null;
  if (opened === 'ELOOP') {
    return unreadable(file, 'link-refused', 'is a symbolic link; put the file itself here');
  }
  if (typeof opened === 'string') {
    return unreadable(file, 'unreadable', `cannot be opened (${opened}); check its permissions`);
  }
  try {
    const stats = fstatSync(opened);
    const { size } = stats;
    if (!stats.isFile()) return unreadable(file, 'not-a-file', 'is not a regular file; remove it');
    if (size > largest) {
      return unreadable(file, 'too-large', `is ${size} bytes long, more than any artifact can be`);
    }
    const bytes = readFileSync(opened);
    if (!isUtf8(bytes)) return unreadable(file, 'not-utf8', 'is not UTF-8 text; save it as UTF-8');
    return bytes.toString();
  } finally {
    closeSync(opened);
  }
}

/** Opens a file; a link as the last part of the path fails with ELOOP, and a pipe does not block. */
function openPlain(path: string): number | string {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isSystemError(error)) return error.code;
    throw error;
  }
}

function unreadable(file: string, rule: string, clause: string): Finding {
  return blockingFinding(rule, file, '', `${cleanText(file)} ${clause}.`);
}
