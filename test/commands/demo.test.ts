import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Event } from '../../src/model/event.ts';
import { ended, program } from '../helpers/rig.ts';
import { testRig } from '../helpers/test-rig.ts';

test('the demo disagrees, checks, agrees and plans with scripted agents, in a folder of its own', async () => {
  const rig = testRig();
  rig.config('[workflow]\ntools = ["claude"]\n');
  const env = { ...rig.environment, TMPDIR: rig.home, CONCLAVE_TOOLS: 'codex' };
  const child = spawn(process.execPath, [program, 'demo', '--json'], { cwd: rig.repo, env });
  const { code, stdout, stderr } = await ended(child);
  expect(code).toBe(0);
  expect(stderr).toContain('its agents are scripts, and no model is asked');

  const events = stdout
    .trim()
    .split('\n')
    .map((line) => Event.parse(JSON.parse(line)));
  const rounds = events.filter((event) => event.type === 'round.finished');
  expect(rounds).toMatchObject([
    { round: 1, recommendation: 'continue', disagreements: 2, failed_references: 1 },
    { round: 2, recommendation: 'converged', score: 1 },
  ]);
  expect(events.find(({ type }) => type === 'plan.checked')).toMatchObject({ findings: [] });
  expect(events.find(({ type }) => type === 'plan.read')).toMatchObject({
    readers: [{ agent: 'script-two' }],
    findings: [{ agent: 'script-two', fate: 'fixed' }],
  });
  expect(events.at(-1)).toMatchObject({ type: 'session.finished', approved: true });

  expect(readdirSync(rig.repo)).toEqual([]);
  const [folder = ''] = readdirSync(rig.home).filter((name) => name.startsWith('conclave-demo-'));
  expect(stderr).toContain(`remove ${join(rig.home, folder)}`);
  const started = events.find((event) => event.type === 'session.started');
  const session = started?.type === 'session.started' ? started.folder : '';
  const plan = readFileSync(join(rig.home, folder, 'todo', session, 'plan.md'), 'utf8');
  expect(plan).toContain('both agents are scripts, no model is asked');
});
