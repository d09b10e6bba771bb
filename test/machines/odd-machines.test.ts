// Tests machines and repositories that are not as they should be: each is told in a sentence, and nothing is left.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { until } from '../agents/agent-room.ts';
import { approvedRig, checkedEdits, checkedPlan } from '../helpers/executed-rig.ts';
import { ended, type Rig } from '../helpers/rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { twoVendors } from '../helpers/todo-vendors.ts';
import { openQueue, type Queue } from '../../src/machines/queue.ts';
import { reachMachine } from '../../src/machines/reach-machine.ts';
import { machineBy } from '../../src/machines/run-elsewhere.ts';
import { neverAborted } from '../../src/model/signal.ts';
import {
  asWorker,
  editScript,
  type FakeMachine,
  makeMachine,
  placesOf,
  withMachines,
} from './machine-rig.ts';
import { bareRun, openToAll, requestIn, startWorker, workersAt } from './queue-rig.ts';
import { hasPostgres, startPostgres } from './postgres.ts';

const lateClock = new URL('../fixtures/machines/late-clock.mjs', import.meta.url).href;

/** Puts words before the command of the machine `east`. */
function through(rig: Rig, east: FakeMachine | undefined, words: readonly string[]): void {
  const command = east?.command ?? [];
  rig.config(
    rig.configured().replace(JSON.stringify(command), JSON.stringify([...words, ...command])),
  );
}

test.each([
  ['ref', 'its bundle does not hold what was asked for'],
  ['orphan', 'its commit does not stand on the one that was sent'],
  ['outside', 'its files cannot be written'],
  ['git', 'its files cannot be written'],
])('work of a machine that is forged (%s) is not taken', async (how, why) => {
  const rig = await approvedRig(checkedEdits, { plan: checkedPlan });
  const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
  through(rig, east, asWorker(how, east));
  await rig.conclave('machines', 'allow', 'east');
  const before = rig.contents('src');
  const { code, stdout, stderr } = await rig.conclave('execute', '-y', '--apply');
  expect(`${stdout}${stderr}`.replaceAll(/\s+/g, ' ')).toContain(
    `east sent work that cannot be used: ${why}`,
  );
  expect(code).not.toBe(0);
  expect(rig.contents('src')).toEqual(before);
  expect(existsSync(join(rig.repo, '../outside.txt'))).toBe(false);
  await until('the machine is empty', () => east?.processes().length === 0);
});

test('work of a machine whose agent may only read is not taken, and its turn counts as failed', async () => {
  const rig = await twoVendors();
  const { east } = await withMachines(rig, { east: ['alpha'] });
  through(rig, east, asWorker('wrote', east));
  await rig.conclave('machines', 'allow', 'east');
  const before = rig.contents('src');
  const { stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'east ran an agent that may only read: it changed files',
  );
  expect(rig.contents('src')).toEqual(before);
  expect(existsSync(join(rig.repo, 'a.txt'))).toBe(false);
  await until('the machine is empty', () => east?.processes().length === 0);
});

test.each<readonly [string, (rig: Rig) => Promise<unknown>]>([
  [
    'is shallow',
    async (rig) => {
      writeFileSync(join(rig.repo, '.git/shallow'), await rig.git('rev-parse', 'HEAD'));
    },
  ],
  [
    'has files whose names begin like options',
    async (rig) => {
      rig.write('-x', 'x\n');
      rig.write('--help', 'x\n');
      rig.write(':(top)', 'x\n');
      rig.write('a\nb', 'x\n');
      await rig.git('add', '--all');
    },
  ],
  [
    'is larger than one line',
    async (rig) => {
      writeFileSync(join(rig.repo, 'large.bin'), randomBytes(2_000_000));
      await rig.git('add', '--all');
    },
  ],
  [
    'has no commit',
    async (rig) => {
      await rig.git('update-ref', '-d', 'HEAD');
    },
  ],
])('a repository that %s travels', async (_, change) => {
  const rig = await twoVendors();
  await change(rig);
  const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
  const { stderr } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(stderr).toBe('');
  expect(placesOf(rig)).toEqual(['alpha on east', 'beta on east']);
  await until('the machine is empty', () => east?.processes().length === 0);
});

/** A machine that is reached by a pipe, from a repository with a large file. */
async function reached(rig: Rig, large: number) {
  writeFileSync(join(rig.repo, 'large.bin'), randomBytes(large));
  await rig.git('add', '--all');
  editScript(`${rig.home}/alpha.json`, (script) => ({ ...script, else: { answer: 'Done.' } }));
  mkdirSync(join(rig.home, 'raw'));
  const machine = makeMachine(rig, 'east', rig.configured());
  const settings = { ...machine, ...openToAll };
  const way = await reachMachine(settings, rig.environment, 'odd-east');
  const east = machineBy(way, join(rig.home, 'sent'));
  onTestFinished(async () => void (await east.close()));
  const run = (number: number, signal: AbortSignal) =>
    east.run('alpha', { ...bareRun, request: requestIn(rig, number) }, signal);
  return { machine, run };
}

test('a run that is cancelled while its commit is sent does not spoil what is sent for the next one', async () => {
  const rig = await twoVendors();
  const { machine, run } = await reached(rig, 20_000_000);
  const cancelling = new AbortController();
  const cancelled = run(1, cancelling.signal).catch(() => null);
  await until('it is being sent', () => machine.kept('trees').length > 0);
  cancelling.abort();
  expect(await cancelled).toBe(null);
  expect(await run(2, neverAborted)).toMatchObject({ ok: true });
});

test('a lock that the git of an agent left behind is in the way of no other run', async () => {
  const rig = await twoVendors();
  const { machine, run } = await reached(rig, 1_000);
  expect(await run(1, neverAborted)).toMatchObject({ ok: true });
  const [own] = globSync(
    join(machine.home, 'data/conclave/worker/repositories/*/worktrees/*/index'),
  );
  writeFileSync(`${own}.lock`, '');
  expect(await run(2, neverAborted)).toMatchObject({ ok: true });
  expect(existsSync(`${own}.lock`)).toBe(false);
});

test.each<readonly [string, (rig: Rig) => Promise<unknown>, string]>([
  [
    'has a submodule',
    async (rig) => {
      await rig.git('init', '--quiet', 'inner');
      await rig.git('-C', 'inner', 'commit', '--quiet', '--allow-empty', '-m', 'Begin');
      await rig.git('add', 'inner');
    },
    'inner is a submodule, which does not travel',
  ],
  [
    'has a file of Git LFS',
    async (rig) => {
      rig.write('.gitattributes', '*.bin filter=lfs\n');
      rig.write('large.bin', 'x\n');
      await rig.git('add', '--all');
    },
    'large.bin is kept by Git LFS, which does not travel',
  ],
  [
    'is larger than most_mb',
    async (rig) => {
      writeFileSync(join(rig.repo, 'large.bin'), randomBytes(2_000_000));
      await rig.git('add', '--all');
    },
    'it has 3 MB to send, and most_mb allows 1',
  ],
])('a repository that %s is refused before anything is sent', async (_, change, why) => {
  const rig = await twoVendors();
  await change(rig);
  const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
  rig.config(rig.configured().replace('slots = 4', 'slots = 4\nmost_mb = 1'));
  const { stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(stdout).toContain(`east cannot run it: ${why}`);
  expect(east?.kept('repositories')).toEqual([]);
});

test('a machine does not run what its own configuration does not allow', async () => {
  const rig = await twoVendors();
  const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
  const file = `${east?.home}/config/conclave/config.toml`;
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('[agents.alpha]', '[agents.alpha]\nenabled = false'),
  );
  const { stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(stdout).toContain('on east, it is switched off');
  expect(placesOf(rig)).not.toContain('alpha on east');
});

test('two owners have one machine, and neither is in the way of the other', async () => {
  const [first, second] = await Promise.all([twoVendors(), twoVendors()]);
  const { east } = await withMachines(first, { east: ['alpha', 'beta'] });
  const table = first.configured().slice(first.configured().indexOf('[machines.east]'));
  second.config(`${second.configured()}\n${table}`);
  await second.conclave('machines', 'allow', 'east');
  const ends = await Promise.all(
    [first, second].map((rig) => rig.conclave('plan', '--auto-yes', todoTask)),
  );
  expect(ends.map(({ stderr }) => stderr)).toEqual(['', '']);
  expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  for (const rig of [first, second])
    expect(placesOf(rig)).toEqual(['alpha on east', 'beta on east']);
  await until('the machine is empty', () => east?.processes().length === 0);
  expect(east?.kept('trees')).toEqual([]);
});

test('Ctrl-C while commits are sent ends at once, and leaves nothing of them', async () => {
  const rig = await twoVendors();
  writeFileSync(join(rig.repo, 'large.bin'), randomBytes(3_000_000));
  await rig.git('add', '--all');
  const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
  through(rig, east, asWorker('deaf', east));
  await rig.conclave('machines', 'allow', 'east');
  const owner = rig.start('plan', '--auto-yes', todoTask);
  const end = ended(owner);
  await until('it sends', () => existsSync(`${east?.home}/heard`));
  owner.kill('SIGINT');
  expect((await end).code).toBe(130);
  await until('the machine is empty', () => east?.processes().length === 0);
  const left = readdirSync(join(rig.home, 'data/conclave/machines')).filter(
    (name) => !name.endsWith('.git'),
  );
  expect(left).toEqual([]);
});

test('a machine that asks for a password is lost after a while, with what it said', async () => {
  const rig = await twoVendors();
  const command = ['sh', '-c', 'echo "Password for build-1:" >&2; exec cat'];
  rig.config(
    `${rig.configured()}\n[machines.east]\ncommand = ${JSON.stringify(command)}\nagents = ["alpha"]\n`,
  );
  const { stdout } = await rig.conclave('machines');
  expect(stdout).toContain('east does not answer: it went silent: Password for build-1:');
});

const small = 'mkdir -p "$0" && mount -t tmpfs -o size=300k none "$0" && exec "$@"';
const hasMounts = spawnSync('unshare', ['-rm', 'sh', '-c', small, '/tmp', 'true']).status === 0;
if (!hasMounts)
  console.warn('no file system can be mounted, so that a full disk of a machine is not tested');

test.skipIf(!hasMounts)(
  'a machine whose disk is full says so, and the plan is made without it',
  async () => {
    const rig = await twoVendors();
    writeFileSync(join(rig.repo, 'large.bin'), randomBytes(3_000_000));
    await rig.git('add', '--all');
    const { east } = await withMachines(rig, { east: ['alpha', 'beta'] });
    through(rig, east, ['unshare', '-rm', 'sh', '-c', small, `${east?.home}/data`]);
    await rig.conclave('machines', 'allow', 'east');
    const { code, stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(stdout).toMatch(/east cannot run it: .*(?:no space|ENOSPC)/i);
    expect(code).toBe(0);
    await until('the machine is empty', () => east?.processes().length === 0);
  },
);

async function opened(url: string): Promise<Queue> {
  const queue = await openQueue({ url, key: 'shared key' });
  onTestFinished(() => queue.close());
  return queue;
}

const run = (digit: string) => ({
  id: `00000000-0000-4000-8000-00000000000${digit}`,
  list: 'alpha',
  group: 'alpha',
  most: 1,
  text: `run ${digit}`,
});

async function answered(queue: Queue, digit: string): Promise<string> {
  for (;;) {
    const answer = await queue.result(run(digit).id);
    if (answer !== null) return answer;
  }
}

describe.skipIf(!hasPostgres)('a queue', () => {
  test('takes no answer and no run that was signed for another one', async () => {
    const { url, say } = await startPostgres();
    const [owner, worker] = [await opened(url), await opened(url)];
    const ran: string[] = [];
    await worker.work({ lists: ['alpha'], slots: 1 }, async (text) => {
      ran.push(text);
      return `answer to ${text}`;
    });
    await owner.send(run('1'));
    expect(await answered(owner, '1')).toBe('answer to run 1');
    const [first, second] = [run('1').id, run('2').id];
    say(
      `INSERT INTO conclave.kept (id, data) SELECT 'answer-${second}', data FROM conclave.kept WHERE id = 'answer-${first}'`,
    );
    const why = 'signed with another key, or for another run';
    await expect(owner.result(run('2').id)).rejects.toThrow(why);
    say(`DELETE FROM conclave.kept;
      UPDATE conclave.job SET id = '${second}', state = 'created', retry_count = 0, completed_on = NULL WHERE id = '${first}'`);
    await expect(answered(owner, '2')).rejects.toThrow('the run was lost in the queue');
    expect(ran).toEqual(['run 1']);
  });

  test('runs nothing again that is answered, although its worker was lost after that', async () => {
    const { url, say } = await startPostgres();
    const [owner, worker] = [await opened(url), await opened(url)];
    const ran: string[] = [];
    await worker.work({ lists: ['alpha'], slots: 1 }, async (text) => {
      ran.push(text);
      return `answer ${ran.length}`;
    });
    await owner.send(run('1'));
    expect(await answered(owner, '1')).toBe('answer 1');
    const state = () => say(`SELECT state FROM conclave.job WHERE id = '${run('1').id}'`).trim();
    await until('the run is over', () => state() === 'completed');
    say("UPDATE conclave.job SET state = 'created', retry_count = 0, completed_on = NULL");
    await until('the run is over again', () => state() === 'completed');
    expect(ran).toEqual(['run 1']);
    expect(await answered(owner, '1')).toBe('answer 1');
  });

  test('with tables of a newer version is not used, and the reason is told', async () => {
    const { url, say } = await startPostgres();
    await opened(url);
    say('UPDATE conclave.version SET version = 9999');
    await expect(openQueue({ url, key: 'shared key' })).rejects.toThrow(
      'the queue has tables of a newer pg-boss: install that here, too',
    );
  });

  test('runs nothing that nobody signed', async () => {
    const { url, say } = await startPostgres();
    const [owner, worker] = [await opened(url), await opened(url)];
    const ran: string[] = [];
    await worker.work({ lists: ['alpha'], slots: 1 }, async (text) => {
      ran.push(text);
      return 'answer';
    });
    say(
      `INSERT INTO conclave.job (id, name, data) VALUES ('${run('1').id}', 'alpha', '{"text":"run 1"}')`,
    );
    await expect(answered(owner, '1')).rejects.toThrow('the run was lost in the queue');
    expect(ran).toEqual([]);
  });

  test.each([
    [1, 'does what is sent to it', true],
    [26, 'takes it for a copy of an old order, and says so', false],
  ])('whose worker has a clock %i hours off: it %s', async (hours, _, isDone) => {
    const { url } = await startPostgres();
    const rig = await twoVendors();
    const own = `${rig.configured()}\n[queue]\nurl_command = ["echo", "${url}"]\nkey_command = ["echo", "key"]\n`;
    const east = makeMachine(rig, 'east', own);
    rig.config(`${own}\n[machines.pool]\nagents = ["alpha", "beta"]\n`);
    await rig.conclave('machines', 'allow', 'pool');
    startWorker(east, [`NODE_OPTIONS=--import=${lateClock}`, `HOURS=${hours}`]);
    await workersAt(rig, 1);
    const { stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
    expect(placesOf(rig).includes('alpha on pool')).toBe(isDone);
    const why = 'it was sent more than a day ago, or the clock here is wrong';
    expect(stdout.includes(why)).toBe(!isDone);
  });

  test('that ends in the middle of a run is lost, and that is told', async () => {
    const database = await startPostgres();
    const [owner, worker] = [await opened(database.url), await opened(database.url)];
    const begun = Promise.withResolvers<void>();
    await worker.work({ lists: ['alpha'], slots: 1 }, async () => {
      begun.resolve();
      return await new Promise<string>(() => undefined);
    });
    await owner.send(run('1'));
    await begun.promise;
    await database.stop();
    await expect(answered(owner, '1')).rejects.toThrow('the queue cannot be used');
  });

  test('that may only be read is not used, and the reason is told', async () => {
    const { url, say } = await startPostgres();
    say('ALTER DATABASE postgres SET default_transaction_read_only = on');
    await expect(openQueue({ url, key: 'shared key' })).rejects.toThrow(
      /the queue cannot be used: .*read-only/,
    );
  });

  test('whose password is wrong is not used, and the password is not told', async () => {
    const { url, say, demandPasswords } = await startPostgres();
    say("ALTER USER conclave PASSWORD 'the-right-one'");
    demandPasswords();
    const error = await openQueue({ url, key: 'shared key' }).catch(String);
    expect(error).toContain('password authentication failed');
    expect(error).not.toContain('not-secret-1');
  });
});
