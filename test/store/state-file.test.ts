import { expect, test } from 'vitest';
import { SessionState } from '../../src/model/session.ts';
import { stateFile } from '../../src/store/state-file.ts';
import { newSession } from './room.ts';

const state = SessionState.parse({
  session_id: 'MCP-x',
  task_description: 'Add a cache',
  status: 'running',
  current_round: 1,
});

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
