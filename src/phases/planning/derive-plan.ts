// Drafts a plan by rules: tasks, tests with their command, criteria that do not hold before the work.
import { kindOf } from '../../context/file-kinds.ts';
import { isRunTest, type TestMap, testMap } from '../../context/tests-of.ts';
import type { Check } from '../../model/check.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { PlanFiles } from '../../model/plan.ts';
import type { SolutionTask } from '../../model/proposal.ts';
import { tidyPath } from '../../model/repository-path.ts';
import type { Task } from '../../model/task.ts';
import { withTestChecks } from '../../model/task-test.ts';
import { tasksInOrder } from '../../model/task-order.ts';
import { listed, oneLine, quoteTask, sentence } from '../../model/wording.ts';
import { idOf } from './merge-changes.ts';
import { type Overview, completePlan, orderSharing } from './split-answer.ts';
import { testCommand } from './test-facts.ts';

/**
 * Drafts a plan without a planning agent: one task for each task of the chosen solution. `known` are the files
 * at the base. Faults of the solution (a missing file, a circle, a hostile path) are carried over for the plan
 * check to report, never hidden.
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
  const ids = new Map(origins.map(({ id }, at) => [id, idOf(at + 1)]));
  const map = testMap(known);
  const derived = origins.map((origin, at) => ({
    ...deriveTask(origin, { contextPackage, map }),
    id: idOf(at + 1),
    depends_on: [...new Set(origin.depends_on.map((need) => ids.get(need) ?? need))],
    // Nobody has said which task a concern is about, so the agent of the first task has to consider all of them.
    risks: at === 0 ? risksOf(contextPackage) : [],
  }));
  const { tasks } = orderSharing(derived);
  return { plan: completePlan(overviewOf(contextPackage, now), tasks, contextPackage), tasks };
}

const level = { low: 'Low', medium: 'Medium', high: 'High' } as const;

/** Lists concerns and remarks as risks, because a draft answers no remark and the executing agent has to. */
function risksOf({ technical_concerns, remarks = [], solution: { risk } }: ContextPackage) {
  const said = remarks.map(({ id, kind, text }) => `${id} (${kind}): ${text}`);
  const mitigation = 'Look at this before the first change, and say in the result how it was met.';
  return [...technical_concerns, ...said].map(oneLine).flatMap((description) => {
    const rating = { probability: level[risk], impact: level[risk] };
    return description === '' ? [] : { description, ...rating, mitigation };
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
    design_decisions: contextPackage.clarifications.map(({ question, answer }) => ({
      decision: oneLine(question),
      rationale: `The user answered: ${sentence(answer)}`,
    })),
    _metadata: {
      timestamp: now.toISOString(),
      source: 'direct-planning',
      plan_type: 'collaborative',
      planning_mode: 'direct',
      schema_version: '2.0',
      ...(isDraft && { draft: true }),
    },
  };
}

/** The files of a task of the solution, each path once, with the lines that it names. */
function plannedFiles({ files }: SolutionTask) {
  const named = Map.groupBy(files, ({ file }) => tidyPath(file) || file);
  return [...named].map(([path, places]) => ({
    path,
    action: places[0]?.action ?? 'modify',
    lines: places.flatMap(({ line }) => line ?? []),
  }));
}

type PlannedPath = ReturnType<typeof plannedFiles>[number];

/** Derives a task from one of the solution, without adding anything that the solution does not say. */
function deriveTask(
  origin: SolutionTask,
  { contextPackage, map }: { readonly contextPackage: ContextPackage; readonly map: TestMap },
): Task {
  const files = plannedFiles(origin);
  const title = oneLine(origin.name) || origin.id;
  const goal = oneLine(origin.key_point ?? '') || title;
  const paths = files.filter(({ action }) => action !== 'delete').map(({ path }) => path);
  const tests = testsOf(paths, map);
  const runnable = [...tests, ...paths.filter(isRunTest)];
  const command = testCommand(runnable, contextPackage.build_facts ?? []);
  const checks = [...files.flatMap(fileChecks), seenByPerson(goal, files)];
  return withTestChecks({
    id: origin.id,
    title,
    description: describe([...new Set([title, goal])], contextPackage),
    depends_on: [],
    convergence: {
      criteria: checks.map(({ describes }) => describes),
      ...(command !== null && { verification: `\`${command}\` still ends with exit code 0.` }),
    },
    checks,
    files: files.map(({ path, action, lines }) => ({
      path,
      action,
      ...(lines.length !== 0 && { target: `line ${lines.join(', ')}` }),
      change: goal,
    })),
    implementation: stepsOf(goal, files, tests),
    test: {
      ...(command !== null && { commands: [command] }),
      ...(runnable.length === 0 ? { manual_checks: [sentence(goal)] } : { unit: runnable }),
    },
    source: { tool: 'conclave', session_id: contextPackage.session_id, original_id: origin.id },
    context_package_path: 'context-package.json',
  });
}

const mostTests = 3;

/** The first tests that the map gives for some files, without those files themselves. */
function testsOf(paths: readonly string[], map: TestMap): string[] {
  const sources = paths.filter((path) => kindOf(path) === 'source');
  const tests = new Set(sources.flatMap((path) => map.of(path)));
  return [...tests].filter((test) => !paths.includes(test)).slice(0, mostTests);
}

type Described = Check & { readonly describes: string };

/** Makes the checks of a file that fail before the work; that a modified file exists would show nothing. */
function fileChecks({ path, action }: PlannedPath): Described[] {
  if (action === 'modify') return [];
  const exists = action === 'create';
  const describes = `The file \`${path}\` ${exists ? 'exists' : 'no longer exists'}.`;
  const there: Described = { kind: 'file', path, exists, describes };
  if (!exists || !isRunTest(path)) return [there];
  return [there, { kind: 'test', path, describes: `The tests in \`${path}\` pass.` }];
}

function seenByPerson(goal: string, files: readonly PlannedPath[]): Described {
  const where =
    files.length === 0
      ? 'the result'
      : `the change in ${listAsCode(files.map(({ path }) => path))}`;
  const describes = `Check by hand that ${where} does this: ${sentence(goal)}`;
  return { kind: 'manual', describes };
}

function describe(
  lines: readonly string[],
  { solution, task_description }: ContextPackage,
): string {
  const part = `Part of the solution "${oneLine(solution.name)}".`;
  const asked = `The user asked: ${quoteTask(task_description)}`;
  return `${asked}\n\n${lines.map(sentence).join(' ')} ${part}`;
}

const verbs = { create: 'Create', modify: 'Change', delete: 'Delete' } as const;

/** The steps: reading, one for each file, and the final check. */
function stepsOf(goal: string, files: readonly PlannedPath[], tests: readonly string[]): string[] {
  const toRead = files
    .filter(({ action }) => action !== 'create')
    .map(({ path, lines: [line] }) => (line === undefined ? path : `${path}:${line}`));
  return [
    ...(toRead.length === 0 ? [] : [`Read ${listAsCode(toRead)} and what uses it.`]),
    ...(files.length === 0 ? [sentence(goal)] : []),
    ...files.map(({ path, action }) => `${verbs[action]} \`${path}\`: ${sentence(goal)}`),
    ...(tests.length === 0 ? [] : [`Run the tests of this: ${listAsCode(tests)}.`]),
    'Go through the criteria one by one.',
  ];
}

function listAsCode(paths: readonly string[]): string {
  return listed(paths.map((path) => `\`${path}\``));
}
