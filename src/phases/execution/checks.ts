// Runs the checks of a task, without a shell and within their time.
import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { secretFilter } from '../../agents/process/environment.ts';
import { runProcess } from '../../agents/process/run-process.ts';
import { lookAt, readPlainFile, textOf, withoutLinks } from '../../git/disk.ts';
import { outsideWord } from '../../git/outside-paths.ts';
import { plainPath } from '../../git/paths.ts';
import { type Check, checkName, isSaid, plainWords } from '../../model/check.ts';
import type { BuildFact } from '../../model/context.ts';
import type { SessionEvent } from '../../model/event.ts';
import type { CheckRun } from '../../model/execution.ts';
import { type Task, checksOf } from '../../model/task.ts';
import { redactOutput } from '../../model/secrets.ts';
import { counted } from '../../model/wording.ts';
import { checkEnvironment, type CommandPlace } from './check-environment.ts';
import { isNamedCommand } from './may-run.ts';
import { testFact } from '../planning/derive-plan.ts';

/** The folder in which checks run, and what limits them. */
export interface CheckConditions extends CommandPlace {
  readonly buildFacts: readonly BuildFact[];
  /** The user’s commands beside those of the repository; null where all run, as a person said so. */
  readonly mayRun?: readonly string[] | null;
  /** One command may take so long, in ms. */
  readonly mostMs: number;
  /** Starts the mark of the processes of each command. */
  readonly markPrefix: string;
  readonly signal: AbortSignal;
}

/** Runs checks one after the other; `tell` hears of each as it ends. */
export async function runChecks(
  checks: readonly Check[],
  place: CheckConditions,
  tell: (run: CheckRun) => void,
): Promise<CheckRun[]> {
  const runs: CheckRun[] = [];
  for (const check of checks) {
    place.signal.throwIfAborted();
    const since = performance.now();
    const seen = await look(check, place);
    const run = {
      check: checkName(check),
      kind: check.kind,
      criterion: check.criterion ?? null,
      output: '',
      ...seen,
      ms: Math.round(performance.now() - since),
    };
    runs.push(run);
    tell(run);
  }
  return runs;
}

/** The commands that the checks of some tasks run, each once. */
export function commandsOf(tasks: readonly Task[]): readonly string[] {
  const checks = tasks.flatMap(checksOf).filter(({ kind }) => kind === 'command');
  return [...new Set(checks.map(checkName))];
}

type Seen = Pick<CheckRun, 'passed' | 'note'> & { readonly output?: string };
const passes: Seen = { passed: true, note: '' };
const fails = (note: string): Seen => ({ passed: false, note });
const notRun = (note: string): Seen => ({ passed: null, note });

async function look(check: Check, place: CheckConditions): Promise<Seen> {
  if (check.kind === 'manual') return notRun('a person has to look at it');
  if (check.kind === 'command') return await runNamed(check.argv, place);
  const { cwd } = place;
  const path = await inside(cwd, check.path);
  if (path === null) return fails(leads(check.path));
  const isThere = (await lookAt(cwd, path)).kind !== 'absent';
  switch (check.kind) {
    case 'test':
      return isThere ? await runTest(path, place) : fails('there is no such test file');
    case 'file':
      return isThere === check.exists ? passes : fails(isThere ? 'it exists' : 'it does not exist');
    case 'symbol':
    case 'text': {
      const content = await readPlainFile(cwd, path);
      const text = content === null ? null : textOf(content);
      if (text === null) return fails('there is no such text file');
      return isSaid(check, text) ? passes : fails('it is not there');
    }
  }
}

async function runNamed(argv: readonly string[], place: CheckConditions): Promise<Seen> {
  const { mayRun = null, buildFacts } = place;
  if (mayRun !== null && !isNamedCommand(argv, { buildFacts, mayRun })) return notRun(nobodyLooked);
  return await runCommand(argv, place);
}

const nobodyLooked =
  'nobody has looked at it, and neither the repository nor execution.may_run names it';

/** By the test command that the project states for the nearest folder above the test. */
async function runTest(path: string, place: CheckConditions): Promise<Seen> {
  const fact = testFact([path], place.buildFacts);
  if (fact === null) return notRun('the project states no command for its tests');
  const argv = plainWords(fact.value);
  if (argv === null) return notRun(`"${fact.value}" needs a shell, which is not used`);
  return await runCommand(argv, place, fact.folder);
}

/** The last of its output that is kept, in characters. */
const mostOutput = 8_000;
/** So much more is looked at, as a key whose beginning is cut off could not be told. */
const mostRead = 64_000;

/** Without anything secret, as people attach results to pull requests. */
function safeOutput(text: string, environment: NodeJS.ProcessEnv): string {
  return redactOutput(secretFilter(environment)(text));
}

async function runCommand(
  argv: readonly string[],
  place: CheckConditions,
  folder = '',
): Promise<Seen> {
  const [command = '', ...args] = argv;
  const { cwd: root, mostMs, environment, markPrefix, signal } = place;
  const cwd = posix.join(root, folder);
  // The plan check says so before anybody is paid.
  const outside = await outsideWord(argv, { cwd, root });
  if (outside !== undefined) return notRun(leads(outside));
  const run = runProcess(
    {
      command,
      args,
      cwd,
      env: await checkEnvironment(place),
      mark: `${markPrefix}${randomBytes(6).toString('hex')}`,
      input: '',
      rawOutput: null,
      limits: { firstOutputMs: mostMs, idleMs: mostMs, totalMs: mostMs, graceMs: 2_000 },
    },
    signal,
  );
  let output = '';
  let next = await run.next();
  while (next.done !== true) {
    const lines = next.value.map((line) => (typeof line === 'string' ? `${line}\n` : ''));
    output = `${output}${lines.join('')}`.slice(-mostRead);
    next = await run.next();
  }
  signal.throwIfAborted();
  const { exitCode, signal: killedBy, timedOut, spawnError, stderrTail } = next.value;
  const all = safeOutput(`${output}${stderrTail}`, environment).slice(-mostOutput);
  if (exitCode === 0 && timedOut === null) return { ...passes, output: all };
  if (spawnError !== null) return fails(`${command} cannot be started: ${spawnError.message}`);
  const ended = exitCode === null ? `ended by ${killedBy ?? 'a signal'}` : `exit code ${exitCode}`;
  const tookTooLong = `it took longer than ${counted(Math.round(mostMs / 1000), 'second')}`;
  return { ...fails(timedOut === null ? ended : tookTooLong), output: all };
}

/** The path without links, where it stays in the work tree; else null. */
async function inside(root: string, path: string): Promise<string | null> {
  const plain = plainPath(path);
  if (plain === null) return null;
  const real = await withoutLinks(root, plain);
  return real ?? ((await lookAt(root, plain)).kind === 'absent' ? plain : null);
}

function leads(path: string): string {
  return `"${path}" leads out of the work tree`;
}

/** A face hears of a check that ran by this. */
export function checkEvent(
  task: string,
  when: Extract<SessionEvent, { type: 'check.ran' }>['when'],
  { check, passed, note, output, ms }: CheckRun,
): Extract<SessionEvent, { type: 'check.ran' }> {
  const lines = passed === false ? output.trim().split('\n').slice(-mostLines) : [];
  return { type: 'check.ran', task, when, check, passed, note, output: lines.join('\n'), ms };
}

/** More is in the result. */
const mostLines = 8;

/** Runs the set-up of a work tree. Returns why it failed; null where it did not. */
export async function runSetUp(
  argv: readonly string[],
  place: CheckConditions,
): Promise<string | null> {
  if (argv.length === 0) return null;
  const { passed, note, output = '' } = await runCommand(argv, place);
  if (passed === true) return null;
  return `the set-up "${argv.join(' ')}" failed: ${note}${output === '' ? '' : `: ${output.trim().slice(-300)}`}`;
}
