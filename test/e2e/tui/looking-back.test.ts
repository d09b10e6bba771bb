import { expect, test } from 'vitest';
import { inTerminal } from '../../helpers/terminal.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { twoVendors } from '../../helpers/todo-vendors.ts';

const ctrlR = '\u0012';

test('the decision is where it was left, with all that was chosen, after a look at the run', async () => {
  const terminal = inTerminal(await twoVendors(), [todoTask]);
  await terminal.shows('enter choose');
  terminal.press('right');
  await terminal.shows('▸ 2.');
  terminal.press('enter');
  await terminal.shows('Who should carry out the plan?');
  terminal.press('down', 'c');
  await terminal.shows('What must the plan keep to?');
  terminal.type('No new dependency');
  await terminal.shows('No new dependency');
  terminal.press('enter');
  const left = await terminal.shows('• No new dependency');
  expect(left).toMatch(/Option 2: [^]*▸ Codex/);
  terminal.press('v');
  await terminal.shows('v back');
  terminal.press('esc');
  expect(await terminal.shows('c add a constraint')).toBe(left);
});

test('what was written for the questions of the agents is still there after a look at the run', async () => {
  const questions = ['Pretty or compact JSON?', 'Should the flag be short too?'];
  const terminal = inTerminal(await twoVendors(questions), [todoTask]);
  await terminal.shows(`▸ ${questions[0]}`);
  await terminal.shows('enter next question');
  terminal.type('Compact');
  await terminal.shows('Compact');
  terminal.press('enter');
  await terminal.shows(`▸ ${questions[1]}`);
  terminal.type('Not yet');
  const left = await terminal.shows('Not yet');
  terminal.press(ctrlR);
  await terminal.shows('v back');
  terminal.press('v');
  expect(await terminal.shows('next question')).toBe(left);
  terminal.press('esc');
  await terminal.shows(/▸ Pretty[^]*Compact/);
  terminal.press('enter');
  await terminal.shows(/▸ Should[^]*Not yet/);
});
