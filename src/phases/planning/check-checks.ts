// Checks what would show that a task is done: its criteria, and its checks as they are at the base.
import { posix } from 'node:path';
import { kindOf } from '../../context/file-kinds.ts';
import { type TestMap, testMap } from '../../context/tests-of.ts';
import { folderOf } from '../../git/paths.ts';
import { outsideWord } from '../../git/outside-paths.ts';
import { type Check, checkName, checkTarget, isSaid } from '../../model/check.ts';
import { type Finding, blockingFinding } from '../../model/finding.ts';
import { nameOf, taskFile, taskWarning } from '../../model/plan-rules.ts';
import { tidyPath } from '../../model/repository-path.ts';
import { type Task, checksOf, filesOf } from '../../model/task.ts';
import { shortText } from '../../model/wording.ts';
import type { PlanAtBase } from './plan-base.ts';
import { factsForTests, testFact } from './test-facts.ts';

/** Finds tasks without a criterion, and commands that no shell may run. Needs no base. */
export function formOfChecks({ id, convergence, checks = [] }: Task): readonly Finding[] {
  const lines = checks.flatMap((check, at) =>
    check.kind !== 'command' || namesProgram(check.argv)
      ? []
      : taskWarning(
          id,
          'check-shell',
          `/checks/${at}/argv`,
          'has a check that passes a whole line to a shell or names no program; give the program and each argument as separate entries of argv.',
        ),
  );
  if (convergence.criteria.some((text) => text.trim() !== '')) return lines;
  const message = `${nameOf(id)} has no criterion, so nobody could tell when it is done; add one that can be tested.`;
  const pointer = '/convergence/criteria';
  return [blockingFinding('criteria-missing', taskFile(id), pointer, message), ...lines];
}

function namesProgram([program = '', ...rest]: readonly string[]): boolean {
  const isShell = /(?:^|[/\\])(?:ba|z|da)?sh$/.test(program) && rest[0]?.startsWith('-');
  const isLine = rest.length === 0 && /\s/.test(program.trim());
  return program.trim() !== '' && isShell !== true && !isLine;
}

/** A check of a task with what is known about it before the work. */
interface CheckState {
  readonly task: Task;
  readonly check: Check;
  /** The place of the check in the task file. */
  readonly pointer: string;
  /** True if the check already passes; null if only a run or a person could tell. */
  readonly holds: boolean | null;
}

/** Finds checks that already pass before the work, that show nothing of it, or that could not run. */
export async function checkFindings(judged: PlanAtBase): Promise<readonly Finding[]> {
  const states = await Promise.all(judged.tasks.map((task) => statesOf(task, judged)));
  const all = states.flat();
  // Plans drafted by rules leave the parts they cannot know to a person, and say so.
  const { _metadata: metadata } = judged.plan;
  const isByRules = metadata.source === 'direct-planning';
  const tests = testMap(await judged.base.files());
  return [
    ...all.filter(({ holds }) => holds === true).map(heldFinding),
    ...(isByRules
      ? []
      : judged.tasks.flatMap((task, at) => [
          ...weakFindings(task, states[at] ?? []),
          ...criteriaFindings(task),
          ...kindFindings(task, tests),
        ])),
    ...(await unrunnableTests(all, judged)),
    ...(await unknownPrograms(all, judged)),
    ...(await outsideFindings(all, judged)),
  ];
}

function statesOf(task: Task, judged: PlanAtBase): Promise<readonly CheckState[]> {
  const own = task.checks?.length ?? 0;
  return Promise.all(
    checksOf(task).map(async (check, index) => {
      const pointer = index < own ? `/checks/${index}` : '/test/commands';
      return { task, check, pointer, holds: await holdsAtBase(task, check, judged) };
    }),
  );
}

async function holdsAtBase(
  { id }: Task,
  check: Check,
  { base, touches }: PlanAtBase,
): Promise<boolean | null> {
  if (!('path' in check) || touches.isChangedBefore(id, tidyPath(check.path))) return null;
  if (check.kind === 'test') return (await base.exists(check.path)) ? null : false;
  if (check.kind === 'file') {
    if (await base.exists(check.path)) return check.exists;
    // Folders are not among the files of the base; none is the file that a check wants.
    const folder = `${tidyPath(check.path)}/`;
    return !check.exists && !(await base.files()).some((path) => path.startsWith(folder));
  }
  const text = await base.text(check.path);
  return text !== null && isSaid(check, text);
}

function heldFinding({ task, check, pointer }: CheckState): Finding {
  const says = `has a check that already passes before the work, so it proves nothing: ${shortText(checkName(check))}; check something that only the work brings.`;
  return taskWarning(task.id, 'check-holds', pointer, says);
}

/** Finds tasks whose checks could all pass without the work, or with code that does nothing. */
function weakFindings({ id }: Task, states: readonly CheckState[]): readonly Finding[] {
  const open = states.filter(({ check, holds }) => holds !== true && check.kind !== 'manual');
  if (open.length === 0) {
    const rule = states.some(({ holds }) => holds === true) ? 'checks-hold' : 'check-none';
    const says =
      'has no check that can fail before the work, so nothing would show that it is done; add a command, or a test, file, symbol or text that is not there yet, or let an agent review the result.';
    return [taskWarning(id, rule, '/checks', says)];
  }
  if (!open.every(({ check }) => isWeak(check))) return [];
  const targets = open.map(({ check }) => shortText(checkTarget(check))).join('; ');
  const says = `is only checked in ways that an empty file, a comment or code that does nothing would pass (${targets}); add a test, or a command that runs the work.`;
  return [taskWarning(id, 'check-weak', '/checks', says)];
}

/** True for a check that passes once a file, a name or a word stands there, whatever it does. */
function isWeak(check: Check): boolean {
  if (check.kind === 'file') return check.exists;
  if (check.kind === 'text') return ['source', 'test'].includes(kindOf(check.path));
  if (check.kind === 'command') return syntaxOnly.test(check.argv.join(' '));
  return check.kind === 'symbol';
}

const syntaxOnly =
  /^(?:node (?:--check|-c)|(?:ba|z|da)?sh -n|ruby -c|perl -c|php -l|gofmt -l|python[\d.]* -m (?:py_compile|compileall))(?= )/;

/** Finds criteria that no program checks, in a task that a program checks at all. */
function criteriaFindings(task: Task): readonly Finding[] {
  const { criteria } = task.convergence;
  const checks = checksOf(task).filter(({ kind }) => kind !== 'manual');
  // Any check may be about the only criterion.
  const of = (check: Check) => check.criterion ?? (criteria.length === 1 ? 0 : null);
  const without = criteria.flatMap((_, at) =>
    checks.some((check) => of(check) === at) ? [] : at + 1,
  );
  if (without.length === 0 || checks.length === 0) return [];
  const which = `${without.length === 1 ? 'criterion' : 'criteria'} ${without.join(', ')} of ${criteria.length}`;
  const says = `has no check for ${which} that a program can run, so only a person or a code review could show that; add a check whose criterion (from 0) is that one.`;
  return [taskWarning(task.id, 'criterion-unchecked', '/convergence/criteria', says)];
}

/** Finds what the kind of a task asks for: the test of what it renames or removes, and a measurement of speed. */
function kindFindings(task: Task, tests: TestMap): readonly Finding[] {
  const { id, title, files = [] } = task;
  const isRename = /\brenam(?:e|es|ing)\b/i.test(title);
  const [test] = files
    .filter(({ action }) => action === 'delete' || (isRename && action === 'modify'))
    .flatMap(({ path }) => tests.of(path))
    .filter((path) => !files.some((one) => one.path === path));
  const named = `renames or removes what ${shortText(test ?? '')} tests, and does not name that test; add it to files, with the names of the tests that go in removes_tests.`;
  const isSlow = /\b(?:faster|speed(?:s|ed)? up|performance|latency|throughput)\b/i.test(title);
  const isMeasured = checksOf(task).some(
    (check) => check.kind !== 'manual' && /bench|perf|speed|timing/i.test(JSON.stringify(check)),
  );
  const measured =
    'is about speed, and no check measures it; add a benchmark as a command that fails beyond a limit.';
  return [
    ...(test === undefined ? [] : [taskWarning(id, 'test-unnamed', '/files', named)]),
    ...(isSlow && !isMeasured ? [taskWarning(id, 'benchmark-missing', '/checks', measured)] : []),
  ];
}

/** Finds tests for whose folder no file states a command, unless the plan may bring one. */
async function unrunnableTests(
  states: readonly CheckState[],
  { tasks, base, contextPackage }: PlanAtBase,
): Promise<readonly Finding[]> {
  const facts = await factsForTests(tasks, contextPackage.build_facts ?? [], base);
  const made = dataIn(tasks);
  return states.flatMap(({ task, check, pointer }) => {
    if (check.kind !== 'test') return [];
    const path = tidyPath(check.path);
    const mayBring = made.some((file) => path.startsWith(folderOf(file)));
    if (testFact([path], facts) !== null || mayBring) return [];
    const says = `has a check that can never run: no file states how the tests in the folder of ${shortText(path)} are run; give the command itself, as a list argv.`;
    return taskWarning(task.id, 'check-unrunnable', pointer, says);
  });
}

/** The manifests, build files and other data that a plan touches, which may bring a program. */
function dataIn(tasks: readonly Task[]): readonly string[] {
  return filesOf(tasks)
    .map(tidyPath)
    .filter((path) => kindOf(path) === 'data');
}

/** Finds commands whose program is not there, or which no file of the repository knows. */
async function unknownPrograms(
  states: readonly CheckState[],
  { tasks, contextPackage, base }: PlanAtBase,
): Promise<readonly Finding[]> {
  const commands = states.flatMap(({ check, ...state }) => {
    const [program = ''] = check.kind === 'command' ? check.argv : [];
    return program.trim() === '' || /\s/.test(program) ? [] : [{ ...state, program }];
  });
  const stated = (contextPackage.build_facts ?? []).flatMap(({ value }) => value.split(/\s+/));
  const known = new Set([...everywhere, ...stated]);
  const open = commands.map(({ program }) => program).filter((program) => !known.has(program));
  const files = new Set([...(await base.files()), ...filesOf(tasks).map(tidyPath)]);
  const paths = open
    .filter((program) => program.includes('/'))
    .map((program) => posix.normalize(program))
    .filter((path) => !files.has(path) && !/^(?:\/|\.\.\/)/.test(path) && !built.test(path));
  const outside = await base.uncommittable(paths);
  const missing = new Set(paths.filter((path) => !outside.has(path)));
  const words = dataIn(tasks).length > 0 ? [] : open.filter((program) => !program.includes('/'));
  const absent = await base.absent(words);
  return commands.flatMap(({ task, program, pointer }) => {
    const isMissing = missing.has(posix.normalize(program));
    if (!isMissing && !absent.has(program)) return [];
    const why = isMissing
      ? 'there is no such file'
      : 'no file of the repository knows this program';
    const says = `runs ${shortText(program)}, but ${why}; use a command of this project.`;
    return taskWarning(task.id, 'program-unknown', pointer, says);
  });
}

/** Folders that are filled by installing and building. */
const built = /(?:^|\/)(?:node_modules|\.?venv|env|target|build|dist|out|bin|vendor)\//;

/** Programs that exist on any machine, and those of languages, which no file has to name. */
const everywhere: readonly string[] =
  `[ awk basename bash cat chmod cmp cp curl cut date diff dirname echo egrep env expr false fgrep file find
  git grep head jq kill ln ls mkdir mktemp mv printf pwd realpath rg rm rmdir sed seq sh sleep sort stat
  tail tar tee test time timeout touch tr true uniq unzip wc which xargs zip
  bun bundle cargo cmake composer ctest dart deno dotnet flutter go gradle java javac make mix mvn node npm
  npx perl php pnpm python python3 rake ruby rustc sbt swift yarn`.split(/\s+/);

/** Finds commands that would not run because one of their words is a path to something outside. */
async function outsideFindings(
  states: readonly CheckState[],
  { base: { root } }: PlanAtBase,
): Promise<readonly Finding[]> {
  const found = await Promise.all(
    states.map(async ({ task, check, pointer }) => {
      const argv = check.kind === 'command' ? check.argv : [];
      const word = await outsideWord(argv, { cwd: root, root });
      if (word === undefined) return [];
      const says = `has a check that names ${shortText(word)}, which leads out of the repository, so it would not be run; name what is inside.`;
      return taskWarning(task.id, 'check-outside', pointer, says);
    }),
  );
  return found.flat();
}
