import { posix } from 'node:path';
import { isTest } from '../../context/file-kinds.ts';
import { isRunTest } from '../../context/run-tests.ts';
import type { TestMap } from '../../context/tests-of.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { Task } from '../../model/task.ts';
import { oneLine, quotedTask, sentence } from '../../model/wording.ts';
import { criteriaOf } from './derive-criteria.ts';
import type { PlannedPath } from './derive-files.ts';
import type { PlacedTask } from './derive-order.ts';

import { type TaskWork, stepsOf } from './derive-steps.ts';
import { fewOf, testCommand, testsOf } from './derive-tests.ts';

export interface DeriveTask {
  readonly placed: PlacedTask;
  readonly files: readonly PlannedPath[];
  readonly contextPackage: ContextPackage;
  /** The technical concerns that were given to this task. */
  readonly concerns: readonly string[];
  /** The files at the base. */
  readonly known: ReadonlySet<string>;
  /** Test files that the tasks of the plan write. */
  readonly plannedTests: ReadonlySet<string>;
  /** Test files that the tasks write which come right after this one. */
  readonly testsAfter: ReadonlySet<string>;
  /** Of the files at the base and those that the tasks write. */
  readonly map: TestMap;
}

/** One task file from one task of the solution; nothing in it that the solution does not say. */
export function deriveTask(derive: DeriveTask): Task {
  const { placed, files, contextPackage, known } = derive;
  const { id, origin, dependsOn } = placed;
  const title = oneLine(origin.name) || origin.id;
  const goal = oneLine(origin.key_point ?? '') || title;
  const allTests = testsOf(livingPaths(files), derive.map);
  const tests = fewOf(allTests, known);
  const command = testCommand(
    [...tests, ...files.map(({ path }) => path).filter(isRunTest)],
    contextPackage.build_facts ?? [],
  );
  const pattern = patternFor(files, derive);
  const purpose = quotedTask(contextPackage.task_description);
  const criteria = criteriaOf({ purpose, goal, files, tests });
  const steps: TaskWork = {
    goal,
    files,
    tests,
    plannedTests: fewOf(allTests, derive.plannedTests),
    testsAfter: fewOf([...derive.testsAfter], derive.plannedTests),
    command,
    pattern,
    contextPackage,
  };
  return {
    id,
    title,
    description: describe(title, goal, contextPackage),
    depends_on: [...dependsOn],
    convergence: {
      criteria: criteria.map(({ text }) => text),
      ...(command === null ? {} : { verification: `\`${command}\` ends with exit code 0.` }),
    },
    checks: criteria.map(({ check }) => check),
    type: typeOf(origin.name, files),
    effort: files.length <= 1 ? 'small' : files.length <= 4 ? 'medium' : 'large',
    action: actionOf(files),
    files: files.map((file) => fileOf(file, goal)),
    implementation: stepsOf(steps),
    test: testOf({ tests, command, goal }),
    ...(pattern === null
      ? {}
      : { reference: { pattern: 'Follow this file’s structure.', files: [pattern] } }),
    risks: derive.concerns.map((concern) => riskOf(concern, contextPackage.solution.risk)),
    meta: { ...moduleOf(files), planned_by: 'rules, without a planning agent' },
    source: { tool: 'conclave', session_id: contextPackage.session_id, original_id: origin.id },
    context_package_path: 'context-package.json',
  };
}

function testOf({
  tests,
  command,
  goal,
}: Pick<TaskWork, 'tests' | 'command' | 'goal'>): NonNullable<Task['test']> {
  if (command === null && tests.length === 0) return { manual_checks: [sentence(goal)] };
  return { ...(command === null ? {} : { commands: [command] }), unit: [...tests] };
}

function livingPaths(files: readonly PlannedPath[]): readonly string[] {
  return files.filter(({ action }) => action !== 'delete').map(({ path }) => path);
}

function describe(title: string, goal: string, contextPackage: ContextPackage): string {
  const head = [...new Set([sentence(title), sentence(goal)])].join(' ');
  const { constraints, solution, task_description: asked } = contextPackage;
  const purpose = `The user asked: ${quotedTask(asked)}`;
  const part = `Part of the solution "${oneLine(solution.name)}".`;
  if (constraints.length === 0) return `${purpose}\n\n${head} ${part}`;
  const rules = constraints.map((constraint) => `- ${oneLine(constraint)}`).join('\n');
  return `${purpose}\n\n${head} ${part}\n\nThese constraints hold:\n${rules}`;
}

type TaskType = NonNullable<Task['type']>;

function typeOf(name: string, files: readonly PlannedPath[]): TaskType {
  const every = (holds: (file: PlannedPath) => boolean) => files.length > 0 && files.every(holds);
  if (every(({ path }) => isTest(path))) return 'testing';
  if (every(({ path }) => /\.(?:md|rst|txt|adoc)$/i.test(path))) return 'docs';
  if (/\b(?:fix|bug|repair)/i.test(name)) return 'fix';
  if (/\b(?:refactor|rename|extract|clean|move)/i.test(name)) return 'refactor';
  return every(({ action }) => action === 'create') ? 'feature' : 'enhancement';
}

function actionOf(files: readonly PlannedPath[]): NonNullable<Task['action']> {
  const actions = new Set(files.map(({ action }) => action));
  if (actions.size === 1 && actions.has('create')) return 'Create';
  if (actions.size === 1 && actions.has('delete')) return 'Delete';
  return files.length === 0 ? 'Implement' : 'Update';
}

type FileOfTask = NonNullable<Task['files']>[number];

function fileOf({ path, action, lines, symbol, note }: PlannedPath, goal: string): FileOfTask {
  const line = lines.length === 0 ? null : `line ${lines.join(', ')}`;
  const target = [symbol, line].filter((part) => part !== null).join(', ');
  return {
    path,
    action,
    ...(target === '' ? {} : { target }),
    change: note === '' ? goal : `${sentence(goal)} ${note}`,
  };
}

/** A file of the same kind that stands and was checked: best from the same folder. */
function patternFor(
  files: readonly PlannedPath[],
  { contextPackage, known }: DeriveTask,
): string | null {
  const created = files.find(({ action }) => action === 'create');
  if (created === undefined) return null;
  const own = new Set(files.map(({ path }) => path));
  const { affected_files: affected, evidence = [] } = contextPackage;
  const checked = affected.filter(
    ({ action, status }) => action === 'modify' && status !== 'failed',
  );
  const cited = [...checked.map(({ file }) => file), ...evidence.map(({ path }) => path)];
  const likely = (isTest(created.path) ? [...known].filter(isRunTest) : cited).filter(
    (path) =>
      !own.has(path) && known.has(path) && posix.extname(path) === posix.extname(created.path),
  );
  const folder = posix.dirname(created.path);
  return likely.find((path) => posix.dirname(path) === folder) ?? likely[0] ?? null;
}

type Risk = NonNullable<Task['risks']>[number];

function riskOf(concern: string, risk: ContextPackage['solution']['risk']): Risk {
  const level = ({ low: 'Low', medium: 'Medium', high: 'High' } as const)[risk];
  return {
    description: oneLine(concern),
    probability: level,
    impact: level,
    mitigation:
      'Look at this before the first change of the task, and say in its result how it was met.',
  };
}

function moduleOf(files: readonly PlannedPath[]): { module?: string } {
  const [first] = files;
  const folder = first === undefined ? '.' : posix.dirname(first.path);
  return folder === '.' ? {} : { module: folder };
}
