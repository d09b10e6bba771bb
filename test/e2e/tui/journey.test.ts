import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { survivors } from '../../faults/three-rounds.ts';
import { expectSmallScreen, sizes } from '../../helpers/screens.ts';
import { type Terminal, inTerminal, walk } from '../../helpers/terminal.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { twoVendors } from '../../helpers/todo-vendors.ts';
import { configureVendors, listSolution } from '../../helpers/vendors.ts';

const question = 'What do you want done?';

/** Enter on each screen as it comes. */
async function onlyEnter(terminal: Terminal, ...screens: readonly string[]): Promise<void> {
  for (const screen of screens) {
    await terminal.shows(screen);
    terminal.press('enter');
  }
}

const approved = ['enter approve', 'enter leave it for later'];
const recommended = ['enter choose', ...approved];

describe.each(sizes)('at $columns × $rows', (size) => {
  test('a typed task becomes an approved plan with Enter alone', async () => {
    const rig = await twoVendors();
    const terminal = inTerminal(rig, [], size);
    await terminal.shows(question);
    terminal.type(todoTask);
    await onlyEnter(terminal, 'prints JSON', ...recommended);
    await expectSmallScreen(await terminal.shows('enter close'), 'journey-end', size);
    terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.bytes()).toContain('\u0007\u001b]9;conclave: needs your answer – ');
    expect(terminal.bytes()).toContain('\u0007\u001b]9;conclave: done – ');
    expect(rig.json('approval.json')).toMatchObject({ approved_by: 'user' });
    expect(rig.json('session-state.json')).toMatchObject({ status: 'done' });
  });

  test('the first hour: help, a task, the run, the code, the plan read and approved, what is next', async () => {
    const rig = await twoVendors();
    const terminal = inTerminal(rig, [], size);
    await terminal.shows(question);
    terminal.type('/help');
    await walk(terminal, ['enter', 'esc closes this help'], ['esc', 'e.g. Add rate limiting']);
    terminal.type(todoTask);
    await terminal.shows('prints JSON');
    await walk(terminal, ['enter', 'enter choose'], ['v', /✓ alpha[^]*✓ beta/]);
    await walk(terminal, ['v', 'enter choose'], ['d', 'Approach']);
    await walk(
      terminal,
      ['down', '▸   ✓ test/list.test.js:5'],
      ['down', '▸   ✓ src/commands/list.js:4 alpha'],
    );
    await walk(terminal, ['enter', /▸ +4 {2}export/], ['esc', 'show the code']);
    await walk(terminal, ['esc', 'enter choose'], ['enter', 'enter approve']);
    await walk(terminal, ['end', 'Plan check'], ['home', '▸ Check']);
    await walk(terminal, ['enter', 'enter leave it for later']);
    await walk(terminal, ['enter', 'enter close']);
    terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    const plan = /Plan +(\S+plan\.md)/.exec(terminal.screen().replaceAll(/\n */g, ''));
    expect(readFileSync(join(rig.repo, plan?.[1] ?? ''), 'utf8')).toContain('TASK-001');

    const second = inTerminal(rig, [], size);
    await second.shows(question);
    second.type('/quit');
    await second.shows('│ /quit');
    second.press('enter');
    expect(await second.ended()).toBe(0);
  });

  test('without any account, too: the analysts plan it', async () => {
    const rig = await todoRig();
    const environment = { PATH: '/usr/bin:/bin', CONCLAVE_NOTIFY: 'false' };
    const terminal = inTerminal(rig, [], { ...size, environment });
    await terminal.shows('the built-in analysts');
    await terminal.shows('✓ history   ready');
    terminal.type('Add a --json flag to the list command');
    await terminal.shows('│ Add a --json flag to the list command');
    terminal.press('enter');
    // Both seats are looked at together, so either analyst may take the first.
    const options = (await terminal.shows('enter choose')).replace(
      /history(\s+replaced\s+gemini;\s+)structure(?=\s+replaced)/,
      'structure$1history',
    );
    await expectSmallScreen(options, 'journey-analysts-options', size);
    terminal.press('enter');
    // Which analyst stands in for which agent differs from run to run, so no golden shows it.
    await terminal.shows('Only built-in analysts answered');
    await onlyEnter(terminal, ...approved, 'enter close');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.bytes()).not.toContain('\u001b]');
    expect((await rig.conclave('validate')).stdout).toContain('No problem found');
  });

  test('Ctrl-C asks once and saves; resume shows the rounds before', async () => {
    const rig = await twoVendors();
    const first = inTerminal(rig, [todoTask], size);
    await first.shows('enter choose');
    first.press('m');
    await first.shows('look into?');
    first.type('Compare both with large files');
    await first.shows('large files');
    first.press('enter');
    await first.shows('Round 2:');
    first.press('ctrl+c');
    await first.shows('Stop now? Your progress is saved.');
    first.press('esc');
    await first.shows('enter choose');
    first.press('ctrl+c', 'enter');
    await expectSmallScreen(await first.shows('conclave resume'), 'journey-interrupted', size);
    first.press('enter');
    expect(await first.ended()).toBe(130);
    const prompt = readFileSync(join(rig.session(), 'rounds/2/agents/alpha/prompt.md'), 'utf8');
    expect(prompt).toContain('Compare both with large files');
    const id = basename(rig.session());
    expect(first.screen().replaceAll('\n', '')).toContain(`To continue: conclave resume ${id}`);

    const second = inTerminal(rig, ['resume', id], size);
    await second.shows('enter choose');
    await second.shows('Round 2:');
    second.press('v');
    await second.shows('v back');
    second.press('n');
    await expectSmallScreen(
      await second.shows('What has happened so far'),
      'journey-resumed-rounds',
      size,
    );
    second.press('esc');
    await second.shows('enter zoom');
    second.press('esc');
    await onlyEnter(second, ...recommended, 'enter close');
    expect(await second.ended()).toBe(0);
  });
});

test('the demo goes to its end: a fix after a failing check, a review, and the result applied', async () => {
  const rig = await todoRig();
  const environment = { TMPDIR: rig.home };
  const flags = ['demo', '--fast'];
  const terminal = inTerminal(rig, flags, { columns: 80, rows: 24, environment });
  await terminal.shows('no model is asked');
  await onlyEnter(terminal, 'enter choose', 'enter approve');
  await terminal.shows('enter leave it for later');
  expect(terminal.screen().replaceAll(/\n */g, '')).toMatch(/conclave-demo-\w+\/conclave execute/);
  terminal.press('1');
  await onlyEnter(terminal, 'enter carry it out', 'enter apply it');
  await terminal.shows('enter close');
  // With its proof, where a confinement lets it be tried.
  expect(terminal.screen()).toMatch(
    /2 of 2 tasks completed, reviewed by script-two; [34] files merged/,
  );
  terminal.press('enter');
  expect(await terminal.ended()).toBe(0);
  const said = terminal.screen().replaceAll('\n', '');
  expect(said).toMatch(/remove .*conclave-demo-\w+ when you are/);
  const [program = ''] = /\/\S+conclave-demo-\w+\/conclave(?= report)/.exec(said) ?? [];
  const { stdout } = await promisify(execFile)(program, ['report'], { env: rig.environment });
  expect(readFileSync(/\S+report\.html/.exec(stdout)?.[0] ?? '', 'utf8')).toContain('TASK-002');
});

/** As small as it gets, then wide, then as it was. */
async function resized(terminal: Terminal): Promise<void> {
  for (const [columns, rows] of [
    [40, 10],
    [20, 5],
    [200, 60],
    [80, 24],
  ] as const) {
    await terminal.resize(columns, rows);
    await terminal.shows(/\S/);
  }
}

describe('resizing loses nothing', () => {
  test('while agents run', async () => {
    const rig = await todoRig();
    const events = [{ kind: 'message', text: 'I read on and on.\n', partial: true }];
    const solutions = [listSolution()];
    const busy = { propose: { events, delay_ms: 600_000, answer: { solutions, questions: [] } } };
    configureVendors(rig, { alpha: busy, beta: busy, gamma: busy });
    const terminal = inTerminal(rig, [todoTask]);
    await terminal.shows('I read on and on.');
    await resized(terminal);
    await terminal.shows(/conclave .*\n.*discussion[^]*I read on and on\.[^]*all keys$/);
    terminal.press('ctrl+c', 'enter');
    await terminal.shows('conclave resume');
    terminal.press('enter');
    expect(await terminal.ended()).toBe(130);
    expect(survivors(rig)).toEqual([]);
  });

  test('on each question', async () => {
    const rig = await twoVendors(['Pretty or compact JSON?']);
    const terminal = inTerminal(rig, []);
    const still = async (shows: string) => {
      const before = await terminal.shows(shows);
      await resized(terminal);
      await expect.poll(() => terminal.screen()).toBe(before);
    };
    await terminal.shows(question);
    terminal.type(todoTask);
    await terminal.shows('First round: alpha and beta');
    await still('prints JSON');
    terminal.press('enter');
    await terminal.shows('▸ Pretty or compact JSON?');
    await terminal.shows('enter send');
    terminal.type('Compact');
    await still('Compact');
    terminal.press('enter');
    await still('enter choose');
    terminal.press('d');
    await still('Approach');
    terminal.press('esc');
    await terminal.shows('enter choose');
    terminal.press('enter');
    await still('enter approve');
    terminal.press('end');
    await still('Plan check');
    terminal.press('c');
    await terminal.shows('A comment on ');
    terminal.type('Say more');
    await still('Say more');
  });
});
