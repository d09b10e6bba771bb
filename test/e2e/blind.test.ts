import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { planning } from '../helpers/planned-rig.ts';
import { ended } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, listSolution, witnessed } from '../helpers/vendors.ts';

const named = (name: string, delay_ms = 0) => ({
  propose: {
    delay_ms,
    events: [{ kind: 'message', text: `Thinking of ${name}.`, partial: false }],
    answer: { recommended: name, solutions: [listSolution({ name })], questions: [] },
  },
  plan: planning,
});

test('while a round runs, nothing in the repository tells what an agent answered, also after a crash', async () => {
  const rig = await todoRig();
  configureVendors(rig, { alpha: named('Alpha way'), beta: named('Beta way', 600_000) });
  const child = rig.start('plan', '--auto-yes', '--json', todoTask);
  const end = ended(child);
  const told = (): string => JSON.stringify(rig.contents('.workflow'));
  const early = await new Promise<string>((resolve) => {
    child.stdout?.on('data', (text: Buffer) => {
      if (text.toString().includes('agent.answered')) resolve(told());
    });
  });
  child.kill('SIGKILL');
  await end;
  expect(early).toContain('round-1/open');
  expect(early).not.toContain('Alpha way');

  configureVendors(rig, { alpha: named('Alpha way'), beta: named('Beta way') });
  const { code, stderr } = await rig.conclave('resume', '--auto-yes');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(witnessed(rig, 'alpha').filter((line) => line.startsWith('start propose-1'))).toHaveLength(
    1,
  );
  const agents = Object.keys(rig.contents('.workflow')).filter((path) =>
    path.includes('rounds/1/agents/alpha/'),
  );
  expect(new Set(agents.map((path) => path.split('/').at(-1)))).toEqual(
    new Set(['prompt.md', 'events.jsonl', 'answer.json', 'receipt.json']),
  );
  expect(globSync('data/conclave/running/*', { cwd: rig.home })).toEqual([]);
});
