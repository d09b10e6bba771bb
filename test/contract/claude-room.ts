import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { AgentAdapter, AgentEnd } from '../../src/agents/agent.ts';
import { claude } from '../../src/agents/claude.ts';
import type { AgentEvent } from '../../src/model/event.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { cliRoom, type CliRoom, type RequestParts } from './cli-room.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type ModelServer } from './model-server/server.ts';
import { record } from './record.ts';

/** The real claude against the model server: a room of its own for each test. */
export interface ClaudeBench {
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

export function claudeBench(): ClaudeBench {
  let server: ModelServer;
  let room: CliRoom;
  let scenarios = 0;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    room = roomFor(claude);
  });
  afterEach(() => room.remove());

  function roomFor(adapter: AgentAdapter, environment: NodeJS.ProcessEnv = {}): CliRoom {
    const login = { ANTHROPIC_BASE_URL: server.url, ANTHROPIC_API_KEY: 'test-key' };
    return cliRoom({
      adapter,
      environment: { ...login, ...environment },
      own: ['home/.claude', 'home/.claude.json', 'home/.cache'],
    });
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
      const marker = `[[scenario:claude-${(scenarios += 1)}]]`;
      server.on(marker, replies);
      return `${marker}\nWhat should we do?`;
    },
    ask: (prompt, more) => runToEnd(room.agent(), room.request(prompt, more)),
    keep: (name, of = room) => record(of, { adapter: claude, name }),
  };
}

/** With all its tools, as planning never gives them to it. */
export const unbound: AgentAdapter = {
  ...claude,
  argv: (request) => [
    ...claude.argv(request).filter((part) => !part.startsWith('--tools=')),
    '--tools=Bash,Edit,Read,Write',
    '--allowedTools=Bash,Edit,Write',
  ],
};

export const text = (words: string): Reply => ({ kind: 'text', text: words });
export const shell = (command: string): Reply => ({ kind: 'tool', tool: 'shell', target: command });
export const read = (target: string): Reply => ({ kind: 'tool', tool: 'read', target });
export const answerOf = (end: AgentEnd) => (end.ok ? end.text : end.failure);
