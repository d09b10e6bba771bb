import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { approvedRig } from '../../helpers/executed-rig.ts';
import { plannedRig, planWith, revisedPlan } from '../../helpers/planned-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { expectScreen, expectSmallScreen, sizes } from '../../helpers/screens.ts';
import { planOf, runs, task } from '../../helpers/small-plans.ts';
import {
  type Terminal,
  type TerminalOptions,
  goToPart,
  inTerminal,
  walk,
} from '../../helpers/terminal.ts';

/** A session that waits for its plan to be approved, reviewed in a terminal. */
async function reviewed(
  options: TerminalOptions = {},
  prepare: (rig: Rig) => void = () => undefined,
): Promise<{ readonly rig: Rig; readonly terminal: Terminal }> {
  const rig = await plannedRig();
  prepare(rig);
  const terminal = inTerminal(rig, ['review', basename(rig.session())], options);
  await terminal.shows('enter approve');
  return { rig, terminal };
}

/** With an editor that makes the next of these replacements each time it is opened. */
function editing(rig: Rig, edits: readonly (readonly (readonly string[])[])[]) {
  const editor = new URL('../../fixtures/editor/replace.mjs', import.meta.url).pathname;
  const file = join(rig.home, 'edits.json');
  writeFileSync(file, JSON.stringify(edits));
  return { environment: { EDITOR: `"${process.execPath}" "${editor}" "${file}"` } };
}

/** Ctrl-U: takes out what stands before the cursor. */
const clear = '\u0015';

describe.each(sizes)('at $columns × $rows', (size) => {
  test('the whole plan is looked through on one page and approved with Enter', async () => {
    const { rig, terminal } = await reviewed(size);
    // The line of keys is drawn last.
    const shot = async (page: string) =>
      await expectSmallScreen(await terminal.shows('enter approve'), `review-${page}`, size);
    await shot('overview');
    await goToPart(terminal, 'Tasks');
    await terminal.shows('├─▶');
    await shot('tasks');
    await goToPart(terminal, 'TASK-003');
    await terminal.shows('Done when');
    await expectScreen(
      await terminal.shows('enter approve'),
      `review-task-${size.columns}x${size.rows}`,
    );
    await walk(terminal, ['home', '▸ Check']);
    await walk(terminal, ['enter', 'enter leave it for later'], ['enter', 'enter close']);
    terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    expect(rig.json('approval.json')).toMatchObject({ approved_by: 'user' });
    expect((await rig.conclave('validate')).stdout).toContain('No problem found');
  });
});

test('the title of a task, a step of it and the order are changed in place', async () => {
  const { rig, terminal } = await reviewed();
  const shot = (page: string) => expectScreen(terminal.screen(), `review-${page}-80x24`);
  await goToPart(terminal, 'TASK-001');
  await walk(terminal, ['i', 'TASK-001 title'], [clear, 'An empty text removes it']);
  await walk(terminal, ['enter', 'TASK-001 title: ']);
  await shot('refused');
  terminal.type('Print it');
  await walk(terminal, ['enter', 'TASK-001 title changed.'], ['u', 'Undone: TASK-001 title: ']);
  expect(rig.json('.task/TASK-001.json')).toMatchObject({ title: 'Print JSON from listTodos' });
  await walk(terminal, ['J', 'cannot stand at place'], ['tab', '▸ TASK-003']);
  await walk(terminal, ['J', 'TASK-003 moved to place 3.'], ['J', 'is already the last task']);
  expect(rig.json('plan.json')).toMatchObject({
    task_ids: ['TASK-001', 'TASK-002', 'TASK-003'],
  });
  await walk(terminal, ['home', '1 change since'], ['?', 'ctrl+c']);
  await shot('help');
});

test('a command is edited as one line, its words in quotes where they need it', async () => {
  const greets = runs('node', '-e', 'console.log("hello")');
  const rig = await approvedRig({}, { plan: planOf([task(1, [], ['a.txt'], [greets])]) });
  const terminal = inTerminal(rig, ['review', basename(rig.session())]);
  await terminal.shows('enter keep it approved');
  await walk(terminal, ['end', '▸   Read by beta']);
  for (let more = 40; more > 0 && !/▸ +• command/.test(terminal.screen()); more -= 1) {
    const before = terminal.screen();
    terminal.press('up');
    await vi.waitFor(() => expect(terminal.screen()).not.toBe(before), 150_000);
  }
  await walk(terminal, ['i', 'TASK-001 checks.1']);
  expect(terminal.screen()).toContain('- argv: node -e "console.log(\\"hello\\")"');
});

test('a comment on a line leads to a version that is compared, restored, edited as Markdown and approved', async () => {
  const rig = await plannedRig();
  const edits = [[['# TASK-001: Print', '# TASK-001: In the editor: Print']]];
  const terminal = inTerminal(rig, ['review', basename(rig.session())], editing(rig, edits));
  await terminal.shows('enter approve');
  await walk(terminal, ['s', 'no comment to send']);
  await goToPart(terminal, 'TASK-001');
  await walk(terminal, ['c', 'A comment on TASK-001']);
  terminal.type('Say that it is one array');
  await terminal.shows('one array');
  await walk(terminal, ['enter', 'Comment on TASK-001 saved'], ['home', '1 comment not sent yet']);
  // Approving now would lose it.
  await walk(terminal, ['enter', 'without sending your comments?'], ['esc', 'enter approve']);
  await walk(terminal, ['v', /alpha/], ['esc', 'enter approve']);
  planWith(rig, { answer: revisedPlan });
  await walk(terminal, ['s', '▸ What changed']);
  await terminal.shows('TASK-001 title: "Print JSON from listTodos" → "Print the todos');
  await expectScreen(await terminal.shows('enter approve'), 'review-changes-80x24');
  await walk(terminal, ['V', 'Versions of the plan'], ['enter', 'Compare version 1']);
  await walk(terminal, ['enter', 'Version 2: 1 change since version 1'], ['esc', 'Approval']);
  await walk(terminal, ['V', 'Versions of the plan'], ['r', 'has the content of version 1']);
  expect(rig.json('.task/TASK-001.json')).toMatchObject({ title: 'Print JSON from listTodos' });
  await walk(terminal, ['e', 'The plan is changed.']);
  await walk(terminal, ['enter', 'enter leave it for later'], ['enter', 'enter close']);
  expect(terminal.screen()).toContain('TASK-001 In the editor: Print JSON from listTodos');
  terminal.press('enter');
  expect(await terminal.ended()).toBe(0);
  expect(rig.json('approval.json')).toMatchObject({ approved_by: 'user' });
});

test('a text from the editor that does not fit is explained, kept, and taken when it fits', async () => {
  const rig = await plannedRig();
  const edits = [
    [
      ['# TASK-001: Print', '# TASK-001: In the editor: Print'],
      ['## Description', '## Descript'],
    ],
    [['## Descript\n', '## Description\n']],
  ];
  const terminal = inTerminal(rig, ['review', basename(rig.session())], editing(rig, edits));
  await terminal.shows('enter approve');
  await walk(terminal, ['e', 'cannot be taken']);
  await terminal.shows(/line \d+: "Descript" is no field/);
  await expectScreen(await terminal.shows('d discard it'), 'review-mend-80x24');
  expect(rig.json('.task/TASK-001.json')).toMatchObject({ title: 'Print JSON from listTodos' });
  await walk(terminal, ['e', 'The plan is changed.']);
  await goToPart(terminal, 'TASK-001: In the editor: Print JSON');
  expect(rig.json('.task/TASK-001.json')).toMatchObject({
    title: 'In the editor: Print JSON from listTodos',
  });
  expect(readFileSync(join(rig.home, 'edits.json.2'), 'utf8')).toContain('## Descript\n');
});

test('nothing in a title steers the terminal', async () => {
  const hostile = '\u001b[2J\u001b]0;owned\u0007\u009b31mTitle\u202e gnp\r\n\u001b[?1049l end';
  const { terminal } = await reviewed({}, (made) => {
    const file = join(made.session(), '.task/TASK-001.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"Print JSON from listTodos"', JSON.stringify(hostile)));
  });
  await goToPart(terminal, 'TASK-001: Title gnp  end');
  await walk(terminal, ['i', /^TASK-001 title$/m], ['esc', 'enter approve'], ['c', 'A comment on']);
  await walk(terminal, ['esc', 'enter approve']);
  for (const sequence of ['\u001b]0;owned', '\u009b', '\u202e', '\u001b[?1049l']) {
    expect(terminal.bytes()).not.toContain(sequence);
  }
});
