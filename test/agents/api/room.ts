import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Agent, AgentRequest, RunLimits } from '../../../src/agents/agent.ts';
import { apiAgent } from '../../../src/agents/api/api-agent.ts';
import type { ApiSettings } from '../../../src/agents/api/api-setup.ts';
import type { ProviderName } from '../../../src/model/api-settings.ts';
import type { CliAgentSettings } from '../../../src/agents/cli/cli-setup.ts';
import { openRepository } from '../../../src/git/open-repository.ts';
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
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  git('init');
  return {
    folder,
    server,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    async agent(provider, { settings = {}, environment, ...api } = {}) {
      git('add', '-A', ':!events.jsonl');
      git('commit', '--allow-empty', '-m', 'base');
      const repository = await openRepository({
        root: folder,
        base: null,
        snapshots: null,
        signal: neverAborted,
      });
      const { path, model } = reachable[provider];
      return apiAgent({
        name: 'mine',
        settings,
        api: { provider, model, baseUrl: server.url + path, keyEnv: 'MY_API_KEY', ...api },
        environment: environment ?? { PATH: process.env['PATH'] ?? '', MY_API_KEY: secretKey },
        repository,
      });
    },
    request: (prompt, more) => room.request({ prompt, cwd: folder, ...more }),
  };
}
