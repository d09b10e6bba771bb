import { testMap } from '../../context/tests-of.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { Plan, PlanFiles } from '../../model/plan.ts';
import type { SolutionTask } from '../../model/proposal.ts';
import { ancestry, tasksInOrder } from '../../model/task-order.ts';
import { counted, oneLine, sentence } from '../../model/wording.ts';
import { type PlacedTask, deriveTask, plannedFiles } from './derive-task.ts';
import { type Overview, completedPlan } from './from-solution.ts';

/**
 * A plan without a planning agent: one task for each task of the chosen solution. `known`
 * are the files at the base. What is wrong with the solution (a missing file, a circle, a hostile
 * path) is carried over for the plan check to name, never hidden.
 */
export function derivePlan({
  contextPackage,
  known,
  now,
}: {
  readonly contextPackage: ContextPackage;
  readonly known: readonly string[];
  readonly now: Date;
}): PlanFiles {
  const origins = tasksInOrder(contextPackage.implementation_plan.tasks);
  const map = testMap(known);
  const tasks = placed(origins).map((task, index) => ({
    ...deriveTask(task, { contextPackage, map }),
    // Nobody has said which task a concern is about, so whoever begins has to look at all.
    risks: index === 0 ? risksOf(contextPackage) : [],
  }));
  return { plan: completedPlan(overviewOf(contextPackage, now), tasks, contextPackage), tasks };
}

/** Tasks that touch one file must not run at once: each waits for the one before it. */
function placed(origins: readonly SolutionTask[]): readonly PlacedTask[] {
  const ids = new Map(origins.map(({ id }, at) => [id, idFor(at)]));
  const named = origins.map((origin, at) => ({
    id: idFor(at),
    origin,
    files: plannedFiles(origin),
    depends_on: [...new Set(origin.depends_on.map((need) => ids.get(need) ?? need))],
  }));
  const comesAfter = ancestry(named);
  const lastToTouch = new Map<string, string>();
  return named.map((task) => {
    const before = task.files.flatMap(({ path }) => lastToTouch.get(path) ?? []);
    for (const { path } of task.files) lastToTouch.set(path, task.id);
    const added = before.filter((other) => !comesAfter?.(task.id, other));
    return { ...task, depends_on: [...new Set([...task.depends_on, ...added])] };
  });
}

function idFor(index: number): string {
  return `TASK-${String(index + 1).padStart(3, '0')}`;
}

const level = { low: 'Low', medium: 'Medium', high: 'High' } as const;

function risksOf({ technical_concerns: concerns, solution: { risk } }: ContextPackage) {
  const mitigation = 'Look at this before the first change, and say in the result how it was met.';
  return concerns
    .map(oneLine)
    .filter((description) => description !== '')
    .map((description) => {
      return { description, probability: level[risk], impact: level[risk], mitigation };
    });
}

const byRules =
  'Rules derived this plan from the chosen solution, without a planning agent: no model reviewed its steps and criteria.';
const draft =
  'This plan is a draft: rules made it, and no model has read the task. It says where to work and what to read; what to write is still open.';

function overviewOf(contextPackage: ContextPackage, now: Date): Overview {
  const { solution, implementation_plan: implementation } = contextPackage;
  const isDraft = solution.draft === true;
  return {
    summary: sentence(solution.summary.trim() === '' ? solution.name : solution.summary),
    approach: `${sentence(implementation.approach)}\n\n${isDraft ? draft : byRules}`,
    complexity: level[solution.risk],
    design_decisions: decisionsOf(contextPackage),
    _metadata: {
      timestamp: now.toISOString(),
      source: 'direct-planning',
      plan_type: 'collaborative',
      planning_mode: 'direct',
      schema_version: '2.0',
      ...(isDraft ? { draft: true } : {}),
    },
  };
}

function decisionsOf(contextPackage: ContextPackage): NonNullable<Plan['design_decisions']> {
  const { solution, alternatives = [], consensus, clarifications } = contextPackage;
  const { pros = [], cons = [], source_cli: authors } = solution;
  const chosen = `Chosen from ${counted(alternatives.length + 1, 'option')}, proposed by ${authors.join(', ')}.`;
  const reasons = [...consensus.agreements, ...pros, consensus.resolved_conflicts];
  return [
    {
      decision: `Carry out "${oneLine(solution.name)}"`,
      rationale: [chosen, ...reasons.filter((text) => text.trim() !== '').map(sentence)].join(' '),
      ...(cons.length === 0 ? {} : { tradeoff: cons.map(sentence).join(' ') }),
      alternatives: alternatives.map(
        ({ name, summary }) => `${oneLine(name)}: ${sentence(summary)}`,
      ),
    },
    ...clarifications.map(({ question, answer }) => ({
      decision: oneLine(question),
      rationale: `The user answered: ${sentence(answer)}`,
    })),
  ];
}
