// Checks a plan: shapes, rules, files that exist when needed, and the files and tasks of its solution.
import { nameOfPath } from '../../git/paths.ts';
import { isProgram } from '../../model/check.ts';
import { cleanText } from '../../model/clean-text.ts';
import type { ContextPackage, PackagedRemark } from '../../model/context-package.ts';
import { type Finding, blockingFinding, warningFinding } from '../../model/finding.ts';
import { nameOf, planFindings, taskFile, taskWarning } from '../../model/plan-rules.ts';
import type { PlanFiles } from '../../model/plan.ts';
import { tidyPath } from '../../model/repository-path.ts';
import { hasFoundEvidence } from '../../model/found-evidence.ts';
import { type Task, checksOf, filesOf } from '../../model/task.ts';
import { ancestry } from '../../model/task-order.ts';
import { clause, listed, oneLine } from '../../model/wording.ts';
import type { SchemaCheck } from '../../store/published-schemas.ts';
import { checkFindings, formOfChecks } from './check-checks.ts';
import { statementFindings } from './check-places.ts';
import { type PlanBase, type PlanRepository, openPlanBase } from './plan-base.ts';
import { openTouches, originsOf, touchesOf } from './touches.ts';

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
  const found = [
    ...(await fileFindings(tasks, base)),
    ...uncoveredFiles(made),
    ...originFindings(made),
    ...remarkFindings(made),
    ...proofFindings(made),
    ...tasks.flatMap(formOfChecks),
  ];
  if (base === null) return found;
  const atBase = { ...made, base, touches: openTouches(tasks) };
  return [...found, ...(await statementFindings(atBase)), ...(await checkFindings(atBase))];
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
  return Object.values(
    Object.groupBy(findings, ({ severity }) => (severity === 'blocking' ? 0 : 1)),
  ).flat();
}

const outsideCommits = {
  ignored:
    'git ignores, so no commit can contain it; name another path, or let a task before it change .gitignore',
  submodule:
    'lies in a submodule, so no commit of this repository can contain it; plan it in a session of that repository',
} as const;

/** Follows each file through the tasks, in the order in which they run. */
async function fileFindings(
  tasks: readonly Task[],
  base: PlanBase | null,
): Promise<readonly Finding[]> {
  const comesAfter = ancestry(tasks);
  const last = new Map<string, { readonly task: string; readonly isThere: boolean }>();
  const found: Finding[] = [];
  const touches = touchesOf(tasks);
  const outside = await base?.uncommittable(touches.map(({ path }) => path));
  const ignoresOthers = touches.some(({ path }) => nameOfPath(path) === '.gitignore');
  for (const { task, path, action, pointer } of touches) {
    const before = last.get(path);
    const isThere = before?.isThere ?? (await base?.exists(path));
    const reason = outside?.get(path);
    if (reason !== undefined && !(reason === 'ignored' && ignoresOthers)) {
      const says = `names ${path}, which ${outsideCommits[reason]}.`;
      found.push(taskWarning(task, 'file-uncommittable', `${pointer}/path`, says));
    }
    if (isThere === true && action === 'create') {
      const when = before === undefined ? 'already' : `after ${nameOf(before.task)}`;
      const says = `creates ${path}, which exists ${when}; set the action to "modify" or choose another path.`;
      found.push(taskWarning(task, 'file-exists', `${pointer}/action`, says));
    }
    if (isThere === false && (action === 'modify' || action === 'delete')) {
      const why =
        before === undefined
          ? 'does not exist at the base and which no earlier task creates'
          : `${nameOf(before.task)} deletes before it`;
      const message = `${nameOf(task)} is to ${action} ${path}, which ${why}; correct the path or the action.`;
      found.push(blockingFinding('file-missing', taskFile(task), `${pointer}/path`, message));
    }
    // A circle is reported by a finding of its own.
    if (before !== undefined && before.task !== task && comesAfter?.(task, before.task) === false) {
      const [one, other] = [nameOf(task), nameOf(before.task)];
      const message = `${one} and ${other} may run at once and both touch ${path}; let ${one} depend on ${other}.`;
      found.push(blockingFinding('file-shared', taskFile(task), pointer, message));
    }
    last.set(path, { task, isThere: action !== 'delete' });
  }
  return found;
}

/** Finds files of the solution that no task names; one whose reference failed may never have existed. */
function uncoveredFiles({ tasks, contextPackage }: PlannedFiles): readonly Finding[] {
  const covered = new Set(filesOf(tasks).map(tidyPath));
  const sound = contextPackage.affected_files.filter(({ status }) => status !== 'failed');
  const affected = new Map(sound.map((file) => [tidyPath(file.file), file]));
  return [...affected].flatMap(([path, { file, action }]) => {
    if (covered.has(path)) return [];
    const message = `The chosen option ${actionTexts[action]} ${cleanText(file)}, but no task does; add it to the files of a task.`;
    return blockingFinding('file-uncovered', 'plan.json', '/task_ids', message);
  });
}

const actionTexts = { modify: 'changes', create: 'creates', delete: 'deletes' } as const;

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

/** Checks a plan with proofs; a plan without any has no findings. If all hold, the request may be met already. */
function proofFindings({ plan, tasks }: PlanFiles): readonly Finding[] {
  const { proofs = [] } = plan;
  if (proofs.length === 0) return [];
  const taken = new Set(tasks.flatMap(({ proves = [] }) => proves));
  const untaken = proofs.flatMap(({ id, sentence, state }, at) =>
    state === 'holds' || taken.has(id)
      ? []
      : blockingFinding(
          'proof-untaken',
          'plan.json',
          `/proofs/${at}`,
          `${id} fails today, and no task turns it green ("${clause(sentence)}"); name it in the proves of the task that does, or let a person drop it.`,
        ),
  );
  const touched = touchesOf(tasks).flatMap(({ task, path, pointer }) => {
    const proof = proofs.find((one) => one.path === path);
    if (proof === undefined) return [];
    const message = `${nameOf(task)} names ${path}, the file of ${proof.id}, which nobody may change; leave it out.`;
    return blockingFinding('proof-touched', taskFile(task), `${pointer}/path`, message);
  });
  const unproven = tasks.flatMap((task) => {
    const { id, proves = [] } = task;
    if (proves.length > 0 || checksOf(task).some(isProgram)) return [];
    const message = `Nothing proves ${nameOf(id)}: no proof and no check that a program runs; name one if there is any.`;
    return warningFinding('task-unproven', taskFile(id), '/proves', message);
  });
  const ids = proofs.map(({ id, path }) => `${id} (${path})`).join(', ');
  const message = `Every proof passes today, so the request may be met already: ${ids}; see whether anything is left to do.`;
  const met = warningFinding('proofs-hold', 'plan.json', '/proofs', message);
  const isMet = proofs.every(({ state }) => state === 'holds');
  return [...untaken, ...touched, ...unproven, ...(isMet ? [met] : [])];
}
