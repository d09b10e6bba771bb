import { posix } from 'node:path';
import { runProcess } from '../../agents/process/run-process.ts';
import { agentEnvironment } from '../../agents/environment.ts';
import { lookAt, readPlainFile, textOf, withoutLinks } from '../../git/disk.ts';
import { plainPath } from '../../git/paths.ts';
import type { Check } from '../../model/check.ts';
import type { BuildFact } from '../../model/context.ts';
import type { SessionEvent } from '../../model/event.ts';
import type { CheckRun } from '../../model/execution.ts';
import type { Task } from '../../model/task.ts';
import { counted } from '../../model/wording.ts';
import { testFact } from '../planning/derive-task.ts';

/** Where checks run, and what limits them. */
export interface CheckPlace {
  /** Absolute: the work tree of the task. */
  readonly cwd: string;
  readonly buildFacts: readonly BuildFact[];
  /** What one command may take, in ms. */
  readonly mostMs: number;
  /** The environment of this program; commands get it without anybody’s credentials. */
  readonly environment: NodeJS.ProcessEnv;
  /** A new mark for the processes of one command. */
  mark(): string;
  readonly signal: AbortSignal;
}

/** Runs every check of a task, one after the other; `told` hears of each as it ends. */
export async function runChecks(
  task: Task,
  place: CheckPlace,
  told: (run: CheckRun) => void,
): Promise<CheckRun[]> {
  const runs: CheckRun[] = [];
  for (const check of checksOf(task)) {
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
    told(run);
  }
  return runs;
}

/** The checks of a task, and the test commands that are no shell text and stand in none of them. */
export function checksOf(task: Pick<Task, 'checks' | 'test'>): readonly Check[] {
  const { checks = [], test } = task;
  const { commands = [] } = test ?? {};
  const known = new Set(
    checks.flatMap((one) => (one.kind === 'command' ? one.argv.join(' ') : [])),
  );
  const others = (Array.isArray(commands) ? commands : Object.values(commands))
    .filter((text) => !known.has(text.trim()))
    .flatMap((text): Check[] => {
      const argv = plainWords(text);
      return argv === null ? [] : [{ kind: 'command', argv }];
    });
  return [...checks, ...others];
}

/** What a check is called: the words of the plan, or what it looks at. */
export function checkName(check: Check): string {
  if (check.describes !== undefined && check.kind !== 'command') return check.describes;
  switch (check.kind) {
    case 'command':
      return check.argv
        .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
        .join(' ');
    case 'test':
      return `the tests in ${check.path} pass`;
    case 'file':
      return `${check.path} ${check.exists ? 'exists' : 'does not exist'}`;
    case 'symbol':
      return `${check.path} has ${check.symbol}`;
    case 'text':
      return `${check.path} contains "${check.contains}"`;
    case 'manual':
      return check.describes;
  }
}

/** The words of a command that needs no shell; null for one that does. */
function plainWords(text: string): string[] | null {
  const words = text.trim().split(/\s+/);
  return words.every((word) => /^[\w@%+=:,./-]+$/.test(word)) ? words : null;
}

type Seen = Pick<CheckRun, 'passed' | 'note'> & { readonly output?: string };
const passes: Seen = { passed: true, note: '' };
const fails = (note: string): Seen => ({ passed: false, note });
const notRun = (note: string): Seen => ({ passed: null, note });

async function look(check: Check, place: CheckPlace): Promise<Seen> {
  switch (check.kind) {
    case 'manual':
      return notRun('a person has to look at it');
    case 'command':
      return await runCommand(check.argv, place);
    case 'test':
      return await runTest(check.path, place);
    case 'file': {
      const path = await inside(place.cwd, check.path);
      if (path === null) return fails(leads(check.path));
      const isThere = (await lookAt(place.cwd, path)).kind !== 'absent';
      return isThere === check.exists ? passes : fails(isThere ? 'it exists' : 'it does not exist');
    }
    case 'symbol':
      return await contains(
        check.path,
        new RegExp(`(?<![\\w$])${escaped(check.symbol)}(?![\\w$])`),
        place,
      );
    case 'text':
      return await contains(
        check.path,
        new RegExp(escaped(check.contains).replaceAll(/\s+/g, '\\s+')),
        place,
      );
  }
}

async function contains(given: string, pattern: RegExp, { cwd }: CheckPlace): Promise<Seen> {
  const path = await inside(cwd, given);
  if (path === null) return fails(leads(given));
  const content = await readPlainFile(cwd, path);
  const text = content === null ? null : textOf(content);
  if (text === null) return fails('there is no such text file');
  return pattern.test(text) ? passes : fails('it is not there');
}

function escaped(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

/** By the test command that the project states for the nearest folder above the test. */
async function runTest(given: string, place: CheckPlace): Promise<Seen> {
  const path = await inside(place.cwd, given);
  if (path === null) return fails(leads(given));
  if ((await lookAt(place.cwd, path)).kind === 'absent') return fails('there is no such test file');
  const fact = testFact([path], place.buildFacts);
  if (fact === null) return notRun('the project states no command for its tests');
  const argv = plainWords(fact.value);
  if (argv === null) return notRun(`"${fact.value}" needs a shell, which is not used`);
  return await runCommand(argv, { ...place, cwd: posix.join(place.cwd, fact.folder) });
}

/** The last of its output that is kept, in characters. */
const mostOutput = 8_000;

async function runCommand(argv: readonly string[], place: CheckPlace): Promise<Seen> {
  const outside = argv.find((word) => leadsOut(word));
  if (outside !== undefined) return fails(`not run: ${leads(outside)}`);
  const [command = '', ...args] = argv;
  const { cwd, mostMs, environment, signal } = place;
  const run = runProcess(
    {
      command,
      args,
      cwd,
      env: { ...environmentFor(environment), CI: '1' },
      mark: place.mark(),
      input: '',
      rawOutput: null,
      limits: { firstOutputMs: mostMs, idleMs: mostMs, totalMs: mostMs, graceMs: 2_000 },
    },
    signal,
  );
  let output = '';
  for (;;) {
    const next = await run.next();
    if (next.done !== true) {
      output =
        `${output}${next.value.map((line) => (typeof line === 'string' ? `${line}\n` : '')).join('')}`.slice(
          -mostOutput,
        );
      continue;
    }
    signal.throwIfAborted();
    const { exitCode, signal: killedBy, timedOut, spawnError, stderrTail } = next.value;
    const all = `${output}${stderrTail}`.slice(-mostOutput);
    if (spawnError !== null)
      return { ...fails(`${command} cannot be started: ${spawnError.message}`), output: all };
    if (timedOut !== null) {
      return {
        ...fails(`it took longer than ${counted(Math.round(mostMs / 1000), 'second')}`),
        output: all,
      };
    }
    if (exitCode === 0) return { ...passes, output: all };
    const how = exitCode === null ? `ended by ${killedBy ?? 'a signal'}` : `exit code ${exitCode}`;
    return { ...fails(how), output: all };
  }
}

function environmentFor(base: NodeJS.ProcessEnv): Record<string, string> {
  const adapter = { variables: [], env: () => ({}) };
  return agentEnvironment({ base, adapter, settings: {}, request: null });
}

/** The path without links, where it stays in the work tree; else null. */
async function inside(root: string, path: string): Promise<string | null> {
  const plain = plainPath(path);
  if (plain === null) return null;
  const real = await withoutLinks(root, plain);
  return real ?? ((await lookAt(root, plain)).kind === 'absent' ? plain : null);
}

/** Whether a word of a command is a path that leaves the folder that it runs in. */
function leadsOut(word: string): boolean {
  return word
    .split(/[=:,]/)
    .some((part) => /^[/~]/.test(part) || posix.normalize(part).startsWith('..'));
}

function leads(path: string): string {
  return `"${path}" leads out of the work tree`;
}

/** How a face is told of a check that ran. */
export function checkEvent(
  task: string,
  when: 'before' | 'after',
  { check, passed, note, output, ms }: CheckRun,
): Extract<SessionEvent, { type: 'check.ran' }> {
  const lines = passed === false ? output.trim().split('\n').slice(-mostLines) : [];
  return { type: 'check.ran', task, when, check, passed, note, output: lines.join('\n'), ms };
}

/** More is in the result. */
const mostLines = 8;

/** Runs the set-up of a work tree. Returns why it failed; null where it did not. */
export async function setUpPlace(
  argv: readonly string[],
  place: CheckPlace,
): Promise<string | null> {
  if (argv.length === 0) return null;
  const { passed, note, output = '' } = await runCommand(argv, place);
  if (passed === true) return null;
  return `the set-up "${argv.join(' ')}" failed: ${note}${output === '' ? '' : `: ${output.trim().slice(-300)}`}`;
}
