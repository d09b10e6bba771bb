import type { ChildProcess } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { survivors } from './three-rounds.ts';
import { type Rig, ended, fixture } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';

/** A folder with a git that is at work for half a minute. */
const slowGit = new URL('../fixtures/slow-git', import.meta.url).pathname;

/** A rig whose only model agent is one of the single-purpose fixtures. */
async function rigWith(name: string, limits = '', given: readonly string[] = []): Promise<Rig> {
  const rig = await todoRig();
  rig.config(`[workflow]
tools = ["fake"]
kill_grace = 0.3
${limits}
[agents.fake]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([fixture(name), ...given])}
vendor = "fake"
`);
  return rig;
}

/** Resolves when the child has printed a text. */
async function printed(child: ChildProcess, text: string): Promise<void> {
  let seen = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes(text)) resolve();
    });
    child.once('close', () => reject(new Error(`ended without "${text}": ${seen}`)));
  });
}

const started = (fake: string) => `"type":"agent.started","agent":"${fake}"`;

describe.each(['SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGHUP'] as const)('%s', (signal) => {
  test.each(['hang', 'fork', 'ignore-term', 'hold-stdout'])(
    'saves, ends with 130 and leaves no process of a %s agent',
    async (name) => {
      const rig = await rigWith(name);
      const child = rig.start('plan', '--auto-yes', '--json', todoTask);
      const end = ended(child);
      await printed(child, started('fake'));
      child.kill(signal);
      const { code, stdout } = await end;
      expect(code).toBe(130);
      expect(stdout).toContain('"end":"interrupted"');
      await expect.poll(() => survivors(rig), { timeout: 3_000 }).toEqual([]);
      expect(rig.json('session-state.json')).toMatchObject({ status: 'interrupted' });
    },
  );
});

test('a second Ctrl-C ends at once and leaves neither a process nor its own files', async () => {
  const rig = await rigWith('ignore-term');
  rig.config(rig.configured().replace('kill_grace = 0.3', 'kill_grace = 30'));
  const child = rig.start('plan', '--auto-yes', '--json', todoTask);
  const end = ended(child);
  await printed(child, started('fake'));
  child.kill('SIGINT');
  const begun = performance.now();
  setTimeout(() => child.kill('SIGINT'), 150);
  expect((await end).code).toBe(130);
  expect(performance.now() - begun).toBeLessThan(10_000);
  const left = readdirSync(rig.session(), { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => /(^|\/)owner\.json$|\.tmp$/.test(name))).toEqual([]);
  await expect.poll(() => survivors(rig), { timeout: 3_000 }).toEqual([]);
});

test('Ctrl-C while git is still at work loses no task', async () => {
  const rig = await todoRig();
  const path = rig.environment['PATH'];
  rig.environment['PATH'] = `${slowGit}:${path}`;
  const child = rig.start('plan', '--auto-yes', '--json', todoTask);
  const end = ended(child);
  await printed(child, '"type":"session.started"');
  child.kill('SIGINT');
  const { code, stderr } = await end;
  const id = basename(rig.session());
  expect(code).toBe(130);
  expect(stderr).toContain(`saved. To continue: conclave resume ${id}`);
  rig.environment['PATH'] = path;
  const shown = await rig.conclave('sessions', 'show', '--json');
  expect(JSON.parse(shown.stdout)).toMatchObject({
    session_id: id,
    task_description: todoTask,
    status: 'interrupted',
  });
  expect(await rig.conclave('resume', id, '--auto-yes')).toMatchObject({ code: 0, stderr: '' });
});

test('an interrupted session goes on to its end', async () => {
  const rig = await rigWith('hang');
  const child = rig.start('plan', '--auto-yes', '--json', todoTask);
  const end = ended(child);
  await printed(child, started('fake'));
  child.kill('SIGINT');
  await end;
  rig.config(rig.configured().replace('kill_grace', 'first_output_timeout = 0.3\nkill_grace'));
  const { code, stdout } = await rig.conclave('resume', '--auto-yes');
  expect(code).toBe(0);
  expect(stdout).toContain('The draft is saved');
});

describe('limits', () => {
  test.each([
    ['hang', 'first_output_timeout = 0.3', 'silent', 2],
    ['hang-after-first-line', 'idle_timeout = 0.3', 'timed-out', 1],
    ['slow', 'timeout = 0.3', 'timed-out', 1],
  ])(
    'a %s agent is ended by %s as %s, tried %d x, and the analysts take its seat',
    async (...one) => {
      const [name, limit, category, attempts] = one;
      const rig = await rigWith(name, limit);
      const { code } = await rig.conclave('plan', '--auto-yes', todoTask);
      expect(code).toBe(0);
      expect(rig.json('rounds/1/synthesis.json')).toMatchObject({
        unanswered: [{ agent: 'fake', category }],
        receipts: [{ agent: 'structure', fallback_for: 'fake' }],
      });
      const runs = Object.keys(rig.contents('.workflow')).filter((file) =>
        /rounds\/1\/agents\/fake\/prompt.*\.md$/.test(file),
      );
      expect(runs).toHaveLength(attempts);
      expect(survivors(rig)).toEqual([]);
    },
  );
});

test('an agent that writes while planning loses its turn, and the files are named', async () => {
  const rig = await rigWith('write-file', '', ['planned.txt', 'told']);
  const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(code).toBe(0);
  expect(rig.json('rounds/1/synthesis.json')).toMatchObject({
    unanswered: [{ agent: 'fake', category: 'wrote-while-planning' }],
  });
  expect(stdout).toContain('changed by fake');
});
