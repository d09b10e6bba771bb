import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analysedRig } from '../../helpers/planned-rig.ts';
import { expectScreen } from '../../helpers/screens.ts';
import { type Terminal, inTerminal } from '../../helpers/terminal.ts';
import { leavingFlags, todoRig } from '../../helpers/test-rig.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { twoVendors } from '../../helpers/todo-vendors.ts';
import { synthesisOf } from '../../helpers/planned-rig.ts';

/** High enough for a whole session, so that nothing scrolls away. */
const paper = {
  columns: 200,
  rows: 250,
  environment: { CONCLAVE_SCREEN_READER: '1' },
};

/** Answers each question as it comes, with Enter. */
async function answer(
  terminal: Terminal,
  ...answers: readonly (readonly [string | RegExp, string])[]
): Promise<void> {
  for (const [asked, typed] of answers) {
    await terminal.shows(asked);
    terminal.type(`${typed}\r`);
  }
}

/** A prompt at the end of all that was written, as nothing after it was asked yet. */
const at = (prompt: string) => new RegExp(`${prompt.replaceAll(/[[\]?]/g, String.raw`\$&`)}:?$`);

function expectPlain(terminal: Terminal): void {
  // oxlint-disable-next-line no-control-regex
  expect(terminal.bytes()).not.toMatch(/[^\P{Cc}\r\n]/u);
}

/** Both authors compare at the same time, and either may be first. */
function withComparisonSorted(screen: string): string {
  return [/to compare the proposals$/, /: same$/].reduce((text, ofIt) => {
    const lines = text.split('\n');
    const sorted = lines.filter((line) => ofIt.test(line)).toSorted();
    return lines.map((line) => (ofIt.test(line) ? sorted.shift() : line)).join('\n');
  }, screen);
}

test('from a typed task to an approved plan with Enter alone, without one control sequence', async () => {
  const rig = await twoVendors();
  rig.config(`${rig.configured()}\n[execution]\nconfine = false\n`);
  const terminal = inTerminal(rig, ['--mode', 'serial'], paper);
  await answer(
    terminal,
    [at('Task'), todoTask],
    [/Task: .*\nTask:$/, ''],
    [at('Option [1]'), ''],
    [at(String.raw`\(empty for none\)`), ''],
    [at('Plan [approve]'), ''],
    [at('Execute [later]'), ''],
  );
  expect(await terminal.ended()).toBe(0);
  expectPlain(terminal);
  await expectScreen(withComparisonSorted(terminal.screen()), 'lines');
  expect(rig.json('approval.json')).toMatchObject({ approved_by: 'user' });
});

test('every question can be answered otherwise: questions, more analysis, another option, comments', async () => {
  const rig = await twoVendors(['Pretty or\u001b[2J compact JSON?', 'A short flag too?']);
  const terminal = inTerminal(rig, [todoTask], paper);
  await answer(
    terminal,
    [/Question 1 of 2 by [a-z ]+: Pretty or compact JSON\?\n[^]*Your answer:$/, 'Compact'],
    [/Question 2 of 2 by [a-z ]+: A short flag too\?\n[^]*Your answer:$/, ''],
  );
  await answer(
    terminal,
    [at('Option [1]'), 'nine'],
    [/Please type one of[^]*Option \[1\]:$/, 'MORE'],
    [at('look into?'), 'Compare both with large files'],
    [/round 3[^]*Option \[1\]:$/, '2'],
    [at(String.raw`\(empty for none\)`), 'No new dependency'],
    [at(String.raw`\(empty to go on\)`), ''],
    [at('Plan [approve]'), 'task-001'],
    [/Done when[^]*Plan \[approve\]:$/, 'comment'],
    [at('about one'), 'TASK-001: Say that it is one array'],
    [at(String.raw`\(empty to go on\)`), ''],
    [/version 2[^]*Plan \[approve\]:$/, 'leave'],
  );
  expect(await terminal.ended()).toBe(0);
  expectPlain(terminal);
  const prompt = (path: string) => readFileSync(join(rig.session(), path), 'utf8');
  expect(prompt('rounds/2/agents/beta/prompt.md')).toContain('Compact');
  expect(prompt('rounds/3/agents/beta/prompt.md')).toContain('Compare both with large files');
  const [, second] = synthesisOf(rig, 3).solutions;
  expect(rig.json('context-package.json')).toMatchObject({
    solution: { name: second?.name ?? '' },
    constraints: ['No new dependency'],
  });
  expect(existsSync(join(rig.session(), 'approval.json'))).toBe(false);
});

describe('an interruption', () => {
  test.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('by %s saves, and resume tells of the options again', async (_, key) => {
    const rig = await twoVendors();
    const first = inTerminal(rig, [todoTask], paper);
    await first.shows(at('Option [1]'));
    first.type(key);
    expect(await first.ended()).toBe(130);
    expect(first.screen()).toContain(`conclave resume ${basename(rig.session())}`);
    const environment = { CONCLAVE_SCREEN_READER: '1' };
    const second = inTerminal(rig, ['resume'], { ...paper, environment });
    await answer(second, [at('Session [1]'), ''], [at('Option [1]'), 'cancel']);
    expect(await second.ended()).toBe(0);
    expect(second.screen()).toContain('1. Branch in listTodos');
    expectPlain(second);
  });

  test('before there was a question ends in one sentence', async () => {
    const rig = await analysedRig(...leavingFlags);
    const terminal = inTerminal(rig, ['resume'], { ...paper, environment: { TERM: 'dumb' } });
    terminal.type('\u0004');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toMatch(/The input has ended; nothing was started\.$/);
  });

  test('before anything was begun writes nothing', async () => {
    const rig = await todoRig();
    const terminal = inTerminal(rig, [], { ...paper, environment: { TERM: 'dumb' } });
    await terminal.shows(at('Task'));
    terminal.type('\u0004');
    expect(await terminal.ended()).toBe(0);
    expect(terminal.screen()).toContain('The input has ended; nothing was started.');
    expect(existsSync(join(rig.repo, '.workflow'))).toBe(false);
    expectPlain(terminal);
  });
});

test('words typed by habit act, and start nothing', async () => {
  const rig = await todoRig();
  const terminal = inTerminal(rig, [], paper);
  await answer(
    terminal,
    [at('Task'), 'help'],
    [/conclave --help\nTask:$/, '/resume'],
    [/There are no saved sessions here\.\nTask:$/, ':q'],
  );
  expect(await terminal.ended()).toBe(0);
  expect(existsSync(join(rig.repo, '.workflow'))).toBe(false);
});

test('review lists the sessions with a plan, and tells of what blocks one', async () => {
  const environment = { INK_SCREEN_READER: 'true' };
  const none = inTerminal(await todoRig(), ['review'], { ...paper, environment });
  expect(await none.ended()).toBe(0);
  expect(none.screen()).toContain('No session here has a plan.');
  const rig = await analysedRig('--auto-yes');
  const file = join('.workflow/.multi-cli-plan', basename(rig.session()), '.task/TASK-001.json');
  rig.write(file, rig.read(file).replace(/"path": "[^"]*"/, '"path": "../outside.js"'));
  const terminal = inTerminal(rig, ['review'], { ...paper, environment });
  await answer(terminal, [at('Session [1]'), '1'], [at('Plan [leave]'), 'approve']);
  await answer(terminal, [/Please type one of[^]*Plan \[leave\]:$/, '']);
  expect(await terminal.ended()).toBe(6);
  expect(terminal.screen()).toMatch(/blocking [^]*\.task\/TASK-001\.json/);
});

test('a plan is rejected with a reason, which the next review tells', async () => {
  const rig = await analysedRig('--auto-yes');
  const id = basename(rig.session());
  const terminal = inTerminal(rig, ['review', id], paper);
  await answer(terminal, [at('Plan [approve]'), 'reject'], [at('no reason'), 'Too large']);
  expect(await terminal.ended()).toBe(0);
  expect(existsSync(join(rig.session(), 'approval.json'))).toBe(false);
  const rejected = { why: 'Too large', by: 'user' };
  expect(rig.json('session-state.json')).toMatchObject({ plan_rejected: rejected });
  const again = inTerminal(rig, ['review', id], paper);
  expect(await again.shows(at('Plan [approve]'))).toContain('Approval: rejected: Too large');
});

test('resume shows an approved plan that was changed since, to be approved anew', async () => {
  const rig = await analysedRig('--auto-yes');
  const file = join('.workflow/.multi-cli-plan', basename(rig.session()), 'plan.json');
  rig.write(file, rig.read(file).replace('"summary": "', '"summary": "By hand: '));
  const terminal = inTerminal(rig, ['resume', basename(rig.session())], paper);
  await answer(terminal, [at('Plan [approve]'), ''], [at('Execute [later]'), '']);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen()).toContain('By hand: ');
  expect(rig.json('approval.json')).toMatchObject({ approved_by: 'user' });
  const again = inTerminal(rig, ['resume', basename(rig.session())], paper);
  expect(await again.ended()).toBe(0);
  expect(again.screen()).toContain('The draft is approved.');
});
