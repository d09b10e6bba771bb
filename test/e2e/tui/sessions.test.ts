import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { analysedRig, plannedRig } from '../../helpers/planned-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { savedRig } from '../../helpers/saved-sessions.ts';
import { expectScreen } from '../../helpers/screens.ts';
import { inTerminal } from '../../helpers/terminal.ts';
import { leavingFlags, todoRig } from '../../helpers/test-rig.ts';

const sessionsOf = (rig: Rig) => readdirSync(join(rig.repo, '.workflow/.multi-cli-plan'));

/** Three saved sessions, one of which cannot be read. */
async function threeSessions(): Promise<Rig> {
  const rig = await savedRig(['Add a --color flag', 'Add a count command', 'Add a --json flag']);
  const damaged = sessionsOf(rig).find((id) => id.includes('color')) ?? '';
  writeFileSync(
    join(rig.repo, '.workflow/.multi-cli-plan', damaged, 'journal.jsonl'),
    'none\nno\n',
  );
  return rig;
}

test('resume without a name lists the saved sessions', async () => {
  const terminal = inTerminal(await threeSessions(), ['resume']);
  await expectScreen(await terminal.shows('3 sessions'), 'sessions-80x24');
});

test('what is typed narrows the list, and a session is removed only after a yes', async () => {
  const rig = await threeSessions();
  const terminal = inTerminal(rig, ['resume']);
  await terminal.shows('3 sessions');
  terminal.type('count');
  await terminal.shows('1 of 3');
  terminal.press('delete');
  await terminal.shows('Remove this session and all its files?');
  terminal.press('n', 'delete', 'y');
  await terminal.shows(/Removed MCP-add-a-count/);
  expect(sessionsOf(rig).filter((id) => id.includes('count'))).toEqual([]);
  expect(sessionsOf(rig)).toHaveLength(2);
  // Esc empties the search, and leaves only then.
  terminal.press('esc');
  await terminal.shows('2 sessions');
  terminal.press('esc');
  expect(await terminal.ended()).toBe(0);
});

test('the cursor of the terminal stands where text is typed, so that an input method shows its text there', async () => {
  const terminal = inTerminal(await threeSessions(), ['resume']);
  await terminal.shows('3 sessions');
  terminal.type('count');
  await terminal.shows('1 of 3');
  const { x, y } = terminal.cursor();
  expect(terminal.screen().split('\n')[y]?.slice(0, x)).toMatch(/count$/);
  terminal.type('日本');
  await terminal.shows('0 of 3');
  // Each of these signs takes two columns.
  expect(terminal.cursor()).toEqual({ x: x + 4, y });
});

test('a search that nothing fits offers no key that acts on a session', async () => {
  const terminal = inTerminal(await threeSessions(), ['resume']);
  await terminal.shows('enter resume · ↑ up · ↓ down · delete remove · esc leave');
  terminal.type('countless');
  await terminal.shows('0 of 3');
  await terminal.shows(/\nesc clear the search$/);
  terminal.press('delete', 'enter', 'backspace');
  await terminal.shows('countles');
});

test('a session that cannot be read is shown with the reason, and stays closed', async () => {
  const terminal = inTerminal(await threeSessions(), ['resume']);
  await terminal.shows('unreadable');
  terminal.type('unreadable');
  await terminal.shows(/cannot be read: line 1 of\s+journal\.jsonl is damaged; to repair it/);
  terminal.press('enter');
  expect(await terminal.shows('so it cannot be opened')).toContain('enter resume');
});

test('a session that was left goes on from the picker, and from the start screen', async () => {
  const rig = await todoRig();
  const first = inTerminal(rig, ['--tools', 'local', 'Add a --json flag to listTodos']);
  await first.shows('enter choose');
  first.press('ctrl+c');
  await first.shows('Stop now?');
  first.press('ctrl+c');
  await first.shows('close');
  first.press('enter');
  expect(await first.ended()).toBe(130);

  const second = inTerminal(rig, []);
  await second.shows('What do you want done?');
  second.press('\u0012');
  await second.shows(/interrupted in decision/);
  second.press('enter');
  await second.shows('enter choose');
  expect(sessionsOf(rig)).toHaveLength(1);
});

test('review without a name opens a plan that was left unapproved', async () => {
  const rig = await analysedRig(...leavingFlags);
  const terminal = inTerminal(rig, ['review']);
  await terminal.shows('1 session');
  terminal.press('enter');
  await terminal.shows('enter approve');
  terminal.press('enter');
  await terminal.shows('enter leave it for later');
  terminal.press('enter');
  await terminal.shows('The draft is approved.');
  terminal.press('enter');
  expect(await terminal.ended()).toBe(0);
  // The screens are gone; what the person needs next is still there.
  expect(terminal.screen()).toContain('The draft is approved.');
  expect(terminal.screen()).toMatch(/Next +conclave execute/);
});

test('a session of somebody else is adopted by a person who saw what it would run', async () => {
  const rig = await plannedRig();
  rig.environment['XDG_DATA_HOME'] = join(rig.home, 'other-data');
  const [id = ''] = sessionsOf(rig);
  const left = inTerminal(rig, ['review', id]);
  await left.shows(/not\s+known to be yours/);
  await left.shows('agents  alpha, beta');
  await left.shows('checks  node --test');
  await left.shows('enter leave it');
  left.press('enter');
  expect(await left.ended()).toBe(0);
  const plain = inTerminal(rig, ['review', id], {
    columns: 200,
    rows: 100,
    environment: { CONCLAVE_SCREEN_READER: '1' },
  });
  await plain.shows(/Adopt \[no\]:$/);
  expect(plain.screen()).toContain('checks  node --test');
  plain.type('\r');
  expect(await plain.ended()).toBe(0);
  expect((await rig.conclave('resume', id, '--auto-yes')).code).toBe(9);
  const adopted = inTerminal(rig, ['review', id]);
  await adopted.shows('enter leave it');
  adopted.press('1');
  await adopted.shows('enter adopt it');
  adopted.press('enter');
  await adopted.shows('not approved yet');
  expect((await rig.conclave('review', id, '--approve')).code).not.toBe(9);
});
