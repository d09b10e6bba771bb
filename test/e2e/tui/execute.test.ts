import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  approvedRig,
  checkedEdits,
  checkedPlan,
  checkedReview,
  listWithJson,
  workBy,
} from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { expectScreen, expectSmallScreen, sizes } from '../../helpers/screens.ts';
import { inTerminal, walk } from '../../helpers/terminal.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { witnessed } from '../../helpers/vendors.ts';

/** How long two tasks are at work at once, in ms, so that they are seen. */
const atWork = 4_000;
const says = (text: string) => ({ kind: 'message', text, partial: false });
const work = {
  'TASK-001': { edits: { 'src/commands/list.js': listWithJson } },
  'TASK-002': {
    ...checkedEdits['TASK-002'],
    events: [says('The test parses what is printed.')],
    delay_ms: atWork,
  },
  'TASK-003': {
    edits: {
      ...checkedEdits['TASK-003'].edits,
      'src/format.js': 'export const formatJson = JSON.stringify;\n',
    },
    events: [says('One function for each format.')],
    delay_ms: atWork,
  },
};
const review = {
  ...checkedReview,
  summary: 'Small, and it does what the plan says.',
  findings: [
    {
      severity: 'minor',
      file: 'src/commands/list.js',
      line: 5,
      quote: "  if (args.includes('--json')) console.log(JSON.stringify(todos));",
      problem: 'The flag is spelled out where it is used.',
      suggestion: 'Name it at the top.',
    },
  ],
  criteria: checkedReview.criteria.map((one) => ({
    ...one,
    verdict: one.task === 'TASK-003' ? 'unclear' : 'met',
  })),
};

/** So that its screens are the same on every machine. */
const unconfined = '[execution]\nconfine = false';

/** The first row has a clock, whose place hangs on how long it all took. */
const belowTitle = (screen: string) => screen.slice(screen.indexOf('\n') + 1);

describe.each(sizes)('at $columns × $rows', (size) => {
  test('an approved plan is carried out before the eyes of a person, and brought home', async () => {
    const rig = await todoRig();
    workBy(
      rig,
      { ...work, 'code-review': { answer: review } },
      { plan: checkedPlan, more: unconfined },
    );
    const terminal = inTerminal(rig, ['--mode', 'serial', todoTask], size);
    await terminal.shows('enter choose');
    terminal.press('enter');
    await terminal.shows('enter approve');
    terminal.press('enter');
    await expectSmallScreen(
      belowTitle(await terminal.shows('enter leave it for later')),
      'execute-question',
      size,
    );
    await terminal.shows(/r review by +beta, when/);
    await walk(terminal, ['1', 'enter carry it out'], ['enter', 'TASK-001']);
    const running = await terminal.shows(
      /The test parses[^]*One function|One function[^]*The test p/,
    );
    await expectScreen(belowTitle(running), `execute-run-${size.columns}x${size.rows}`);
    await terminal.shows('Apply the result');
    await expectSmallScreen(
      belowTitle(await terminal.shows('enter apply it')),
      'execute-apply',
      size,
    );
    terminal.press('v');
    await expectSmallScreen(belowTitle(await terminal.shows('v back')), 'execute-reviewed', size);
    terminal.press('d');
    await expectSmallScreen(belowTitle(await terminal.shows('@@ -')), 'execute-task', size);
    terminal.press('esc');
    await terminal.shows('v back');
    terminal.press('v');
    await terminal.shows('enter apply it');
    terminal.press('enter');
    await expectSmallScreen(belowTitle(await terminal.shows('enter close')), 'execute-end', size);
    terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
    expect(rig.read('src/commands/list.js')).toBe(listWithJson);
  });
});

test('conclave execute alone asks before it starts anybody, and later leaves the plan as it is', async () => {
  const rig = await approvedRig(work, { plan: checkedPlan });
  const before = witnessed(rig, 'alpha');
  const terminal = inTerminal(rig, ['execute']);
  await terminal.shows('enter execute');
  await walk(terminal, ['enter', 'enter carry it out']);
  terminal.press('2');
  await terminal.shows('enter leave it for later');
  terminal.press('enter');
  await terminal.shows(/Next +conclave execute/);
  expect(witnessed(rig, 'alpha')).toEqual(before);
});

test('the form of commits that is taken by a key counts now, and is remembered for the repository', async () => {
  const project = {
    name: 'conventional history',
    async make(made: Rig) {
      for (const type of ['feat', 'fix', 'docs', 'feat(list)', 'chore']) {
        await made.git('commit', '--quiet', '--allow-empty', '-m', `${type}: change something`);
      }
    },
  };
  const rig = await approvedRig(checkedEdits, { plan: checkedPlan, project });
  const terminal = inTerminal(rig, ['execute', basename(rig.session()), '--review', 'skip']);
  await terminal.shows('enter carry it out');
  await walk(
    terminal,
    ['m', 'Conventional'],
    ['enter', 'enter apply it'],
    ['enter', 'enter close'],
  );
  terminal.press('enter');
  expect(await terminal.ended()).toBe(0);
  expect(await rig.git('log', '--format=%s')).toMatch(/^(?:feat|test|docs): /m);
  expect(rig.configured()).toContain(`[projects."${rig.repo}"]\ncommit_style = "conventional"\n`);
});

test('a task whose agent is skipped goes to another, and an interruption is saved', async () => {
  const rig = await approvedRig({ 'TASK-001': { delay_ms: 600_000 } }, { plan: checkedPlan });
  const terminal = inTerminal(rig, ['execute', basename(rig.session())]);
  await terminal.shows('enter carry it out');
  await walk(terminal, ['enter', 's skip']);
  terminal.press('s');
  await terminal.shows('again to skip alpha');
  terminal.press('s');
  await terminal.shows('● TASK-001 beta');
  terminal.press('\u0003');
  await terminal.shows('Stop now?');
  terminal.press('enter');
  await terminal.shows('enter close');
  expect(terminal.screen()).toMatch(/Interrupted and saved[^]*○ waiting, TASK-001/);
  terminal.press('enter');
  expect(await terminal.ended()).toBe(130);
});
