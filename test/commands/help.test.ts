import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testRig } from '../helpers/test-rig.ts';

const help = async (...words: readonly string[]) => {
  const { code, stdout, stderr } = await testRig().conclave(...words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};

test.each([['help sessions rm'], ['--json -h sessions rm'], ['sessions rm -h']])(
  'conclave %s asks for the help of that command',
  async (words) => {
    const shown = await help(...words.split(' '));
    expect(shown).toMatch(/^Usage: conclave sessions rm \[options\] <SESSION\.\.\.>\n/);
    expect(shown).toContain('\nExamples:\n  $ conclave sessions rm SESSION\n');
    expect(shown).not.toContain('\u001b');
  },
);

test.each(['', 'plan', 'sessions'])('conclave %s --help is as it was', async (command) => {
  const shown = await help(...command.split(' ').filter(Boolean), '--help');
  const file = command === '' ? 'conclave' : command;
  await expect(shown).toMatchFileSnapshot(`../fixtures/help/${file}.txt`);
});

test('the help lists every exit code of the README', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const documented = readme.split('| exit code | means')[1]?.match(/^\| \d+(?= +\|)/gm) ?? [];
  const listed = (await help('-h')).split('Exit codes:')[1]?.match(/^ {2}\d+/gm) ?? [];
  expect(listed.map(Number)).toEqual(documented.map((row) => Number(row.slice(2))));
  expect(listed.length).toBeGreaterThan(9);
});
