// Runs one command of a check or the set-up, confined if possible, and says how it ended.
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Elsewhere, ElsewhereConditions } from '../../agents/agent.ts';
import { secretFilter } from '../../agents/process/environment.ts';
import type { UseWatch } from '../../agents/process/watch-use.ts';
import { runProcess } from '../../agents/process/start-program.ts';
import { outsideWord } from '../../git/outside-paths.ts';
import type { BuildFact } from '../../model/context.ts';
import type { CheckRun } from '../../model/check-record.ts';
import { redactOutput } from '../../model/secrets.ts';
import { counted } from '../../model/wording.ts';
import { removeFolder } from '../../store/remove-folder.ts';
import { temporaryFolder } from '../../store/temporary-folder.ts';
import { checkEnvironment, type CommandPlace } from './check-environment.ts';
import { confineCommand, type TreeConfinement, type WrappedCommand } from './confine.ts';
import { countingVariables, readTests, refusesReport, whyNoPass } from './test-counts.ts';

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
  /** Runs checks and the set-up where the agent of the task runs; null if that is here. */
  readonly elsewhere?: Elsewhere | null;
  /** Called when a command begins, because it may leave anything behind. */
  readonly begins?: () => void;
  readonly signal: AbortSignal;
}

/** The part of the conditions that travels to another machine. */
export function travelling(place: CheckConditions): ElsewhereConditions {
  const { cwd: folder, buildFacts, mayRun = null, mostMs, variables = {} } = place;
  return { folder, buildFacts, mayRun, mostMs, slot: variables[slotVariable] ?? '0' };
}

/** The variable with the number for the ports and databases of a work tree. */
export const slotVariable = 'CONCLAVE_SLOT';

/** The command that prepares a work tree failed, or something that it needs is missing. */
export class NotSetUp extends Error {}

/** The outcome of a check, and the output of its command. */
export type Seen = Pick<
  CheckRun,
  | 'passed'
  | 'note'
  | 'held'
  | 'ran_no_test'
  | 'exit'
  | 'tests'
  | 'confined'
  | 'collided'
  | 'limited'
> & { readonly output?: string };
export const passes: Seen = { passed: true, note: '' };
export const fails = (note: string): Seen => ({ passed: false, note });
export const notRun = (note: string): Seen => ({ passed: null, note });

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
  /** False if its test runner is not asked for a report. */
  readonly counts?: boolean;
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
  /\b(?:EROFS|EACCES|EPERM|E401)\b|read-only file ?system|permission denied|operation not permitted|authentication failed|cannot connect to|bwrap:|ENOENT.*mkdir '.*\/node_modules\//i;

/** The message of a program that cannot have its port. */
const collisionWords = /\bEADDRINUSE\b|address already in use/i;

async function runOnce(
  argv: readonly string[],
  place: CheckConditions,
  { folder = '', installs = false, counts = !installs, test }: CommandUse,
): Promise<Seen> {
  const [command = '', ...args] = argv;
  const { cwd: root, mostMs, environment, markPrefix, signal, confine = null } = place;
  await using temporary = await ownTemporary();
  const env = { ...(await checkEnvironment(place)), TMPDIR: temporary.path };
  const call = { command, args, env, folder };
  const confined: WrappedCommand =
    confine === null
      ? call
      : await confineCommand(call, confine, { installs, temporary: temporary.path });
  const reports = 'reports';
  const reader = installs ? null : readTests(argv, join(temporary.path, reports));
  const given = confined.env;
  const counting = counts ? countingVariables(join(given['TMPDIR'] ?? '', reports), given) : {};
  let watch: UseWatch | undefined;
  const { maxBytes = Infinity } = confined;
  const run = runProcess(
    {
      command: confined.command,
      args: confined.args,
      cwd: confined.cwd ?? posix.join(root, folder),
      env: { ...given, ...counting },
      mark: `${markPrefix}${randomBytes(6).toString('hex')}`,
      markOf: 'check',
      input: '',
      rawOutput: null,
      maxBytes,
      started: (pid) => (watch = confined.watch?.(pid)),
      limits: { firstOutputMs: mostMs, idleMs: mostMs, totalMs: mostMs, graceMs: 2_000 },
    },
    signal,
  );
  let output = '';
  let next = await run.next();
  while (next.done !== true) {
    const lines = next.value.flatMap((line) => (typeof line === 'string' ? line : []));
    for (const line of lines) reader?.read(line);
    output = `${output}${lines.map((line) => `${line}\n`).join('')}`.slice(-mostRead);
    next = await run.next();
  }
  watch?.end();
  signal.throwIfAborted();
  const { exitCode, signal: killedBy, timedOut, spawnError, stderrTail, outputBytes } = next.value;
  const printed = `${output}${stderrTail}`;
  if (counts && refusesReport(exitCode, printed)) {
    return await runOnce(argv, place, { folder, installs, counts: false, test });
  }
  for (const line of stderrTail.split('\n')) reader?.read(line);
  const hasEnded = timedOut === null && spawnError === null;
  const tests = hasEnded && reader !== null ? await reader.end() : null;
  const seen = {
    output: safeOutput(printed, environment).slice(-mostOutput),
    ...(spawnError === null ? { exit: exitCode } : {}),
    ...(tests === null ? {} : { tests }),
    ...(confine === null ? {} : { confined: true }),
  };
  if (exitCode === 0 && timedOut === null) {
    const why = installs ? null : whyNoPass(tests, test);
    return why === null
      ? { ...passes, ...seen }
      : { ...notRun(`${why}, which proves nothing`), ran_no_test: true, ...seen };
  }
  if (spawnError !== null) return fails(`${command} cannot be started: ${spawnError.message}`);
  const ended = exitCode === null ? `ended by ${killedBy ?? 'a signal'}` : `exit code ${exitCode}`;
  const tookTooLong = `it took longer than ${counted(Math.round(mostMs / 1000), 'second')}`;
  const tooMuch = watch?.why() ?? (outputBytes > maxBytes ? 'it printed more than 100 MB' : null);
  const isLimited = watch !== undefined && (timedOut ?? tooMuch) !== null;
  const collided = collisionWords.test(printed) ? { collided: true } : {};
  return {
    ...fails(tooMuch ?? (timedOut === null ? ended : tookTooLong)),
    ...seen,
    ...collided,
    ...(isLimited ? { limited: true } : {}),
  };
}

/** A folder for the temporary files of one command. */
async function ownTemporary(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await temporaryFolder('check');
  await mkdir(join(path, 'reports'));
  return { path, [Symbol.asyncDispose]: () => removeFolder(path) };
}

export function leads(path: string): string {
  return `"${path}" leads out of the work tree`;
}
