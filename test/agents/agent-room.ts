import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Agent,
  AgentEnd,
  AgentRequest,
  RunFacts,
  RunLimits,
  UserSide,
} from '../../src/agents/agent.ts';
import { cliAgent } from '../../src/agents/cli/cli-agent.ts';
import type { CliAgentSettings } from '../../src/agents/cli/cli-setup.ts';
import { programAdapter } from '../../src/agents/cli/own-program.ts';
import type { FramedLine } from '../../src/agents/process/line-pump.ts';
import {
  type ProcessEnd,
  type ProcessRequest,
  runProcess,
} from '../../src/agents/process/start-program.ts';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import { codebaseContext } from '../helpers/codebase-context.ts';

/** The path of a little fake program. */
export const fake = (name: string) =>
  new URL(`../fixtures/agents/${name}.mjs`, import.meta.url).pathname;

export const noLimits: RunLimits = {
  firstOutputMs: Infinity,
  idleMs: Infinity,
  totalMs: 15_000,
  graceMs: 150,
};

/** The facts of a run without anything to tell. */
export const plainFacts: RunFacts = {
  agentSession: null,
  model: null,
  version: null,
  exitCode: 0,
  signal: null,
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 1,
  outputBytes: 0,
  tokens: null,
  costUsd: null,
  unknownEvents: 0,
  filesChanged: [],
  notes: [],
};

export type Limits = Partial<RunLimits>;

/** A folder of its own in which programs and agents are run. */
export interface AgentRoom {
  readonly folder: string;
  file(name: string): string;
  process(
    argv: readonly string[],
    more?: Partial<Omit<ProcessRequest, 'limits'>> & { limits?: Limits; signal?: AbortSignal },
  ): Promise<{ lines: FramedLine[]; end: ProcessEnd }>;
  request(more?: Partial<Omit<AgentRequest, 'limits'>> & { limits?: Limits }): AgentRequest;
  remove(): void;
}

export function agentRoom(): AgentRoom {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-agents-'));
  let marks = 0;
  const common = (limits: Limits = {}) => ({
    cwd: folder,
    mark: `${folder}-${(marks += 1)}`,
    rawOutput: join(folder, 'events.jsonl'),
    limits: { ...noLimits, ...limits },
  });
  return {
    folder,
    file: (name) => readFileSync(join(folder, name), 'utf8'),
    async process([command = '', ...args], { limits, signal, ...more } = {}) {
      const env = { PATH: process.env['PATH'] ?? '' };
      const run = runProcess(
        { command, args, env, input: '', ...common(limits), ...more },
        signal ?? new AbortController().signal,
      );
      const lines: FramedLine[] = [];
      for (;;) {
        const step = await run.next();
        if (step.done === true) return { lines, end: step.value };
        for (const line of step.value) lines.push(line);
      }
    },
    request: ({ limits, ...more } = {}) => ({
      prompt: 'What should we do?',
      about: { session: 'S', round: 1, task: 'T', context: codebaseContext(), constraints: [] },
      permission: 'read-only',
      role: null,
      schema: null,
      model: null,
      resume: null,
      extraDirs: [],
      hidden: [],
      ...common(limits),
      ...more,
    }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A user with these files, by path. */
export function userWith(
  environment: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
): UserSide {
  return {
    home: '/home/user',
    environment,
    model: null,
    read: (path) => files[path] ?? null,
    list: () => [],
    has: (path) => path in files,
  };
}

/** Calls a program that speaks our own events without a confinement, so that it may leave traces. */
const { isUntried: _, ...openAdapter } = programAdapter('fake', null);
export const openProgram = openAdapter;

/** A fake program as an agent that speaks our own events. */
export function fakeAgent(
  name: string,
  args: readonly string[] = [],
  more: CliAgentSettings = {},
): Agent {
  return cliAgent({
    adapter: openProgram,
    settings: { path: process.execPath, args: [fake(name), ...args], ...more },
    environment: { PATH: process.env['PATH'] },
  });
}

/** Runs an agent to its end. */
export async function runToEnd(
  agent: Agent,
  request: AgentRequest,
  signal = new AbortController().signal,
): Promise<{ events: AgentEvent[]; end: AgentEnd }> {
  const run = agent.run(request, signal);
  const events: AgentEvent[] = [];
  for (;;) {
    const step = await run.next();
    if (step.done === true) return { events, end: step.value };
    events.push(step.value);
  }
}

/** True while a process with this pid is there and no zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until something is so, nearly as long as a test may take: how fast a machine is decides nothing. */
export async function until(what: string, isSo: () => boolean): Promise<void> {
  for (const started = performance.now(); !isSo(); await sleep(5)) {
    if (performance.now() - started > 150_000) throw new Error(`waited in vain until ${what}`);
  }
}
