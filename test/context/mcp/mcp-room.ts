import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverStarter } from '../../../src/agents/process/server-program.ts';
import { mcpProvider } from '../../../src/context/provider-list.ts';
import type { McpServer } from '../../../src/context/mcp/known-servers.ts';
import type { ContextProvider } from '../../../src/context/provider.ts';
import type { Repository } from '../../../src/git/repository.ts';

const fixture = new URL('../../fixtures/mcp/server.mjs', import.meta.url).pathname;

/** A real server process in front of a repository, and what it was told. */
export interface McpRoom {
  provider(
    repository: Repository,
    server: { readonly result?: unknown; readonly ways?: readonly string[] } & Partial<McpServer>,
  ): ContextProvider;
  /** What the server wrote down: each message it got, and the processes that there were. */
  log(): readonly Record<string, unknown>[];
  pids(): readonly number[];
  [Symbol.asyncDispose](): Promise<void>;
}

export async function mcpRoom(): Promise<McpRoom> {
  const folder = await mkdtemp(join(tmpdir(), 'conclave-mcp-'));
  const file = join(folder, 'log.jsonl');
  let marks = 0;
  const start = serverStarter({
    environment: { PATH: process.env['PATH'], SECRET_OF_ANOTHER: 'x', ACE_TOKEN: 'y' },
    graceMs: 100,
    mark: () => `${folder}.${(marks += 1)}`,
  });
  const log = (): readonly Record<string, unknown>[] => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Record<string, unknown> => JSON.parse(line));
  };
  return {
    provider(repository, { result = {}, ways = [], ...more }) {
      const server: McpServer = {
        command: process.execPath,
        args: [fixture, JSON.stringify(result), ...ways],
        env: { MCP_LOG: file },
        tool: 'find',
        arguments: { q: '{query}', root: '{root}', most: '{limit}', unheard_of: 'x' },
        queries: ['{task}'],
        variables: [],
        timeoutMs: 60_000,
        maxBytes: 1_000_000,
        ...more,
      };
      return mcpProvider(server, { repository, start });
    },
    log,
    pids: () => log().flatMap(({ pid }) => (typeof pid === 'number' ? [pid] : [])),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The result of a call that says this text. */
export const saying = (text: string): unknown => ({ content: [{ type: 'text', text }] });
