import { describe, expect, test } from 'vitest';
import { planAnswer } from '../../faults/three-rounds.ts';
import { hostile, hostileTexts, strange } from '../../helpers/hostile.ts';
import type { Rig } from '../../helpers/rig.ts';
import { sizes } from '../../helpers/screens.ts';
import { type Terminal, inTerminal } from '../../helpers/terminal.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import {
  configureVendors,
  formatterSolution,
  listSolution,
  stances,
} from '../../helpers/vendors.ts';

const text = (number: number) => ({
  summary: `Summary ${hostile(number)}`,
  pros: [hostile(number + 1)],
  cons: [hostile(number + 2)],
  technical_concerns: [hostile(number + 3)],
});

/** Hostile wherever an agent, a file or a task can say something. */
async function hostileRig(): Promise<Rig> {
  const rig = await todoRig();
  const name = `src/json${hostile(3, 3).replaceAll(/[\0/\ud800-\udfff]/g, '')}.js`;
  rig.write(name, 'export const json = "the --json flag of the list command";\n');
  await rig.git('add', '-A');
  await rig.git('commit', '-qm', `Add the --json flag ${hostile(4).replaceAll('\0', '')}`);
  const first = [listSolution({ name: `First ${hostile(5)}`, ...text(6) })];
  const second = [formatterSolution({ name: `Second ${hostile(10)}`, ...text(11) })];
  const everything = hostileTexts.map((one) => `a${one}b`);
  const events = [
    ...everything.map((piece) => ({ kind: 'message', text: `${piece}\n`, partial: true })),
    { kind: 'thinking', text: everything.join('\n') },
    { kind: 'file-read', path: hostile(14) },
    { kind: 'command', command: hostile(0), exit_code: 1, output: everything.join('\n') },
    { kind: 'file-change', path: hostile(4), change: 'add', diff: `+${everything.join('\n-')}` },
    { kind: 'tool-call', name: hostile(1, 2), detail: hostile(2) },
    { kind: 'warning', text: hostile(3) },
    { kind: 'message', text: 'the last piece\n', partial: true },
  ];
  const [task1, ...others] = planAnswer.tasks;
  const tasks = [{ ...task1, title: `Title ${hostile(7)}`, description: hostile(8) }, ...others];
  const plan = { ...planAnswer, plan: { summary: hostile(9), approach: hostile(11) }, tasks };
  const ends = {
    examine: { answer: stances({ A: 'support', B: 'support' }) },
    plan: { answer: plan },
  };
  const questions = [`Which ${hostile(12)}?`];
  configureVendors(rig, {
    alpha: {
      propose: { events, delay_ms: 700, answer: { solutions: first, questions } },
      ...ends,
    },
    beta: {
      propose: { events, delay_ms: 700, answer: { solutions: second, questions: [] } },
      ...ends,
    },
    gamma: { propose: { stderr: hostile(13, 12), exit: 1 }, ...ends },
  });
  return rig;
}

const task = `Add a --json flag ${hostile(0).replaceAll('\0', '')} to list`;

/** The frame stands: header, line, keys, and nothing is wider than the terminal. */
function expectAligned(screen: string): void {
  const lines = screen.split('\n');
  expect(lines[0]).toMatch(/^conclave/);
  expect(lines[1]).toMatch(/^[✓●○] ?context +[✓●○] ?discussion/);
  const isSmall = lines.length === 24;
  const bill = / [\w$.·,:() ]+ (?=──$)/;
  const rule = lines[2]?.replace(bill, (shown) => '─'.repeat(shown.length));
  expect(rule).toBe('─'.repeat(isSmall ? 80 : 120));
  expect(lines).toHaveLength(isSmall ? 24 : 40);
}

async function look(
  terminal: Terminal,
  ...steps: readonly (readonly [string, string | RegExp])[]
): Promise<void> {
  for (const [key, shows] of steps) {
    terminal.press(key);
    expectAligned(await terminal.shows(shows));
  }
}

test('there are enough hostile texts, and they are found where they get through', () => {
  expect(hostileTexts.length).toBeGreaterThanOrEqual(60);
  expect(new Set(hostileTexts).size).toBe(hostileTexts.length);
  const harmless = hostileTexts.filter((one) => strange(`a${one}b`, null).length === 0);
  expect(harmless).toEqual(['\ufe0f', '\r', '\r\n', '日本語の名前', 'e\u0301\u0302\u0303']);
});

describe('nothing that anybody wrote steers the terminal', () => {
  test.each(sizes)('in the terminal UI at $columns × $rows', async (size) => {
    const rig = await hostileRig();
    const terminal = inTerminal(rig, [], { ...size, environment: { VTE_VERSION: '6800' } });
    await terminal.shows('What do you want done?');
    terminal.type('Change @json');
    await terminal.shows('▸ package.json');
    terminal.press('esc');
    await terminal.shows('enter start');
    terminal.press('\u0015');
    await terminal.shows('e.g. Add rate');
    terminal.type(`${task}\nand more`);
    expectAligned(await terminal.shows('│ and more'));
    terminal.press('enter');
    expectAligned(await terminal.shows('the last piece'));
    expectAligned(await terminal.shows(/▸ Which a[^]*enter /));
    terminal.press('enter');
    expectAligned(await terminal.shows('enter choose'));
    // What the agents told before is still there.
    await look(terminal, ['v', 'enter zoom'], ['n', 'What has happened so far']);
    await look(terminal, ['esc', 'enter zoom'], ['esc', 'enter choose']);
    await look(
      terminal,
      ['d', 'show the code'],
      ['esc', 'enter choose'],
      ['a', 'esc back'],
      ['esc', 'enter choose'],
    );
    await look(terminal, ['enter', 'enter approve']);
    await look(
      terminal,
      ['pagedown', 'enter approve'],
      ['end', 'enter approve'],
      ['home', '▸ Check'],
    );
    await look(terminal, ['enter', 'enter leave it for later'], ['enter', 'enter close']);
    terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    const bytes = terminal.bytes();
    expect(strange(bytes)).toEqual([]);
    for (const once of ['\u001b[?1049h', '\u001b[?1049l']) {
      expect(bytes.split(once)).toHaveLength(2);
    }
    for (const never of ['\u001b[999A', '\u001b[2J', '\u001b[3J']) {
      expect(bytes).not.toContain(never);
    }
  });

  test('in plain lines', async () => {
    const rig = await hostileRig();
    const terminal = inTerminal(rig, [task], {
      columns: 200,
      rows: 250,
      environment: { CONCLAVE_SCREEN_READER: '1' },
    });
    for (const prompt of [/Which .*\n[^]*Your answer:$/, /Option \[1\]:$/]) {
      await terminal.shows(prompt);
      terminal.press('enter');
    }
    await terminal.shows(/empty for none\):$/);
    terminal.press('enter');
    await terminal.shows(/Plan \[approve\]:$/);
    terminal.type('task-001\r');
    await terminal.shows(/Done when[^]*Plan \[approve\]:$/);
    terminal.press('enter');
    await terminal.shows(/Execute \[later\]:$/);
    terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    expect(strange(terminal.bytes(), null)).toEqual([]);
  });

  test('in a log', async () => {
    const rig = await hostileRig();
    const { code, stdout, stderr } = await rig.conclave('-y', task);
    expect(code).toBe(0);
    expect(strange(stdout + stderr, null)).toEqual([]);
  });
});
