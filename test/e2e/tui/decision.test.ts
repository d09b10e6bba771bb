import { readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Rig } from '../../helpers/rig.ts';
import { expectScreen, expectSmallScreen, sizes } from '../../helpers/screens.ts';
import { inTerminal } from '../../helpers/terminal.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { twoVendors } from '../../helpers/todo-vendors.ts';

const promptOf = (rig: Rig, path: string) => readFileSync(join(rig.session(), path), 'utf8');

describe.each(sizes)('at $columns × $rows', (size) => {
  test('the options stand side by side, and each place in the code opens with what is around it', async () => {
    const terminal = inTerminal(await twoVendors(), [todoTask], size);
    await expectScreen(
      await terminal.shows('enter choose'),
      `decision-options-${size.columns}x${size.rows}`,
    );
    terminal.press('a');
    await expectSmallScreen(await terminal.shows('Agreed'), 'decision-agreement', size);
    terminal.press('esc');
    await terminal.shows('enter choose');
    terminal.press('d', 'down', 'down');
    await expectSmallScreen(
      await terminal.shows('▸   ✓ src/commands/list.js:4 alpha'),
      'decision-detail',
      size,
    );
    terminal.press('enter');
    await expectSmallScreen(await terminal.shows(/▸ +4  export/), 'decision-code', size);
    terminal.press('esc');
    await terminal.shows('show the code');
    terminal.press('esc');
    await terminal.shows('enter choose');
  });
});

test('another solution with a constraint becomes the decision', async () => {
  const rig = await twoVendors();
  const terminal = inTerminal(rig, [todoTask]);
  await terminal.shows('enter choose');
  terminal.press('right');
  await terminal.shows('▸ 2.');
  terminal.press('c');
  await terminal.shows('A constraint for the plan');
  terminal.type('No new dependency');
  terminal.press('enter');
  const left = await terminal.shows(/• keep to: No new dependency[^]*▸ 2\.[^]*enter choose/);
  // A look at the run changes nothing.
  terminal.press('v');
  await terminal.shows('v back');
  terminal.press('esc');
  expect(await terminal.shows('enter choose')).toBe(left);
  terminal.press('enter');
  await expect
    .poll(() => decisionIn(rig))
    .toMatchObject({
      solution: 2,
      constraints: ['No new dependency'],
      by: 'user',
    });
});

test('cancel keeps the session, and resume asks for the decision again', async () => {
  const rig = await twoVendors();
  const terminal = inTerminal(rig, [todoTask]);
  await terminal.shows('enter choose');
  terminal.press('x');
  await terminal.shows('Cancel and keep the session?');
  terminal.press('enter');
  await terminal.shows('Cancelled and saved');
  terminal.press('enter');
  expect(await terminal.ended()).toBe(0);
  expect(rig.json('session-state.json')).toMatchObject({ status: 'cancelled' });
});

test('what was written for more analysis is still there after esc', async () => {
  const terminal = inTerminal(await twoVendors(), [todoTask]);
  await terminal.shows('enter choose');
  terminal.press('m');
  await terminal.shows('What should the agents look into?');
  terminal.type('Compare both');
  await terminal.shows('Compare both');
  terminal.press('esc');
  await terminal.shows('enter choose');
  terminal.press('m');
  expect(await terminal.shows('What should the agents look into?')).toContain('Compare both');
});

test('e opens the file at the cited line in the editor', async () => {
  const rig = await twoVendors();
  const editor = join(rig.home, 'vi');
  writeFileSync(
    editor,
    '#!/bin/sh\necho "$@" > "$HOME/opened"\necho open; read a; read b; read c\n',
    {
      mode: 0o755,
    },
  );
  const terminal = inTerminal(rig, [todoTask], { environment: { EDITOR: editor } });
  await terminal.shows('enter choose');
  terminal.press('d', 'down', 'down');
  await terminal.shows('▸   ✓ src/commands/list.js:4 alpha');
  terminal.press('enter');
  await terminal.shows('e open in $EDITOR');
  terminal.press('e');
  await terminal.shows(/^open$/m);
  terminal.press('enter', 'enter', 'enter');
  await terminal.shows('e open in $EDITOR');
  terminal.press('esc');
  await terminal.shows('show the code');
  const opened = readFileSync(join(rig.home, 'opened'), 'utf8');
  expect(opened).toBe(`+4 ${realpathSync(rig.repo)}/src/commands/list.js\n`);
});

describe('the questions of the agents', () => {
  const questions = [
    'What JSON shall it print? [Pretty | Compact]',
    'Should the flag be short too?',
  ];

  test('are answered in place, and the answers go into the next round', async () => {
    const rig = await twoVendors(questions);
    const terminal = inTerminal(rig, [todoTask]);
    await terminal.shows(`▸ ${questions[0]}`);
    await expectScreen(await terminal.shows('enter next question'), 'questions-80x24');
    terminal.type('2');
    await terminal.shows(/^2 ?$/m);
    terminal.press('enter');
    await terminal.shows(`▸ ${questions[1]}`);
    await terminal.shows('enter send');
    terminal.press('enter');
    await terminal.shows('enter choose');
    const prompt = promptOf(rig, 'rounds/2/agents/beta/prompt.md');
    expect(prompt).toMatch(/What JSON shall it print\? \[Pretty \| Compact\]\s[^]*?Compact$/m);
  });

  test('keep what was written, also after a look at the run', async () => {
    const terminal = inTerminal(await twoVendors(questions), [todoTask]);
    await terminal.shows('enter next question');
    terminal.type('Compact');
    await terminal.shows('Compact');
    terminal.press('enter');
    await terminal.shows(`▸ ${questions[1]}`);
    terminal.type('Not yet');
    const left = await terminal.shows('Not yet');
    terminal.press('\u0012');
    await terminal.shows('v back');
    terminal.press('v');
    expect(await terminal.shows('enter send')).toBe(left);
    terminal.press('esc');
    await terminal.shows(/▸ What JSON[^]*Compact/);
    terminal.press('enter');
    await terminal.shows(/▸ Should[^]*Not yet/);
  });

  test('keep the place for the answer in sight, however long they are', async () => {
    const choices = '[stdout | stderr | a file | nowhere | the log | as set]';
    const long = [
      'Where shall warnings of unreadable storage go while the todos are printed for another program to parse?',
      'Which stream takes the summary line that people count on, and that scripts of today cut off with sed?',
      'What happens with colours, spinners and hints whenever nobody sits at a keyboard to look at them?',
      'How are errors of a single todo reported, given that exit codes cannot say which one was broken?',
    ].map((question) => `${question} ${choices}`);
    const terminal = inTerminal(await twoVendors(long), [todoTask]);
    for (const question of long) {
      await terminal.shows(`▸ ${question.slice(0, 30)}`);
      expect(await terminal.shows(/enter (next|send)/)).toContain('Type a number or an answer');
      terminal.type('a file, unless it is a terminal');
      await terminal.shows(/^a file, unless it is a terminal ?$/m);
      terminal.press('enter');
    }
    await terminal.shows('enter choose');
  });

  test('can be skipped, after a question; the agents then go on with what they assume', async () => {
    const rig = await twoVendors(questions);
    const terminal = inTerminal(rig, [todoTask]);
    await terminal.shows(`▸ ${questions[0]}`);
    terminal.press('esc');
    await terminal.shows(/Skip the questions\?[^]*go on with another round[^]*enter skip them/);
    terminal.press('enter');
    expect(await terminal.shows('enter choose')).not.toContain('your answer is needed');
    const prompt = promptOf(rig, 'rounds/2/agents/beta/prompt.md');
    expect(prompt).toContain(`Asked: ${questions[1]}\n  Answer: (Nobody answered.`);
  });
});

function decisionIn(rig: Rig): unknown {
  const lines = readFileSync(join(rig.session(), 'journal.jsonl'), 'utf8').trim().split('\n');
  const records = lines.map((line): { key?: string; type?: string; result?: unknown } =>
    JSON.parse(line),
  );
  return records.find(({ key, result }) => key === 'decision-1' && result !== undefined)?.result;
}
