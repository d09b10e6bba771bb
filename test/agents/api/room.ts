import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Agent, AgentRequest, RunLimits } from '../../../src/agents/agent.ts';
import { apiAgent } from '../../../src/agents/api/api-agent.ts';
import type { ApiSettings } from '../../../src/agents/api/api-setup.ts';
import type { ProviderName } from '../../../src/model/agent-settings.ts';
import type { CliAgentSettings } from '../../../src/agents/cli/cli-setup.ts';
import { openRepository } from '../../../src/git/open-repository.ts';
import type { Repository } from '../../../src/git/repository.ts';
import { neverAborted } from '../../../src/model/signal.ts';
import { type ModelServer, startModelServer } from '../../contract/model-server/server.ts';
import { agentRoom } from '../agent-room.ts';

/** A key of each provider, long enough to be taken out of what is kept. */
export const secretKey = 'key-of-the-user-1234567890';

/** The address of each provider on the model server, and a model of it. */
const reachable: Readonly<Record<ProviderName, { path: string; model: string }>> = {
  openai: { path: '/v1', model: 'gpt-of-test' },
  anthropic: { path: '/v1', model: 'claude-of-test' },
  google: { path: '/v1beta', model: 'gemini-of-test' },
  xai: { path: '/v1', model: 'grok-of-test' },
  compatible: { path: '/api/v1', model: 'llama3:8b' },
};

export interface ApiRoom {
  readonly folder: string;
  readonly server: ModelServer;
  write(path: string, text: string): void;
  /** With the files that were written, committed. */
  agent(provider: ProviderName, more?: More): Promise<Agent>;
  request(prompt: string, more?: Request): AgentRequest;
}

interface More extends Partial<Omit<ApiSettings, 'provider'>> {
  readonly settings?: CliAgentSettings;
  readonly environment?: Readonly<Record<string, string>>;
}

let empty: string | undefined;

/** A repository with one commit of nothing, which is made once for all tests of a worker. */
function emptyRepository(): string {
  if (empty !== undefined) return empty;
  empty = mkdtempSync(join(process.env['CONCLAVE_TESTS_KEPT'] ?? tmpdir(), 'empty-'));
  git(empty, '-c', 'init.templateDir=', 'init');
  commit(empty);
  return empty;
}

let opened: Promise<Repository> | undefined;

/** The repository without a file, opened once for all tests of a worker that look into none. */
function openedEmpty(): Promise<Repository> {
  return (opened ??= open(realpathSync(emptyRepository())));
}

const open = (root: string): Promise<Repository> =>
  openRepository({ root, base: null, snapshots: null, signal: neverAborted });

function commit(folder: string): void {
  git(folder, 'add', '-A', ':!events.jsonl');
  git(folder, 'commit', '--allow-empty', '-m', 'base');
}

function git(cwd: string, ...args: readonly string[]): void {
  const author = ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid'];
  execFileSync('git', [...author, '-c', 'maintenance.auto=false', ...args], {
    cwd,
    stdio: 'ignore',
  });
}

type Request = Partial<Omit<AgentRequest, 'limits'>> & { limits?: Partial<RunLimits> };

/** A repository and a model server; both are gone at the end of the test. */
export async function apiRoom(): Promise<ApiRoom> {
  const room = agentRoom();
  const server = await startModelServer();
  onTestFinished(async () => {
    room.remove();
    await server.close();
  });
  const folder = realpathSync(room.folder);
  const isEmpty = (): boolean => readdirSync(folder).every((name) => name === 'events.jsonl');
  return {
    folder,
    server,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    async agent(provider, { settings = {}, environment, ...api } = {}) {
      if (!isEmpty()) {
        cpSync(emptyRepository(), folder, { recursive: true });
        commit(folder);
      }
      const repository = await (isEmpty() ? openedEmpty() : open(folder));
      const { path, model } = reachable[provider];
      return apiAgent({
        name: 'mine',
        settings,
        api: { provider, model, baseUrl: server.url + path, keyEnv: 'MY_API_KEY', ...api },
        environment: environment ?? { PATH: process.env['PATH'] ?? '', MY_API_KEY: secretKey },
        repository,
      });
    },
    request: (prompt, more) =>
      room.request({
        prompt,
        cwd: isEmpty() ? realpathSync(emptyRepository()) : folder,
        ...more,
      }),
  };
}

/** A server on loopback that is gone at the end of the test; its address has no path. */
export async function serverWith(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
