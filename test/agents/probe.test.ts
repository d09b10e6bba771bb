import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { AgentAdapter } from '../../src/agents/agent.ts';
import { cliAgent } from '../../src/agents/cli-agent.ts';
import { probe } from '../../src/agents/probe.ts';
import { programAdapter } from '../../src/agents/program.ts';
import { agentRoom, fake } from './agent-room.ts';

const room = agentRoom();
afterAll(() => {
  room.remove();
});
const witness = join(room.folder, 'calls');
const plain = programAdapter('fake', null);
const resuming = { ...plain, can: { ...plain.can, resume: true } };
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
  const found = await probe({ agent, adapter }, { signal, mark: room.folder });
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
