import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Agent, AgentEnd } from '../../src/agents/agent.ts';
import type { CliAgentSettings } from '../../src/agents/cli-agent.ts';
import { codex } from '../../src/agents/codex.ts';
import type { AgentEvent } from '../../src/model/event.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { cliRoom, type CliRoom, type RequestParts } from './cli-room.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type ModelServer } from './model-server/server.ts';
import { record } from './record.ts';

export const stubKey = 'test-key-of-nobody';

/** The real codex against the model server: a room of its own for each test. */
export interface CodexBench {
  readonly server: ModelServer;
  readonly room: CliRoom;
  /** A prompt to which the model replies so, in order. */
  scripted(...replies: Reply[]): string;
  /** With a provider as a user could configure it, its retries cut short. */
  agent(url?: string): Agent;
  /** With the provider that codex brings along, and the login of the home. */
  agentWithLogin(): Agent;
  ask(prompt: string, more?: RequestParts): Promise<{ events: AgentEvent[]; end: AgentEnd }>;
  /** Keeps the last run as a golden transcript, where that is wanted. */
  keep(name: string): void;
}

export function codexBench(): CodexBench {
  let server: ModelServer;
  let room: CliRoom;
  let scenarios = 0;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    // Its own state folder is the one place where it has to write.
    room = cliRoom({ adapter: codex, environment: {}, own: ['home/.codex'] });
  });
  afterEach(() => room.remove());

  const agent = (url = server.url) => room.agent(stubProvider(`${url}/v1`));
  return {
    get server() {
      return server;
    },
    get room() {
      return room;
    },
    scripted(...replies) {
      const marker = `[[scenario:codex-${(scenarios += 1)}]]`;
      server.on(marker, replies);
      return `${marker}\nWhat should we do?`;
    },
    agent,
    agentWithLogin: () => room.agent({ args: ['-c', `openai_base_url="${server.url}/v1"`] }),
    ask: (prompt, more) => runToEnd(agent(), room.request(prompt, more)),
    keep: (name) => record(room, { adapter: codex, name }),
  };
}

export function stubProvider(baseUrl: string): CliAgentSettings {
  const provider = {
    name: 'stub',
    base_url: baseUrl,
    wire_api: 'responses',
    env_key: 'STUB_KEY',
    request_max_retries: 1,
    stream_max_retries: 1,
  };
  const parts = Object.entries(provider).map(([name, value]) => [
    '-c',
    `model_providers.stub.${name}=${JSON.stringify(value)}`,
  ]);
  return { args: ['-c', 'model_provider="stub"', ...parts.flat()], env: { STUB_KEY: stubKey } };
}

/** Models that codex knows get their tools in another form (“code mode”) than others. */
export const forms = [
  { form: 'code mode', model: 'gpt-6.1-sol' },
  { form: 'classic tools', model: 'some-model' },
];

export const text = (words: string): Reply => ({ kind: 'text', text: words });
export const shell = (command: string): Reply => ({ kind: 'tool', tool: 'shell', target: command });
export const answerOf = (end: AgentEnd) => (end.ok ? end.text : end.failure);
