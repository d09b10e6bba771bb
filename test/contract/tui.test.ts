import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { survivors } from '../faults/three-rounds.ts';
import { inTerminal } from '../helpers/terminal.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { startModelServer, type ModelServer } from './model-server/server.ts';
import { cliNames, realClis } from './real-clis.ts';
import { configureClis, goodAnswer, headOf } from './three-clis.ts';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

/** How long each model thinks about its answer, in ms, while the screen is looked at. */
const held = 4_000;

test('the panes of the real CLIs show what each does and says, and the plan is approved', async () => {
  const rig = await todoRig();
  configureClis(rig, { url: server.url });
  // In round 1 each model reads a file of its own first.
  const read = { claude: 'src/cli.js', codex: 'src/store.js', gemini: 'src/commands/add.js' };
  server.fallback((asked) => {
    const good = goodAnswer(asked);
    const name = cliNames.find((one) => realClis[one].dialect === asked.dialect) ?? 'claude';
    if (headOf(asked).phase !== 'propose' || good.kind !== 'structured') return good;
    return asked.toolResults.length === 0
      ? { kind: 'tool', tool: 'read', target: join(rig.repo, read[name]) }
      : { kind: 'slow', text: JSON.stringify(good.value), delayMs: held };
  });
  const models = cliNames.flatMap((name) => ['--model', `${name}=${realClis[name].model}`]);
  const flags = ['--tools', cliNames.join(','), '--max-rounds', '1', ...models];
  const terminal = inTerminal(rig, [...flags, todoTask], { columns: 150, rows: 40 });
  for (const name of cliNames) await terminal.shows(new RegExp(`● ${name} +${realClis[name].model}`));
  await new Promise((r) => setTimeout(r, 3000));
  console.log(terminal.screen());
  await terminal.shows('take it').catch((e) => console.log(e.message));
  terminal.press('v');
  await terminal.shows('enter zoom');
  console.log(terminal.screen());
  terminal.press('n');
  await new Promise((r) => setTimeout(r, 500));
  console.log(terminal.screen());
}, 60_000);
