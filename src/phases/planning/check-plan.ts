// Checks a plan: shapes, rules, files that exist when needed, and the files and tasks of its solution.
import { kindOf } from '../../context/file-kinds.ts';
import { nameOfPath } from '../../git/paths.ts';
import type { Uncommittable } from '../../git/repository.ts';
import { cleanText } from '../../model/clean-text.ts';
import type { ContextPackage, PackagedRemark } from '../../model/context-package.ts';
import { type Finding, blockingFinding, warningFinding } from '../../model/finding.ts';
import { nameOf, planFindings, taskFile } from '../../model/plan-rules.ts';
import type { PlanFiles } from '../../model/plan.ts';
import { tidyPath } from '../../model/repository-path.ts';
import { hasFoundEvidence } from '../../model/found-evidence.ts';
import type { Task } from '../../model/task.ts';
import { ancestry } from '../../model/task-order.ts';
import { listed, oneLine } from '../../model/wording.ts';
import type { SchemaCheck } from '../../store/published-schemas.ts';
import { checkFindings, formOfChecks } from './check-checks.ts';
import { proofFindings } from './check-proves.ts';
import { originsOf, solutionFindings } from './check-solution.ts';
import { statementFindings } from './check-places.ts';
import { type PlanBase, type PlanRepository, openPlanBase } from './plan-base.ts';
import { type Touch, openTouches, touchesOf } from './touches.ts';

/** A plan with its tasks, and the package that it was made from. */
export interface PlannedFiles extends PlanFiles {
  readonly contextPackage: ContextPackage;
}

/**
 * Checks a plan that is not on disk yet: against the published (and any extended) schemas, by the rules of
 * `planFindings`, and against solution and base. What makes execution unsafe or impossible blocks, the rest
 * warns. Blocking findings come first.
 */
export async function planFindingsOf({
  tools: { schemas, repository },
  ...made
}: PlannedFiles & {
  readonly tools: {
    readonly schemas: Pick<SchemaCheck, 'check'>;
    readonly repository: PlanRepository;
  };
}): Promise<readonly Finding[]> {
  return putBlockingFirst([
    ...formFindings(made, schemas),
    ...(await checkAgainstBase({ ...made, repository })),
  ]);
}

/** Checks a plan against its schemas, and against the rules that need nothing besides the plan. */
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

/** Finds the faults of one file according to its schema. */
export function shapeFindings(
  file: string,
  faults: ReturnType<SchemaCheck['check']>,
): readonly Finding[] {
  return faults.map(({ pointer, message }) => blockingFinding('shape', file, pointer, message));
}

/** Checks a plan against the decided solution and the base; `repository` is null if the base is unknown. */
export async function checkAgainstBase({
  repository,
  ...made
}: PlannedFiles & { readonly repository: PlanRepository | null }): Promise<readonly Finding[]> {
  const { tasks } = made;
  const base = repository === null ? null : openPlanBase(repository);
  const atBase = base === null ? null : { ...made, base, touches: openTouches(tasks) };
  return [
    ...(await fileFindings(tasks, base)),
    ...uncoveredFiles(made),
    ...foreignFiles(made),
    ...originFindings(made),
    ...solutionFindings(made),
    ...remarkFindings(made),
    ...proofFindings(made),
    ...tasks.flatMap(formOfChecks),
    ...(atBase === null ? [] : await statementFindings(atBase)),
    ...(atBase === null ? [] : await checkFindings(atBase)),
  ];
}

/** Rules for statements about the repository that the repository shows to be untrue. */
export const untrueRules: ReadonlySet<string> = new Set([
  'check-lost',
  'check-outside',
  'checks-hold',
  'place-missing',
  'program-unknown',
  'use-missing',
]);

export function putBlockingFirst(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => rank[a.severity] - rank[b.severity]);
}

const rank: Readonly<Record<Finding['severity'], number>> = { blocking: 0, warning: 1 };

/** The files of the tasks, in the order in which the tasks run. */
async function fileFindings(
  tasks: readonly Task[],
  base: PlanBase | null,
): Promise<readonly Finding[]> {
  const comesAfter = ancestry(tasks);
  const isThere = new Map<string, boolean | undefined>();
  const last = new Map<string, string>();
  const found: Finding[] = [];
  const touches = touchesOf(tasks);
  const outside = await base?.uncommittable(touches.map(({ path }) => path));
  const ignoresOthers = touches.some(({ path }) => nameOfPath(path) === '.gitignore');
  for (const touch of touches) {
    const { path, task, action } = touch;
    if (!isThere.has(path)) isThere.set(path, await base?.exists(path));
    const before = last.get(path);
    const reason = outside?.get(path);
    if (reason !== 'ignored' || !ignoresOthers) found.push(...uncommittableFinding(touch, reason));
    found.push(...existenceFinding(touch, { isThere: isThere.get(path), before }));
    // A circle is reported by a finding of its own.
    if (before !== undefined && before !== task && comesAfter?.(task, before) === false) {
      found.push(sharedBy(touch, before));
    }
    isThere.set(path, action !== 'delete');
    last.set(path, task);
  }
  return found;
}

/** Checks one action on a file; `before` is the task that last touched the file. */
function existenceFinding(
  { task, path, action, pointer }: Touch,
  {
    isThere,
    before,
  }: { readonly isThere: boolean | undefined; readonly before?: string | undefined },
): readonly Finding[] {
  const file = taskFile(task);
  if (isThere === true && action === 'create') {
    const why = before === undefined ? 'already' : `after ${nameOf(before)}`;
    return [
      warningFinding(
        'file-exists',
        file,
        `${pointer}/action`,
        `${nameOf(task)} creates ${path}, which exists ${why}; set the action to "modify" or choose another path.`,
      ),
    ];
  }
  if (isThere === false && (action === 'modify' || action === 'delete')) {
    const why =
      before === undefined
        ? 'does not exist at the base and which no earlier task creates'
        : `${nameOf(before)} deletes before it`;
    return [
      blockingFinding(
        'file-missing',
        file,
        `${pointer}/path`,
        `${nameOf(task)} is to ${action} ${path}, which ${why}; correct the path or the action.`,
      ),
    ];
  }
  return [];
}

function uncommittableFinding(
  { task, path, pointer }: Touch,
  reason: Uncommittable | undefined,
): readonly Finding[] {
  if (reason === undefined) return [];
  const why = {
    ignored:
      'git ignores, so no commit can contain it; name another path, or let a task before it change .gitignore',
    submodule:
      'lies in a submodule, so no commit of this repository can contain it; plan it in a session of that repository',
  };
  return [
    warningFinding(
      'file-uncommittable',
      taskFile(task),
      `${pointer}/path`,
      `${nameOf(task)} names ${path}, which ${why[reason]}.`,
    ),
  ];
}

function sharedBy({ task, path, pointer }: Touch, before: string): Finding {
  const [one, other] = [nameOf(task), nameOf(before)];
  return blockingFinding(
    'file-shared',
    taskFile(task),
    pointer,
    `${one} and ${other} may run at once and both touch ${path}; let ${one} depend on ${other}.`,
  );
}

function uncoveredFiles({ tasks, contextPackage }: PlannedFiles): readonly Finding[] {
  const covered = new Set(
    tasks.flatMap(({ files = [] }) => files.map(({ path }) => tidyPath(path))),
  );
  // A file whose reference failed the check may never have existed.
  const sound = contextPackage.affected_files.filter(({ status }) => status !== 'failed');
  const affected = new Map(sound.map((file) => [tidyPath(file.file), file]));
  return [...affected]
    .filter(([path]) => !covered.has(path))
    .map(([, { file, action }]) => {
      const message = `The chosen option ${actionTexts[action]} ${cleanText(file)}, but no task does; add it to the files of a task.`;
      return blockingFinding('file-uncovered', 'plan.json', '/task_ids', message);
    });
}

const actionTexts = { modify: 'changes', create: 'creates', delete: 'deletes' } as const;

/**
 * Warns about source files that only a rejected solution changes: the plan may follow that solution under the
 * name of the chosen one. A file that a decision, a remark or the user names is included on purpose.
 */
function foreignFiles({ plan, tasks, contextPackage }: PlannedFiles): readonly Finding[] {
  const { alternatives = [], remarks = [], feedback, clarifications } = contextPackage;
  const said = JSON.stringify([plan.design_decisions, remarks, feedback, clarifications]);
  const owner = new Map(
    alternatives.flatMap(({ name, own_files: files = [] }) =>
      files
        .filter((path) => kindOf(path) === 'source' && !said.includes(path))
        .map((path) => [path, name] as const),
    ),
  );
  const touches = new Map(touchesOf(tasks).map((touch) => [touch.path, touch] as const));
  return [...touches.values()].flatMap(({ task, path, pointer }) => {
    const name = owner.get(path);
    if (name === undefined) return [];
    return [
      warningFinding(
        'file-foreign',
        taskFile(task),
        pointer,
        `${nameOf(task)} changes ${path}, which only "${oneLine(cleanText(name))}" changes, a solution that was not chosen; leave it out, or say in design_decisions why it is needed.`,
      ),
    ];
  });
}

/** Checks that each task of the decided solution is covered by a task of the plan. */
function originFindings({ plan, tasks, contextPackage }: PlannedFiles): readonly Finding[] {
  const { tasks: wanted } = contextPackage.implementation_plan;
  const stated = new Set(tasks.flatMap(originsOf));
  // With a single-task solution, every task of the plan belongs to it.
  if (wanted.length < 2) return [];
  if (stated.size === 0) {
    const message =
      'No task says in source.original_id which task of the solution it carries out, so nobody can tell whether all of them are here.';
    return [warningFinding('origin-unknown', 'plan.json', '/task_ids', message)];
  }
  const removed = new Set(plan.removed_tasks?.flatMap((task) => originsOf({ source: task })));
  return wanted
    .filter(({ id }) => !stated.has(id) && !removed.has(id))
    .map(({ id, name }) => {
      const message = `No task carries out ${id} of the solution ("${oneLine(cleanText(name))}"); add one with source.original_id "${id}", or name it in the task that does its work.`;
      return blockingFinding('origin-lost', 'plan.json', '/task_ids', message);
    });
}

/**
 * Checks that each remark of the examinations appears in the plan: in `answers`, or by its id in any text of a
 * task or decision. Remarks that the code confirms block; the rest warns. A remark that a revision met or its
 * authors withdrew requires nothing, nor does a note, which is a reason to support or doubt the solution.
 */
function remarkFindings({ plan, tasks, contextPackage }: PlannedFiles): readonly Finding[] {
  const texts = JSON.stringify([plan.design_decisions ?? [], tasks]);
  const answered = new Set(texts.match(/\bO\d{1,3}\b/g));
  return (contextPackage.remarks ?? [])
    .filter(({ kind, state }) => kind !== 'note' && state !== 'met' && state !== 'withdrawn')
    .filter(({ id }) => !answered.has(id))
    .map((remark) => {
      const { id, kind, text, agents } = remark;
      const whose = `${listed(agents)}’s ${kindText[kind]}`;
      const message = `${whose} is not in the plan: "${oneLine(cleanText(text))}" (${id}); let a task do it, or refuse it in design_decisions with a reason, and name ${id} in its answers.`;
      const find = hasFoundEvidence(remark) ? blockingFinding : warningFinding;
      return find('remark-unanswered', 'plan.json', '/design_decisions', message);
    });
}

const kindText: Readonly<Record<PackagedRemark['kind'], string>> = {
  objection: 'objection',
  note: 'note',
  change: 'request',
  adopted: 'wish to take over a part of another solution',
};
