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
      expect(await rig.conclave(...words, '-h')).toMatchObject({ code: 0, stdout });
      expect(await rig.conclave('help', ...words)).toMatchObject({ code: 0, stdout });
    } finally {
      rig.remove();
    }
  });
});
