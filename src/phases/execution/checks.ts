// Runs a check, without a shell and within its time limit.
import { errorLine } from '../../agents/phrases.ts';
import { lookAt, readPlainFile, textOf, withoutLinks } from '../../git/disk.ts';
import { plainPath } from '../../git/paths.ts';
import { type Check, checkName, checkTarget, isSaid, plainWords } from '../../model/check.ts';
import type { BuildFact } from '../../model/context.ts';
import type { SessionEvent } from '../../model/event.ts';
import type { CheckRun } from '../../model/check-record.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { testFact } from '../planning/test-facts.ts';
import { isNamedCommand } from './may-run.ts';
import {
  type CheckConditions,
  fails,
  leads,
  NotSetUp,
  notRun,
  passes,
  runCommand,
  type Seen,
  travelling,
} from './run-command.ts';

/** Runs a check once. */
export async function runCheck(check: Check, place: CheckConditions): Promise<CheckRun> {
  place.signal.throwIfAborted();
  const { elsewhere = null, signal } = place;
  if (elsewhere !== null && check.kind !== 'manual') {
    const { run, why } = await elsewhere.check(check, travelling(place), signal);
    if (run === null) throw new NotSetUp(why ?? '');
    return run;
  }
  const since = performance.now();
  const isFree = (place.confine ?? null) !== null && isUnconfined(check, place);
  const seen = await look(check, isFree ? { ...place, confine: null, mayRun: null } : place);
  return {
    check: checkName(check),
    kind: check.kind,
    criterion: check.criterion ?? null,
    output: '',
    ...seen,
    ...(isFree ? { unconfined: true } : {}),
    ms: Math.round(performance.now() - since),
  };
}

/** True if a person lets the check run unconfined; the text is the one that the person was shown. */
function isUnconfined(check: Check, { unconfined = [] }: CheckConditions): boolean {
  return unconfined.includes(checkTarget(check));
}

/** The commands that the checks of some tasks run, each once; finding those of test files takes the build facts. */
export function commandsOf(
  tasks: readonly Pick<Task, 'checks' | 'test'>[],
  buildFacts: readonly BuildFact[] = [],
): readonly string[] {
  const lines = tasks.flatMap(checksOf).flatMap((check) => {
    if (check.kind === 'command') return checkName(check);
    const command = check.kind === 'test' ? testFact([check.path], buildFacts)?.value : undefined;
    return command === undefined ? [] : `${command} (${checkTarget(check)})`;
  });
  return [...new Set(lines)];
}

async function look(check: Check, place: CheckConditions): Promise<Seen> {
  if (check.kind === 'manual') return notRun('a person has to look at it');
  if (check.kind === 'command') return await runNamed(check, place);
  const { cwd } = place;
  const path = await inside(cwd, check.path);
  if (plainPath(check.path) === null) return notRun(leads(check.path));
  if (path === null) return fails(leads(check.path));
  const found = await lookAt(cwd, path);
  const isThere = found.kind !== 'absent';
  switch (check.kind) {
    case 'test':
      return isThere
        ? await runTest({ ...check, path }, place)
        : fails('there is no such test file');
    case 'file': {
      if (isThere !== check.exists) return fails(isThere ? 'it exists' : 'it does not exist');
      const isFolder = found.kind === 'other' && !check.path.endsWith('/');
      return isFolder ? fails('it is no file') : passes;
    }
    case 'symbol':
    case 'text': {
      const content = await readPlainFile(cwd, path);
      const text = content === null ? null : textOf(content);
      if (text === null) return fails('there is no such text file');
      return isSaid(check, text) ? passes : fails('it is not there');
    }
  }
}

async function runNamed(
  { argv, folder = '.' }: Pick<Extract<Check, { kind: 'command' }>, 'argv' | 'folder'>,
  place: CheckConditions,
): Promise<Seen> {
  if (folder !== '.' && plainPath(folder) === null) return notRun(leads(folder));
  const { mayRun = null, buildFacts, confine = null } = place;
  const isFree = mayRun === null || confine !== null;
  if (!isFree && !isNamedCommand(argv, { buildFacts, mayRun })) return notRun(nobodyLooked);
  return await runCommand(argv, place, { folder });
}

const nobodyLooked =
  'nobody has looked at it, and neither the repository nor execution.may_run names it';

/** Runs the test with the command that the project states for the nearest folder above it. */
async function runTest(
  { path, name }: Extract<Check, { kind: 'test' }>,
  place: CheckConditions,
): Promise<Seen> {
  const fact = testFact([path], place.buildFacts);
  if (fact === null) return notRun('the project states no command for its tests');
  const argv = plainWords(fact.value);
  if (argv === null) return notRun(`"${fact.value}" needs a shell, which is not used`);
  return await runCommand(argv, place, { folder: fact.folder, test: name });
}

/** The path without links if it stays in the work tree, otherwise null. */
async function inside(root: string, path: string): Promise<string | null> {
  const plain = plainPath(path);
  if (plain === null) return null;
  const real = await withoutLinks(root, plain);
  return real ?? ((await lookAt(root, plain)).kind === 'absent' ? plain : null);
}

/** The event that reports a finished check to the faces. */
export function checkEvent(
  task: string,
  when: Extract<SessionEvent, { type: 'check.ran' }>['when'],
  { check, passed, note, output, ms, tests }: CheckRun,
): Extract<SessionEvent, { type: 'check.ran' }> {
  const lines = passed === false ? output.trim().split('\n').slice(-mostLines) : [];
  const told = { type: 'check.ran', task, when, check, passed, note, ms } as const;
  const { passed: ok = 0, failed = 0 } = tests ?? {};
  const counts = tests === undefined ? {} : { tests: { passed: ok, failed } };
  return { ...told, output: lines.join('\n'), ...counts };
}

/** The most lines of output in an event; the result contains more. */
const mostLines = 8;

/** Runs the set-up of a work tree. Returns the reason if it failed, otherwise null. */
export async function runSetUp(
  argv: readonly string[],
  place: CheckConditions,
): Promise<string | null> {
  if (argv.length === 0) return null;
  // Git has to write to the repository, e.g. for submodules, and starts nothing from it.
  const confine = argv[0] === 'git' ? null : (place.confine ?? null);
  const {
    passed,
    note,
    output = '',
  } = await runCommand(argv, { ...place, confine }, { installs: true });
  if (passed === true) return null;
  const [why, end] = [errorLine(output), output.trim().slice(-300)];
  const said = end.includes(why) ? end : `${why}\n${end}`;
  return `the set-up "${argv.join(' ')}" failed: ${note}${said === '' ? '' : `: ${said}`}`;
}
