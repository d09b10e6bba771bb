import { chmodSync, cpSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeRig } from '../helpers/rig.ts';

const sessions = new URL('../../.workflow/.multi-cli-plan', import.meta.url).pathname;
const [sample = ''] = globSync(join(sessions, 'MCP-show-the-age-*'));
const id = basename(sample);
const rig = makeRig();
afterAll(() => rig.remove());

test('the sample session, recorded from a real run, replays to its end without asking anybody', async () => {
  const folder = `.workflow/.multi-cli-plan/${id}`;
  cpSync(sample, join(rig.repo, folder), { recursive: true });
  chmodSync(join(rig.repo, folder), 0o700);
  const before = rig.contents(folder);
  const { code, stdout, stderr } = await rig.conclave('resume', id, '--auto-yes', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(events.filter(({ type }) => type === 'agent.started')).toEqual([]);
  expect(events.filter(({ type }) => type === 'step.finished').length).toBeGreaterThan(10);
  expect(events.every(({ replayed }) => replayed)).toBe(true);
  expect(events.at(-1)).toMatchObject({ type: 'session.finished', end: 'done', approved: true });
  const after = rig.contents(folder);
  for (const [path, text] of Object.entries(before)) expect(after[path]).toBe(text);
});

test('the sample session is valid by the schemas of this version', async () => {
  const { code, stdout } = await rig.conclave('validate', id);
  expect({ code, stdout }).toMatchObject({ code: 0 });
});
