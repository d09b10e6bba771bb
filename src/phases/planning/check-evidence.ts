// Checks if the checks of a plan can show what it claims, and asks for the evidence that is missing.
import { kindOf } from '../../context/file-kinds.ts';
import { testMap, type TestMap } from '../../context/tests-of.ts';
import { folderOf } from '../../git/paths.ts';
import { cleanText } from '../../model/clean-text.ts';
import { type Finding, warningFinding } from '../../model/finding.ts';
import { nameOf, taskFile } from '../../model/plan-rules.ts';
import { tidyPath } from '../../model/repository-path.ts';
import { type Task, checksOf, filesOf } from '../../model/task.ts';
import { testFact } from './derive-plan.ts';
import type { PlanAtBase } from './plan-base.ts';
import { factsForTests } from './test-facts.ts';

/** Finds criteria without a check, and tasks whose kind of work takes evidence that they do not name. */
export async function evidenceFindings({ tasks, base }: PlanAtBase): Promise<readonly Finding[]> {
  const files = await base.files();
  const tests = testMap(files);
  return tasks.flatMap((task) => [
    ...criteriaFindings(task),
    ...renameFindings(task, { files, tests }),
    ...speedFindings(task),
  ]);
}

function criteriaFindings(task: Task): readonly Finding[] {
  const { criteria } = task.convergence;
  const checks = checksOf(task);
  const seen = criteria.map((_, index) => ({
    number: index + 1,
    // Any check may be about the only criterion.
    kinds: checks.flatMap(({ kind, criterion = criteria.length === 1 ? 0 : null }) =>
      criterion === index ? kind : [],
    ),
  }));
  const without = seen.filter(({ kinds }) => kinds.length === 0);
  const byHand = seen.filter(
    ({ kinds }) => kinds.length > 0 && kinds.every((kind) => kind === 'manual'),
  );
  const warn = (rule: string, found: typeof seen, messageFor: (which: string) => string) => {
    const noun = found.length === 1 ? 'criterion' : 'criteria';
    const which = `${noun} ${found.map(({ number }) => number).join(', ')}`;
    // Another finding says that no check can run at all.
    return found.length === 0 || checks.every(({ kind }) => kind === 'manual')
      ? []
      : [warningFinding(rule, taskFile(task.id), '/convergence/criteria', messageFor(which))];
  };
  return [
    ...warn(
      'criterion-unchecked',
      without,
      (which) =>
        `${nameOf(task.id)} has no check for ${which} of ${criteria.length}, so execution cannot show that; add a check whose criterion (from 0) is that one.`,
    ),
    ...warn(
      'criterion-by-hand',
      byHand,
      (which) =>
        `${nameOf(task.id)} leaves ${which} to a person, which only a code review can show; let an agent review the result, or add a check that a program can run.`,
    ),
  ];
}

/** Finds tasks that rename or remove what a test uses, and do not name that test. */
function renameFindings(
  { id, title, description, files: named = [] }: Task,
  { files, tests }: { readonly files: readonly string[]; readonly tests: TestMap },
): readonly Finding[] {
  const isRename = /\brenam(?:e|es|ing)\b/i.test(`${title} ${description}`);
  const [test] = named
    .filter(({ path, action }) => files.includes(path) && (isRename || action === 'delete'))
    .flatMap(({ path }) => (kindOf(path) === 'source' ? tests.of(path) : []))
    .filter((path) => !named.some((one) => one.path === path));
  if (test === undefined) return [];
  return [
    warningFinding(
      'test-unnamed',
      taskFile(id),
      '/files',
      `${nameOf(id)} renames or removes what ${shown(test)} tests, and does not name that test; add it to files, with the names of the tests that go in removes_tests.`,
    ),
  ];
}

/** Finds tasks that are about speed and have no check that measures it. */
function speedFindings(task: Task): readonly Finding[] {
  const { id, title } = task;
  const isAboutSpeed = /\b(?:faster|speed(?:s|ed)? up|performance|latency|throughput)\b/i.test(
    title,
  );
  const isMeasured = checksOf(task).some(
    (check) =>
      check.kind !== 'manual' && /bench|perf|speed|timing|hyperfine/i.test(JSON.stringify(check)),
  );
  if (!isAboutSpeed || isMeasured) return [];
  const message = `${nameOf(id)} is about speed, and no check measures it; add a benchmark as a command that fails beyond a limit.`;
  return [warningFinding('benchmark-missing', taskFile(id), '/checks', message)];
}

/** Finds tests for whose folder no file states a command, unless the plan may bring one. */
export async function unrunnableTests({
  tasks,
  base,
  contextPackage,
}: PlanAtBase): Promise<readonly Finding[]> {
  const facts = await factsForTests(tasks, contextPackage.build_facts ?? [], base);
  const made = filesOf(tasks).map(tidyPath);
  const mayBring = (path: string) =>
    made.some((file) => kindOf(file) === 'data' && `${path}/`.startsWith(folderOf(file)));
  return tasks.flatMap(({ id, checks = [] }) =>
    checks.flatMap((check, index) => {
      if (check.kind !== 'test') return [];
      const path = tidyPath(check.path);
      if (testFact([path], facts) !== null || mayBring(path)) return [];
      return [
        warningFinding(
          'check-unrunnable',
          taskFile(id),
          `/checks/${index}`,
          `${nameOf(id)} has a check that can never run: no file states how the tests in the folder of ${shown(path)} are run; give the command itself, as a list argv.`,
        ),
      ];
    }),
  );
}

function shown(path: string): string {
  return cleanText(path).slice(0, 120);
}
