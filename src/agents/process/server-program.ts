// Starts a server with a dialogue, and ends all that came from it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProgram, StartServer } from '../../context/mcp/known-servers.ts';
import { cleanText } from '../../model/clean-text.ts';
import { oneLine } from '../../model/wording.ts';
import { errorLine } from '../phrases.ts';
import { findProgram } from './find-program.ts';
import { agentEnvironment, secretFilter } from './environment.ts';
import { type Program, startProgram } from './start-program.ts';

/**
 * Starts servers under the same rules as agents: an environment from the allow-list, a separate
 * group, a mark, and an end for all that came from them. `mark` makes a new mark for each start.
 */
export function serverStarter(by: {
  readonly environment: NodeJS.ProcessEnv;
  readonly graceMs: number;
  mark(): string;
}): StartServer {
  return async ({ command, args, cwd, env: own, variables, maxBytes }) => {
    const env = agentEnvironment({
      base: by.environment,
      adapter: { variables, env: () => ({}) },
      settings: { env: own },
      request: null,
    });
    const path = findProgram(command, env.PATH);
    if (path === null) {
      return { ok: false, failure: { reason: `there is no program ${command}` } };
    }
    const limits = { ...noLimits, graceMs: by.graceMs };
    const call = { command: path, args, cwd, env, mark: by.mark() };
    const started = await startProgram(
      { ...call, rawOutput: null, limits, maxBytes },
      new AbortController().signal,
    );
    const safe = secretFilter(env);
    if (started.ok) return { ok: true, value: serverProgram(started.value, safe) };
    const reason = safe(oneLine(started.failure.spawnError?.message ?? ''));
    return { ok: false, failure: { reason } };
  };
}

/** No time limits, because the code that asks the server keeps the time and ends it. */
const noLimits = { firstOutputMs: Infinity, idleMs: Infinity, totalMs: Infinity };

function serverProgram(program: Program, safe: (text: string) => string): ServerProgram {
  return {
    send: (line) => program.write(`${line}\n`),
    take: () => program.take(),
    get bytes() {
      return program.bytes;
    },
    async ending() {
      const exit = await Promise.race([program.exited, sleep(exitPatienceMs, null, unheld)]);
      const how =
        exit === null
          ? 'it closed its output'
          : exit.signal === null
            ? `exit code ${exit.code ?? 'unknown'}`
            : `signal ${exit.signal}`;
      const words = oneLine(cleanText(errorLine(safe(program.stderrTail())))).slice(0, 160);
      return words === '' ? how : `${how}: ${words}`;
    },
    async end() {
      program.endInput();
      program.stop();
      await program.over;
    },
  };
}

const exitPatienceMs = 200;
const unheld = { ref: false };
