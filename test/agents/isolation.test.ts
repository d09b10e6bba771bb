import { expect, test } from 'vitest';
import type { ToolWishes } from '../../src/agents/permission.ts';
import { isolated } from '../../src/agents/isolation.ts';
import { adapters } from '../../src/agents/list.ts';
import { agentRoom } from './agent-room.ts';

const room = agentRoom();
room.remove();

test.each(adapters)('$name has its default, and none only where it may edit', (adapter) => {
  const kindOf = (isolation: 'none' | undefined, wishes: ToolWishes) =>
    isolated(room.request(wishes), { adapter, settings: { isolation }, environment: {} }).isolation;
  const [usual] = adapter.isolations ?? [];
  expect(kindOf(undefined, { permission: 'full' })).toBe(usual);
  expect(usual).not.toBe('none');
  expect(kindOf('none', { permission: 'read-only' })).toBe(usual);
  expect(kindOf('none', { permission: 'read-only', allowed: ['shell'] })).toBe(usual);
  expect(kindOf('none', { permission: 'edit', denied: ['file_write'] })).toBe(usual);
  expect(kindOf('none', { permission: 'edit' })).toBe('none');
});
