import { expect, test } from 'vitest';
import { jsonProof, markGuard, proofRig, proves } from '../../helpers/proof-rig.ts';
import { inTerminal, walk } from '../../helpers/terminal.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { witnessed } from '../../helpers/vendors.ts';

const ask = 'code_before_approval = "ask"';
const asking = () => proofRig({ beta: { proof: proves([jsonProof(), markGuard()]) } }, ask);
const size = { columns: 110, rows: 45 };

test('code before the approval is asked for once a project, with the whole rule, before its author is called', async () => {
  const rig = await asking();
  const terminal = inTerminal(rig, ['plan', todoTask], size);
  await terminal.shows('enter choose');
  terminal.press('enter');
  const shown = await terminal.shows('May acceptance tests be written and run before you approve');
  for (const part of [
    'beta writes up to 12 test files',
    'before alpha or anybody works on it',
    'as npm test runs those of the project',
    'without a network but their own loopback',
    '400 processes',
    'No set-up runs before them',
  ])
    expect(shown.replaceAll(/\s+/g, ' ')).toContain(part);
  expect(witnessed(rig, 'beta').filter((line) => line.includes('start proof'))).toEqual([]);
  await walk(
    terminal,
    ['up', 'enter have the tests written'],
    ['enter', 'P1 list --json prints an array · fails today'],
  );
  terminal.pty.kill('SIGKILL');
  await terminal.ended();
  expect(rig.configured()).toContain(`[projects.${JSON.stringify(rig.repo)}]`);
  expect(rig.configured()).toMatch(/code_before_approval = "on"/);
  const again = await rig.conclave('plan', '--auto-yes', todoTask);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('P1 list --json')]);
});

test('a no in plain lines plans without tests, and is asked again with the next session', async () => {
  const rig = await asking();
  for (const _ of [1, 2]) {
    const environment = { CONCLAVE_SCREEN_READER: '1' };
    const lines = inTerminal(rig, ['plan', todoTask], { columns: 200, rows: 250, environment });
    await lines.shows(/Option \[1\]:$/);
    lines.type('\r');
    await lines.shows(/\(empty for none\):$/);
    lines.type('\r');
    await lines.shows(/Proof \[no\]:$/);
    lines.type('\r');
    await lines.shows('no proof: you have not allowed code before the approval here');
    await lines.shows(/Plan \[approve\]:$/);
    lines.type('leave\r');
    expect(await lines.ended()).toBe(0);
  }
  expect(rig.configured()).not.toContain('[projects.');
});
