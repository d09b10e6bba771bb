import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { adapters } from '../../../src/agents/cli/list.ts';
import { fixture, type Rig } from '../../helpers/rig.ts';
import { inTerminal } from '../../helpers/terminal.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { configureVendors, formatterSolution, listSolution } from '../../helpers/vendors.ts';

async function loggedOutRig(): Promise<Rig> {
  const rig = await todoRig();
  const others = adapters.map(({ name }) => name).filter((name) => name !== 'claude');
  rig.config(
    [
      '[agents.claude]',
      `path = ${JSON.stringify(fixture('login'))}`,
      ...others.flatMap((name) => [`[agents.${name}]`, 'enabled = false']),
    ].join('\n'),
  );
  return rig;
}

test.each([
  ['right', 0, 'A login of claude is stored.'],
  ['wrong', 3, 'claude is not logged in: it has neither a login nor a key.'],
])('a login is made in the terminal: the %s code', async (code, exit, says) => {
  const terminal = inTerminal(await loggedOutRig(), ['login', 'claude']);
  await terminal.shows('Paste the code here:');
  expect(terminal.screen()).toContain('To log claude in: claude auth login');
  terminal.type(`${code}\r`);
  await terminal.shows(says);
  expect(await terminal.ended()).toBe(exit);
});

test('the start screen offers it, keeps the task, and shows the agent as ready then', async () => {
  const terminal = inTerminal(await loggedOutRig(), []);
  await terminal.shows(/claude +not logged in +claude auth login/);
  terminal.type('Add a --json flag');
  await terminal.shows('ctrl+l log claude in');
  terminal.press('\u000C');
  await terminal.shows('Paste the code here:');
  terminal.type('right\r');
  await terminal.shows(/claude +ready +asked/);
  expect(terminal.screen()).toContain('Add a --json flag');
  expect(terminal.screen()).not.toContain('ctrl+l');
});

/** A claude that is logged out beside a beta that answers and a gamma that could replace it. */
async function logsOutRig(): Promise<Rig> {
  const rig = await todoRig();
  const propose = { answer: { solutions: [listSolution(), formatterSolution()], questions: [] } };
  const busy = { propose: { ...propose, delay_ms: 1000 } };
  writeFileSync(join(rig.home, 'claude.json'), JSON.stringify({ propose }));
  configureVendors(rig, { beta: busy, gamma: busy });
  const seated = rig.configured().replace(/^tools = .*$/m, 'tools = ["claude", "beta"]');
  rig.config(`${seated}\n[agents.claude]\npath = ${JSON.stringify(fixture('login'))}\n`);
  return rig;
}

const task = 'Add a --json flag to listTodos';

test('an agent that is logged out in a run is logged in beside it, and asked again in its seat', async () => {
  const rig = await logsOutRig();
  const terminal = inTerminal(rig, ['plan', task], { columns: 120, rows: 30 });
  await terminal.shows('not logged in: l logs it in, s skips it');
  await terminal.shows('l log claude in');
  terminal.press('l');
  await terminal.shows('Paste the code here:');
  terminal.type('wrong\r');
  // The key counts again, and is offered, when it cannot be the first press held down.
  await terminal.shows(
    /claude is still not logged in: it has neither a login nor a key\.[^]*l log claude in/,
  );
  terminal.press('l');
  await terminal.shows('Paste the code here:');
  terminal.type('right\r');
  await terminal.shows('✓ claude');
  // It may compare the solutions, of which it wrote none.
  expect(terminal.screen()).not.toContain('gamma replaces');
});

test('an agent that is logged out and skipped gives its seat away', async () => {
  const terminal = inTerminal(await logsOutRig(), ['plan', task], { columns: 120, rows: 30 });
  await terminal.shows('l log claude in');
  terminal.press('s');
  await terminal.shows('s again to skip claude');
  terminal.press('s');
  await terminal.shows('! gamma replaces claude');
});

test('a session that ended while it waited for a login waits again, and a finished login is kept', async () => {
  const rig = await logsOutRig();
  const terminal = inTerminal(rig, ['plan', task], { columns: 120, rows: 30 });
  await terminal.shows('l log claude in');
  terminal.press('ctrl+c', 'enter');
  await terminal.shows('conclave resume');
  terminal.press('enter');
  expect(await terminal.ended()).toBe(130);
  const again = inTerminal(rig, ['resume'], { columns: 120, rows: 30 });
  await again.shows('interrupted');
  again.press('enter');
  await again.shows('l log claude in');
  again.press('l');
  await again.shows('Paste the code here:');
  again.type('right\r');
  await again.shows('✓ claude');
});

test('headless, the next agent takes the seat at once', async () => {
  const rig = await logsOutRig();
  const { stdout } = await rig.conclave('plan', '--auto-yes', task);
  expect(stdout).toMatch(/claude +failed after .*\(not-logged-in\)/);
  expect(stdout).toMatch(/gamma +replaces claude/);
});
