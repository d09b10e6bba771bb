import { cleanText } from '../../model/clean-text.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { Finding } from '../../model/finding.ts';
import { nameOf, planFindings, taskFile } from '../../model/plan-rules.ts';
import type { Plan } from '../../model/plan.ts';
import { tidyPath } from '../../model/repository-path.ts';
import { ancestry, flowChains } from '../../model/task-order.ts';
import type { Task } from '../../model/task.ts';
import { oneLine } from '../../model/wording.ts';
import type { Tools } from '../tools.ts';
import { areMentioned, topicsIn } from '../topic-words.ts';
import { checkFiles } from './check-files.ts';
import { tasksByOrigin, unmetNeeds } from './from-solution.ts';

interface CheckedPlan {
  readonly plan: Plan;
  readonly tasks: readonly Task[];
  readonly contextPackage: ContextPackage;
}

/**
 * The plan check: the meaning rules, then the plan against the solution, the user’s constraints
 * and the base. `exists` tells of the base; it is asked only for paths inside the repository, and
 * null where the base is not known.
 * Blocking is what makes execution unsafe or impossible; the rest warns. Blocking ones first.
 */
export async function checkPlan(
  given: Parameters<typeof checkAgainstSolution>[0],
): Promise<readonly Finding[]> {
  const { plan, tasks } = given;
  const entries = tasks.map((task) => ({ file: taskFile(task.id), task }));
  return blockingFirst([
    ...planFindings({ plan, tasks: entries }),
    ...(await checkAgainstSolution(given)),
  ]);
}

/** The plan check without the meaning rules. */
export async function checkAgainstSolution({
  exists,
  ...made
}: CheckedPlan & {
  readonly exists: ((path: string) => Promise<boolean>) | null;
}): Promise<readonly Finding[]> {
  const { tasks } = made;
  return blockingFirst([
    ...(await checkFiles({ tasks, exists })),
    ...uncoveredFiles(made),
    ...unmentionedConstraints(made),
    ...originFindings(made),
    ...flowFindings(made),
    ...tasks.flatMap((task) => [...criteriaFindings(task), ...commandFindings(task)]),
  ]);
}

/** Shape by the published (and any extended) schemas first, then the plan check. */
export async function planFindingsOf({
  tools,
  ...made
}: CheckedPlan & {
  readonly tools: Pick<Tools, 'schemas' | 'repository'>;
}): Promise<readonly Finding[]> {
  const { plan, tasks } = made;
  const files = [
    { file: 'plan.json', faults: tools.schemas.check('plan', plan) },
    ...tasks.map((task) => ({
      file: taskFile(task.id),
      faults: tools.schemas.check('task', task),
    })),
  ];
  const exists = (path: string) => tools.repository.exists(path);
  return [
    ...files.flatMap(({ file, faults }) =>
      faults.map(({ pointer, message }): Finding => {
        return { severity: 'blocking', rule: 'shape', file, pointer, message };
      }),
    ),
    ...(await checkPlan({ ...made, exists })),
  ];
}

export function blockingFirst(findings: readonly Finding[]): readonly Finding[] {
  return [
    ...findings.filter(({ severity }) => severity === 'blocking'),
    ...findings.filter(({ severity }) => severity === 'warning'),
  ];
}

function uncoveredFiles({ tasks, contextPackage }: CheckedPlan): readonly Finding[] {
  const covered = new Set(
    tasks.flatMap(({ files = [] }) => files.map(({ path }) => tidyPath(path))),
  );
  const affected = new Map(
    contextPackage.affected_files.map((file) => [tidyPath(file.file), file]),
  );
  return [...affected]
    .filter(([path]) => !covered.has(path))
    .map(([, { file, action, status }]) => {
      // A file whose reference failed the check may never have been there.
      const failed = status === 'failed' ? ' (its reference failed the check)' : '';
      return {
        severity: status === 'failed' ? 'warning' : 'blocking',
        rule: 'file-uncovered',
        ...taskIds,
        message: `The solution wants to ${action} ${cleanText(file)}${failed}, but no task names it; add it to the files of a task.`,
      };
    });
}

const taskIds = { file: 'plan.json', pointer: '/task_ids' } as const;

function unmentionedConstraints({ plan, tasks, contextPackage }: CheckedPlan): readonly Finding[] {
  if (contextPackage.constraints.length === 0) return [];
  // Its own list of constraints was copied, and says nothing of how they are met.
  const topics = topicsIn([{ ...plan, constraints: [] }, tasks]);
  return contextPackage.constraints
    .filter((constraint) => !areMentioned(constraint, topics))
    .map((constraint) => ({
      severity: 'warning',
      rule: 'constraint-unmentioned',
      file: 'plan.json',
      pointer: '/constraints',
      message: `Neither the plan nor a task mentions the constraint "${oneLine(cleanText(constraint))}"; say in the tasks how it is met.`,
    }));
}

/** Whether the tasks of the decided solution are all there, and still wait for each other. */
function originFindings({ plan, tasks, contextPackage }: CheckedPlan): readonly Finding[] {
  const { implementation_plan: solution } = contextPackage;
  const byOrigin = tasksByOrigin(solution.tasks, tasks);
  if (byOrigin.size === 0) {
    // Of a solution with one task, every task is a part.
    if (solution.tasks.length < 2) return [];
    const message =
      'No task says in source.original_id which task of the solution it carries out, so nobody can tell whether all of them are here.';
    return [{ severity: 'warning', rule: 'origin-unknown', ...taskIds, message }];
  }
  // What a person took out is not missed.
  const removed = (plan.removed_tasks ?? []).flatMap(
    ({ original_id: ids }) => ids?.match(/T\d{1,3}/g) ?? [],
  );
  const lost = solution.tasks.filter(({ id }) => !byOrigin.has(id) && !removed.includes(id));
  return [
    ...lost.map(({ id, name }): Finding => {
      const message = `No task carries out ${id} of the solution ("${oneLine(cleanText(name))}"); add one with source.original_id "${id}", or name it in the task that does its work.`;
      return { severity: 'blocking', rule: 'origin-lost', ...taskIds, message };
    }),
    ...unmetNeeds(solution, tasks).map(dependencyFinding),
  ];
}

/** What was merely missing was put back; what could not be, as the plan goes another way, is told. */
function dependencyFinding(unmet: ReturnType<typeof unmetNeeds>[number]): Finding {
  const { task, other, origin, need, isTurned } = unmet;
  const how = isTurned
    ? `${nameOf(other)} waits for ${nameOf(task)}`
    : `${nameOf(task)} does not wait for ${nameOf(other)}`;
  return {
    severity: 'warning',
    rule: isTurned ? 'dependency-turned' : 'dependency-lost',
    file: taskFile(isTurned ? other : task),
    pointer: '/depends_on',
    message: `${how}, but in the solution ${origin} waits for ${need}; correct depends_on, or say in design_decisions why the order changed.`,
  };
}

/** Whether the plan's flow names its own tasks, in an order that their dependencies allow. */
function flowFindings({ plan, tasks }: CheckedPlan): readonly Finding[] {
  const { execution_flow: flow = '', task_ids: ids } = plan;
  const at = { severity: 'warning', file: 'plan.json', pointer: '/execution_flow' } as const;
  const named = new Set(flow.match(/\b[A-Za-z]\w*-?\d+\b/g));
  const unknown = [...named].filter((id) => !ids.includes(id));
  if (unknown.length > 0) {
    const message = `The execution flow names ${unknown.map(nameOf).join(', ')}, which the plan does not have; name the tasks that it has.`;
    return [{ ...at, rule: 'flow-unknown', message }];
  }
  const chains = flowChains(flow, new Set(ids));
  if (chains.length === 0) return [];
  const comesAfter = ancestry(tasks);
  const turned = chains.flatMap((stages) =>
    stages.flatMap((stage, index) => {
      const before = stages.slice(0, index).flat();
      return stage.flatMap((late) =>
        before
          .filter((early) => comesAfter?.(early, late))
          .map((early) => `${nameOf(early)} before ${nameOf(late)}, which it waits for`),
      );
    }),
  );
  if (turned.length === 0) return [];
  const message = `The execution flow puts ${turned.join('; ')}; make the flow follow depends_on.`;
  return [{ ...at, rule: 'flow-against', message }];
}

function criteriaFindings({ id, convergence }: Task): readonly Finding[] {
  if (convergence.criteria.some((text) => text.trim() !== '')) return [];
  return [
    {
      severity: 'blocking',
      rule: 'criteria-missing',
      file: taskFile(id),
      pointer: '/convergence/criteria',
      message: `${nameOf(id)} has no criterion, so nobody could tell when it is done; add one that can be tested.`,
    },
  ];
}

/** Commands are started without a shell: a shell line as one argument could not run. */
function commandFindings({ id, checks = [] }: Task): readonly Finding[] {
  return checks.flatMap((check, index): Finding[] => {
    if (check.kind !== 'command' || namesProgram(check.argv)) return [];
    return [
      {
        severity: 'warning',
        rule: 'check-shell',
        file: taskFile(id),
        pointer: `/checks/${index}/argv`,
        message: `${nameOf(id)} has a check that passes a whole line to a shell or names no program; give the program and each argument as separate entries of argv.`,
      },
    ];
  });
}

function namesProgram([program = '', flag]: readonly string[]): boolean {
  const shell = /(?:^|[/\\])(?:ba|z|da|k|fi)?sh$|^(?:cmd|powershell|pwsh)(?:\.exe)?$/i;
  const wrapped = shell.test(program) && flag !== undefined && /^[-/]/.test(flag);
  const wholeLine = flag === undefined && /\s/.test(program.trim());
  return !wrapped && !wholeLine && program.trim() !== '';
}
