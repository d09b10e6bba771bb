import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Agent, bareTraits } from '../../src/agents/agent.ts';
import { callAgentOfTurn } from '../../src/conversation/call-turn.ts';
import { filesIn } from '../../src/store/folder-files.ts';
import { type AgentRoom, agentRoom, noLimits, plainFacts } from '../agents/agent-room.ts';

let room: AgentRoom;
beforeEach(() => {
  room = agentRoom();
});
afterEach(() => {
  room.remove();
});

/** An agent that gives one answer after the other; the tokens of the first are an estimate. */
function answering(...answers: readonly string[]): Agent {
  const left = [...answers];
  return {
    name: 'alpha',
    kind: 'model',
    traits: bareTraits('alpha'),
    vendorOf: () => null,
    ready: async () => ({ state: 'ready', path: null, version: null }),
    async *run() {
      yield* [];
      const isFirst = left.length === answers.length;
      const text = left.shift() ?? '';
      const tokens = {
        input: 3,
        output: 1,
        cached: 0,
        ...(isFirst && { estimated: true as const }),
      };
      return { ok: true, text, facts: { ...plainFacts, tokens } };
    },
  };
}

test('the tokens of a turn that was asked twice are an estimate if those of one call are', async () => {
  const { signal } = new AbortController();
  const made = await callAgentOfTurn(
    {
      agent: answering('no JSON', '{}'),
      limits: noLimits,
      watch: undefined,
      conversation: {
        turns: () => [],
        memory: async () => null,
        begin: () => 1,
        end: () => undefined,
      },
      tool: 'consult',
      question: 'What?',
      files: [],
      role: null,
      wishes: { permission: 'read-only', model: null },
      form: { schema: { type: 'object' }, check: () => [] },
      cwd: room.folder,
      extraDirs: [],
      folder: filesIn({ root: room.folder, existing: [] }, 'turns'),
      markPrefix: 'turn.',
      unenforced: [],
      background: '',
      handOffTokens: 1_000,
      summarizer: null,
      summarizes: 'never',
      signal,
      onEvent: () => undefined,
    },
    { before: [], number: 1, memory: null },
  );
  const tokens = { input: 6, output: 2, cached: 0, estimated: true };
  expect(made.attempt).toMatchObject({ ended: 'answered', receipt: { attempts: 2, tokens } });
});
