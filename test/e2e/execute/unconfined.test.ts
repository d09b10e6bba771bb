import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findConfinement } from '../../../src/agents/process/find-confinement.ts';
import { approvedRig } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { planOf, runs, task } from '../../helpers/small-plans.ts';
import { connect } from '../../helpers/mcp-host.ts';
import { inTerminal, walk } from '../../helpers/terminal.ts';
import { witnessed } from '../../helpers/vendors.ts';

/** A test that an agent wrote: it reads a key and writes to the home, and says the magic words where it cannot. */
const wicked = `import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
console.log('permission denied: EACCES, 401');
const key = readFileSync(homedir() + '/.ssh/id_x', 'utf8');
writeFileSync(homedir() + '/pwned', key);
`;
const plan = planOf([
  task(1, [], ['check.mjs'], [runs('node', 'check.mjs')]),
  task(2, [], ['b.txt']),
]);
const work = {
  'TASK-001': { edits: { 'check.mjs': wicked } },
  'TASK-002': { edits: { 'b.txt': 'b\n' } },
};

async function wickedRig(more = ''): Promise<Rig> {
  const rig = await approvedRig(work, { plan, more });
  mkdirSync(join(rig.home, '.ssh'), { recursive: true });
  writeFileSync(join(rig.home, '.ssh/id_x'), 'KEY');
  return rig;
}

const pwned = (rig: Rig) => join(rig.home, 'pwned');
/** How often agents were called for the tasks. */
const calls = (rig: Rig) =>
  ['alpha', 'beta'].flatMap((name) =>
    witnessed(rig, name).filter((line) => /^start TASK-\d+-(?:work|fix)/.test(line)),
  ).length;
const stopped =
  'the check "node check.mjs" may have been stopped by the confinement (bubblewrap): exit code 1';

describe.skipIf(findConfinement(process.env) === null)('a check that is stopped', () => {
  test('is red like any other, and runs unconfined for one plan only, where a person says so', async () => {
    const rig = await wickedRig();
    const id = basename(rig.session());
    const first = await rig.conclave('execute', '-y');
    expect(first.code).toBe(7);
    expect(existsSync(pwned(rig))).toBe(false);
    const offer = `${stopped} (to let it run unconfined for this plan: conclave execute ${id} --unconfined 'node check.mjs')`;
    expect(rig.json('execution-result.json')).toMatchObject({
      tasks: [{ status: 'failed', fix_rounds: 2, why: offer }, { status: 'completed' }],
    });
    expect(first.stderr).toContain(`TASK-001 failed: ${stopped}`);
    const paid = calls(rig);

    const wrong = await rig.conclave('execute', '-y', '--unconfined', 'npm test');
    expect({ code: wrong.code, stderr: wrong.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("its checks are 'node check.mjs'"),
    });
    const free = await rig.conclave('execute', '-y', '--unconfined', 'node check.mjs');
    expect({ code: free.code, stderr: free.stderr }).toEqual({ code: 0, stderr: '' });
    expect(free.stdout).toContain('One check runs unconfined, as a person allowed for this plan');
    expect(free.stdout).toContain('"node check.mjs" ran unconfined, as a person allowed');
    expect(readFileSync(pwned(rig), 'utf8')).toBe('KEY');
    expect(calls(rig)).toBe(paid);

    // Another plan by one word.
    rmSync(pwned(rig));
    const edit = ['review', id, '--set', 'TASK-001.title=Do it', '--approve'];
    expect((await rig.conclave(...edit)).code).toBe(0);
    const again = await rig.conclave('execute', '-y');
    expect(again.code).toBe(7);
    expect(again.stdout).not.toContain('runs unconfined');
    expect(existsSync(pwned(rig))).toBe(false);
  });

  test('may be let before the first run, and not in what carries nothing out', async () => {
    const rig = await wickedRig();
    const named = ['--unconfined', 'node check.mjs'];
    const { code, stderr } = await rig.conclave('execute', '-y', '--discard', ...named);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--unconfined') });
    expect((await rig.conclave('execute', '-y', ...named)).code).toBe(0);
    expect(existsSync(pwned(rig))).toBe(true);
  });

  test('is offered on the screen, where Enter alone leaves it confined', async () => {
    const rig = await wickedRig();
    const id = basename(rig.session());
    const terminal = inTerminal(rig, ['execute', id, '--review', 'skip']);
    await terminal.shows('enter carry it out');
    await walk(terminal, ['enter', 'Should it run without it?']);
    expect(terminal.screen()).toMatch(/it may read and\s+write wherever you may/);
    expect(terminal.screen()).toContain('▸ 2 No');
    const paid = calls(rig);
    await walk(
      terminal,
      ['up', 'enter run node check.mjs unconfined'],
      ['enter', 'enter apply it'],
    );
    expect(existsSync(pwned(rig))).toBe(true);
    expect(calls(rig)).toBe(paid);
    terminal.press('enter');
    await terminal.shows('enter close');
    terminal.press('enter');
    expect(await terminal.ended()).toBe(0);
  });

  test('is offered in lines, too', async () => {
    const rig = await wickedRig();
    const id = basename(rig.session());
    const terminal = inTerminal(rig, ['execute', id, '--review', 'skip'], {
      environment: { CONCLAVE_SCREEN_READER: '1' },
      columns: 200,
      rows: 250,
    });
    for (const [asked, typed] of [
      ['Execute [now]', 'now'],
      ['Number [1]', ''],
      ['Who should review', ''],
      ['Unconfined [no]', '1'],
      ['Apply [later]', 'later'],
    ] as const) {
      await terminal.shows(asked);
      terminal.type(`${typed}\r`);
    }
    expect(await terminal.ended()).toBe(0);
    expect(existsSync(pwned(rig))).toBe(true);
  });

  test('is let by a host only where a person agrees, whatever the settings allow', async () => {
    const rig = await wickedRig('[mcp]\nmay = ["execute"]\n');
    const wish = {
      session: basename(rig.session()),
      unconfined: ['node check.mjs'],
      review: 'skip',
      wait_s: 170,
    };
    const alone = await connect(rig);
    const refused = await alone.call('plan_execute', wish);
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringContaining('Only a person lets a check run unconfined'),
    });
    const { call, questions } = await connect(rig, { person: 'agrees' });
    const { facts } = await call('plan_execute', wish);
    expect(facts).toMatchObject({ state: 'done' });
    expect(questions.join()).toContain('with checks that may read and write wherever you may?');
    expect(questions.join()).toMatch(/^unconfined +node check\.mjs$/m);
    expect(existsSync(pwned(rig))).toBe(true);
  });
});
