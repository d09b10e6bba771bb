import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { approvedRig } from '../../helpers/executed-rig.ts';
import { plannedRig, planWith, revisedPlan } from '../../helpers/planned-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { expectScreen, expectSmallScreen, sizes } from '../../helpers/screens.ts';
import { planOf, runs, task } from '../../helpers/small-plans.ts';
import { type Terminal, type TerminalOptions, inTerminal, walk } from '../../helpers/terminal.ts';

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

/** Ctrl-U: takes out what stands before the cursor. */
const clear = '\u0015';

const has = (rig: Rig, path: string) => existsSync(join(rig.session(), path));

describe.each(sizes)('at $columns × $rows', (size) => {
  test('a plan is looked through and approved with Enter', async () => {
    const { rig, terminal } = await reviewed(size);
    // The line of keys is drawn last.
    const shot = async (page: string, keys: string) =>
      await expectSmallScreen(await terminal.shows(keys), `review-${page}`, size);
    await shot('overview', 'enter approve');
    await walk(terminal, ['tab', '[tasks 3]']);
    await shot('tasks', 'g graph');
    await walk(terminal, ['g', '├─▶']);
    await shot('graph', 'g list');
    await walk(terminal, ['enter', '▸ title']);
    const shown = `review-task-${size.columns}x${size.rows}`;
    await expectScreen(await terminal.shows('enter edit'), shown);
    await walk(terminal, ['esc', 'g list'], ['esc', '[overview]']);
    await walk(terminal, ['enter', 'enter leave it for later'], ['enter', 'enter close']);
    terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    expect(rig.json('approval.json')).toMatchObject({ approved_by: 'user' });
    expect((await rig.conclave('validate')).stdout).toContain('No problem found');
  });
});

test('a field is typed, or picked where its choice is fixed', async () => {
  const { rig, terminal } = await reviewed();
  const shot = (page: string) => expectScreen(terminal.screen(), `review-${page}-80x24`);
  await walk(terminal, ['2', '[tasks 3]'], ['enter', '▸ title'], ['down', '▸ description']);
  await walk(terminal, ['home', '▸ title'], ['end', '▸   risks'], ['up', '▸   test unit']);
  await walk(terminal, ['up', 'definition of done'], ['up', '▸   conv']);
  await walk(terminal, ['up', '▸   impl'], ['up', '▸   effort'], ['up', '▸   priority']);
  await walk(terminal, ['enter', '▸ critical'], ['down', '▸ high']);
  await shot('picker');
  await walk(terminal, ['enter', 'TASK-001 priority added. u undoes it.']);
  expect(rig.json('.task/TASK-001.json')).toMatchObject({ priority: 'high' });
  await walk(terminal, ['u', 'Undone: TASK-001 priority: removed "high".'], ['end', '▸   risks']);
  expect(rig.json('.task/TASK-001.json')).not.toHaveProperty('priority');
  await walk(terminal, ['home', '▸ title'], ['enter', 'TASK-001 title']);
  await walk(terminal, [clear, 'An empty text removes it'], ['enter', 'TASK-001 title: ']);
  await shot('refused');
  terminal.type('Print it');
  await walk(terminal, ['enter', 'TASK-001 title changed.'], ['esc', 'g graph']);
  await walk(terminal, ['4', '[changes 1]'], ['enter', '1 change since']);
});

test('a command is edited as one line, its words in quotes where they need it', async () => {
  const greets = runs('node', '-e', 'console.log("hello")');
  const rig = await approvedRig({}, { plan: planOf([task(1, [], ['a.txt'], [greets])]) });
  const terminal = inTerminal(rig, ['review', basename(rig.session())]);
  await terminal.shows('enter keep it approved');
  await walk(terminal, ['2', '[tasks 1]'], ['enter', '▸ title']);
  for (let more = 40; more > 0 && !/▸ +argv/.test(terminal.screen()); more -= 1) {
    const before = terminal.screen();
    terminal.press('down');
    await vi.waitFor(() => expect(terminal.screen()).not.toBe(before), 150_000);
  }
  expect(terminal.screen()).toMatch(/▸ +argv +node -e "console\.log\(\\"hello\\"\)"/);
  await walk(terminal, ['enter', 'TASK-001 checks 1 argv'], [clear, 'An empty text removes it']);
  terminal.type(`node -e 'console.log("two words")' --last`);
  await walk(terminal, ['enter', 'TASK-001 checks 1 argv changed.']);
  expect(rig.json('.task/TASK-001.json')).toMatchObject({
    checks: [{ argv: ['node', '-e', 'console.log("two words")', '--last'] }],
  });
});

test('the files of a split task go where they are sent', async () => {
  const { rig, terminal } = await reviewed();
  await walk(terminal, ['2', '[tasks 3]'], ['p', 'the title of the new part']);
  terminal.type('Print an empty list as []');
  await walk(terminal, ['enter', 'which files go to'], ['space', '[x] src/commands/list.js']);
  await expectScreen(await terminal.shows('enter split it'), 'review-split-80x24');
  await walk(terminal, ['enter', 'TASK-001 and TASK-004. u undoes it.']);
  expect(rig.json('.task/TASK-004.json')).toMatchObject({
    files: [{ path: 'src/commands/list.js' }],
  });
  await walk(terminal, ['u', '[tasks 3]']);
  expect(has(rig, '.task/TASK-004.json')).toBe(false);
});

test('a comment leads to a new version, shown by what is new in it', async () => {
  const { rig, terminal } = await reviewed();
  await walk(
    terminal,
    ['2', '[tasks 3]'],
    ['s', 'no comment to send'],
    ['c', 'A comment on TASK-001'],
  );
  terminal.type('Say that it is one array');
  await terminal.shows('one array');
  await walk(terminal, ['enter', 'Comment on TASK-001 saved'], ['esc', '1 comment not sent yet']);
  // Approving now would lose it.
  await walk(terminal, ['enter', 'without sending your comments?'], ['esc', '[overview]']);
  await walk(terminal, ['v', /alpha/], ['esc', '[overview]'], ['5', '[comments 1]']);
  planWith(rig, { answer: revisedPlan });
  await walk(terminal, ['s', 'Version 2']);
  await terminal.shows('- Print JSON from listTodos');
  await terminal.shows('+ Print the todos as one JSON array');
  await expectScreen(await terminal.shows('to the overview'), 'review-changes-80x24');
  await walk(terminal, ['enter', 'enter approve'], ['enter', 'enter leave it for later']);
  await walk(terminal, ['enter', 'enter close']);
  terminal.press('enter');
  expect(await terminal.ended()).toBe(0);
  expect(rig.json('.task/TASK-001.json')).toMatchObject({
    title: 'Print the todos as one JSON array',
  });
});

test('tasks are added, moved, split and deleted in place', async () => {
  const { rig, terminal } = await reviewed();
  const ids = () => JSON.stringify(rig.json('plan.json')).match(/"task_ids":\[[^\]]*\]/)?.[0];
  await walk(terminal, ['2', '[tasks 3]'], ['?', 'ctrl+c']);
  await expectScreen(await terminal.shows('closes this help'), 'review-help-80x24');
  await walk(terminal, ['?', '[tasks 3]'], ['a', 'A new task after TASK-001']);
  terminal.type('Describe the flag in the README');
  await walk(terminal, ['enter', 'TASK-004 added'], ['J', 'TASK-004 moved to place 3.']);
  await walk(terminal, ['J', 'TASK-004 moved to place 4.'], ['J', 'is already the last task']);
  expect(ids()).toBe('"task_ids":["TASK-001","TASK-003","TASK-002","TASK-004"]');
  await walk(terminal, ['home', '▸   TASK-001'], ['J', 'cannot stand at place']);
  await walk(terminal, ['p', 'the title of the new part']);
  terminal.type('Print an empty list as []');
  await walk(terminal, ['enter', 'which files go to'], ['enter', 'TASK-001 and TASK-005.']);
  await terminal.shows('[tasks 5]');
  await walk(terminal, ['end', '▸ ✗ TASK-004'], ['d', 'Delete TASK-004?'], ['esc', '[tasks 5]']);
  await walk(terminal, ['d', 'Delete TASK-004?'], ['enter', 'TASK-004 deleted.']);
  await terminal.shows('[tasks 4]');
  await expectScreen(await terminal.shows('g graph'), 'review-edited-80x24');
  expect(has(rig, '.task/TASK-004.json')).toBe(false);
  expect(ids()).toBe('"task_ids":["TASK-001","TASK-005","TASK-003","TASK-002"]');
  await walk(terminal, ['esc', '[overview]'], ['esc', 'Leave the plan as it is?']);
  terminal.press('enter');
  await terminal.shows('enter close');
  terminal.press('enter');
  // What is left has a blocking finding: the new part does not say when it is done.
  expect(await terminal.ended()).toBe(6);
  expect(has(rig, 'approval.json')).toBe(false);
});

test('the end lists the tasks as they were approved', async () => {
  const { terminal } = await reviewed();
  await walk(terminal, ['2', '[tasks 3]'], ['enter', '▸ title'], ['enter', 'TASK-001 title']);
  await walk(terminal, [clear, 'An empty text removes it']);
  terminal.type('Print one JSON array');
  await walk(terminal, ['enter', 'title changed.'], ['esc', 'g graph'], ['esc', '[overview]']);
  await walk(terminal, ['enter', 'enter leave it for later'], ['enter', 'enter close']);
  expect(terminal.screen()).toContain('TASK-001 Print one JSON array');
  expect(terminal.screen()).not.toContain('Print JSON from listTodos');
});

test('a text from the editor that does not fit is explained, kept, and taken when it fits', async () => {
  const editor = new URL('../../fixtures/editor/replace.mjs', import.meta.url).pathname;
  const rig = await plannedRig();
  const plan = join(rig.home, 'edits.json');
  const edits = [
    [
      ['# TASK-001: Print', '# TASK-001: In the editor: Print'],
      ['## Description', '## Descript'],
    ],
    [['## Descript\n', '## Description\n']],
  ];
  writeFileSync(plan, JSON.stringify(edits));
  const environment = { EDITOR: `"${process.execPath}" "${editor}" "${plan}"` };
  const terminal = inTerminal(rig, ['review', basename(rig.session())], { environment });
  await terminal.shows('[overview]');
  await walk(terminal, ['2', '[tasks 3]'], ['e', 'cannot be taken']);
  await terminal.shows(/line \d+: "Descript" is no field/);
  await expectScreen(await terminal.shows('d discard it'), 'review-mend-80x24');
  expect(rig.json('.task/TASK-001.json')).toMatchObject({ title: 'Print JSON from listTodos' });
  await walk(terminal, ['e', 'The plan is changed.']);
  await terminal.shows('In the editor: Print JSON');
  expect(rig.json('.task/TASK-001.json')).toMatchObject({
    title: 'In the editor: Print JSON from listTodos',
  });
  expect(readFileSync(`${plan}.2`, 'utf8')).toContain('## Descript\n');
});

test('nothing in a title steers the terminal', async () => {
  const hostile = '\u001b[2J\u001b]0;owned\u0007\u009b31mTitle\u202e gnp\r\n\u001b[?1049l end';
  const { terminal } = await reviewed({}, (made) => {
    const file = join(made.session(), '.task/TASK-001.json');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('"Print JSON from listTodos"', JSON.stringify(hostile)));
  });
  await walk(
    terminal,
    ['2', '▸   TASK-001  Title gnp  end'],
    ['g', /┌── TASK-001 {2}Title gnp {2}end/],
  );
  await walk(terminal, ['enter', /▸ title {2}Title gnp/], ['enter', /^TASK-001 title$/m]);
  await walk(terminal, ['esc', '▸ title'], ['esc', 'g list'], ['4', 'title changed']);
  for (const sequence of ['\u001b]0;owned', '\u009b', '\u202e', '\u001b[?1049l']) {
    expect(terminal.bytes()).not.toContain(sequence);
  }
});
