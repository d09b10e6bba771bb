import { expect, test } from 'vitest';
import { CodebaseContext } from '../../src/model/context.ts';
import { Plan } from '../../src/model/plan.ts';
import { Task } from '../../src/model/task.ts';
import { builtCli } from '../helpers/built.ts';
import { short } from '../helpers/short-form.ts';
import { testRig } from '../helpers/test-rig.ts';

test('who plans in a package of a monorepo gets a plan for that package', short, async () => {
  builtCli();
  const rig = testRig();
  for (const name of ['api', 'mobile', 'web']) {
    rig.write(`packages/${name}/package.json`, `{ "name": "${name}" }\n`);
    rig.write(`packages/${name}/AGENTS.md`, `Rules of ${name}\n`);
    rig.write(`packages/${name}/src/list.js`, `export function list() {} // ${name}\n`);
  }
  await rig.git('init', '-q');
  await rig.git('add', '.');
  await rig.git('commit', '-q', '-m', 'Begin');
  const flags = ['--auto-yes', '--tools', 'local', '-C', 'packages/mobile'];
  const { code, stderr } = await rig.conclave('plan', ...flags, 'Sort the list in src/list.js');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const { standing, project_facts: facts } = CodebaseContext.parse(
    rig.json('codebase-context.json'),
  );
  expect({ standing, facts }).toEqual({
    standing: 'packages/mobile',
    facts: [{ source: 'packages/mobile/AGENTS.md', text: 'Rules of mobile' }],
  });
  const plan = Plan.parse(rig.json('plan.json'));
  const tasks = plan.task_ids.map((id) => Task.parse(rig.json(`.task/${id}.json`)));
  const paths = tasks.flatMap(({ files = [] }) => files.map(({ path }) => path));
  expect(new Set(paths)).toEqual(new Set(['packages/mobile/src/list.js']));
});
