import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtCli } from '../helpers/built.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
const session = 'MCP-add-a-flag-2026-11-21-k3f9';
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-'));
  for (const name of [session, '$(touch ran)']) {
    mkdirSync(join(folder, '.workflow/.multi-cli-plan', name), { recursive: true });
  }
  for (const shell of shells) writeFileSync(join(folder, shell), script(shell));
  const program = `#!/bin/sh\nexec "${process.execPath}" "${builtCli()}" "$@"\n`;
  writeFileSync(join(folder, 'conclave'), program, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

function script(shell: string): string {
  return execFileSync(process.execPath, [builtCli(), 'completion', shell], { encoding: 'utf8' });
}

/** What bash offers for the last of these words. */
function offered(...words: readonly string[]): readonly string[] {
  const ask = `source ./bash; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); _conclave; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const given = ['--norc', '-c', ask, 'bash', 'conclave', ...words];
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
  const lines = execFileSync('bash', given, { cwd: folder, env, encoding: 'utf8' });
  return lines.split('\n').filter((line) => line !== '');
}

describe('in bash, after a Tab, stand', () => {
  test.each<[readonly string[], readonly string[]]>([
    [['re'], ['resume', 'review', 'report']],
    [
      ['sessions', ''],
      ['list', 'show', 'search', 'cost', 'fork', 'trust', 'repair', 'export', 'rm'],
    ],
    [['plan', 'Add a flag', '--max'], ['--max-rounds']],
    [['sessions', 'show', '--j'], ['--json']],
    [['resume', 'M'], [session]],
    [['resume', '$'], []],
  ])('%j: %j', (words, expected) => {
    expect(offered(...words)).toEqual(expected);
  });
});

const installed = shells.filter((shell) => spawnSync(shell, ['--version']).status === 0);

test.each(installed)('the script for %s is one that it can read', (shell) => {
  expect(spawnSync(shell, ['-n', join(folder, shell)], { encoding: 'utf8' })).toMatchObject({
    status: 0,
    stderr: '',
  });
});

test('another shell is refused in a sentence', () => {
  const { status, stderr } = spawnSync(process.execPath, [builtCli(), 'completion', 'bsh'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: 'conclave: There is no completion for "bsh". Did you mean bash?\n',
  });
});
