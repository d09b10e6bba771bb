import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { survivors } from '../faults/three-rounds.ts';
import { inTerminal } from '../helpers/terminal.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { startModelServer, type ModelServer } from './model-server/server.ts';
import { realClis } from './real-clis.ts';
import { configureClis, goodAnswer, headOf, seated } from './three-clis.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** How long each model thinks about its answer, in ms, while the screen is looked at. */
const held = 8_000;

test('the panes of the real CLIs show what each does and says, and the plan is approved', async () => {
  const rig = await todoRig();
  configureClis(rig, { url: server.url });
  // In round 1 each model reads a file of its own first.
  const read = { claude: 'src/cli.js', codex: 'src/store.js', gemini: 'src/commands/add.js' };
  server.fallback((asked) => {
    const good = goodAnswer(asked);
    const name = seated.find((one) => realClis[one].dialect === asked.dialect) ?? 'claude';
    if (headOf(asked).phase !== 'propose' || good.kind !== 'structured') return good;
    return asked.toolResults.length === 0
      ? { kind: 'tool', tool: 'read', target: join(rig.repo, read[name]) }
      : { kind: 'slow', text: JSON.stringify(good.value), delayMs: held };
  });
  const models = seated.flatMap((name) => ['--model', `${name}=${realClis[name].model}`]);
  const flags = ['--tools', seated.join(','), '--max-rounds', '1', ...models];
  const terminal = inTerminal(rig, [...flags, todoTask], {
    columns: 150,
    rows: 40,
    // On a busy machine the slowest of three real CLIs takes far longer than its model.
    patience: 60_000,
  });
  // All three at work, each with what it reads, before any of them has answered.
  const atWork = seated.map((name) => `(?=[^]*● ${name} +${realClis[name].model})`);
  const reads = Object.values(read).map((path) => `(?=[^]*${path.replaceAll('.', '[.]')})`);
  await terminal.shows(new RegExp(`^${atWork.join('')}${reads.join('')}`));

  await terminal.shows('enter choose');
  terminal.press('v');
  await terminal.shows('enter zoom');
  for (const name of seated) {
    await terminal.shows(`▸✓ ${name}`);
    terminal.press('enter');
    // What it said, piece by piece.
    await terminal.shows(/esc back[^]*$/);
    expect(terminal.screen()).toMatch(/claims:[^]*statement: [^]*quote: /);
    terminal.press('esc');
    await terminal.shows('enter zoom');
    terminal.press('tab');
  }
  terminal.press('esc');
  for (const shows of ['enter choose', 'enter approve', 'leave it for later', 'enter close']) {
    await terminal.shows(shows);
    terminal.press('enter');
  }
  expect(await terminal.ended()).toBe(0);
  expect(rig.json('approval.json')).toMatchObject({ approved_by: 'user' });
  expect((await rig.conclave('validate')).code).toBe(0);
  await expect.poll(() => survivors(rig), { timeout: 5_000 }).toEqual([]);
}, 180_000);
