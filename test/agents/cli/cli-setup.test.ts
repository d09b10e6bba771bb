import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isolateRequest, userSide } from '../../../src/agents/cli/cli-setup.ts';
import { adapters } from '../../../src/agents/cli/list.ts';
import type { ToolWishes } from '../../../src/agents/permission.ts';
import { programAdapter } from '../../../src/agents/cli/own-program.ts';
import { agentRoom, type AgentRoom } from '../agent-room.ts';

let room: AgentRoom;
beforeEach(() => {
  room = agentRoom();
});
afterEach(() => room.remove());

test.each(adapters)('$name has its default, and none only where it may edit', (adapter) => {
  const kindOf = (isolation: 'none' | undefined, wishes: ToolWishes) =>
    isolateRequest(room.request(wishes), { adapter, settings: { isolation }, environment: {} })
      .isolation;
  const [usual] = adapter.isolations ?? [];
  expect(kindOf(undefined, { permission: 'full' })).toBe(usual);
  expect(usual).not.toBe('none');
  expect(kindOf('none', { permission: 'read-only' })).toBe(usual);
  expect(kindOf('none', { permission: 'read-only', allowed: ['shell'] })).toBe(usual);
  expect(kindOf('none', { permission: 'edit', denied: ['file_write'] })).toBe(usual);
  expect(kindOf('none', { permission: 'edit' })).toBe('none');
});

const side = (environment: NodeJS.ProcessEnv, env: Record<string, string> = {}) =>
  userSide({
    adapter: programAdapter('fake', null),
    settings: { env },
    environment,
  });

describe('what an adapter sees of the user', () => {
  test('is the environment of the user, with what is configured for the agent', () => {
    const { home: own, environment } = side({ HOME: '/home/user' }, { FAKE_MODE: 'quiet' });
    expect(own).toBe('/home/user');
    expect(environment).toEqual({ HOME: '/home/user', FAKE_MODE: 'quiet' });
    expect(side({}).home).toBe(homedir());
  });

  test('is the text of a file, and none where there is none to be read', () => {
    writeFileSync(join(room.folder, 'settings'), 'mine');
    const user = side({});
    const paths = ['settings', 'missing', '', 'settings/below'].map((name) =>
      join(room.folder, name),
    );
    expect(paths.map((one) => user.read(one))).toEqual(['mine', null, null, null]);
    expect(paths.map((one) => user.has(one))).toEqual([true, false, true, false]);
  });

  test('is the names in a folder, and none where there is no folder to be listed', () => {
    writeFileSync(join(room.folder, 'settings'), 'mine');
    const user = side({});
    expect(user.list(room.folder)).toContain('settings');
    expect(user.list(join(room.folder, 'missing'))).toEqual([]);
    expect(user.list(join(room.folder, 'settings'))).toEqual([]);
  });
});
