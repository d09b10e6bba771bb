import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  conversationCommands,
  critiqueCommands,
  planningCommands,
} from '../../src/commands/program/planning.ts';
import { hostCommands, inspectionCommands } from '../../src/commands/program/inspection.ts';
import type { CommandEntry } from '../../src/commands/program/shared-options.ts';
import { settingsList } from '../../src/model/settings.ts';
import { topicNames } from '../../src/commands/help-command.ts';
import { testRig } from '../helpers/test-rig.ts';
import { pagePath } from '../tools/help-tables.ts';

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

test('the help of critique shows at most twelve options', async () => {
  const shown = await help('critique', '-h');
  expect(shown.split('\n').filter((line) => /^ {2}--?\w/.test(line)).length).toBeLessThanOrEqual(
    12,
  );
});

test('all commands together have at most 64 flags', () => {
  const flagsOf = ({ options = [], commands = [] }: CommandEntry): readonly string[] => [
    ...options.flatMap(([flag]) => /--[a-z-]+/.exec(flag) ?? []),
    ...commands.flatMap(flagsOf),
  ];
  const all = [
    ...planningCommands(settingsList),
    ...conversationCommands,
    ...critiqueCommands(settingsList),
    ...hostCommands,
    ...inspectionCommands,
  ].flatMap(flagsOf);
  expect(new Set(all).size).toBeLessThanOrEqual(64);
});

test('conclave help lists every topic with its title', async () => {
  const shown = await help('help');
  for (const name of topicNames()) {
    const [title = ''] = readFileSync(pagePath(name), 'utf8').split('\n');
    expect(shown).toMatch(new RegExp(`^${name} +${title.slice(2)}$`, 'm'));
  }
  expect(shown).toContain('conclave help TOPIC');
});

test.each(['settings', 'sessions'])(
  'conclave help %s prints its page as Markdown',
  async (name) => {
    expect(await help('help', name)).toBe(readFileSync(pagePath(name), 'utf8'));
  },
);

test('conclave help with a word that is no topic ends with 2 and lists the topics', async () => {
  const { code, stderr, stdout } = await testRig().conclave('help', 'setings');
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain('There is no help on "setings". Did you mean settings?');
  expect(stderr).toContain(topicNames().join(', '));
});

test('the help of a command names its topics, and each has a page', async () => {
  expect(await help('sessions', 'rm', '-h')).toContain('\nRead more: conclave help sessions');
  const named = [...planningCommands([]), ...inspectionCommands].flatMap(
    ({ topics = [] }) => topics,
  );
  expect(topicNames()).toEqual(expect.arrayContaining(named));
  expect(named.length).toBeGreaterThan(10);
});

test('the help lists every exit code of its page', async () => {
  const page = readFileSync(pagePath('exit-codes'), 'utf8');
  const documented = page.split('| exit code | means')[1]?.match(/^\| \d+(?= +\|)/gm) ?? [];
  const listed = (await help('-h')).split('Exit codes:')[1]?.match(/^ {2}\d+/gm) ?? [];
  expect(listed.map(Number)).toEqual(documented.map((row) => Number(row.slice(2))));
  expect(listed.length).toBeGreaterThan(9);
});
