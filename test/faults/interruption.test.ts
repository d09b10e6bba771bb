import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Rig, ended, fixture, printed } from '../helpers/rig.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { survivors } from './three-rounds.ts';

/** A folder with a git that is at work for five seconds, whatever it is asked. */
const slowGit = new URL('../fixtures/slow-git', import.meta.url).pathname;

/** A rig whose only model agent is one of the single-purpose fixtures. */
async function rigWith(
  name: string,
  settings = '',
  given: readonly string[] = [],
  more = '',
): Promise<Rig> {
  const rig = await todoRig();
  rig.config(`[workflow]
tools = ["fake"]
${settings}
[agents.fake]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([fixture(name), ...given])}
vendor = "fake"
${more}`);
  return rig;
}

/** Starts a plan, and signals once it has printed a text. */
async function signalled(rig: Rig, signal: NodeJS.Signals, text: string) {
  const child = rig.start('plan', '--auto-yes', '--json', todoTask);
  const end = ended(child);
  await printed(child, text);
  child.kill(signal);
  return { child, end };
}

const started = '"type":"agent.started","agent":"fake"';
async function expectNoneLeft(rig: Rig): Promise<void> {
  await expect.poll(() => survivors(rig)).toEqual([]);
}

test.each([
  ['SIGINT', 'hang'],
  ['SIGINT', 'fork'],
  ['SIGINT', 'ignore-term'],
  ['SIGINT', 'hold-stdout'],
  ['SIGTERM', 'fork'],
  ['SIGQUIT', 'fork'],
  ['SIGHUP', 'fork'],
] as const)('%s saves, ends with 130 and leaves no process of a %s agent', async (signal, name) => {
  const rig = await rigWith(name);
  const { end } = await signalled(rig, signal, started);
  const { code, stdout } = await end;
  expect(code).toBe(130);
  expect(stdout).toContain('"end":"interrupted"');
  await expectNoneLeft(rig);
  expect(rig.json('session-state.json')).toMatchObject({ status: 'interrupted' });
});

test('a second Ctrl-C ends at once and leaves neither a process nor its own files', async () => {
  const rig = await rigWith('ignore-term');
  const { child, end } = await signalled(rig, 'SIGINT', started);
  const begun = performance.now();
  setTimeout(() => child.kill('SIGINT'), 150);
  expect((await end).code).toBe(130);
  expect(performance.now() - begun).toBeLessThan(4_500);
  const left = readdirSync(rig.session(), { recursive: true, encoding: 'utf8' });
  expect(left.filter((name) => /(^|\/)owner\.json$|\.tmp$/.test(name))).toEqual([]);
  await expectNoneLeft(rig);
});

test('Ctrl-C while git is still at work loses no task', async () => {
  const rig = await todoRig();
  const path = rig.environment['PATH'];
  rig.environment['PATH'] = `${slowGit}:${path}`;
  const { end } = await signalled(rig, 'SIGINT', '"type":"session.started"');
  const { code, stderr } = await end;
  const id = basename(rig.session());
  expect(code).toBe(130);
  expect(stderr).toContain(`saved. To continue: conclave resume ${id}`);
  rig.environment['PATH'] = path;
  const shown = await rig.conclave('sessions', 'show', '--json');
  const state = { session_id: id, task_description: todoTask, status: 'interrupted' };
  expect(JSON.parse(shown.stdout)).toMatchObject(state);
  expect(await rig.conclave('resume', id, '--auto-yes')).toMatchObject({ code: 0, stderr: '' });
});

test('an interrupted session goes on to its end', async () => {
  const rig = await rigWith('hang', 'idle_timeout = 0.3');
  const { end } = await signalled(rig, 'SIGINT', started);
  await end;
  const { code, stdout } = await rig.conclave('resume', '--auto-yes');
  expect(code).toBe(0);
  expect(stdout).toContain('The draft is saved');
});

describe('limits', () => {
  test.each([
    ['hang', 'idle_timeout = 0.3', 'silent', 2],
    ['hang-after-first-line', 'idle_timeout = 0.3', 'timed-out', 1],
    ['slow', 'timeout = 0.3', 'timed-out', 1],
  ])(
    'a %s agent is ended by %s as %s, tried %d x, and the analysts take its seat',
    async (name, limit, category, attempts) => {
      const rig = await rigWith(name, limit);
      expect((await rig.conclave('plan', '--auto-yes', todoTask)).code).toBe(0);
      expect(rig.json('rounds/1/synthesis.json')).toMatchObject({
        unanswered: [{ agent: 'fake', category }],
        receipts: [{ agent: 'structure', fallback_for: 'fake' }],
      });
      const prompts = Object.keys(rig.contents('.workflow')).filter((file) =>
        /rounds\/1\/agents\/fake\/prompt.*\.md$/.test(file),
      );
      expect(prompts).toHaveLength(attempts);
      expect(survivors(rig)).toEqual([]);
    },
  );
});

test('an agent whose read-only mode was never tried cannot write while planning', async () => {
  const rig = await rigWith('write-file', '', ['planned.txt', 'told']);
  const { code } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(code).toBe(0);
  expect(rig.json('rounds/1/synthesis.json')).toMatchObject({
    unanswered: [{ agent: 'fake', category: 'crashed' }],
  });
  expect(existsSync(join(rig.repo, 'planned.txt'))).toBe(false);
});

test('an agent that writes while planning loses its turn, and the files are named', async () => {
  const rig = await rigWith('codex-writes', '', [], 'cli = "codex"\n');
  const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(code).toBe(0);
  expect(rig.json('rounds/1/synthesis.json')).toMatchObject({
    unanswered: [{ agent: 'fake', category: 'wrote-while-planning' }],
  });
  expect(stdout).toContain('planned.txt, by fake, although it may only read');
});
