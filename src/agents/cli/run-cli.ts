// Runs a program as an agent: started, heard, confined where that is needed, and read again after a kill.
import { lstatSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { guardVariables } from '../../git/guard.ts';
import type { AgentEvent } from '../../model/agent-event.ts';
import type { Result } from '../../model/failure.ts';
import { packageRoot } from '../../prompts/package-root.ts';
import { hasCode } from '../../store/system-error.ts';
import type { AgentAdapter, AgentEnd, AgentRequest } from '../agent.ts';
import { type Dialogue, type Heard, plainDialogue } from '../dialogue.ts';
import { toolsOf } from '../permission.ts';
import { type ConfinedRun, confineRun } from '../process/confine-run.ts';
import { agentEnvironment, secretFilter } from '../process/environment.ts';
import type { FramedLine } from '../process/line-pump.ts';
import { type PrivateFiles, privateFiles, privateFolder } from '../process/private-files.ts';
import { rereadRecord } from '../process/record.ts';
import {
  type ProcessEnd,
  type ProcessRequest,
  notStarted,
  runProcess,
} from '../process/start-program.ts';
import { forgetVersion } from './cli-readiness.ts';
import { type CliSetup, programPath, userSide, variablesOf, whyMissing } from './cli-setup.ts';
import {
  endOf,
  failedEnd,
  otherSession,
  type Reason,
  type RunOrder,
  secretsOf,
} from './run-end.ts';
import { boundEvent, type RunSum, runTally, usageShare } from './run-tally.ts';

/** Runs a program to its end, as its adapter describes. */
export async function* runCli(
  order: RunOrder,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, AgentEnd, undefined> {
  const { setup, request } = order;
  const { adapter } = setup;
  const startedAt = new Date().toISOString();
  const tally = runTally();
  const ended = (process: ProcessEnd, talk: Dialogue | null = null) => {
    return { order, startedAt, sum: tally.sum(), process, talk };
  };
  const path = programFor(setup, request);
  if (!path.ok) return failedEnd(ended(notStarted), path.failure);
  // These git commands are short and need no signal.
  const guard = await guardVariables({ root: request.cwd, signal: new AbortController().signal });
  const files = filesFor(setup, request);
  const given = files === null ? request : { ...request, filesFolder: files.folder };
  const share = usageShare(adapter, request);
  const safe = secretFilter(secretsOf(setup));
  const talk = await dialogueOf(setup, given);
  const { cwd, extraDirs } = request;
  const asked = processRequest(setup, { path: path.value, guard }, given);
  const bound = await boundsOf(asked, { adapter, request });
  if (!bound.ok) {
    files?.remove();
    return failedEnd(ended(notStarted), { category: 'permission-refused', detail: bound.failure });
  }
  const removeMountPoints = mountPoints([cwd, ...extraDirs], adapter.mounts ?? []);
  const lost = new AbortController();
  const heard = Promise.withResolvers<void>();
  const program = runProcess(
    {
      ...asked,
      ...bound.value,
      input: talk.opening,
      farewell: talk.farewell,
      ...(talk.isTalk ? { lingerMs } : {}),
      ...(talk.isTalk || adapter.waitsForInput === true ? { inputEnd: heard.promise } : {}),
    },
    AbortSignal.any([signal, lost.signal]),
  );
  try {
    for (let reply = ''; ;) {
      const step = await program.next(reply);
      reply = '';
      if (step.done === true) {
        for (const told of usageAfter(setup, given, tally.sum())) yield* tally.add(share(told));
        const { completed, calling } = tally.sum();
        const cancelled = step.value.cancelled && signal.aborted;
        if (cancelled && !completed) yield { type: 'cancelled', what: calling };
        const end = endOf(ended({ ...step.value, cancelled }, talk));
        if (!end.ok) await forgetVersion(setup);
        return end;
      }
      for (const line of step.value) {
        const said = hear(line, talk, tally.leftOut);
        reply += said.reply;
        if (said.isOver) heard.resolve();
        for (const told of said.events) yield* tally.add(boundEvent(share(told), safe));
      }
      const sum = tally.sum();
      // A line that was too long to be read may have been the end.
      const isHeard = step.value.some((line) => typeof line !== 'string');
      if (!talk.isTalk && (sum.completed || sum.error !== null || isHeard)) heard.resolve();
      // A new session knows nothing of ours, so every further word would be paid for in vain.
      if (otherSession(request, sum) !== null) lost.abort();
    }
  } finally {
    // Ends the program if the caller left the loop; otherwise it has ended already.
    await program.return(notStarted);
    removeMountPoints();
    files?.remove();
    await bound.value.remove?.();
  }
}

/**
 * Confines a run that may only read, for an agent whose read-only mode was never tried; the script of
 * the demo, which is ours, writes nothing.
 */
async function boundsOf(
  { command, args, env }: Pick<ProcessRequest, 'command' | 'args' | 'env'>,
  of: Parameters<typeof confineRun>[1] & { readonly adapter: AgentAdapter },
): Promise<Result<Partial<ConfinedRun>, string>> {
  const isOurs = args[0] === join(packageRoot(), 'templates/demo/agent.mjs');
  const isTried = of.adapter.isUntried !== true || isOurs;
  const isOpen = isTried || toolsOf(of.request).has('file_write');
  return isOpen ? { ok: true, value: {} } : await confineRun({ command, args, env }, of);
}

/** See `Agent.recall`. Reads the killed run’s output as that run would have. */
export async function recallCli(order: RunOrder, since: Date): Promise<AgentEnd | null> {
  const { setup, request } = order;
  const { adapter } = setup;
  const output = rereadRecord(request.rawOutput, { since, environment: secretsOf(setup) });
  if (output === null) return null;
  const tally = runTally();
  const share = usageShare(adapter, request);
  const talk = await dialogueOf(setup, request);
  for (const line of output.lines)
    for (const told of hear(line, talk, tally.leftOut).events) tally.add(share(told));
  if (!tally.sum().completed) return null;
  for (const told of usageAfter(setup, request, tally.sum())) tally.add(share(told));
  const { durationMs, outputBytes } = output;
  const process = { ...notStarted, exitCode: 0, durationMs, outputBytes };
  const startedAt = since.toISOString();
  const end = endOf({ order, startedAt, sum: tally.sum(), process, talk });
  return end.ok ? { ...end, facts: { ...end.facts, exitCode: null } } : null;
}

function usageAfter(setup: CliSetup, request: AgentRequest, { facts }: RunSum) {
  return setup.adapter.usageIn?.(request, userSide(setup), facts.agentSession) ?? [];
}

function filesFor(setup: CliSetup, request: AgentRequest): PrivateFiles | null {
  const files = setup.adapter.files?.(request, userSide(setup, request.model)) ?? {};
  return Object.keys(files).length === 0
    ? null
    : privateFiles(privateFolder(request.rawOutput), files);
}

function processRequest(
  setup: CliSetup,
  { path, guard }: { readonly path: string; readonly guard: Readonly<Record<string, string>> },
  request: AgentRequest,
): Omit<ProcessRequest, 'input'> {
  const { settings, environment: base } = setup;
  const adapter = { ...setup.adapter, variables: variablesOf(setup, request.model) };
  return {
    command: path,
    args: [...(settings.args ?? []), ...adapter.argv(request)],
    cwd: request.cwd,
    env: { ...guard, ...agentEnvironment({ base, adapter, settings, request }) },
    secrets: base,
    mark: request.mark,
    rawOutput: request.rawOutput,
    limits: request.limits,
  };
}

/** The time that a program with a dialogue has to save its session, because it may wait forever, in ms. */
const lingerMs = 2_000;

async function dialogueOf(
  { adapter, dialogue }: CliSetup,
  request: AgentRequest,
): Promise<Dialogue> {
  return await (dialogue?.(request) ?? plainDialogue(adapter, request));
}

// Blank lines have no meaning for any CLI.
function hear(line: FramedLine, talk: Dialogue, leftOut: (bytes: number) => AgentEvent): Heard {
  const nothing = { events: [], reply: '', isOver: false };
  if (typeof line !== 'string') return { ...nothing, events: [leftOut(line.overlong)] };
  return line.trim() === '' ? nothing : talk.hear(line);
}

function refuse(category: Reason['category'], detail: string) {
  return { ok: false, failure: { category, detail } } as const;
}

/** The path of the program, or why it is not started. */
function programFor(setup: CliSetup, request: AgentRequest): Result<string, Reason> {
  const { adapter } = setup;
  const path = programPath(setup);
  if (path === null) {
    return refuse('not-installed', `${whyMissing(setup)}; to install it: ${adapter.install}`);
  }
  const refusal = adapter.refusal?.(request, userSide(setup, request.model)) ?? null;
  if (refusal !== null) return refuse('permission-refused', refusal);
  const bytes = Buffer.byteLength(request.prompt);
  if (bytes <= adapter.maxPromptBytes) return { ok: true, value: path };
  const most = adapter.maxPromptBytes;
  return refuse(
    'request-refused',
    `the prompt has ${bytes} bytes, of which it would take only ${most}`,
  );
}

/**
 * Remembers which of these names are missing in the folders. The returned function removes those
 * that exist by then, if they are empty.
 */
export function mountPoints(folders: readonly string[], names: readonly string[]): () => void {
  const missing = folders
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false }) === undefined);
  return () => {
    for (const path of missing) removeIfEmpty(path);
  };
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    // It is missing, a file, or not empty: then it is the agent’s work.
    if (!hasCode(error, ['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EACCES', 'EPERM', 'EBUSY']))
      throw error;
  }
}
