// Checks a plan: shapes, rules, files that exist when their turn comes, the files and tasks of its solution.
import type { Repository } from '../../git/repository.ts';
import { cleanText } from '../../model/clean-text.ts';
import type { ContextPackage, PackagedRemark } from '../../model/context-package.ts';
import { type Finding, blockingFinding, warningFinding } from '../../model/finding.ts';
import { nameOf, planFindings, taskFile } from '../../model/plan-rules.ts';
import type { PlanFiles } from '../../model/plan.ts';
import { pathProblem, tidyPath } from '../../model/repository-path.ts';
import { hasFoundEvidence } from '../../model/found-evidence.ts';
import type { Task } from '../../model/task.ts';
import { ancestry, tasksInOrder } from '../../model/task-order.ts';
import { oneLine } from '../../model/wording.ts';
import type { SchemaCheck } from '../../store/published-schemas.ts';

/** A plan with its tasks, and what it was made from. */
export interface PlannedFiles extends PlanFiles {
  readonly contextPackage: ContextPackage;
}

/** Says if a path inside the repository is a file at the base. */
export type Exists = (path: string) => Promise<boolean>;

/**
 * The plan check of a plan that is not on disk yet: the published (and any extended) schemas, the
 * rules of `planFindings`, and the plan against solution and base. What makes execution unsafe or
 * impossible blocks, the rest warns. Blocking ones first.
 */
export async function planFindingsOf({
  tools: { schemas, repository },
  ...made
}: PlannedFiles & {
  readonly tools: {
    readonly schemas: Pick<SchemaCheck, 'check'>;
    readonly repository: Pick<Repository, 'exists'>;
  };
}): Promise<readonly Finding[]> {
  const exists = (path: string) => repository.exists(path);
  return putBlockingFirst([
    ...formFindings(made, schemas),
    ...(await checkAgainstSolution({ ...made, exists })),
  ]);
}

/** Checks a plan against its schemas, and against the rules that need nothing but the plan. */
export function formFindings(
  { plan, tasks }: PlanFiles,
  schemas: Pick<SchemaCheck, 'check'>,
): readonly Finding[] {
  const entries = tasks.map((task) => ({ file: taskFile(task.id), task }));
  return [
    ...shapeFindings('plan.json', schemas.check('plan', plan)),
    ...entries.flatMap(({ file, task }) => shapeFindings(file, schemas.check('task', task))),
    ...planFindings({ plan, tasks: entries }),
  ];
}

/** The faults of one file against its schema. */
export function shapeFindings(
  file: string,
  faults: ReturnType<SchemaCheck['check']>,
): readonly Finding[] {
  return faults.map((fault) => blockingFinding({ rule: 'shape', file, ...fault }));
}

/** The plan against the decided solution and the base; `exists` is null where no base is known. */
export async function checkAgainstSolution({
  exists,
  ...made
}: PlannedFiles & { readonly exists: Exists | null }): Promise<readonly Finding[]> {
  const { tasks } = made;
  return [
    ...(await fileFindings(tasks, exists)),
    ...uncoveredFiles(made),
    ...originFindings(made),
    ...remarkFindings(made),
    ...tasks.flatMap((task) => [...criteriaFindings(task), ...commandFindings(task)]),
  ];
}

export function putBlockingFirst(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => rank[a.severity] - rank[b.severity]);
}

const rank: Readonly<Record<Finding['severity'], number>> = { blocking: 0, warning: 1 };

/** The files of the tasks, in the order in which the tasks run. */
async function fileFindings(
  tasks: readonly Task[],
  exists: Exists | null,
): Promise<readonly Finding[]> {
  const comesAfter = ancestry(tasks);
  const isThere = new Map<string, boolean | undefined>();
  const last = new Map<string, string>();
  const found: Finding[] = [];
  for (const touch of touchesOf(tasks)) {
    const { path, task, action } = touch;
    if (!isThere.has(path)) isThere.set(path, await exists?.(path));
    const before = last.get(path);
    found.push(...existenceFinding(touch, { isThere: isThere.get(path), before }));
    // A circle is a finding of its own.
    if (before !== undefined && before !== task && comesAfter?.(task, before) === false) {
      found.push(sharedBy(touch, before));
    }
    isThere.set(path, action !== 'delete');
    last.set(path, task);
  }
  return found;
}

type Touch = ReturnType<typeof touchesOf>[number];

/** Paths that may not be touched at all are named by `planFindings`. */
function touchesOf(tasks: readonly Task[]) {
  return tasksInOrder(tasks).flatMap(({ id, files = [] }) =>
    files
      .map(({ path, action }, index) => ({ task: id, path, action, pointer: `/files/${index}` }))
      .filter(({ path }) => pathProblem(path) === null)
      .map((touch) => ({ ...touch, path: tidyPath(touch.path) })),
  );
}

/** `before` is the task that touched the file last. */
function existenceFinding(
  { task, path, action, pointer }: Touch,
  {
    isThere,
    before,
  }: { readonly isThere: boolean | undefined; readonly before?: string | undefined },
): readonly Finding[] {
  const file = taskFile(task);
  if (isThere === true && action === 'create') {
    const why = before === undefined ? 'already' : `by then because of ${nameOf(before)}`;
    const message = `${nameOf(task)} creates ${path}, which exists ${why}; set the action to "modify" or choose another path.`;
    return [warningFinding({ rule: 'file-exists', file, pointer: `${pointer}/action`, message })];
  }
  if (isThere === false && (action === 'modify' || action === 'delete')) {
    const why =
      before === undefined
        ? 'does not exist at the base and which no earlier task creates'
        : `${nameOf(before)} deletes before it`;
    const message = `${nameOf(task)} is to ${action} ${path}, which ${why}; correct the path or the action.`;
    return [blockingFinding({ rule: 'file-missing', file, pointer: `${pointer}/path`, message })];
  }
  return [];
}

function sharedBy({ task, path, pointer }: Touch, before: string): Finding {
  const [one, other] = [nameOf(task), nameOf(before)];
  const message = `${one} and ${other} may run at once and both touch ${path}; let ${one} depend on ${other}.`;
  return blockingFinding({ rule: 'file-shared', file: taskFile(task), pointer, message });
}

const taskIds = { file: 'plan.json', pointer: '/task_ids' } as const;

function uncoveredFiles({ tasks, contextPackage }: PlannedFiles): readonly Finding[] {
  const covered = new Set(
    tasks.flatMap(({ files = [] }) => files.map(({ path }) => tidyPath(path))),
  );
  // A file whose reference failed the check may never have been there.
  const sound = contextPackage.affected_files.filter(({ status }) => status !== 'failed');
  const affected = new Map(sound.map((file) => [tidyPath(file.file), file]));
  return [...affected]
    .filter(([path]) => !covered.has(path))
    .map(([, { file, action }]) => {
      const message = `The solution wants to ${action} ${cleanText(file)}, but no task names it; add it to the files of a task.`;
      return blockingFinding({ rule: 'file-uncovered', ...taskIds, message });
    });
}

/** Checks that each task of the decided solution is carried out by one of the plan. */
function originFindings({ plan, tasks, contextPackage }: PlannedFiles): readonly Finding[] {
  const { tasks: wanted } = contextPackage.implementation_plan;
  const stated = new Set(tasks.flatMap(originsOf));
  // Of a solution with one task, every task is a part.
  if (wanted.length < 2) return [];
  if (stated.size === 0) {
    const message =
      'No task says in source.original_id which task of the solution it carries out, so nobody can tell whether all of them are here.';
    return [warningFinding({ rule: 'origin-unknown', ...taskIds, message })];
  }
  const removed = new Set(plan.removed_tasks?.flatMap((task) => originsOf({ source: task })));
  return wanted
    .filter(({ id }) => !stated.has(id) && !removed.has(id))
    .map(({ id, name }) => {
      const message = `No task carries out ${id} of the solution ("${oneLine(cleanText(name))}"); add one with source.original_id "${id}", or name it in the task that does its work.`;
      return blockingFinding({ rule: 'origin-lost', ...taskIds, message });
    });
}

/**
 * Checks that each remark of the examinations shows in the plan: in `answers`, or by its id in any
 * text of a task or decision. What the code bears out blocks, the rest warns; a note, which is a reason
 * to support the solution or to doubt it, asks for nothing.
 */
function remarkFindings({ plan, tasks, contextPackage }: PlannedFiles): readonly Finding[] {
  const texts = JSON.stringify([plan.design_decisions ?? [], tasks]);
  const answered = new Set(texts.match(/\bO\d{1,3}\b/g));
  return (contextPackage.remarks ?? [])
    .filter(({ id, kind }) => kind !== 'note' && !answered.has(id))
    .map((remark) => {
      const { id, kind, text } = remark;
      const message = `No task and no decision answers ${id}, ${kindText[kind]}: "${oneLine(cleanText(text))}"; let a task do it, or refuse it in design_decisions with a reason, and name ${id} in its answers.`;
      const finding = { rule: 'remark-unanswered', ...decisions, message };
      return hasFoundEvidence(remark) ? blockingFinding(finding) : warningFinding(finding);
    });
}

const decisions = { file: 'plan.json', pointer: '/design_decisions' } as const;

const kindText: Readonly<Record<PackagedRemark['kind'], string>> = {
  objection: 'an objection to the solution',
  note: 'a note on the solution',
  change: 'a change that a supporter asks for',
  adopted: 'a part to take over from another solution',
};

/** Which tasks of the solution a task says that it carries out, e.g. `T1` and `T3`. */
export function originsOf({
  source,
}: {
  readonly source?: { readonly original_id?: string | undefined } | undefined;
}): readonly string[] {
  return source?.original_id?.match(/T\d{1,3}/g) ?? [];
}

function criteriaFindings({ id, convergence }: Task): readonly Finding[] {
  if (convergence.criteria.some((text) => text.trim() !== '')) return [];
  const message = `${nameOf(id)} has no criterion, so nobody could tell when it is done; add one that can be tested.`;
  const at = { file: taskFile(id), pointer: '/convergence/criteria' };
  return [blockingFinding({ rule: 'criteria-missing', ...at, message })];
}

/** Commands are started without a shell: a shell line as one argument could not run. */
function commandFindings({ id, checks = [] }: Task): readonly Finding[] {
  return checks.flatMap((check, index) => {
    if (check.kind !== 'command' || namesProgram(check.argv)) return [];
    const message = `${nameOf(id)} has a check that passes a whole line to a shell or names no program; give the program and each argument as separate entries of argv.`;
    const at = { file: taskFile(id), pointer: `/checks/${index}/argv` };
    return [warningFinding({ rule: 'check-shell', ...at, message })];
  });
}

function namesProgram([program = '', ...rest]: readonly string[]): boolean {
  const isShell = /(?:^|[/\\])(?:ba|z|da)?sh$/.test(program) && rest[0]?.startsWith('-');
  const isLine = rest.length === 0 && /\s/.test(program.trim());
  return program.trim() !== '' && isShell !== true && !isLine;
}
