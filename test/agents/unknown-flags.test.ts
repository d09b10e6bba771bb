import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { adapters } from '../../src/agents/list.ts';
import { unknownFlags } from '../../src/agents/unknown-flags.ts';
import { programAdapter } from '../../src/agents/program.ts';
import { fake } from './agent-room.ts';

function unknown(help: string, exit = '0') {
  const adapter = {
    ...programAdapter('fake', null),
    helpArgv: ['--help'],
    argv: () => ['run', '-p', '--safe', '--dir=/--no-flag', '--model', 'a--b'],
  };
  const settings = { path: fake('login-status'), env: { STATUS: help, STATUS_EXIT: exit } };
  const environment = { PATH: process.env['PATH'] };
  return unknownFlags({ adapter, settings, environment }, new AbortController().signal);
}

test.each([
  ['  --safe, --dir=DIR  [--model NAME]', []],
  ['  --safer --dir=DIR  --model NAME', ['--safe']],
  ['--safe', ['--dir', '--model']],
  ['nothing that we know, e.g. --other', []],
])('of a help with %j', async (help, flags) => {
  expect(await unknown(help)).toEqual(flags);
  expect(await unknown(help, '1')).toEqual([]);
});

test('each CLI is measured at a version that its adapter names', () => {
  const file = new URL('../contract/clis/package.json', import.meta.url);
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(file, 'utf8')));
  const outside = adapters.filter(({ install, tested = '' }) => {
    const version = dependencies[install.split(' ').at(-1) ?? ''];
    return version?.startsWith(tested.replace('x', '')) === false;
  });
  expect(outside).toEqual([]);
});
