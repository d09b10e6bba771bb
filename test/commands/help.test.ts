import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inspectionCommands } from '../../src/commands/program/inspection.ts';
import type { CommandEntry } from '../../src/commands/program/options.ts';
import { planningCommands } from '../../src/commands/program/planning.ts';
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

const flat = (entry: CommandEntry): readonly CommandEntry[] => [
  entry,
  ...(entry.commands ?? []).flatMap(flat),
];

test('every command says what it does, with something of its own to copy', () => {
  const entries = [...planningCommands, ...inspectionCommands].flatMap(flat);
  expect(entries.length).toBeGreaterThan(20);
  for (const { name, about, examples } of entries) {
    expect(about).toMatch(/\.$/);
    expect(examples.join('\n')).toContain(name);
  }
});

test('the help lists every exit code of the README', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const documented = readme.split('| exit code | means')[1]?.match(/^\| \d+(?= +\|)/gm) ?? [];
  const listed = (await help('-h')).split('Exit codes:')[1]?.match(/^ {2}\d+/gm) ?? [];
  expect(listed.map(Number)).toEqual(documented.map((row) => Number(row.slice(2))));
  expect(listed.length).toBeGreaterThan(9);
});
