import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { AgentAdapter, AgentEnd } from '../../src/agents/agent.ts';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import { runToEnd } from '../agents/agent-room.ts';
import { cliRoom, type CliRoom, type RequestParts } from './cli-room.ts';
import type { Reply } from './model-server/reply.ts';
import { startModelServer, type ModelServer } from './model-server/server.ts';
import type { RealCli } from './real-clis.ts';
import { record } from './record.ts';

/** One real CLI against the model server: a room of its own for each test. */
export interface CliBench {
  readonly server: ModelServer;
  readonly room: CliRoom;
  /** A further room, removed after the test. What is undefined in `environment` is left out. */
  roomFor(adapter: AgentAdapter, environment?: NodeJS.ProcessEnv): CliRoom;
  /** A prompt to which the model replies so, in order. */
  scripted(...replies: Reply[]): string;
  ask(prompt: string, more?: RequestParts): Promise<{ events: AgentEvent[]; end: AgentEnd }>;
  /** Keeps the last run as a golden transcript, where that is wanted. */
  keep(name: string, room?: CliRoom): void;
}

/** Call it where the hooks of a test file, or of a `describe`, are set. */
export function cliBench(cli: RealCli): CliBench {
  let server: ModelServer;
  let room: CliRoom;
  let rooms: CliRoom[] = [];
  let scenarios = 0;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    room = roomFor(cli.adapter);
  });
  afterEach(() => {
    for (const one of rooms) one.remove();
    rooms = [];
  });

  function roomFor(adapter: AgentAdapter, environment: NodeJS.ProcessEnv = {}): CliRoom {
    const made = cliRoom({
      adapter,
      environment: { ...cli.environment(server.url), ...environment },
      settings: cli.settings(server.url),
      own: cli.own,
    });
    rooms.push(made);
    for (const [path, text] of Object.entries(cli.login)) made.write(`home/${path}`, text);
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
      const marker = `[[scenario:${cli.adapter.name}-${(scenarios += 1)}]]`;
      server.on(marker, replies);
      return `${marker}\nWhat should we do?`;
    },
    ask: (prompt, more) => runToEnd(room.agent(), room.request(prompt, more)),
    keep: (name, of = room) => record(of, { adapter: cli.adapter, name }),
  };
}

export const text = (words: string): Reply => ({ kind: 'text', text: words });
export const shell = (command: string): Reply => ({ kind: 'tool', tool: 'shell', target: command });
export const read = (target: string): Reply => ({ kind: 'tool', tool: 'read', target });
export const search = (target: string): Reply => ({ kind: 'tool', tool: 'search', target });
export const list = (target: string): Reply => ({ kind: 'tool', tool: 'list', target });
/** What a run told of a plan. */
export const windowsIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'usage' ? (event.window ?? []) : []));
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
