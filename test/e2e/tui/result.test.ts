import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig, workBy } from '../../helpers/executed-rig.ts';
import { expectScreen } from '../../helpers/screens.ts';
import { has, planOf, runs, task } from '../../helpers/small-plans.ts';
import { inTerminal, walk } from '../../helpers/terminal.ts';

const greets = runs('node', '-e', 'console.log("hello from a check")');
const plan = planOf([
  task(1, [], ['a.txt'], [has('a.txt', 'a'), greets]),
  // It passes before the work, too, so nothing shows that the task is done.
  task(2, [], ['b.txt'], [greets]),
]);
const doing = (a: string) => ({
  'TASK-001': { edits: { 'a.txt': a } },
  'TASK-002': { edits: { 'b.txt': 'b\n' } },
});
/** So that its screens are the same on every machine. */
const unconfined = '[execution]\nconfine = false';

/** The first row has a clock, whose place hangs on how long it all took. */
const belowTitle = (screen: string) => screen.slice(screen.indexOf('\n') + 1);

test('a result is looked at, a task of it accepted and another done again with a note, before it is applied', async () => {
  const rig = await approvedRig(doing('a first\n'), { plan, more: unconfined });
  const terminal = inTerminal(rig, ['execute', basename(rig.session()), '--review', 'skip']);
  await terminal.shows('enter carry it out');
  await walk(terminal, ['enter', 'enter keep it for now']);
  await expectScreen(belowTitle(terminal.screen()), 'result-question-80x24');
  terminal.press('o');
  await expectScreen(belowTitle(await terminal.shows('esc back')), 'result-output-80x24');
  expect(terminal.screen()).toContain('hello from a check');
  await walk(terminal, ['d', '+a first'], ['n', '+b']);
  await expectScreen(belowTitle(terminal.screen()), 'result-changes-80x24');
  await walk(terminal, ['t', 'Whose changes?'], ['j', '▸ TASK-002'], ['enter', 'TASK-002  Do 2']);
  await terminal.shows('+b');
  expect(terminal.screen()).not.toContain('a first');
  await walk(terminal, ['q', 'enter keep it for now'], ['a', 'What you saw']);
  terminal.press('enter');
  await terminal.shows('Say why');
  terminal.type('I ran it myself');
  await terminal.shows('I ran it myself');
  await walk(terminal, ['enter', 'accepted: I ran it myself']);
  await terminal.shows('enter apply it');

  workBy(rig, doing('a second\n'), { plan, more: unconfined });
  await walk(terminal, ['r', 'Have which task done again?'], ['enter', 'A note for the agent']);
  terminal.type('Say second, please');
  await terminal.shows('Say second, please');
  terminal.press('enter');
  await terminal.shows('enter apply it');
  expect(terminal.screen()).toContain('accepted: I ran it myself');
  await walk(terminal, ['d', '+a second'], ['q', 'enter apply it'], ['enter', 'enter close']);
  terminal.press('enter');
  expect(await terminal.ended()).toBe(0);
  expect([rig.read('a.txt'), rig.read('b.txt')]).toEqual(['a second\n', 'b\n']);
  expect(rig.json('execution-result.json')).toMatchObject({
    accepted: { 'TASK-002': 'I ran it myself' },
  });
});

test('a comment on a line of the diff is saved at once, stands at its line, and goes to the task with a retry', async () => {
  const rig = await approvedRig(doing('a first\n'), { plan, more: unconfined });
  const terminal = inTerminal(rig, ['execute', basename(rig.session()), '--review', 'skip']);
  await terminal.shows('enter carry it out');
  await walk(terminal, ['enter', 'enter keep it for now'], ['d', '+a first']);
  await walk(terminal, ['j', /▸ .*a\.txt/], ['j', /▸ +@@/], ['j', /▸ +\+a first/]);
  await walk(terminal, ['c', 'A comment on TASK-001']);
  terminal.type('Say second');
  await terminal.shows('Say second');
  await walk(terminal, ['enter', 's send 1 comment']);
  const anchor = expect.stringMatching(/^diff\.a\.txt\./);
  const comment = { task: 'TASK-001', anchor, quote: '+a first', text: 'Say second' };
  expect(rig.json('comments.json')).toMatchObject([{ ...comment, on: 'result', sent: null }]);
  expect(terminal.screen()).toMatch(/\+a first\n +" Say second/);
  workBy(rig, doing('a second\n'), { plan, more: unconfined });
  await walk(terminal, ['s', 'enter keep it for now'], ['d', '+a second']);
  expect(rig.json('comments.json')).toMatchObject([{ ...comment, sent: 1 }]);
  expect(terminal.screen()).not.toContain('Say second');
  const prompts = rig.contents('.workflow');
  expect(JSON.stringify(prompts)).toContain('a.txt, on the line “+a first”: Say second');
  await walk(terminal, ['esc', 'enter keep it for now'], ['a', 'What you saw']);
  terminal.type('I read it');
  await walk(terminal, ['enter', 'enter apply it'], ['enter', 'enter close']);
  terminal.press('enter');
  await terminal.ended();
  expect(rig.read('a.txt')).toBe('a second\n');
});

test('a result without changes is shown, too, and its task done again with a note at 40 × 10', async () => {
  const one = { plan: planOf([task(1, [], ['a.txt'], [has('a.txt', 'a'), greets])]) };
  const rig = await approvedRig({}, { ...one, more: unconfined });
  const small = { columns: 40, rows: 10 };
  const terminal = inTerminal(rig, ['execute', basename(rig.session()), '--review', 'skip'], small);
  await terminal.shows('enter carry it out');
  // The chosen answer is always seen.
  await walk(terminal, ['down', '▸ 2 Later'], ['up', '▸ 1 Now'], ['enter', 'enter leave it']);
  await expectScreen(belowTitle(terminal.screen()), 'result-nothing-40x10');
  await walk(terminal, ['o', 'esc back'], ['end', 'hello from a check']);
  await expectScreen(belowTitle(terminal.screen()), 'result-output-40x10');
  await walk(terminal, ['q', 'enter leave it']);

  workBy(rig, doing('a\n'), { ...one, more: unconfined });
  await walk(terminal, ['r', 'A note']);
  await expectScreen(belowTitle(terminal.screen()), 'result-retry-40x10');
  terminal.type('Write the file');
  await terminal.shows('Write the file');
  // The next who could do it.
  terminal.press('tab');
  await walk(terminal, ['enter', 'enter apply it'], ['esc', 'enter close']);
  expect(terminal.screen()).toContain('↓ more');
  await walk(terminal, ['end', /^(?:Time|Next) |--apply/m]);
  terminal.press('enter');
  expect(await terminal.ended()).toBe(0);
  expect(rig.json('execution-result.json')).toMatchObject({ tasks: [{ executor: 'beta' }] });
});

test('a result that conflicts with what is checked out names who could resolve it, and the merge by hand', async () => {
  const rig = await approvedRig(
    { ...doing('a task\n'), 'apply-conflict': { edits: { 'a.txt': 'a mine and task\n' } } },
    { plan, more: unconfined },
  );
  const id = basename(rig.session());
  expect((await rig.conclave('execute', id)).code).toBe(7);
  rig.write('a.txt', 'a mine\n');
  await rig.git('add', '-A');
  await rig.git('commit', '-qm', 'Write it myself');
  const terminal = inTerminal(rig, ['execute', id, '--apply']);
  await terminal.shows('enter keep it for now');
  await expectScreen(belowTitle(terminal.screen()), 'result-conflict-80x24');
  await walk(terminal, ['2', 'enter have beta resolve it'], ['enter', 'enter close']);
  terminal.press('enter');
  await terminal.ended();
  const told = terminal.screen().replaceAll('\n', '');
  expect(told).toContain('beta resolved the conflict in a.txt');
  expect(rig.read('a.txt')).toBe('a mine and task\n');
});

test('to discard a result asks first: Enter leaves it as it is, only a yes does it', async () => {
  const rig = await approvedRig(doing('a first\n'), { plan, more: unconfined });
  const id = basename(rig.session());
  expect((await rig.conclave('execute', id)).code).toBe(7);
  const left = inTerminal(rig, ['execute', id, '--discard']);
  await left.shows('enter leave it');
  expect(left.screen()).toMatch(/This will remove the result of “[^”]+”\. Do it\?/);
  expect(left.screen()).toMatch(/ {2}1 Yes +do it now\n▸ 2 No +leave everything as it is\n\n/);
  expect(left.screen()).toContain(id);
  left.press('enter');
  expect(await left.ended()).toBe(0);
  expect(rig.json('execution-result.json')).toMatchObject({ applied: null });
  const done = inTerminal(rig, ['execute', id, '--discard']);
  await done.shows('enter leave it');
  await walk(done, ['1', 'enter do it']);
  done.press('enter');
  expect(await done.ended()).toBe(0);
  expect(done.screen()).toContain('Discarded.');
  expect(await rig.git('branch', '--list', 'conclave/*')).toBe('');
});
