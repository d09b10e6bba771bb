// Runs one command of a check or the set-up, confined if possible, and says how it ended.
import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import { secretFilter } from '../../agents/process/environment.ts';
import { runProcess } from '../../agents/process/run-process.ts';
import { outsideWord } from '../../git/outside-paths.ts';
import type { BuildFact } from '../../model/context.ts';
import type { CheckRun } from '../../model/execution.ts';
import { redactOutput } from '../../model/secrets.ts';
import { counted } from '../../model/wording.ts';
import { checkEnvironment, type CommandPlace } from './check-environment.ts';
import { confineCommand, type TreeConfinement } from './confine.ts';
import { ranNoTest, ranNoTestNamed } from './tests-ran.ts';

/** The folder in which checks run, and what limits them. */
export interface CheckConditions extends CommandPlace {
  readonly buildFacts: readonly BuildFact[];
  /** The commands that the user allows besides those of the repository; null if a person allowed all. */
  readonly mayRun?: readonly string[] | null;
  /** The longest time for one command, in ms. */
  readonly mostMs: number;
  /** The start of the mark on the processes of each command. */
  readonly markPrefix: string;
  /** Confines commands to the work tree; null if nothing does. */
  readonly confine?: TreeConfinement | null;
  /** The checks that a person lets run without the confinement, by the texts that identify them. */
  readonly unconfined?: readonly string[];
  /** Called when a command begins, because it may leave anything behind. */
  readonly begins?: () => void;
  readonly signal: AbortSignal;
}

/** The outcome of a check, and the output of its command. */
export type Seen = Pick<CheckRun, 'passed' | 'note' | 'held' | 'ran_no_test'> & {
  readonly output?: string;
};
export const passes: Seen = { passed: true, note: '' };
export const fails = (note: string): Seen => ({ passed: false, note });
export const notRun = (note: string): Seen => ({ passed: null, note });

const noTest: Seen = { ...notRun('no test ran, which proves nothing'), ran_no_test: true };

/** The length of the kept end of the output, in characters. */
const mostOutput = 8_000;
/** The length that is searched for secrets, in characters: a key with its start cut off could not be recognised. */
const mostRead = 64_000;

/** Removes secrets from the output, because people attach results to pull requests. */
function safeOutput(text: string, environment: NodeJS.ProcessEnv): string {
  return redactOutput(secretFilter(environment)(text));
}

interface CommandUse {
  /** The test that must be among those that ran. */
  readonly test?: string | undefined;
  /** The folder in which the command runs, relative to the work tree. */
  readonly folder?: string;
  /** True if it may read the logins of package registries. */
  readonly installs?: boolean;
}

/** Runs a command once, without a shell, and says if its confinement may have stopped it. */
export async function runCommand(
  argv: readonly string[],
  place: CheckConditions,
  use: CommandUse = {},
): Promise<Seen> {
  const { cwd: root, confine = null, begins } = place;
  begins?.();
  const cwd = posix.join(root, use.folder ?? '');
  // The plan check reports this before any agent is paid.
  const outside = await outsideWord(argv, { cwd, root });
  if (outside !== undefined) return notRun(leads(outside));
  const seen = await runOnce(argv, place, use);
  const isHeld = confine !== null && seen.passed === false && heldWords.test(seen.output ?? '');
  if (!isHeld) return seen;
  const { name } = confine.confinement;
  return {
    ...seen,
    held: true,
    note: `may have been stopped by the confinement (${name}): ${seen.note}`,
  };
}

/** Error messages of programs that could not read, write or reach a socket. */
const heldWords =
  /\b(?:EROFS|EACCES|EPERM|E401|401)\b|read-only file ?system|permission denied|operation not permitted|authenticat|unauthori[sz]ed|cannot connect to|bwrap:/i;

async function runOnce(
  argv: readonly string[],
  place: CheckConditions,
  { folder = '', installs = false, test }: CommandUse,
): Promise<Seen> {
  const [command = '', ...args] = argv;
  const { cwd: root, mostMs, environment, markPrefix, signal, confine = null } = place;
  const call = { command, args, env: await checkEnvironment(place) };
  await using confined =
    confine === null
      ? { ...call, [Symbol.asyncDispose]: () => Promise.resolve() }
      : await confineCommand(call, confine, { installs });
  const run = runProcess(
    {
      command: confined.command,
      args: confined.args,
      cwd: posix.join(root, folder),
      env: confined.env,
      mark: `${markPrefix}${randomBytes(6).toString('hex')}`,
      markOf: 'check',
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
  const printed = `${output}${stderrTail}`;
  if (timedOut === null && !installs && ranNoTest({ exitCode, argv }, printed)) {
    return { ...noTest, output: all };
  }
  if (exitCode === 0 && timedOut === null) {
    const isMissing =
      test !== undefined && printed.length < mostRead && ranNoTestNamed(test, printed);
    const note = `no test named “${test}” ran`;
    return isMissing ? { ...noTest, note, output: all } : { ...passes, output: all };
  }
  if (spawnError !== null) return fails(`${command} cannot be started: ${spawnError.message}`);
  const ended = exitCode === null ? `ended by ${killedBy ?? 'a signal'}` : `exit code ${exitCode}`;
  const tookTooLong = `it took longer than ${counted(Math.round(mostMs / 1000), 'second')}`;
  return { ...fails(timedOut === null ? ended : tookTooLong), output: all };
}

export function leads(path: string): string {
  return `"${path}" leads out of the work tree`;
}
