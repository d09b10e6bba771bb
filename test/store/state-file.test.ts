import { expect, test } from 'vitest';
import type { SessionState } from '../../src/model/session.ts';
import { stateFile } from '../../src/store/state-file.ts';
import { newSession, someTime } from './room.ts';

const state: SessionState = {
  session_id: 'MCP-x',
  task_description: 'Add a cache',
  status: 'running',
  phase: 'discussion',
  current_round: 1,
  max_rounds: 3,
  waits_for: null,
  end: null,
  failure: null,
  agents: ['gemini', 'codex'],
  user_decision: null,
  current_phase: 2,
  ace_context: null,
  user_decisions: [],
  plan_rejected: null,
  score: 0.5,
  spent: { input_tokens: 1, output_tokens: 2, cost_usd: 0.25, agent_runs: 2 },
  artifacts: ['rounds/1/synthesis.json'],
  created_at: someTime.toISOString(),
  updated_at: someTime.toISOString(),
  forked_from: null,
  version: 1,
  journal_bytes: 1234,
};

test('the state is read as it was written, and is readable for people', async () => {
  const folder = await newSession();
  const file = stateFile(folder);
  expect(await file.read()).toBeNull();
  await file.write({ ...state, current_round: 9 });
  await file.write(state);
  expect(await file.read()).toEqual(state);
  expect(await folder.read('session-state.json')).toContain('\n  "status": "running",\n');
});

test.each(['', '{', 'null', '{"session_id":"MCP-x"}', '\0\0\0'])(
  'a state file with %j is taken as missing',
  async (text) => {
    const folder = await newSession();
    const file = stateFile(folder);
    await file.write(state);
    await folder.write('session-state.json', text);
    expect(await file.read()).toBeNull();
  },
);
