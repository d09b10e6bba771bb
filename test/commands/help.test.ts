import { beforeAll, describe, expect, test } from 'vitest';
import { builtCli } from '../helpers/built.ts';
import { makeRig } from '../helpers/rig.ts';

beforeAll(() => {
  builtCli();
});

const commands = [
  '',
  'plan',
  'resume',
  'review',
  'sessions',
  'sessions list',
  'sessions show',
  'sessions fork',
  'sessions rm',
  'context',
  'validate',
  'agents',
  'doctor',
  'config',
  'config show',
  'config path',
  'config init',
  'config trust',
  'config untrust',
  'schema',
];

test.each([
  ['-h'],
  ['help'],
  ['sessions', 'rm', '-h'],
  ['help', 'sessions', 'rm'],
  ['--json', '-h', 'sessions', 'rm'],
])('help may be asked for by: %s %s %s %s', async (...args) => {
  const rig = makeRig();
  try {
    const full = args.includes('rm') ? ['sessions', 'rm', '--help'] : ['--help'];
    expect(await rig.conclave(...args)).toEqual(await rig.conclave(...full));
  } finally {
    rig.remove();
  }
});

describe('every command says what it does, with something to copy', () => {
  test.each(commands)('conclave %s --help', async (command) => {
    const rig = makeRig();
    const words = command.split(' ').filter((word) => word !== '');
    try {
      const { code, stdout, stderr } = await rig.conclave(...words, '--help');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('\nExamples:\n  $ conclave ');
      expect(stdout).not.toContain('\u001b');
      const name = words.length === 0 ? 'conclave' : words.join('-');
      await expect(stdout).toMatchFileSnapshot(`../fixtures/help/${name}.txt`);
    } finally {
      rig.remove();
    }
  });
});
