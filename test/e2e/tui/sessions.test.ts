import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { analysedRig } from '../../helpers/planned-rig.ts';
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

describe.each([
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
])('at $columns × $rows', (size) => {
  test('resume without a name lists the saved sessions', async () => {
    const terminal = inTerminal(await threeSessions(), ['resume'], size);
    const screen = await terminal.shows('3 sessions');
    expect(screen).toContain('unreadable');
    await expectScreen(screen, `sessions-${size.columns}x${size.rows}`);
  });
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
  terminal.press('esc');
  expect(await terminal.ended()).toBe(0);
});

test('only the keys that work for what fits the search are offered', async () => {
  const terminal = inTerminal(await threeSessions(), ['resume']);
  const offers = (...keys: readonly string[]) =>
    terminal.shows(new RegExp(`\n${keys.join(' · ')}$`));
  const [take, remove] = ['enter resume', 'delete remove'];
  await offers(take, '↑ up', '↓ down', remove, 'esc leave', '\\? all keys');
  terminal.type('count');
  await offers(take, remove, 'esc leave');
  terminal.type('less');
  await terminal.shows('0 of 3');
  await offers('esc leave');
  terminal.press('delete', 'enter', 'backspace');
  await terminal.shows('countles');
  terminal.press('\u0015');
  await offers(take, '↑ up', '↓ down', remove, 'esc leave', '\\? all keys');
});

test('its help names every key once, with what it does at that moment', async () => {
  const terminal = inTerminal(await threeSessions(), ['resume']);
  await terminal.shows('3 sessions');
  terminal.press('?');
  const help = await terminal.shows('closes this help');
  expect(help).toMatch(/enter +resume\n +↑ ctrl\+p +up\n/);
  expect(help).toMatch(/esc ctrl\+c +leave\n +\? +all keys\n/);
  expect(help).not.toContain('stop');
  terminal.press('?', 'delete');
  await terminal.shows('Remove this session and all its files?');
  terminal.press('?');
  const keys =
    /y +remove it\n +esc n enter ctrl\+c +keep it\n +\? +all keys\n +ctrl\+z +suspend\n\n/;
  await terminal.shows(keys);
  terminal.press('esc', 'esc');
  await terminal.shows('search › type to search');
  terminal.type('x?');
  await terminal.shows('search › x?');
});

test('a session that cannot be read is shown with the reason, and stays closed', async () => {
  const terminal = inTerminal(await threeSessions(), ['resume']);
  await terminal.shows('unreadable');
  terminal.type('unreadable');
  await terminal.shows('1 of 3');
  expect(terminal.screen()).toMatch(/cannot be read: line 1 of\s+journal\.jsonl is damaged\./);
  terminal.press('enter');
  expect(await terminal.shows('so it cannot be opened')).toContain('enter resume');
});

test('a repository without sessions says what to do', async () => {
  const rig = await todoRig();
  const terminal = inTerminal(rig, ['resume']);
  await terminal.shows('There are no saved sessions here.');
  terminal.press('esc');
  expect(await terminal.ended()).toBe(0);
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
  await second.shows(/decision +interrupted/);
  second.press('enter');
  await second.shows('enter choose');
  expect(sessionsOf(rig)).toHaveLength(1);
});

test('review without a name lists the sessions that have a plan', async () => {
  const terminal = inTerminal(await analysedRig('--auto-yes'), ['review']);
  await terminal.shows('Review the plan of a session');
  expect(await terminal.shows('Add a --json flag')).toContain('enter review');
  terminal.press('enter');
  expect(await terminal.shows('[overview]')).toContain('approved as it stands');
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
