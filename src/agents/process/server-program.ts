// Starts a server that is talked to, and ends all that came from it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerProgram, StartServer } from '../../context/mcp/server.ts';
import { cleanText } from '../../model/clean-text.ts';
import { oneLine } from '../../model/wording.ts';
import { findProgram } from './find-program.ts';
import { agentEnvironment, secretFilter } from './environment.ts';
import { linePump, release } from './line-pump.ts';
import { endTree } from './process-tree.ts';
import { spawnProgram, type SpawnedProgram } from './spawn.ts';
import { byteTail } from './record.ts';

/**
 * Starts servers under the same rules as agents: an environment from the allow-list, an own group,
 * a mark, and an end for all that came from them. `mark` makes a new mark for each start.
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
    const spawned = await spawnProgram({ command: path, args, cwd, env, mark: by.mark() });
    if (!spawned.ok) {
      const reason = secretFilter(env)(oneLine(spawned.error.message));
      return { ok: false, failure: { reason } };
    }
    const value = serverProgram(spawned.program, { graceMs: by.graceMs, maxBytes, secrets: env });
    return { ok: true, value };
  };
}

function serverProgram(
  program: SpawnedProgram,
  limits: {
    readonly graceMs: number;
    readonly maxBytes: number;
    readonly secrets: NodeJS.ProcessEnv;
  },
): ServerProgram {
  const { root, stdin, stdout, stderr, exited } = program;
  const { graceMs, maxBytes, secrets } = limits;
  const tooMuch = Promise.withResolvers<null>();
  const errors = byteTail(4 * 1024);
  // A line that never ends is never delivered, so it is the bytes that are watched.
  const lines = linePump(stdout, () => {
    if (lines.bytes > maxBytes) tooMuch.resolve(null);
  });
  stderr.on('data', (chunk: Buffer) => {
    errors.push(chunk);
    release(chunk);
  });
  // It is within its rights to end without reading; that shows in its output.
  stdin.on('error', () => stdin.destroy());
  return {
    send(line) {
      if (stdin.writable) stdin.write(`${line}\n`);
    },
    take: () => Promise.race([lines.take(), tooMuch.promise]),
    get bytes() {
      return lines.bytes;
    },
    async ending() {
      const exit = await Promise.race([exited, sleep(exitPatienceMs, null, { ref: false })]);
      const how =
        exit === null
          ? 'it closed its output'
          : exit.signal === null
            ? `exit code ${exit.code ?? 'unknown'}`
            : `signal ${exit.signal}`;
      const said = lastLine(secretFilter(secrets)(errors.text()));
      return said === '' ? how : `${how}: ${said}`;
    },
    async end() {
      lines.mute();
      stdin.end();
      try {
        await endTree({ ...root, graceMs });
      } finally {
        // Whoever still holds the other end must not keep us waiting.
        for (const stream of [stdin, stdout, stderr]) stream.destroy();
      }
    },
  };
}

const exitPatienceMs = 200;

function lastLine(text: string): string {
  const lines = cleanText(text).split('\n').map(oneLine);
  return (lines.findLast((line) => line !== '') ?? '').slice(0, 160);
}
