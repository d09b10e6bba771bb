// Tests models that are named where agents are, with the real Claude Code.
import { expect, test } from 'vitest';
import { synthesisOf } from '../helpers/planned-rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { startModelServer } from './model-server/server.ts';
import { configureClis, goodAnswer } from './three-clis.ts';

test('two models of one CLI are two seats with names of their own, and one vendor', async () => {
  const rig = await todoRig();
  const server = await startModelServer();
  try {
    server.fallback(goodAnswer);
    configureClis(rig, { url: server.url, names: ['claude'] });
    const flags = ['--auto-yes', '--tools', 'opus,sonnet'];
    const { code, stdout } = await rig.conclave('plan', ...flags, todoTask);
    expect(code).toBe(0);
    const { receipts } = synthesisOf(rig, 1);
    expect(
      receipts.map(({ agent, seat, vendor, transport }) => [agent, seat, vendor, transport]),
    ).toEqual([
      ['opus', 'opus', 'anthropic', 'cli'],
      ['sonnet', 'sonnet', 'anthropic', 'cli'],
    ]);
    const asked = new Set(server.log.map(({ model }) => model));
    expect([...asked].filter((model) => /opus/.test(model))).not.toEqual([]);
    expect([...asked].filter((model) => /sonnet/.test(model))).not.toEqual([]);
    expect(stdout).toContain('Agreement needs models of two known vendors; only one answered.');
    const kept = Object.keys(rig.contents('.workflow'));
    expect(kept.some((path) => path.includes('agents/opus/receipt.json'))).toBe(true);
  } finally {
    await server.close();
    rig.remove();
  }
});
