import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { program } from '../../helpers/rig.ts';
import { savedRig } from '../../helpers/saved-sessions.ts';
import { inTerminal, walk } from '../../helpers/terminal.ts';
import { todoRig } from '../../helpers/test-rig.ts';

const question = 'What do you want done?';
const local = ['--tools', 'local'];

test('a line that was typed before the first frame stands in the field and starts nothing', async () => {
  const rig = await todoRig();
  // As a shell leaves the terminal while it reads the first line of a paste.
  const script = 'stty -icanon -icrnl -echo; echo pasted; sleep 1; exec "$@"';
  const words = ['-c', script, 'sh', process.execPath, program, ...local];
  const terminal = inTerminal(rig, words, { file: '/bin/sh' });
  await terminal.shows('pasted');
  terminal.type('npm test\r');
  await terminal.shows('│ npm test');
  await terminal.shows('enter start');
  expect(existsSync(join(rig.repo, '.workflow'))).toBe(false);
  terminal.press('enter');
  await terminal.shows('Your task names no file');
});

test('a slash lists the commands, and Enter does the chosen one', async () => {
  const terminal = inTerminal(await todoRig(), local);
  await terminal.shows(question);
  terminal.type('/');
  await terminal.shows(/▸ \/sessions[^]*\/agents[^]*\/help[^]*\/quit/);
  terminal.type('a');
  await terminal.shows('▸ /agents');
  terminal.press('enter');
  await terminal.shows('space ask or not');
  terminal.press('esc');
  await terminal.shows('enter start');
  terminal.type('/q');
  await terminal.shows('▸ /quit');
  terminal.press('enter');
  expect(await terminal.ended()).toBe(0);
});

test('the tasks of earlier sessions come back with ↑ and go with ↓', async () => {
  const rig = await savedRig(['fix the parser', 'add a cache']);
  const terminal = inTerminal(rig, local);
  await terminal.shows('earlier tasks');
  await walk(terminal, ['up', /│ \S/]);
  const first = /│ (.+)/.exec(terminal.screen())?.[1];
  await walk(terminal, ['down', 'e.g. Add rate limiting'], ['up', `│ ${first}`]);
});
