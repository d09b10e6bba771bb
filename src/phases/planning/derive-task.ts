import { kindOf, languageFamily } from '../../context/file-kinds.ts';
import { isRunTest, type TestMap } from '../../context/tests-of.ts';
import type { Check } from '../../model/check.ts';
import type { BuildFact } from '../../model/context.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { SolutionTask } from '../../model/proposal.ts';
import { tidyPath } from '../../model/repository-path.ts';
import type { Task, TaskFile } from '../../model/task.ts';
import { listed, oneLine, quotedTask, sentence } from '../../model/wording.ts';

/** A task of the solution with its place in the plan. */
export interface PlacedTask {
  readonly id: string;
  readonly origin: SolutionTask;
  readonly depends_on: string[];
  readonly files: readonly PlannedPath[];
}

/** A file that a derived task touches. Lines count from 1. */
interface PlannedPath {
  readonly path: string;
  readonly action: NonNullable<TaskFile['action']>;
  readonly lines: readonly number[];
}

/** The files of a task of the solution, each path once. */
export function plannedFiles({ files }: SolutionTask): readonly PlannedPath[] {
  const named = Map.groupBy(files, ({ file }) => tidyPath(file) || file);
  return [...named].map(([path, places]) => ({
    path,
    action: places[0]?.action ?? 'modify',
    lines: places.flatMap(({ line }) => line ?? []),
  }));
}

/** One task file from one task of the solution; nothing in it that the solution does not say. */
export function deriveTask(
  { id, origin, depends_on, files }: PlacedTask,
  { contextPackage, map }: { readonly contextPackage: ContextPackage; readonly map: TestMap },
): Task {
  const title = oneLine(origin.name) || origin.id;
  const goal = oneLine(origin.key_point ?? '') || title;
  const paths = files.filter(({ action }) => action !== 'delete').map(({ path }) => path);
  const tests = testsOf(paths, map);
  const runnable = [...tests, ...paths.filter(isRunTest)];
  const command = testCommand(runnable, contextPackage.build_facts ?? []);
  const checks = [...files.flatMap(fileChecks), seenByPerson(goal, files)];
  return {
    id,
    title,
    description: describe([...new Set([title, goal])], contextPackage),
    depends_on,
    convergence: {
      criteria: checks.map(({ describes }) => describes),
      ...(command === null ? {} : { verification: `\`${command}\` still ends with exit code 0.` }),
    },
    checks,
    files: files.map(({ path, action, lines }) => ({
      path,
      action,
      ...(lines.length === 0 ? {} : { target: `line ${lines.join(', ')}` }),
      change: goal,
    })),
    implementation: stepsOf(goal, files, tests),
    test: {
      ...(command === null ? {} : { commands: [command] }),
      ...(runnable.length === 0 ? { manual_checks: [sentence(goal)] } : { unit: runnable }),
    },
    meta: { planned_by: 'rules, without a planning agent' },
    source: { tool: 'conclave', session_id: contextPackage.session_id, original_id: origin.id },
    context_package_path: 'context-package.json',
  };
}

const mostTests = 3;

/** The first tests of some files by the map, without those files themselves. */
function testsOf(paths: readonly string[], map: TestMap): string[] {
  const sources = paths.filter((path) => kindOf(path) === 'source');
  const tests = new Set(sources.flatMap((path) => map.of(path)));
  return [...tests].filter((test) => !paths.includes(test)).slice(0, mostTests);
}

/** The project’s own command for such tests, from the root; null where no file states one. */
export function testCommand(tests: readonly string[], facts: readonly BuildFact[]): string | null {
  const best = testFact(tests, facts);
  if (best === null) return null;
  return best.folder === '' ? best.value : `cd ${best.folder} && ${best.value}`;
}

/**
 * What the project’s files state about running such tests: that of the nearest folder above them,
 * for their language before one for any.
 */
export function testFact(tests: readonly string[], facts: readonly BuildFact[]): BuildFact | null {
  const [first] = tests;
  if (first === undefined) return null;
  const family = languageFamily(first);
  const isAbove = (folder: string) =>
    folder === '' || tests.every((path) => path.startsWith(`${folder}/`));
  const fitting = facts.filter(
    ({ kind, folder, language }) =>
      kind === 'test' && isAbove(folder) && (language === null || language === family),
  );
  const [best] = fitting.toSorted(
    (a, b) => b.folder.length - a.folder.length || ownFirst(a) - ownFirst(b),
  );
  return best ?? null;
}

function ownFirst({ language }: BuildFact): number {
  return language === null ? 1 : 0;
}

type Described = Check & { readonly describes: string };

/** Only what does not hold before the work: that a file is there says nothing where it is changed. */
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
    files.length === 0 ? 'the result' : `the change in ${inCode(files.map(({ path }) => path))}`;
  return {
    kind: 'manual',
    describes: `A person confirms that ${where} does this: ${sentence(goal)}`,
  };
}

function describe(
  lines: readonly string[],
  { solution, task_description }: ContextPackage,
): string {
  const part = `Part of the solution "${oneLine(solution.name)}".`;
  const asked = `The user asked: ${quotedTask(task_description)}`;
  return `${asked}\n\n${lines.map(sentence).join(' ')} ${part}`;
}

const verbs = { create: 'Create', modify: 'Change', delete: 'Delete' } as const;

/** Reading, one step for each file, and the check at the end. */
function stepsOf(goal: string, files: readonly PlannedPath[], tests: readonly string[]): string[] {
  const toRead = files
    .filter(({ action }) => action !== 'create')
    .flatMap(({ path, lines: [line] }) => (line === undefined ? path : `${path}:${line}`));
  return [
    ...(toRead.length === 0 ? [] : [`Read ${inCode(toRead)} and what uses it.`]),
    ...(files.length === 0 ? [sentence(goal)] : []),
    ...files.map(({ path, action }) => `${verbs[action]} \`${path}\`: ${sentence(goal)}`),
    ...(tests.length === 0 ? [] : [`Run the tests of this: ${inCode(tests)}.`]),
    'Go through the criteria one by one.',
  ];
}

function inCode(paths: readonly string[]): string {
  return listed(paths.map((path) => `\`${path}\``));
}
