import { isRunTest } from '../../context/run-tests.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { Task } from '../../model/task.ts';
import { oneLine, sentence } from '../../model/wording.ts';
import type { PlannedPath } from './derive-files.ts';

export interface TaskWork {
  readonly goal: string;
  readonly files: readonly PlannedPath[];
  readonly tests: readonly string[];
  /** Tests of these files that other tasks of the plan write. */
  readonly plannedTests: readonly string[];
  /** Tests that the tasks write which come right after this one. */
  readonly testsAfter: readonly string[];
  readonly command: string | null;
  /** The file to follow where one is created. */
  readonly pattern: string | null;
  readonly contextPackage: ContextPackage;
}

type Step = Exclude<NonNullable<Task['implementation']>[number], string>;

/** Reading, one step for each file, and the check at the end: at least two, numbered from 1. */
export function stepsOf(steps: TaskWork): Step[] {
  const { goal, files } = steps;
  const changing = files.length === 0 ? [{ title: 'Do', description: sentence(goal) }] : [];
  return [
    ...reading(steps),
    ...changing,
    ...files.map((file) => changeStep(file, steps)),
    checking(steps),
  ].map((step, index) => ({ step: index + 1, ...step }));
}

type Unnumbered = Omit<Step, 'step'>;

function reading({ files, pattern, contextPackage }: TaskWork): readonly Unnumbered[] {
  const existing = files.filter(({ action }) => action !== 'create').flatMap(placesOf);
  const own = pattern === null ? existing : [...existing, pattern];
  const points = own.length > 0 ? own : startingPoints(contextPackage);
  if (points.length === 0) return [];
  return [
    {
      title: 'Read',
      description: `Read ${inCode(points)} and what uses it before changing anything.`,
      modification_points: existing,
    },
  ];
}

function placesOf({ path, lines }: PlannedPath): readonly string[] {
  return lines.length === 0 ? [path] : lines.map((line) => `${path}:${line}`);
}

/** For a task that names no existing file: where the solution’s evidence lies. */
function startingPoints({
  evidence = [],
  affected_files: affected,
}: ContextPackage): readonly string[] {
  const claimed = evidence.map(({ path, line }) => `${path}:${line}`);
  const checked = affected
    .filter(({ action, status }) => action !== 'create' && status !== 'failed')
    .map(({ file, line }) => (line === null ? file : `${file}:${line}`));
  return [...new Set([...claimed, ...checked])].slice(0, 3);
}

const titles = { create: 'Create', modify: 'Change', delete: 'Delete' } as const;

function changeStep(file: PlannedPath, { goal, pattern }: TaskWork): Unnumbered {
  const { path, action, lines, symbol, note } = file;
  const at = [
    symbol === null ? '' : `\`${symbol}\``,
    lines.length === 0 ? '' : `line ${lines.join(', ')}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
  const place = at === '' ? '' : ` (${at})`;
  const like = action === 'create' && pattern !== null ? `, built like \`${pattern}\`` : '';
  const verb = titles[action];
  return {
    title: `${verb} ${path}`,
    description: oneLine(`${verb} \`${path}\`${place}${like}: ${sentence(goal)} ${note}`),
    modification_points: [...placesOf(file)],
  };
}

function checking(steps: TaskWork): Unnumbered {
  const covered = inCode(steps.tests);
  const extend = covered === '' ? '' : `Extend ${covered} so that it covers the change. `;
  return { title: 'Check', description: `${extend}${checkLine(steps)}` };
}

function checkLine({ files, tests, plannedTests, testsAfter, command }: TaskWork): string {
  if (command !== null) return `Run \`${command}\` and go through the criteria one by one.`;
  const written = files.some(({ path, action }) => action !== 'delete' && isRunTest(path));
  if (written || tests.length > 0) return 'Run these tests and go through the criteria one by one.';
  const how = 'go through the criteria one by one and say in the result how each was checked.';
  if (plannedTests.length > 0) {
    return `Another task tests this in ${inCode(plannedTests)}: here, ${how}`;
  }
  return testsAfter.length > 0
    ? `A task after this one works on tests in ${inCode(testsAfter)}: here, ${how}`
    : `No test of these files is known: ${how}`;
}

function inCode(paths: readonly string[]): string {
  return paths.map((path) => `\`${path}\``).join(', ');
}
