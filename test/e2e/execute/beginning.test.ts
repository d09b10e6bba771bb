import { expect, test } from 'vitest';
import { approvedRig } from '../../helpers/executed-rig.ts';
import { short } from '../../helpers/short-form.ts';
import { has, planOf, task } from '../../helpers/small-plans.ts';

const plan = planOf([task(1, [], ['a.txt'])]);
const work = { 'TASK-001': { edits: { 'a.txt': 'right\n' } } };

test('the work begins at what is checked out by then, and what came since the plan is told before', async () => {
  const rig = await approvedRig(work, { plan });
  const planned = (await rig.git('rev-parse', 'HEAD')).trim();
  rig.write('later.txt', 'later\n');
  await rig.git('add', '.');
  await rig.git('commit', '-qm', 'Later');
  rig.write('package.json', `${rig.read('package.json')}\n`);
  const head = (await rig.git('rev-parse', 'HEAD')).trim();
  const said = 'The work begins at what is checked out now';
  const preview = await rig.conclave('execute', '--dry-run');
  expect(preview.stdout).toContain(`Begins at:  ${said}`);
  expect(preview.stdout).toContain(
    'which has 1 commit more than the commit that the plan was made',
  );
  const { code, stdout } = await rig.conclave('execute', '-y', '--apply');
  expect(code).toBe(0);
  expect(stdout).toContain(said);
  expect(rig.json('execution-result.json')).toMatchObject({ carried: ['package.json'] });
  // Nothing was to be merged, as nothing moved since the work began.
  expect((await rig.git('log', '-1', '--format=%P')).trim()).toBe(head);
  expect(head).not.toBe(planned);
  expect(await rig.git('status', '--short')).toBe(' M package.json\n');
});

test(
  'the work begins at the code of the plan where the user wants that, which is told, too',
  short,
  async () => {
    const rig = await approvedRig(work, { plan });
    const planned = (await rig.git('rev-parse', 'HEAD')).trim();
    await rig.git('commit', '-qm', 'Later', '--allow-empty');
    const { code, stdout } = await rig.conclave('execute', '-y', '--at', 'plan');
    expect(code).toBe(0);
    expect(stdout).toContain('The work begins at the commit that the plan was made for');
    expect(stdout).toContain('has 1 commit more than it.');
    expect(rig.json('execution-result.json')).toMatchObject({ start: planned });
  },
);

test('--force accepts a plan whose files changed, and the work begins at the files as they are', async () => {
  const rig = await approvedRig(
    { 'TASK-001': { edits: { 'README.md': 'theirs\nof the task\n' } } },
    { plan: planOf([task(1, [], ['README.md'], [has('README.md', 'of the task')])]) },
  );
  rig.write('README.md', 'theirs\n');
  await rig.git('commit', '-qam', 'Later');
  const refused = await rig.conclave('execute', '-y');
  expect(refused.code).toBe(6);
  expect(refused.stderr).toContain('accept the plan as it is with --force');
  const head = (await rig.git('rev-parse', 'HEAD')).trim();
  expect((await rig.conclave('execute', '-y', '--force')).code).toBe(0);
  expect(rig.json('execution-result.json')).toMatchObject({ start: head });
});
