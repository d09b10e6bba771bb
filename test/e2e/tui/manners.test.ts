import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { plannedRig } from '../../helpers/planned-rig.ts';
import { type Rig, program } from '../../helpers/rig.ts';
import { inTerminal, type Terminal } from '../../helpers/terminal.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { twoVendors } from '../../helpers/todo-vendors.ts';

const suspend = '\u001a';

/** All that was put into the clipboard of the terminal. */
function copied(terminal: Terminal): readonly string[] {
  // oxlint-disable-next-line no-control-regex
  const all = terminal.bytes().matchAll(/\u001B\]52;c;([^\u0007]*)\u0007/g);
  return Array.from(all, ([, text = '']) => Buffer.from(text, 'base64').toString());
}

/** A place in the code, opened from the first option. */
async function codeShown(rig: Rig, environment: Readonly<Record<string, string>> = {}) {
  const terminal = inTerminal(rig, [todoTask], { environment });
  await terminal.shows('enter choose');
  terminal.press('y');
  await terminal.shows('Copied: ');
  terminal.press('d', 'down', 'down', 'enter');
  await terminal.shows(/▸ +4  export/);
  return terminal;
}

test('y copies the option and the place of the code, and paths are links where the terminal can', async () => {
  const rig = await twoVendors();
  const terminal = await codeShown(rig, { VTE_VERSION: '6800' });
  terminal.press('y');
  await terminal.shows('Copied: src/commands/list.js:4');
  const [option, place] = copied(terminal);
  expect(option).toMatch(/^\S.*\n\S/);
  expect(place).toBe('src/commands/list.js:4');
  const { href } = pathToFileURL(join(rig.repo, 'src/commands/list.js'));
  expect(terminal.bytes()).toContain(`\u001b]8;;${href}\u0007src/commands/list.js:4`);
});

test('a terminal that is not known to show links is given none', async () => {
  const terminal = await codeShown(await twoVendors());
  expect(terminal.bytes()).not.toContain('\u001b]8;');
});

test('Ctrl-Z gives the terminal back to the shell, and fg draws the screen again', async () => {
  const rig = await plannedRig();
  const script = [
    'set -m; stty -a > "$HOME/before"',
    '"$@"; code=$?; stty -a > "$HOME/after"; echo "stopped with $code"; read line',
    'fg > /dev/null; echo "ended with $?"',
  ].join('\n');
  const args = ['-c', script, 'bash', process.execPath, program, 'review', basename(rig.session())];
  const terminal = inTerminal(rig, args, { file: '/bin/bash' });
  const overview = await terminal.shows('enter approve');
  terminal.press(suspend);
  const shell = await terminal.shows('stopped with 148');
  expect(shell).not.toContain('enter approve');
  const [before, after] = ['before', 'after'].map((name) =>
    readFileSync(join(rig.home, name), 'utf8'),
  );
  expect(after).toBe(before);
  await terminal.resize(100, 30);
  terminal.type('go on');
  terminal.press('enter');
  await terminal.shows('enter approve');
  await terminal.shows(/^─.{98}─$/m);
  await terminal.resize(80, 24);
  await terminal.shows(/^─.{78}─$/m);
  expect(await terminal.shows('enter approve')).toBe(overview);
  terminal.press('esc');
  await terminal.shows('enter save and leave');
  terminal.press('enter');
  await terminal.shows('enter close');
  terminal.press('enter');
  await terminal.shows(/ended with \d/);
});
