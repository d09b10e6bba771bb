import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { commandLines } from '../contract/processes.ts';
import { connect, eras, type HostOptions, hostRig } from '../helpers/mcp-host.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';

const waiting = { timeout: 150_000, interval: 100 };

/** Two agents, the first of which answers late. */
async function slowRig(late: { readonly delay_ms: number } | { readonly waits_for: object }) {
  const rig = await hostRig();
  const file = join(rig.home, 'alpha.json');
  const script = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ ...script, else: { answer: 'late', ...late } }));
  return rig;
}

test('a job outlives the server that started it, and a later server finds its end', async () => {
  const rig = await slowRig({ delay_ms: 3000 });
  const first = await connect(rig);
  const asked = { model: 'alpha', question: 'What?', wait_s: 0 };
  const { facts } = await first.call('consult_with', asked);
  expect(['starting', 'running']).toContain(facts['state']);
  process.kill(first.pid() ?? 0, 'SIGKILL');
  const later = await connect(rig);
  const end = await later.call('job_status', { job: facts['job'], wait_s: 60 });
  expect(end.facts).toMatchObject({ state: 'done', text: 'late' });
});

/** The programs of the agents of a rig that live now. */
const agentsOf = (rig: Rig) =>
  commandLines().filter((line) => line.includes(`${rig.home}/alpha.json`));

/** An agent that answers after a minute, and a host that has asked it. */
async function askedHost(options: HostOptions = {}) {
  const rig = await slowRig({ delay_ms: 60_000 });
  return { rig, ...(await connect(rig, options)) };
}

const question = { model: 'alpha', question: 'What?' };

test.each(eras)('job_cancel ends the agents of a job, in the protocol era %s', async (era) => {
  const { rig, call } = await askedHost({ era });
  const { facts } = await call('consult_with', { ...question, wait_s: 0 });
  await vi.waitUntil(() => agentsOf(rig).length > 0, waiting);
  const { facts: ended } = await call('job_cancel', { job: facts['job'] });
  expect(ended).toMatchObject({ state: 'cancelled' });
  expect(agentsOf(rig)).toEqual([]);
});

test.each(eras)(
  'a call that the host takes back ends the job that it started, in the protocol era %s',
  async (era) => {
    const { rig, client } = await askedHost({ era });
    const back = new AbortController();
    const call = { name: 'consult_with', arguments: { folder: rig.repo, ...question } };
    const result = client.callTool(call, { signal: back.signal }).catch(() => 'taken back');
    await vi.waitUntil(() => agentsOf(rig).length > 0, waiting);
    back.abort();
    expect(await result).toBe('taken back');
    await vi.waitUntil(() => agentsOf(rig).length === 0, waiting);
  },
);

test('a job goes on where the host closes in the middle of the call', short, async () => {
  const rig = await slowRig({ waits_for: ['closed', 'yes'] });
  const { client } = await connect(rig);
  const call = { name: 'consult_with', arguments: { folder: rig.repo, ...question } };
  const result = client.callTool(call).catch(() => 'closed');
  await vi.waitUntil(() => agentsOf(rig).length > 0, waiting);
  await client.close();
  expect(await result).toBe('closed');
  const later = await connect(rig);
  writeFileSync(join(rig.home, 'closed'), 'yes');
  const [job] = readdirSync(join(rig.home, 'data/conclave/jobs'));
  const { facts } = await later.call('job_status', { job, wait_s: 60 });
  expect(facts).toMatchObject({ state: 'done', text: 'late' });
});
