import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { testRig } from '../helpers/test-rig.ts';

const commands = [
  '',
  'plan',
  'resume',
  'review',
  'execute',
  'demo',
  ...['', ' list', ' show', ' fork', ' rm'].map((name) => `sessions${name}`),
  'context',
  'validate',
  'report',
  'agents',
  'login',
  'doctor',
  ...['', ' show', ' path', ' init', ' trust', ' untrust'].map((name) => `config${name}`),
  'schema',
  'completion',
];

test.each([
  [['-h'], ['--help']],
  [['help'], ['--help']],
  [
    ['sessions', 'rm', '-h'],
    ['sessions', 'rm', '--help'],
  ],
  [
    ['help', 'sessions', 'rm'],
    ['sessions', 'rm', '--help'],
  ],
  [
    ['--json', '-h', 'sessions', 'rm'],
    ['sessions', 'rm', '--help'],
  ],
])('%j asks for the help that %j shows', async (words, usual) => {
  const rig = testRig();
  expect(await rig.conclave(...words)).toEqual(await rig.conclave(...usual));
});

describe('every command says what it does, with something to copy', () => {
  test.each(commands)('conclave %s --help', async (command) => {
    const words = command.split(' ').filter((word) => word !== '');
    const { code, stdout, stderr } = await testRig().conclave(...words, '--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('\nExamples:\n  $ conclave ');
    expect(stdout).not.toContain('\u001b');
    const name = words.length === 0 ? 'conclave' : words.join('-');
    await expect(stdout).toMatchFileSnapshot(`../fixtures/help/${name}.txt`);
  });
});

test('the help lists every exit code of the README', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const documented = readme.split('| exit code | means')[1]?.match(/^\| \d+(?= +\|)/gm) ?? [];
  const { stdout } = await testRig().conclave('--help');
  const listed = stdout.split('Exit codes:')[1]?.match(/^ {2}\d+/gm) ?? [];
  expect(listed.map(Number)).toEqual(documented.map((row) => Number(row.slice(2))));
  expect(listed.length).toBeGreaterThan(9);
});
