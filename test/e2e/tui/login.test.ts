import { expect, test } from 'vitest';
import { adapters } from '../../../src/agents/cli/list.ts';
import { fixture, type Rig } from '../../helpers/rig.ts';
import { inTerminal } from '../../helpers/terminal.ts';
import { todoRig } from '../../helpers/test-rig.ts';

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
