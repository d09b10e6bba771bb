import { rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { planAnswer } from '../faults/three-rounds.ts';
import { type Rig, ended } from '../helpers/rig.ts';
import { leavingFlags, todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { configureVendors, listSolution, stances, witnessed } from '../helpers/vendors.ts';

const proposing = { answer: { solutions: [listSolution()], questions: [] } };
const agreeing = { answer: stances({ A: 'support', B: 'unsure' }) };

/** The planner’s plan with the first task under another title, as the answer to a comment. */
const [first, ...others] = planAnswer.tasks;
const revised = {
  ...planAnswer,
  tasks: [{ ...first, title: 'Print the todos as one JSON array' }, ...others],
};

type Planning = Readonly<Record<string, unknown>>;

function setUp(rig: Rig, plan: Planning): void {
  const vendor = { propose: proposing, examine: agreeing, plan };
  configureVendors(rig, { alpha: vendor, beta: vendor });
}

async function planned(plan: Planning = { answer: planAnswer }) {
  const rig = await todoRig();
  setUp(rig, plan);
  const { code, stdout } = await rig.conclave('plan', ...leavingFlags, todoTask);
  return { rig, code, stdout, id: basename(rig.session()) };
}

function planFiles(rig: Rig): Readonly<Record<string, string>> {
  const all = rig.contents(rig.session().slice(rig.repo.length + 1));
  return Object.fromEntries(
    Object.entries(all).filter(([path]) => /^(plan\.|\.task\/|approval|execution-)/.test(path)),
  );
}

describe('conclave review', () => {
  test('takes a plan from a wrong edit over a right one and a comment to its approval', async () => {
    const { rig, code, stdout, id } = await planned();
    expect(code).toBe(0);
    expect(stdout).toContain(`conclave review ${id} --approve`);

    const before = planFiles(rig);
    const wrong = await rig.conclave('review', '--set', 'TASK-001.priority=urgent');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/TASK-001 priority: .*"high".*"urgent"/);
    expect(planFiles(rig)).toEqual(before);

    const right = await rig.conclave('review', '--set', 'TASK-001.priority=high');
    expect(right).toMatchObject({ code: 0, stderr: '' });
    expect(rig.json('.task/TASK-001.json')).toMatchObject({ priority: 'high' });
    const shown = await rig.conclave('review');
    expect(shown.stdout).toContain('TASK-001 priority: added "high"');
    expect(shown.stdout).toContain('not approved yet');

    setUp(rig, { answer: revised });
    const comment = 'TASK-001: say that it is one array';
    const sent = await rig.conclave('review', id, '--comment', comment);
    expect(sent).toMatchObject({ code: 0, stderr: '' });
    expect(sent.stdout).toContain('Print the todos as one JSON array');
    expect(sent.stdout).toMatch(/takes back what you had changed: TASK-001 priority/);
    const asked = rig.contents(join(rig.session().slice(rig.repo.length + 1), 'planning'));
    expect(asked['1/revision-2/alpha/prompt.md']).toContain(comment);
    expect(asked['1/revision-2/alpha/prompt.md']).toContain('TASK-001 priority: added "high"');
    expect(asked['1/version-1/.task/TASK-001.json']).toContain('"priority": "high"');

    const facts = JSON.parse((await rig.conclave('review', '--json')).stdout);
    expect(facts).toMatchObject({ session: id, version: 2, approval: 'none' });
    expect(facts.changes).toContainEqual(
      expect.objectContaining({ task: 'TASK-001', field: 'title', change: 'changed' }),
    );

    const approved = await rig.conclave('review', id, '--approve');
    expect(approved).toMatchObject({ code: 0, stderr: '' });
    expect((await rig.conclave('validate')).stdout).toContain('as it should be');
    expect(rig.json('execution-context.json')).toMatchObject({
      planObject: { task_ids: ['TASK-001', 'TASK-003', 'TASK-002'] },
    });
    expect(witnessed(rig, 'alpha').filter((line) => line.startsWith('start plan'))).toHaveLength(2);
  });

  test('asks for a new approval after any later change, and hands the new plan over', async () => {
    const { rig, id } = await planned();
    await rig.conclave('review', '--approve');
    const approval = rig.json('approval.json');
    const plan = join(rig.session(), 'plan.json');
    const text = rig.read(plan.slice(rig.repo.length + 1));
    writeFileSync(plan, text.replace('"summary": "', '"summary": "By hand: '));
    expect((await rig.conclave('validate')).stdout).toContain('approval-stale');
    expect((await rig.conclave('review')).stdout).toContain('Approval: stale');
    expect((await rig.conclave('review', '--approve')).code).toBe(0);
    expect(rig.json('approval.json')).not.toEqual(approval);
    expect(JSON.stringify(rig.json('execution-context.json'))).toContain('By hand: ');
    expect((await rig.conclave('validate')).stdout).toContain('as it should be');
    const done = await rig.conclave('resume', id, '--auto-yes');
    expect(done).toMatchObject({ code: 0, stderr: '' });
  });

  test('edits and approves in one call, or does neither', async () => {
    const { rig } = await planned();
    const before = planFiles(rig);
    const both = ['--set', 'plan.summary=Short', '--set', 'TASK-009.title=x', '--approve'];
    const refused = await rig.conclave('review', ...both);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.stderr).toContain('There is no task "TASK-009"');
    expect(planFiles(rig)).toEqual(before);
    const done = await rig.conclave('review', '--set', 'plan.summary=Short', '--approve', '--json');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    const types = done.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type);
    expect(types).toEqual(expect.arrayContaining(['plan.edited', 'plan.approved']));
    expect(rig.json('execution-context.json')).toMatchObject({ planObject: { summary: 'Short' } });
  });

  test('takes an approval back and records why', async () => {
    const { rig, id } = await planned();
    await rig.conclave('review', '--approve');
    const rejected = await rig.conclave('review', '--reject', '--comment', 'too large');
    expect(rejected).toMatchObject({ code: 0, stderr: '' });
    expect(rejected.stdout).toContain('rejected: too large');
    expect(Object.keys(planFiles(rig))).not.toContain('approval.json');
    expect(Object.keys(planFiles(rig))).not.toContain('execution-context.json');
    expect((await rig.conclave('sessions', 'show', id)).stdout).toContain('waiting');
    expect((await rig.conclave('review', '--approve')).code).toBe(0);
  });

  test('keeps a plan that is blocked unapproved and ends with 6', async () => {
    const { rig } = await planned();
    const set = await rig.conclave('review', '--set', 'TASK-001.files.0.path=src/absent.js');
    expect(set).toMatchObject({ code: 6 });
    expect(set.stderr).toContain('src/absent.js');
    expect((await rig.conclave('review')).code).toBe(6);
    expect((await rig.conclave('review', '--approve')).code).toBe(6);
    expect(Object.keys(planFiles(rig))).not.toContain('approval.json');
  });

  test('says that nobody can revise where no planning agent is ready, and changes nothing', async () => {
    const rig = await todoRig();
    rig.config('[workflow]\nfallback_chain = []\n');
    await rig.conclave('plan', '--auto-yes', '--tools', 'local', todoTask);
    const before = planFiles(rig);
    const refused = await rig.conclave('review', '--comment', 'smaller');
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toMatch(/No planning agent can revise .* --set TASK\.field=value/);
    expect(planFiles(rig)).toEqual(before);
    expect((await rig.conclave('review')).stdout).toContain('approved as it stands');
  });

  test('leaves the plan as it is where the planner fails, and says so with 3', async () => {
    const { rig, id } = await planned();
    const before = planFiles(rig);
    setUp(rig, { exit: 1, stderr: 'the model is gone' });
    const sent = await rig.conclave('review', '--comment', 'smaller');
    expect(sent).toMatchObject({ code: 3 });
    expect(sent.stderr).toContain(`No planning agent can revise the plan of ${id}`);
    expect(planFiles(rig)).toEqual(before);
    setUp(rig, { answer: revised });
    expect((await rig.conclave('review', '--comment', 'smaller')).code).toBe(0);
    expect((await rig.conclave('review')).stdout).toContain('version 2');
  });

  test('finishes a revision that was killed before it does anything else', async () => {
    const { rig } = await planned();
    setUp(rig, { answer: revised, delay_ms: 600_000 });
    const child = rig.start('review', '--comment', 'TASK-001: one array');
    const end = ended(child);
    child.stdout?.on('data', (text: Buffer) => {
      if (text.toString().includes('asked')) child.kill('SIGKILL');
    });
    await end;
    const stopped = await rig.conclave('review');
    expect(stopped.stdout).toContain('A new version was being made');
    setUp(rig, { answer: revised });
    const done = await rig.conclave('review', '--approve');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('nothing else was done');
    expect(Object.keys(planFiles(rig))).not.toContain('approval.json');
    expect((await rig.conclave('review')).stdout).toContain('version 2');
    expect((await rig.conclave('review', '--approve')).code).toBe(0);
  });

  test('refuses what cannot be in one sentence', async () => {
    const { rig } = await planned();
    const before = planFiles(rig);
    const wrong = [
      [['--approve', '--reject'], '--approve and --reject exclude each other'],
      [['--approve', '--comment', 'x'], 'nobody has seen yet'],
      [['--set', 'title=x'], '--set takes TASK.field=value'],
      [['--comment', ' '], '--comment takes some text'],
      [['--comment', 'TASK-077: x'], 'TASK-077, which is no task of this plan'],
      [['--set', 'TASK-001.titel=x'], 'TASK-001 has no field "titel"; there is title'],
      [['--set', 'TASK-001.depends_on.0=TASK-077'], 'which is no task of this plan'],
      [['MCP-none'], 'There is no session "MCP-none"'],
    ] as const;
    for (const [flags, why] of wrong) {
      const { code, stdout, stderr } = await rig.conclave('review', ...flags);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(why);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(planFiles(rig)).toEqual(before);
  });

  test('says so where there is no plan yet', async () => {
    const rig = await todoRig();
    const none = await rig.conclave('review');
    expect(none).toMatchObject({ code: 2, stdout: '' });
    expect(none.stderr).toContain('There is no session with a plan here');
    setUp(rig, { answer: planAnswer });
    await rig.conclave('plan', ...leavingFlags.with(1, '99'), todoTask);
    const early = await rig.conclave('review', basename(rig.session()));
    expect(early).toMatchObject({ code: 2, stdout: '' });
    expect(early.stderr).toContain('has no plan yet');
  });

  test('names what makes the files unreadable, and reads a plan again once it is mended', async () => {
    const { rig } = await planned();
    const file = join(rig.session(), '.task/TASK-001.json');
    const text = rig.read(file.slice(rig.repo.length + 1));
    writeFileSync(file, text.replace('"title"', 'title'));
    const broken = await rig.conclave('review');
    expect(broken).toMatchObject({ code: 6 });
    expect(broken.stdout).toMatch(/TASK-001\.json is no JSON: line \d+, column \d+/);
    expect((await rig.conclave('review', '--approve')).code).toBe(6);
    writeFileSync(file, text);
    expect((await rig.conclave('review', '--approve')).code).toBe(0);
    rmSync(file);
    expect((await rig.conclave('review')).code).toBe(6);
  });
});
