import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  approvedRig,
  checkedEdits,
  checkedPlan,
  checkedReview,
  executedRig,
  workBy,
} from '../helpers/executed-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { planOf, task } from '../helpers/small-plans.ts';

const projectRoot = new URL('../..', import.meta.url).pathname;

/** An executed session in a repository with a real bare remote, and a scripted gh on the PATH. */
async function executedWith(state = 'ready'): Promise<Rig> {
  return withRemote(await executedRig(checkedEdits, { plan: checkedPlan }), state);
}

async function withRemote(rig: Rig, state = 'ready'): Promise<Rig> {
  const [bin, remote] = [join(rig.home, 'bin'), join(rig.home, 'remote.git')];
  mkdirSync(bin);
  copyFileSync(join(projectRoot, 'test/fixtures/gh.mjs'), join(bin, 'gh'));
  chmodSync(join(bin, 'gh'), 0o755);
  Object.assign(rig.environment, {
    PATH: `${bin}:${rig.environment['PATH'] ?? ''}`,
    GH_CALLS: join(rig.home, 'gh-calls'),
    GH_STATE: state,
  });
  execFileSync('git', ['init', '--quiet', '--bare', remote]);
  await rig.git('remote', 'add', 'origin', remote);
  await rig.git('push', '--quiet', 'origin', 'HEAD');
  return rig;
}

const callsOf = (rig: Rig): readonly (readonly string[])[] => {
  const file = join(rig.home, 'gh-calls');
  const text = existsSync(file) ? readFileSync(file, 'utf8').trim() : '';
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line));
};
const branchesOf = (rig: Rig) => rig.git('ls-remote', '--heads', 'origin');

test('conclave pr pushes the branch and opens a pull request with plan, checks, review and report', async () => {
  const rig = await withRemote(await approvedRig({}, { plan: checkedPlan }));
  const reviewed = { ...checkedEdits, 'code-review': { answer: checkedReview } };
  workBy(rig, reviewed, { plan: checkedPlan });
  expect((await rig.conclave('execute', '-y', '--review', 'agent')).code).toBe(0);
  const branch = `conclave/${basename(rig.session())}`;
  const dry = await rig.conclave('pr', '--dry-run');
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing was pushed') });
  expect({ calls: callsOf(rig), heads: await branchesOf(rig) }).toEqual({
    calls: [],
    heads: expect.not.stringContaining('conclave/'),
  });
  const { code, stdout } = await rig.conclave('pr');
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining('https://example.invalid/pull/7'),
  });
  expect(await branchesOf(rig)).toContain(`refs/heads/${branch}`);
  const base = (await rig.git('symbolic-ref', '--short', 'HEAD')).trim();
  expect(callsOf(rig).at(-1)).toEqual([
    'pr',
    'create',
    '--head',
    branch,
    '--base',
    base,
    '--title',
    'Add a --json flag to the list command so that `listTodos` prints JSON',
    '--body-file',
    join(rig.session(), 'pull-request.md'),
  ]);
  const body = readFileSync(join(rig.session(), 'pull-request.md'), 'utf8');
  expect(body).toContain('## Tasks: 3 of 3 tasks completed, reviewed by beta');
  expect(body).not.toContain('## Before it is merged');
  expect(body).not.toContain(basename(rig.session()));
  expect(body).toMatch(/\*\*completed\*\*, TASK-003: .* · 1 check passed/);
  expect(existsSync(join(rig.session(), 'report.html'))).toBe(true);
});

test('what nobody reviewed is a draft that says so; --ready makes it ready, and the text still says it', async () => {
  const rig = await executedWith();
  const body = () => readFileSync(join(rig.session(), 'pull-request.md'), 'utf8');
  const first = await rig.conclave('pr');
  expect(first.stdout).toContain('It is a draft: it was reviewed by nobody. To make it ready:');
  expect(callsOf(rig).at(-1)).toContain('--draft');
  expect(body()).toContain('## Before it is merged\n\n- it was reviewed by nobody\n');

  expect((await rig.conclave('pr', '--ready')).stdout).toContain('https://example.invalid/pull/7');
  expect(callsOf(rig).at(-1)).not.toContain('--draft');
  expect(body()).toContain('- it was reviewed by nobody');

  rig.environment['GH_STATE'] = 'draft';
  expect((await rig.conclave('pr', '--ready')).stdout).toContain('https://example.invalid/pull/3');
  const branch = `conclave/${basename(rig.session())}`;
  expect(
    callsOf(rig)
      .slice(-3)
      .map((words) => words.slice(0, 3)),
  ).toEqual([
    ['pr', 'view', branch],
    ['pr', 'edit', branch],
    ['pr', 'ready', branch],
  ]);
});

test('a review that was asked for and that nobody made is said in the pull request', async () => {
  const rig = await withRemote(await approvedRig({}, { plan: checkedPlan }));
  const failing = { exit: 1, stderr: 'no model server' };
  workBy(rig, { ...checkedEdits, 'code-review': failing }, { plan: checkedPlan });
  expect((await rig.conclave('execute', '-y', '--review', 'agent')).code).toBe(7);
  const { stdout } = await rig.conclave('pr', '--dry-run');
  expect(stdout).toContain('- no agent gave a usable review\n- it was reviewed by nobody');
  expect(stdout).toContain('--draft');
});

test('files that no task names, in it or not, and a conflict that an agent resolved are told', async () => {
  const rig = await withRemote(
    await executedRig(
      {
        'TASK-001': { edits: { 'a.txt': 'x\n', 'shared.txt': 'one\n', '.npmrc': 'a=1\n' } },
        'TASK-002-work': { edits: { 'b.txt': 'x\n', 'shared.txt': 'two\n' } },
        'TASK-002-conflict': { edits: { 'shared.txt': 'one and two\n' } },
      },
      { plan: planOf([task(1, [], ['a.txt']), task(2, [], ['b.txt'])]) },
    ),
  );
  const { stdout } = await rig.conclave('pr', '--dry-run');
  expect(stdout).toContain(`## What else to know

- TASK-001 also changed shared.txt, which it does not name
- what TASK-001 changed in .npmrc is not part of this, as nobody has accepted it
- TASK-002 also changed shared.txt, which it does not name
- TASK-002 conflicted in shared.txt; an agent resolved it`);
});

test(
  'without a gh that is logged in, the branch is pushed and the rest is told to type',
  short,
  async () => {
    const rig = await executedWith('logged-out');
    const { code, stdout } = await rig.conclave('pr');
    expect(code).toBe(0);
    expect(stdout).toContain('gh is not logged in (You are not logged into any GitHub hosts.');
    expect(stdout).toContain('gh pr create --head conclave/');
    expect(await branchesOf(rig)).toContain('refs/heads/conclave/');
  },
);

test('a refusal of gh or of the remote is told, with 7', async () => {
  const rig = await executedWith('refuses');
  const refused = await rig.conclave('pr');
  expect(refused).toMatchObject({ code: 7, stderr: expect.stringContaining('already exists') });
  await rig.git('remote', 'set-url', 'origin', join(rig.home, 'nowhere.git'));
  const unpushed = await rig.conclave('pr');
  expect(unpushed).toMatchObject({ code: 7, stderr: expect.stringContaining('nowhere.git') });
});

test('it is pushed to the remote that git pushes to', short, async () => {
  const rig = await executedWith();
  await rig.git('remote', 'add', 'fork', join(rig.home, 'fork.git'));
  await rig.git('config', 'remote.pushDefault', 'fork');
  const { stdout } = await rig.conclave('pr', '--dry-run');
  expect(stdout).toContain('git push fork refs/heads/conclave/');
});

test('what is not proven makes it a draft, and says why, until it is accepted, and why; without a result there is nothing to publish', async () => {
  const rig = await withRemote(await approvedRig(checkedEdits, { plan: checkedPlan }));
  expect(await rig.conclave('pr')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No session here has a result to publish'),
  });
  const [first] = checkedPlan.tasks;
  const unproven = {
    ...checkedPlan,
    tasks: checkedPlan.tasks.map((one) => (one === first ? { ...one, checks: [] } : one)),
  };
  const other = await approvedRig(checkedEdits, { plan: unproven });
  Object.assign(other.environment, {
    PATH: rig.environment['PATH'],
    GH_CALLS: rig.environment['GH_CALLS'],
    GH_STATE: '',
  });
  await other.git('remote', 'add', 'origin', join(rig.home, 'remote.git'));
  await other.conclave('execute', '-y');
  const { stdout } = await other.conclave('pr', '--dry-run');
  expect(stdout).toMatch(/## Before it is merged[^]*- TASK-001 is unproven/);
  expect(stdout).toContain('--draft');

  const accepting = ['--accept', 'TASK-001', '--because', 'I ran it by hand'];
  expect((await other.conclave('execute', '-y', ...accepting)).code).toBe(0);
  const accepted = (await other.conclave('pr', '--dry-run')).stdout;
  expect(accepted).toMatch(/\*\*unproven\*\*, TASK-001: [^]*accepted: I ran it by hand/);
  expect(accepted).not.toContain('- TASK-001 is unproven');
});
