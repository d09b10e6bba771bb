import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { AgentAdapter, AgentEnd, RunFile } from '../../src/agents/agent.ts';
import { gemini } from '../../src/agents/gemini.ts';
import type { AgentEvent } from '../../src/model/event.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { cliRoom, type CliRoom, type RequestParts } from './cli-room.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type ModelServer } from './model-server/server.ts';
import { record } from './record.ts';

/** The real gemini against the model server: a room of its own for each test. */
export interface GeminiBench {
  readonly server: ModelServer;
  readonly room: CliRoom;
  /** A further room, for the caller to remove. */
  roomFor(adapter: AgentAdapter, environment?: NodeJS.ProcessEnv): CliRoom;
  /** A prompt to which the model replies so, in order. */
  scripted(...replies: Reply[]): string;
  ask(prompt: string, more?: RequestParts): Promise<{ events: AgentEvent[]; end: AgentEnd }>;
  /** Keeps the last run as a golden transcript, where that is wanted. */
  keep(name: string, room?: CliRoom): void;
}

export function geminiBench(): GeminiBench {
  let server: ModelServer;
  let room: CliRoom;
  let scenarios = 0;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    room = roomFor(gemini);
  });
  afterEach(() => room.remove());

  function roomFor(adapter: AgentAdapter, environment: NodeJS.ProcessEnv = {}): CliRoom {
    const login = { GOOGLE_GEMINI_BASE_URL: server.url, GEMINI_API_KEY: testKey };
    const made = cliRoom({
      adapter,
      environment: { ...login, ...environment },
      own: ['home/.gemini/tmp', 'home/.gemini/installation_id'],
    });
    made.write('home/.gemini/settings.json', loginSettings);
    return made;
  }

  return {
    get server() {
      return server;
    },
    get room() {
      return room;
    },
    roomFor,
    scripted(...replies) {
      const marker = `[[scenario:gemini-${(scenarios += 1)}]]`;
      server.on(marker, replies);
      return `${marker}\nWhat should we do?`;
    },
    ask: (prompt, more) => runToEnd(room.agent(), room.request(prompt, more)),
    keep: (name, of = room) => record(of, { adapter: gemini, name }),
  };
}

export const testKey = 'test-key-of-nobody';

/** The login by an API key, as it stands in a user’s settings. */
export const loginSettings = `{
  // As it may be written by hand.
  "security": { "auth": { "selectedType": "gemini-api-key" } }
}`;

/** With tools that planning never gives to it. */
export const unbound: AgentAdapter = {
  ...gemini,
  files: (request, user) => {
    const more = '"grep_search","run_shell_command","write_file"]';
    const withMore = (file: RunFile) =>
      typeof file === 'string' ? file.replace('"grep_search"]', more) : file;
    const files = Object.entries(gemini.files?.(request, user) ?? {});
    return Object.fromEntries(files.map(([path, file]) => [path, withMore(file)]));
  },
};

export const text = (words: string): Reply => ({ kind: 'text', text: words });
export const shell = (command: string): Reply => ({ kind: 'tool', tool: 'shell', target: command });
export const read = (target: string): Reply => ({ kind: 'tool', tool: 'read', target });
export const write = (target: string): Reply => ({
  kind: 'tool',
  tool: 'write',
  target,
  content: 'made',
});
export const status = (
  code: number,
  more: { retryAfter?: number; message?: string } = {},
): Reply => ({ kind: 'status', status: code, message: 'in the words of the provider', ...more });
export const answerOf = (end: AgentEnd) => (end.ok ? end.text : end.failure);
