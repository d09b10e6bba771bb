import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { AgentAdapter } from '../../../src/agents/agent.ts';
import { cliAgent } from '../../../src/agents/cli/cli-agent.ts';
import { adapters } from '../../../src/agents/cli/list.ts';
import { codexCatalogue } from '../../../src/agents/cli/codex.ts';
import { offeredModels, unknownFlags } from '../../../src/agents/cli/describe.ts';
import { probe } from '../../../src/agents/cli/probe.ts';
import { agentRoom, fake, openProgram } from '../agent-room.ts';

const room = agentRoom();
afterAll(() => {
  room.remove();
});
const witness = join(room.folder, 'calls');
const plain = openProgram;
const resuming = { ...plain, resumes: 'anywhere' } as const;
/** It says that it can, and begins another session. */
const forgetful = { ...resuming, env: () => ({}) };

async function probed(action: object, adapter: AgentAdapter = plain) {
  const script = join(room.folder, 'script.json');
  writeFileSync(witness, '');
  writeFileSync(script, JSON.stringify({ model: 'm-1', witness, else: action }));
  const agent = cliAgent({
    adapter,
    settings: { path: process.execPath, args: [fake('vendor'), script] },
    environment: { PATH: process.env['PATH'] },
  });
  const { signal } = new AbortController();
  const found = await probe(agent, { signal, mark: room.folder });
  return { ...found, calls: readFileSync(witness, 'utf8').match(/^start/gm)?.length };
}

const good = { answer: { ok: true } };

test.each([
  ['answers', good, plain, { failure: null, fits_schema: true, resumes: null, calls: 1 }],
  ['resumes', good, resuming, { failure: null, fits_schema: true, resumes: true, calls: 2 }],
  ['forgets', good, forgetful, { failure: null, fits_schema: true, resumes: false, calls: 2 }],
  ['answers in words', { answer: 'Yes.' }, plain, { failure: null, fits_schema: false }],
  ['answers with more', { answer: { ok: true, more: 1 } }, plain, { fits_schema: false }],
  [
    'fails',
    { exit: 1, stderr: 'no way' },
    resuming,
    { failure: expect.stringMatching(/^crashed: .*no way/), fits_schema: false, calls: 1 },
  ],
])('of an agent that %s', async (_which, action, adapter, found) => {
  expect(await probed(action, adapter)).toMatchObject({ model: 'm-1', ...found });
});

const shown = { slug: 'gpt-1', visibility: 'list' };
const secret = { slug: 'gpt-2', visibility: 'hide' };

test.each([
  ['those that it shows', JSON.stringify({ models: [shown, secret] }), ['gpt-1']],
  ['none in an empty list', '{"models":[]}', null],
  ['none in plain words', 'unknown command "debug"', null],
])('the models that a CLI says it offers are %s', async (_which, output, names) => {
  const args = ['-e', `console.log(${JSON.stringify(output)})`, '--'];
  const settings = { path: process.execPath, args };
  const environment = { PATH: process.env['PATH'] };
  const { signal } = new AbortController();
  const setup = { adapter: { ...plain, catalogue: codexCatalogue }, settings, environment };
  expect(await offeredModels(setup, signal)).toEqual(names);
  expect(await offeredModels({ ...setup, adapter: plain }, signal)).toBeNull();
});

function unknown(help: string, exit = '0') {
  const adapter = {
    ...openProgram,
    helpArgv: ['--help'],
    argv: () => ['run', '-p', '--safe', '--dir=/--no-flag', '--model', 'a--b'],
  };
  const settings = { path: fake('help'), env: { STATUS: help, STATUS_EXIT: exit } };
  const environment = { PATH: process.env['PATH'] };
  return unknownFlags({ adapter, settings, environment }, new AbortController().signal);
}

test.each([
  ['  --safe, --dir=DIR  [--model NAME]', []],
  ['  --safer --dir=DIR  --model NAME', ['--safe']],
  ['--safe', ['--dir', '--model']],
  ['nothing that we know, e.g. --other', []],
])('the flags that a help with %j does not list', async (help, flags) => {
  expect(await unknown(help)).toEqual(flags);
  expect(await unknown(help, '1')).toEqual([]);
});

test('each CLI is measured at a version that its adapter names', () => {
  const file = new URL('../../contract/clis/package.json', import.meta.url);
  const { dependencies } = z
    .object({ dependencies: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(file, 'utf8')));
  const outside = adapters.filter(({ install, tested = '' }) => {
    const version = dependencies[install.split(' ').at(-1) ?? ''];
    return version?.startsWith(tested.replace('x', '')) === false;
  });
  expect(outside).toEqual([]);
});
