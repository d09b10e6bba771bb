import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planAnswer } from '../../faults/three-rounds.ts';
import { expectGivenBack, inShell, inTerminal, type Terminal } from '../../helpers/terminal.ts';
import { fixture, type Rig } from '../../helpers/rig.ts';
import { sentTo, talkRig } from '../../helpers/talk-rig.ts';
import { configureVendors, listSolution, stances } from '../../helpers/vendors.ts';

/** Claude, which works, and two vendors that plan; asked anything else, they answer in words. */
async function chatRig(delay_ms = 0): Promise<Rig> {
  const rig = await talkRig();
  const solutions = [listSolution()];
  const preferred = listSolution().name;
  const vendor = (answer: string) => ({
    propose: { answer: { solutions, questions: [] } },
    examine: { answer: stances({ A: 'support', B: 'support' }, { preferred }) },
    plan: { answer: planAnswer },
    else: { answer, delay_ms },
  });
  configureVendors(rig, { gpt: vendor('Take JSON lines.'), beta: vendor('Take CSV.') });
  rig.config(`${rig.configured()}
[agents.claude]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([fixture('talker'), join(rig.home, 'claude.store')])}
`);
  return rig;
}

function say(terminal: Terminal, text: string): void {
  terminal.type(text);
  terminal.press('enter');
}

test('a person consults gpt, switches to claude, lets it work, and hands the conversation to planning', async () => {
  const rig = await chatRig();
  const terminal = inTerminal(rig, ['consult', '--agent', 'gpt']);
  await terminal.shows('The conversation goes on with any agent.');
  say(terminal, 'Which format?');
  await terminal.shows('✓ gpt (gpt-model)');
  await terminal.shows('Take JSON lines.');
  say(terminal, '/model claude');
  await terminal.shows(/conclave consult +claude/);
  say(terminal, '/work');
  await terminal.shows(/conclave work +claude/);
  say(terminal, 'write notes.txt hello');
  await terminal.shows(/notes.txt \| 1 \+/);
  await terminal.shows(/To take this back: conclave work --undo/);
  expect(readFileSync(join(rig.repo, 'notes.txt'), 'utf8')).toBe('hello');
  expect(sentTo(rig, 'claude').flat().join()).toContain('Take JSON lines.');
  say(terminal, '/plan Print the todos as JSON');
  await terminal.shows('Branch in listTodos');
  expect(rig.json('session-state.json')).toMatchObject({
    task_description: 'Print the todos as JSON',
  });
  const proposal = Object.entries(rig.contents('.workflow')).find(([path]) =>
    path.endsWith('rounds/1/agents/gpt/prompt.md'),
  );
  expect(proposal?.[1]).toContain('## Turn 1: gpt (gpt-model)\nTake JSON lines.');
});

test('leaving gives the terminal back and says how to go on; what was said comes again', async () => {
  const rig = await chatRig();
  const terminal = inShell(rig, ['consult', '--agent', 'gpt', '--session', 'mine']);
  await terminal.shows('conclave consult');
  say(terminal, 'Which format?');
  await terminal.shows('Take JSON lines.');
  terminal.press('esc');
  await terminal.shows('ended with 0');
  expectGivenBack(rig, terminal);
  expect(terminal.screen()).toContain('To go on: conclave consult --session mine');
  const again = inTerminal(rig, ['work', '--session', 'mine']);
  await again.shows('Take JSON lines.');
  await again.shows(/conclave work +gpt/);
  again.press('\u0019');
  await again.shows('Copied: Take JSON lines.');
});

test('a running answer can be stopped, and the next question is taken', async () => {
  const rig = await chatRig(600_000);
  const terminal = inTerminal(rig, ['consult', '--agent', 'gpt']);
  await terminal.shows('conclave consult');
  say(terminal, 'Which format?');
  await terminal.shows(/● gpt +\d+ s/);
  say(terminal, 'And now?');
  await terminal.shows('gpt is still answering; Esc stops it.');
  terminal.press('esc');
  await terminal.shows('Stopped.');
  terminal.press('\u0015');
  say(terminal, '/model claude');
  say(terminal, 'say fine');
  await terminal.shows('✓ claude (claude-test)');
});

test.each([
  ['/model frobnicate', 'Nobody is known for "frobnicate"; name an agent or a model.'],
  ['/model', '/model takes the name of an agent or a model.'],
  ['/role poet', 'There is no role "poet".'],
  ['/fly', 'There is no command /fly; ? lists them.'],
  ['/plan', 'There is nothing to plan yet; ask something first.'],
  ['/copy', 'There is no answer yet.'],
])('%s says what is wrong, and asks nobody', async (typed, sentence) => {
  const rig = await chatRig();
  const terminal = inTerminal(rig, ['consult', '--agent', 'claude']);
  await terminal.shows('conclave consult');
  say(terminal, typed);
  await terminal.shows(sentence);
  expect(sentTo(rig, 'claude')).toEqual([]);
});

test.each([
  [40, 10],
  [80, 24],
  [120, 40],
])('at %i × %i everything fits, and ? shows commands and keys', async (columns, rows) => {
  const rig = await chatRig();
  const terminal = inTerminal(rig, ['consult', '--agent', 'gpt'], { columns, rows });
  await terminal.shows('conclave consult');
  say(terminal, 'Which format?');
  const screen = await terminal.shows('Take JSON lines.');
  expect(screen.split('\n').length).toBeLessThanOrEqual(rows);
  expect(Math.max(...screen.split('\n').map((line) => line.length))).toBeLessThanOrEqual(columns);
  expect(screen).toMatch(/enter send/);
  terminal.type('/');
  await terminal.shows('/role NAME');
  terminal.press('backspace', '?');
  await terminal.shows('let it answer in another ');
});
