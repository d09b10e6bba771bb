import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planAnswer } from '../../faults/three-rounds.ts';
import { expectGivenBack, inShell, inTerminal, type Terminal } from '../../helpers/terminal.ts';
import { fixture, type Rig } from '../../helpers/rig.ts';
import { expectScreen } from '../../helpers/screens.ts';
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
  await terminal.shows(/answered in .*Branch in/);
  expect(rig.json('session-state.json')).toMatchObject({
    task_description: 'Print the todos as JSON',
  });
  const proposal = Object.entries(rig.contents('.workflow')).find(([path]) =>
    path.endsWith('rounds/1/agents/gpt/prompt.md'),
  );
  expect(proposal?.[1]).toContain('## Turn 1: gpt (gpt-model)\nTake JSON lines.');
});

test('an answer in Markdown is formatted on a terminal, unless colours are unwanted', async () => {
  const rig = await chatRig();
  const answer = '# Formats\n\n- **JSON** lines\n- `csv`';
  configureVendors(rig, { gpt: { else: { answer } } });
  const asked = ['consult', '--agent', 'gpt', 'Which format?'];
  const terminal = inTerminal(rig, asked, { environment: { NO_COLOR: '' } });
  await terminal.ended();
  expect(terminal.screen()).toMatch(/^Formats\n\n• JSON lines\n• csv$/m);
  const plain = inTerminal(rig, asked, { environment: { NO_COLOR: '1' } });
  await plain.ended();
  expect(plain.screen()).toContain(answer);
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
  expect(terminal.screen()).not.toContain('still answering');
  say(terminal, '/model claude');
  await terminal.shows(/conclave consult +claude/);
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
  [200, 50],
])(
  'at %i × %i everything fits, and ? shows commands and keys, all of them',
  async (columns, rows) => {
    const rig = await chatRig();
    const terminal = inTerminal(rig, ['consult', '--agent', 'gpt'], { columns, rows });
    const look = async (page: string, shows: string | RegExp) => {
      await terminal.shows(shows);
      const screen = terminal.screen();
      const lines = screen.split('\n');
      expect(lines.length).toBeLessThanOrEqual(rows);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
      if (columns < 200) await expectScreen(screen, `chat-${page}-${columns}x${rows}`);
    };
    await look('begin', 'esc leave');
    say(terminal, 'Which format?');
    await look('answer', /✓ gpt[^]*Take JSON lines\.[^]*tokens/);
    terminal.type('/ro');
    await look('menu', /\/role NAME +answer in another role$/m);
    terminal.press('backspace', 'backspace', 'backspace');
    say(terminal, '/model frobnicate');
    await look('note', /name\s+an agent or a\s+model\./);
    terminal.press('\u0015', '?');
    await look('help', /\/model NAME +ask another agent or model$[^]*esc closes this help$/m);
    terminal.press('end');
    await look('help-end', /esc ctrl\+c +stop it, or leave$/m);
  },
);

test.each([
  [{ NO_COLOR: '1', FORCE_COLOR: '' }, '\u001b[1m', false],
  [{ NO_COLOR: '', FORCE_COLOR: '0' }, '\u001b[1m', false],
  [{ NO_COLOR: '', FORCE_COLOR: 'false' }, '\u001b[1m', false],
  [{ NO_COLOR: '', FORCE_COLOR: '' }, '\u001b[36m', true],
  [{ NO_COLOR: '', FORCE_COLOR: '1' }, '\u001b[36m', true],
])('with %j the chat is drawn as the user wants it', async (environment, mark, coloured) => {
  const rig = await chatRig();
  const terminal = inTerminal(rig, ['consult', '--agent', 'gpt'], { environment });
  await terminal.shows('esc leave');
  say(terminal, 'Which format?');
  await terminal.shows(/✓ gpt[^]*Take JSON lines\./);
  say(terminal, '/fly');
  await terminal.shows('There is no command /fly');
  const bytes = terminal.bytes();
  expect(bytes).toContain(mark);
  // Foregrounds and backgrounds of any kind.
  const colour = /^\[(?:\d+;)*(?:[349][0-7]|[34]8;|10[0-7])[\d;]*m/;
  expect(bytes.split('\u001b').some((part) => colour.test(part))).toBe(coloured);
});

test('a chat is not begun by an id of ours that this project does not know', async () => {
  const terminal = inTerminal(await chatRig(), ['consult', '--session', 'talk-2026-01-01-abcd']);
  await terminal.shows('There is no session talk-2026-01-01-abcd in this project.');
  expect(await terminal.ended()).toBe(2);
});
