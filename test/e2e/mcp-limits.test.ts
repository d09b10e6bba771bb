import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { connect, eras, hostRig } from '../helpers/mcp-host.ts';
import { rawServer } from '../helpers/raw-mcp.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';

test.each([
  [
    'at its beginning',
    (params: string) => `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`,
  ],
  [
    'at its end',
    (params: string) => `{"method":"tools/call","params":${params},"jsonrpc":"2.0","id":7}`,
  ],
  [
    'after blanks',
    (params: string) => `{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": ${params}}`,
  ],
])(
  'a message that is too large, with its id %s, gets an error, and the server goes on',
  short,
  async (_, message) => {
    const server = await rawServer(await hostRig());
    const question = 'x'.repeat(11_000_000);
    const params = JSON.stringify({
      name: 'consult_with',
      arguments: { model: 'alpha', question },
    });
    server.send(message(params));
    const refused = await server.answer(7);
    expect(refused).toMatchObject({ error: { code: -32_600 } });
    expect(JSON.stringify(refused)).toContain('more than 10 MB, so it was not read. Send less');
    server.send('{"jsonrpc":"2.0","id":8,"method":"tools/list"}');
    expect(await server.answer(8)).toHaveProperty('result.tools');
    expect(await server.end()).toBe(0);
  },
);

const jobs = (rig: Rig) => join(rig.home, 'data/conclave/jobs');

/** An agent that answers after a minute, asked by a job that runs. */
async function runningJob() {
  const rig = await hostRig();
  const file = join(rig.home, 'alpha.json');
  const script = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...script, else: { answer: 'late', delay_ms: 60_000 } }));
  const host = await connect(rig);
  const asked = { model: 'alpha', question: 'What?', wait_s: 0 };
  const { facts } = await host.call('consult_with', asked);
  const job = String(facts['job']);
  const read = (name: string) => JSON.parse(readFileSync(join(jobs(rig), job, name), 'utf8'));
  await vi.waitUntil(() => read('state.json').state === 'running', { timeout: 150_000 });
  const pid = Number(read('owner.json').pid);
  return { rig, ...host, job, pid };
}

test('a job whose process is killed has failed, and says so', async () => {
  const { call, job, pid } = await runningJob();
  process.kill(pid, 'SIGKILL');
  const { facts, isError, text } = await call('job_status', { job, wait_s: 30 });
  expect({ isError, facts }).toMatchObject({ isError: true, facts: { state: 'failed' } });
  expect(text).toContain('message: The process of this job has ended without a word');
  expect(text).not.toContain('start it again');
});

test('where a look at a job cannot be remembered, the job is told all the same', async () => {
  const { rig, call, job } = await runningJob();
  const asked = join(jobs(rig), job, 'asked');
  rmSync(asked, { force: true });
  mkdirSync(join(asked, 'full'), { recursive: true });
  const { facts } = await call('job_status', { job, wait_s: 0 });
  expect(facts).toMatchObject({ job, state: 'running' });
  expect((await call('job_cancel', { job })).facts).toMatchObject({ state: 'cancelled' });
});

test.each(eras)(
  'a damaged or linked folder of a job hurts no other job, in the protocol era %s',
  async (era) => {
    const rig = await hostRig();
    const { call } = await connect(rig, { era });
    const question = { model: 'alpha', question: 'What?' };
    await call('consult_with', question);
    const [sound = ''] = readdirSync(jobs(rig));
    const damage = {
      'job-linked00': (folder: string) =>
        symlinkSync(join(jobs(rig), sound, 'request.json'), join(folder, 'request.json')),
      'job-damaged0': (folder: string) => writeFileSync(join(folder, 'request.json'), '{"kind"'),
      'job-folder00': (folder: string) => mkdirSync(join(folder, 'request.json')),
      'job-empty000': () => undefined,
    };
    for (const [id, harm] of Object.entries(damage)) {
      mkdirSync(join(jobs(rig), id));
      harm(join(jobs(rig), id));
    }
    const { facts } = await call('consult_with', question);
    expect(facts).toMatchObject({ state: 'done' });
    const { text } = await call('job_status', { job: 'job-damaged0' });
    expect(text).toBe('The job job-damaged0 cannot be read: its request.json is damaged.');
  },
);
