import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { Event } from '../../src/model/event.ts';
import { ended, program, programsWithout } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { testRig } from '../helpers/test-rig.ts';

const Scene = z.object({ says: z.array(z.string()) });
const Script = z.object({ pace_ms: z.number(), propose: Scene, examine: Scene });

test('the demo disagrees, checks, agrees, plans, carries out and reviews with scripted agents, in a folder of its own', async () => {
  const rig = testRig();
  rig.config('[workflow]\ntools = ["claude"]\n');
  // Beside the home, of which code before approval sees nothing.
  const temporary = join(dirname(rig.home), 'tmp');
  mkdirSync(temporary);
  const env = { ...rig.environment, TMPDIR: temporary, CONCLAVE_TOOLS: 'codex' };
  const child = spawn(process.execPath, [program, 'demo', '--json', '--fast'], {
    cwd: rig.repo,
    env,
  });
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
  expect(events.find(({ type }) => type === 'proof.written')).toMatchObject({
    author: 'script-two',
    proofs: [{ id: 'P1', state: 'fails' }],
  });
  expect(events.find(({ type }) => type === 'plan.checked')).toMatchObject({ findings: [] });
  expect(events.find(({ type }) => type === 'plan.read')).toMatchObject({
    readers: [{ agent: 'script-two' }],
    findings: [{ agent: 'script-two', fate: 'fixed' }],
  });
  const checks = events.filter((event) => event.type === 'check.ran');
  expect(checks.filter(({ when }) => when === 'after').map(({ passed }) => passed)).toContain(
    false,
  );
  const proven = checks.filter(({ check }) => check.endsWith('-p1.test.js'));
  expect(proven.map(({ when, passed }) => `${when} ${passed}`)).toEqual(
    expect.arrayContaining(['before false', 'after true', 'again false', 'joined true']),
  );
  expect(events.filter(({ type }) => type === 'task.finished')).toMatchObject([
    { task: 'TASK-001', status: 'completed' },
    { task: 'TASK-002', status: 'completed' },
  ]);
  const [review] = events.filter(({ type }) => type === 'review.finished');
  expect(review).toMatchObject({ blocking: 0 });
  const end = events.at(-1);
  expect(end).toMatchObject({ type: 'session.finished', approved: true, exit_code: 0 });

  const next = end?.type === 'session.finished' ? (end.next ?? '') : '';
  const [command = '', ...words] = next.split(' ');
  const { stdout: applied } = await promisify(execFile)(command, words, { env: rig.environment });
  expect(applied).toContain('4 files merged into');

  expect(readdirSync(rig.repo)).toEqual([]);
  const [folder = ''] = readdirSync(temporary).filter((name) => name.startsWith('conclave-demo-'));
  expect(stderr).toContain(`remove ${join(temporary, folder)}`);
  const started = events.find((event) => event.type === 'session.started');
  const session = started?.type === 'session.started' ? started.folder : '';
  const plan = readFileSync(join(temporary, folder, 'todo', session, 'plan.md'), 'utf8');
  expect(plan).toContain('both agents are scripts, no model is asked');
});

test(
  'the two rounds of the demo take eight seconds or more, so that they can be read',
  short,
  () => {
    const folder = new URL('../../templates/demo/', import.meta.url);
    const scripts = ['one.json', 'two.json'].map((name) =>
      Script.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8'))),
    );
    const slowest = (part: 'propose' | 'examine') =>
      Math.max(...scripts.map((script) => script[part].says.length * script.pace_ms));
    expect(slowest('propose') + slowest('examine')).toBeGreaterThanOrEqual(8_000);
  },
);

test('the demo runs on a machine that has no confinement', async () => {
  const rig = testRig();
  const child = spawn(process.execPath, [program, 'demo', '--json', '--fast'], {
    cwd: rig.repo,
    env: { ...rig.environment, PATH: programsWithout(rig, ['bwrap', 'sandbox-exec']) },
  });
  const { code, stdout } = await ended(child);
  expect(stdout).toContain('"type":"plan.approved"');
  expect(code).toBe(0);
});
