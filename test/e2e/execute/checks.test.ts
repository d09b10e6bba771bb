import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig, type Work } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { short } from '../../helpers/short-form.ts';
import { planOf, runs, task } from '../../helpers/small-plans.ts';

/** What the checks share: a log in a cache, where a confined one may write. */
const shared = `import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
const { HOME: home } = process.env;
const log = home + '/.cache/log';
mkdirSync(home + '/.cache', { recursive: true });
export const say = (line) => appendFileSync(log, line + '\\n');
export const said = (line) => readFileSync(log, 'utf8').split('\\n').filter((one) => one === line).length;
export async function wait(isThere) {
  for (let times = 0; times < 400; times += 1) {
    if (isThere()) return true;
    await setTimeout(50);
  }
  return false;
}
export const isDone = (number) => existsSync('part-' + number + '.txt');
export { setTimeout, existsSync, mkdirSync, writeFileSync };
`;

const scripts = {
  /** Says that it runs, and passes with the part of its task. */
  'count.mjs': `import { isDone, say } from './shared.mjs';
say('count ' + process.argv[2]);
process.exit(isDone(process.argv[2]) ? 0 : 1);
`,
  /** Takes so long that it is worth a word. */
  'slow.mjs': `import { isDone, setTimeout } from './shared.mjs';
await setTimeout(1_700);
process.exit(isDone(1) ? 0 : 1);
`,
  /** Goes on when the check of the other task has begun as often as it itself. */
  'meet.mjs': `import { isDone, said, say, wait } from './shared.mjs';
const [own, other] = process.argv.slice(2);
say('meet ' + own);
const times = said('meet ' + own);
say((await wait(() => said('meet ' + other) >= times)) ? 'met' : 'alone');
process.exit(isDone(own) ? 0 : 1);
`,
  /** Mends the part of its task, so that the work tree differs from the commit. */
  'mend.mjs': `import { existsSync, say, writeFileSync } from './shared.mjs';
say('mend');
if (!existsSync('part-1.txt')) process.exit(1);
writeFileSync('part-1.txt', 'mended');
`,
  /** Says its slot, and whether another run left something in its temporary folder. */
  'own.mjs': `import { existsSync, isDone, say, writeFileSync } from './shared.mjs';
const { CONCLAVE_SLOT: slot, TMPDIR: temporary } = process.env;
if (isDone(process.argv[2])) say('slot ' + slot);
if (existsSync(temporary + '/mark')) say('shared');
writeFileSync(temporary + '/mark', '');
process.exit(isDone(process.argv[2]) ? 0 : 1);
`,
  /** On the joined work it holds a port, the first time until the other check was refused it. */
  'port.mjs': `import { createServer } from 'node:net';
import { isDone, said, say, wait } from './shared.mjs';
const [own, port] = process.argv.slice(2);
if (!isDone(1) || !isDone(2)) process.exit(isDone(own) ? 0 : 1);
const server = createServer();
server.on('error', (error) => {
  say('refused');
  console.error(error.message);
  process.exit(1);
});
server.listen(Number(port), '127.0.0.1', async () => {
  say('holds');
  if (said('holds') === 1) await wait(() => said('refused') > 0);
  process.exit(0);
});
`,
  /** Makes what the next check needs; on the joined work it goes on when the check of the second task has begun. */
  'build.mjs': `import { isDone, mkdirSync, said, say, wait, writeFileSync } from './shared.mjs';
say('build');
if (isDone(1) && isDone(2) && !(await wait(() => said('use 2 joined') > 0))) process.exit(1);
mkdirSync('out', { recursive: true });
writeFileSync('out/built', '');
`,
  'use.mjs': `import { existsSync, isDone, say } from './shared.mjs';
const [own] = process.argv.slice(2);
say('use ' + own + (isDone(1) && isDone(2) ? ' joined' : ''));
process.exit(existsSync('out/built') && isDone(own) ? 0 : 1);
`,
};

const project = {
  name: 'with-counting-checks',
  async make(rig: Rig) {
    rig.write('shared.mjs', shared);
    for (const [path, text] of Object.entries(scripts)) rig.write(path, text);
    rig.write('.gitignore', 'out/\n');
    await rig.git('add', '-A');
    await rig.git('commit', '-qm', 'Add the checks');
  },
};

const works = (count: number): Work =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `TASK-00${at + 1}`,
      { edits: { [`part-${at + 1}.txt`]: 'done\n' } },
    ]),
  );
const check = (script: string, ...words: readonly string[]) => runs('node', script, ...words);
const plan = (...checks: readonly (readonly object[])[]) =>
  planOf(checks.map((own, at) => task(at + 1, [], [`part-${at + 1}.txt`], own)));

const logged = (rig: Rig): readonly string[] => {
  const file = join(rig.home, '.cache/log');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};
const times = (rig: Rig, line: string) => logged(rig).filter((one) => one === line).length;

test('a check runs before the work, on it, on the start again and on the joined work, each once', async () => {
  const own = [1, 2, 3, 4].map((number) => [check('count.mjs', String(number))]);
  const rig = await approvedRig(works(4), { plan: plan(...own), project });
  const { code, stderr, stdout } = await rig.conclave('execute', '-y', '--jobs', '4');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect([1, 2, 3, 4].map((number) => times(rig, `count ${number}`))).toEqual([4, 4, 4, 4]);
  for (const when of [
    'before the work',
    'after the work',
    'on the start once more',
    'on the joined result',
  ]) {
    expect(stdout.split(when).length).toBe(5);
  }
  const lines = readFileSync(join(rig.session(), 'execution/1/checks.jsonl'), 'utf8').trim();
  expect(lines.split('\n').length).toBe(16);
});

test('how long the checks will take is told before any agent works', short, async () => {
  const rig = await approvedRig(works(1), { plan: plan([check('slow.mjs')]), project });
  const { stdout } = await rig.conclave('execute', '-y');
  const [before = ''] = stdout.split(': asked');
  expect(before).toMatch(
    /Besides the agents, the checks will take about \d+ seconds: 1 check, 3 times each, /,
  );
});

test(
  'a check that passed on the only work is not run on the joined work, which is the same, nor again where the user wants none',
  short,
  async () => {
    const one = plan([check('count.mjs', '1')]);
    const rig = await approvedRig(works(1), { plan: one, project });
    expect((await rig.conclave('execute', '-y')).code).toBe(0);
    expect(times(rig, 'count 1')).toBe(3);
    expect(rig.json('execution-result.json')).toMatchObject({
      tasks: [{ checks: expect.arrayContaining([expect.objectContaining({ moment: 'joined' })]) }],
    });

    const more = '[execution]\nrecheck = false\n';
    const bare = await approvedRig(works(1), { plan: one, project, more });
    const { code, stdout } = await bare.conclave('execute', '-y');
    expect(code).toBe(0);
    expect(times(bare, 'count 1')).toBe(2);
    expect(stdout).toContain('completed, not run on the start again, as recheck = false');
  },
);

test('checks of tasks run side by side before the work and on the joined work', short, async () => {
  const both = plan([check('meet.mjs', '1', '2')], [check('meet.mjs', '2', '1')]);
  const rig = await approvedRig(works(2), { plan: both, project });
  const { code, stderr } = await rig.conclave('execute', '-y', '--jobs', '2');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect([times(rig, 'met'), times(rig, 'alone')]).toEqual([8, 0]);
});

test('a check that changed a file of the work runs again on the joined work', async () => {
  const rig = await approvedRig(works(1), { plan: plan([check('mend.mjs')]), project });
  expect((await rig.conclave('execute', '-y')).code).toBe(0);
  expect(times(rig, 'mend')).toBe(4);
});

test('the checks of each task get a number and a temporary folder of their own', async () => {
  const both = plan([check('own.mjs', '1')], [check('own.mjs', '2')]);
  const rig = await approvedRig(works(2), { plan: both, project });
  expect((await rig.conclave('execute', '-y', '--jobs', '2')).code).toBe(0);
  expect(['slot 1', 'slot 2', 'shared'].map((line) => times(rig, line) > 0)).toEqual([
    true,
    true,
    false,
  ]);
});

test('a check that was refused a port which another check held runs once more by itself', async () => {
  const port = await freePort();
  const both = plan([check('port.mjs', '1', port)], [check('port.mjs', '2', port)]);
  const rig = await approvedRig(works(2), { plan: both, project });
  const { code, stderr } = await rig.conclave('execute', '-y', '--jobs', '2');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect([times(rig, 'holds'), times(rig, 'refused')]).toEqual([2, 1]);
});

/** A port that nobody holds. */
async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return String(address.port);
}

test('a check that needs what one before it left gets it, though another tree ran that one', async () => {
  const both = plan(
    [check('build.mjs'), check('use.mjs', '1')],
    [check('build.mjs'), check('use.mjs', '2')],
  );
  const rig = await approvedRig(works(2), { plan: both, project });
  const { code, stderr } = await rig.conclave('execute', '-y', '--jobs', '2');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(times(rig, 'use 2 joined')).toBe(2);
});
