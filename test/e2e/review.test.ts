import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { planAnswer } from '../faults/three-rounds.ts';
import { planFiles, planWith, plannedRig, revisedPlan } from '../helpers/planned-rig.ts';
import { type Rig, ended, printed } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { leavingFlags, todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';
import { witnessed } from '../helpers/vendors.ts';

async function planned() {
  const rig = await plannedRig();
  return { rig, id: basename(rig.session()) };
}

/** Leaves of the journal what a kill right after this step leaves. */
function cutAfter(rig: Rig, key: string): void {
  const journal = join(rig.session(), 'journal.jsonl');
  const lines = readFileSync(journal, 'utf8').split('\n');
  const at = lines.findLastIndex((line) => line.includes('"finished"') && line.includes(key));
  writeFileSync(journal, [...lines.slice(0, at + 1), ''].join('\n'));
  const owner = { pid: 2 ** 22 + 1, host: hostname(), since: new Date().toISOString() };
  writeFileSync(join(rig.session(), 'owner.json'), JSON.stringify(owner));
}

describe('conclave review', () => {
  test('takes a plan from a wrong edit over a right one and a comment to its approval', async () => {
    const rig = await todoRig();
    planWith(rig, { answer: planAnswer });
    const { code, stdout } = await rig.conclave('plan', ...leavingFlags, todoTask);
    expect(code).toBe(0);
    const id = basename(rig.session());
    expect(stdout).toContain(`conclave review ${id} --approve`);

    const before = planFiles(rig);
    const wrong = await rig.conclave('review', '--set', 'TASK-001.priority=urgent');
    expect(wrong).toMatchObject({ code: 2, stdout: '' });
    expect(wrong.stderr).toMatch(/TASK-001 priority: .*"high".*"urgent"/);
    expect(planFiles(rig)).toEqual(before);

    const right = await rig.conclave('review', '--set', 'TASK-001.priority=high');
    expect(right).toMatchObject({ code: 0, stderr: '' });
    expect(rig.json('.task/TASK-001.json')).toMatchObject({ priority: 'high' });
    const again = await rig.conclave('review', '--set', 'TASK-001.priority=high');
    expect(again).toEqual({
      code: 0,
      stdout: '',
      stderr: 'conclave: TASK-001 priority already has this value, so nothing changed there.\n',
    });
    const shown = await rig.conclave('review');
    expect(shown.stdout).toContain('TASK-001 priority: added "high"');
    expect(shown.stdout).toContain('not approved yet');

    planWith(rig, { answer: revisedPlan });
    const comment = 'TASK-001: say that it is one array';
    const sent = await rig.conclave('review', id, '--comment', comment);
    expect(sent).toMatchObject({ code: 0, stderr: '' });
    expect(sent.stdout).toContain('Print the todos as one JSON array');
    expect(sent.stdout).toContain('TASK-001 priority: removed "high"');
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
    expect((await rig.conclave('validate')).stdout).toContain('No problem found');
    expect(rig.json('execution-context.json')).toMatchObject({
      planObject: { task_ids: ['TASK-001', 'TASK-003', 'TASK-002'] },
    });
    expect(witnessed(rig, 'alpha').filter((line) => line.startsWith('start plan-1'))).toHaveLength(
      2,
    );
  });

  test('is blocked by what validate blocks, and keeps the plan unapproved', async () => {
    const { rig } = await planned();
    const absent = ['--set', 'TASK-001.files.1.path=src/absent.js'];
    const edited = await rig.conclave('review', ...absent, '--approve');
    expect(edited).toMatchObject({ code: 6, stderr: expect.stringContaining('src/absent.js') });
    const review = await rig.conclave('review', '--json');
    const validate = await rig.conclave('validate', '--json');
    expect([review.code, validate.code]).toEqual([6, 6]);
    const found = JSON.parse(validate.stdout).findings;
    expect(found).toEqual(expect.arrayContaining(JSON.parse(review.stdout).findings));
    expect(Object.keys(planFiles(rig))).not.toContain('approval.json');
  });

  test('asks for a new approval after any later change, resume too, and hands the new plan over', async () => {
    const { rig, id } = await planned();
    await rig.conclave('review', '--approve');
    const approval = rig.json('approval.json');
    const plan = join(rig.session(), 'plan.json');
    const text = readFileSync(plan, 'utf8');
    writeFileSync(plan, text.replace('"summary": "', '"summary": "By hand: '));
    const stale = await rig.conclave('resume', id);
    expect(stale).toMatchObject({ code: 6, stdout: '' });
    expect(stale.stderr).toContain('is not the one that was approved; look at it with: conclave');
    expect((await rig.conclave('validate')).stdout).toContain('approval-stale');
    expect((await rig.conclave('review')).stdout).toContain(
      'Approval: changed since it was approved',
    );
    expect((await rig.conclave('review', '--approve')).code).toBe(0);
    expect(rig.json('approval.json')).not.toEqual(approval);
    expect(JSON.stringify(rig.json('execution-context.json'))).toContain('By hand: ');
    const done = await rig.conclave('resume', id, '--auto-yes');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('The plan is approved.');
  });

  test('says that the approval is stale after an edit; edits that come at once wait for each other', async () => {
    const { rig, id } = await planned();
    await rig.conclave('review', id, '--approve');
    const fields = ['title', 'scope', 'description'];
    const edits = await Promise.all(
      fields.map((field) => rig.conclave('review', id, '--set', `TASK-001.${field}=New ${field}`)),
    );
    expect(edits.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      fields.map(() => ({ code: 0, stderr: '' })),
    );
    expect(edits.map(({ stdout }) => stdout).join('')).toContain(
      `the change made its approval stale; approve it again with: conclave review ${id} --approve`,
    );
    for (const field of fields)
      expect(rig.json('.task/TASK-001.json')).toMatchObject({ [field]: `New ${field}` });
  });

  test('approves by its hash only the plan that it showed, and says so where that has changed', async () => {
    const { rig, id } = await planned();
    const shown = (await rig.conclave('review', id)).stdout;
    const [, hash = ''] = /--approve ([0-9a-f]{12})$/m.exec(shown) ?? [];
    const task = rig.json('.task/TASK-001.json');
    const path = `.workflow/.multi-cli-plan/${id}/.task/TASK-001.json`;
    rig.write(path, JSON.stringify({ ...z.looseObject({}).parse(task), title: 'Another' }));
    const says = `The plan of ${id} is not the one that was shown, so it is not approved; look at it with: conclave review ${id}`;
    const refused = await rig.conclave('review', id, '--approve', hash);
    expect(refused).toMatchObject({ code: 6, stderr: `conclave: ${says}\n` });
    expect((await rig.conclave('review', '--approve', 'x', id)).code).toBe(2);
    rig.write(path, JSON.stringify(task));
    expect(await rig.conclave('review', id, '--approve', hash)).toMatchObject({ code: 0 });
    expect(rig.json('approval.json')).toMatchObject({
      plan_hash: expect.stringMatching(new RegExp(`^${hash}`)),
    });
  });

  test('counts the entries of a list from 1, as they are shown', async () => {
    const { rig } = await planned();
    const set = (text: string) => rig.conclave('review', '--set', text);
    const none = await set('TASK-001.files.0.path=src/cli.js');
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('counted from 1') });
    expect((await set('TASK-001.convergence.criteria.1=It prints JSON')).code).toBe(0);
    expect(rig.json('.task/TASK-001.json')).toMatchObject({
      convergence: { criteria: expect.arrayContaining(['It prints JSON']) },
    });
    expect((await rig.conclave('review')).stdout).toContain('TASK-001 convergence.criteria.1: ');
  });

  test('edits and approves in one call, or does neither', short, async () => {
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

  test('takes an approval back, and tells of it with the reason until the plan is approved', async () => {
    const { rig, id } = await planned();
    await rig.conclave('review', '--approve');
    const reject = ['--reject', '--comment', 'too large'];
    const { code, stdout, stderr } = await rig.conclave('review', ...reject);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('rejected: too large');
    expect(Object.keys(planFiles(rig))).not.toContain('approval.json');
    expect(Object.keys(planFiles(rig))).not.toContain('execution-context.json');
    await rig.conclave('review', '--set', 'TASK-001.priority=high');
    const rejected = { why: 'too large', by: 'flags' };
    expect(rig.json('session-state.json')).toMatchObject({ plan_rejected: rejected });
    const shown = await rig.conclave('sessions', 'show', id);
    expect(shown.stdout).toMatch(
      /State     rejected[^]*Plan      rejected: too large \(by your flags\)/,
    );
    expect((await rig.conclave('review')).stdout).toContain('Approval: rejected: too large');
    expect((await rig.conclave('review', '--approve')).code).toBe(0);
    expect((await rig.conclave('review')).stdout).toContain('Approval: approved');
    expect(rig.json('session-state.json')).toMatchObject({ plan_rejected: null });
  });

  test('leaves the plan as it is where the planner fails, and says so with 3', async () => {
    const { rig, id } = await planned();
    const before = planFiles(rig);
    planWith(rig, { exit: 1, stderr: 'the model is gone' });
    const sent = await rig.conclave('review', '--comment', 'smaller');
    expect(sent).toMatchObject({ code: 3 });
    expect(sent.stderr).toContain(`No planning agent can revise the plan of ${id}`);
    expect(planFiles(rig)).toEqual(before);
  });

  test('sends a comment on a line with its words, keeps it, and says what came of it', async () => {
    const { rig, id } = await planned();
    const sent = await rig.conclave(
      'review',
      '--comment',
      'TASK-001=say that it is one array',
      '--comment',
      'TASK-001.nowhere=x stays as it is',
    );
    expect(sent.code).toBe(0);
    const [line, whole] = z.array(z.looseObject({})).parse(rig.json('comments.json'));
    const text = 'say that it is one array';
    expect(line).toMatchObject({ anchor: 'TASK-001', task: 'TASK-001', text, version: 1, sent: 2 });
    expect(whole).toMatchObject({ task: null, text: 'TASK-001.nowhere=x stays as it is', sent: 2 });
    expect(whole).not.toHaveProperty('anchor');
    const prompts = JSON.stringify(rig.contents('.workflow'));
    expect(prompts).toMatch(/TASK-001, on the line “[^”]+”: say that it is one array/);
    const { stdout } = await rig.conclave('review', id);
    expect(stdout).toMatch(/C1 on “[^”]+”: say that it is one array \(sent for version 2; /);
  });

  test(
    'does not pay again for a comment whose new version was made before it was killed',
    short,
    async () => {
      const { rig } = await planned();
      planWith(rig, { answer: revisedPlan });
      const asked = () => witnessed(rig, 'alpha').filter((line) => line.startsWith('start plan-1'));
      const before = asked().length;
      expect((await rig.conclave('review', '--comment', 'one array')).code).toBe(0);
      cutAfter(rig, '"key":"approval-1.2/check"');
      const again = await rig.conclave('review', '--comment', 'one array');
      expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining('made for this') });
      expect(asked()).toHaveLength(before + 1);
    },
  );

  test('tells of files that changed since the session started, and binds the approval to them', async () => {
    const { rig } = await planned();
    const text = 'console.log("another one");\n';
    rig.write('src/cli.js', text);
    const { code, stdout } = await rig.conclave('review');
    expect({ code, changed: stdout.match(/\S+ has changed since/g) }).toEqual({
      code: 0,
      changed: ['src/cli.js has changed since'],
    });
    expect((await rig.conclave('review', '--approve')).code).toBe(0);
    const sha256 = createHash('sha256').update(text).digest('hex');
    expect(rig.json('approval.json')).toMatchObject({ cited_files: { 'src/cli.js': sha256 } });
  });

  test('finishes a revision that was killed before it does anything else', async () => {
    const { rig } = await planned();
    planWith(rig, { answer: revisedPlan, delay_ms: 600_000 });
    const child = rig.start('review', '--comment', 'TASK-001: one array');
    const end = ended(child);
    await printed(child, 'asked');
    child.kill('SIGKILL');
    await end;
    const stopped = await rig.conclave('review');
    expect(stopped.stdout).toContain('while a new version was being made');
    planWith(rig, { answer: revisedPlan });
    const done = await rig.conclave('review', '--approve');
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('nothing else was done');
    expect(Object.keys(planFiles(rig))).not.toContain('approval.json');
    expect((await rig.conclave('review')).stdout).toContain('version 2');
  });
});
