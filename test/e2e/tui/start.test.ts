import { expect, test } from 'vitest';
import { todoRig } from '../../helpers/test-rig.ts';
import { inTerminal } from '../../helpers/terminal.ts';

test('conclave alone asks for the task, and leaves the terminal as it was', async () => {
  const terminal = inTerminal(await todoRig(), []);
  await terminal.shows('What do you want to have done?');
  terminal.press('esc');
  expect(await terminal.ended()).toBe(0);
  expect(terminal.bytes()).toContain('\u001b[?1049l');
});
