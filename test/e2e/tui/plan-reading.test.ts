import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { PlanReading } from '../../../src/model/plan-reading.ts';
import { calmVendor } from '../../helpers/planned-rig.ts';
import { finding, finds, readRig, replies } from '../../helpers/read-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { expectScreen } from '../../helpers/screens.ts';
import { type Terminal, goToPart, inTerminal, walk } from '../../helpers/terminal.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { type VendorScript, witnessed } from '../../helpers/vendors.ts';

const fixed = replies(
  [{ finding: 'F1', action: 'fixed', reason: 'TASK-001 hands the flag over.' }],
  'Hand the flag over and print JSON',
);

const calls = (rig: Rig, name: string, phase: string) =>
  witnessed(rig, name).filter((line) => line.startsWith(`start ${phase}`)).length;
const readingOf = (rig: Rig) => PlanReading.parse(rig.json('plan-reading.json'));

/** Beta reads for so long, in ms, and finds one thing; alpha fixes it. */
const readFor = (delay_ms: number): { alpha: VendorScript; beta: VendorScript } => ({
  alpha: { 'plan-reply': fixed },
  beta: { 'plan-review': { ...finds(finding()), delay_ms } },
});

/** What beta does from its next call on. */
function rescript(rig: Rig, beta: VendorScript): void {
  const witness = join(rig.home, '.beta/witness');
  const script = { model: 'beta-model', witness, ...calmVendor, ...beta };
  writeFileSync(join(rig.home, 'beta.json'), JSON.stringify(script));
}

async function planShown(rig: Rig): Promise<Terminal> {
  const terminal = inTerminal(rig, ['plan', todoTask]);
  await terminal.shows('enter choose');
  await walk(terminal, ['enter', 'Approval']);
  return terminal;
}

async function end(terminal: Terminal): Promise<void> {
  await walk(terminal, ['enter', 'enter leave it for later'], ['enter', 'enter close']);
  terminal.press('enter');
  expect(await terminal.ended()).toBe(0);
}

async function kill(terminal: Terminal): Promise<void> {
  terminal.pty.kill('SIGKILL');
  await terminal.ended();
}

test('a plan is shown at once, and what others find comes in while it is read', async () => {
  const rig = await readRig(readFor(4_000));
  const terminal = await planShown(rig);
  await terminal.shows('● beta is reading the plan…');
  await expectScreen(await terminal.shows('enter approve now'), 'review-being-read-80x24');
  // Keys do what they always do meanwhile, and what a person changed stays.
  await walk(terminal, ['end', 'Plan check'], ['home', '▸ Check']);
  await terminal.shows('beta: 1 finding (1 open)');
  await expectScreen(
    await terminal.shows('enter have alpha answer the findings'),
    'review-read-80x24',
  );
  await terminal.shows('The flag is cut off');
  await walk(terminal, ['A', 'enter leave it for later'], ['enter', 'enter close']);
  terminal.press('enter');
  expect(await terminal.ended()).toBe(0);
  expect(rig.json('approval.json')).toMatchObject({ open_findings: [finding().problem] });
  expect(rig.json('approval.json')).not.toHaveProperty('unread');
  expect(calls(rig, 'alpha', 'plan-reply')).toBe(0);
});

async function onOverview(terminal: Terminal): Promise<Terminal> {
  await walk(terminal, ['home', 'enter approve']);
  return terminal;
}

test('Enter never approves over an open major finding: it has the author answer', async () => {
  const rig = await readRig({
    alpha: { 'plan-reply': fixed },
    beta: { 'plan-review': finds(finding({ severity: 'major' })) },
  });
  const terminal = await planShown(rig);
  await terminal.shows('enter have alpha answer the findings · A approve all the same');
  await walk(terminal, ['enter', 'F1, major, fixed']);
  expect(existsSync(join(rig.session(), 'approval.json'))).toBe(false);
  expect(calls(rig, 'alpha', 'plan-reply')).toBe(1);
  await end(await onOverview(terminal));
});

test('its author answers on a key, in the plan as the person left it', async () => {
  const rig = await readRig(readFor(0));
  const terminal = await planShown(rig);
  await terminal.shows('enter have alpha answer');
  await goToPart(terminal, 'TASK-002');
  await walk(terminal, ['i', 'TASK-002 title']);
  terminal.type(' as typed');
  await terminal.shows('as typed');
  await walk(terminal, ['enter', 'changed. u undoes it.']);
  await walk(terminal, ['f', 'F1, blocking, fixed']);
  await terminal.shows('Reply: TASK-001 hands the flag over.');
  expect(calls(rig, 'alpha', 'plan-reply')).toBe(1);
  await end(await onOverview(terminal));
  expect(readingOf(rig)).toMatchObject({ version: 2, findings: [{ fate: 'fixed' }] });
  const earlier = rig.json('planning/1/version-1/.task/TASK-002.json');
  expect(JSON.stringify(earlier)).toContain('as typed');
});

test('an approval before they have read it says so, and their call is stopped and not made again', async () => {
  const rig = await readRig(readFor(600_000));
  const terminal = await planShown(rig);
  await terminal.shows('approve now');
  await end(terminal);
  const unread = 'not yet read by others: beta had not finished reading it';
  expect(rig.json('approval.json')).toMatchObject({ approved_by: 'user', unread });
  const id = basename(rig.session());
  expect((await rig.conclave('review', id)).stdout).toContain(
    'Not yet read by others: beta had not finished reading it',
  );
  expect(await rig.conclave('resume', id, '--auto-yes')).toMatchObject({ code: 0 });
  expect(calls(rig, 'beta', 'plan-review')).toBe(1);
  expect(witnessed(rig, 'beta').at(-1)).toMatch(/^start plan-review/);
});

test('a killed review goes on with the reading; one that is over is not paid again', async () => {
  const rig = await readRig(readFor(600_000));
  const first = await planShown(rig);
  await first.shows('approve now');
  await kill(first);
  rescript(rig, { 'plan-review': finds(finding()) });
  const id = basename(rig.session());
  const second = inTerminal(rig, ['resume', id]);
  await second.shows('enter have alpha answer');
  expect(calls(rig, 'beta', 'plan-review')).toBe(2);
  await kill(second);
  const third = inTerminal(rig, ['resume', id]);
  await third.shows('enter have alpha answer');
  await walk(third, ['esc', 'save and leave'], ['enter', 'enter close']);
  third.press('enter');
  expect(await third.ended()).toBe(0);
  // Without a person, its author answers by itself, as in any such run.
  expect(await rig.conclave('resume', id, '--auto-yes')).toMatchObject({ code: 0 });
  expect(readingOf(rig)).toMatchObject({ version: 2, findings: [{ fate: 'fixed' }] });
  expect(calls(rig, 'beta', 'plan-review')).toBe(2);
  expect(calls(rig, 'alpha', 'plan-reply')).toBe(1);
  expect((await rig.conclave('validate', id)).code).toBe(0);
});

test('a session that was left unread is read to the end where nobody is there', async () => {
  const rig = await readRig(readFor(600_000));
  const terminal = await planShown(rig);
  await terminal.shows('approve now');
  await walk(terminal, ['esc', 'save and leave'], ['enter', 'enter close']);
  terminal.press('enter');
  expect(await terminal.ended()).toBe(0);
  rescript(rig, { 'plan-review': finds() });
  const id = basename(rig.session());
  const resumed = await rig.conclave('resume', id, '--auto-yes');
  expect(resumed).toMatchObject({ code: 0 });
  expect(resumed.stdout).toMatch(/plan reading +beta reads the plan/);
  expect(resumed.stdout).toMatch(/plan reading +no problems found by beta/);
  expect(rig.json('approval.json')).not.toHaveProperty('unread');
});
