import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkedEdits, checkedPlan, workBy } from '../../helpers/executed-rig.ts';
import { short } from '../../helpers/short-form.ts';
import { testRig } from '../../helpers/test-rig.ts';
import { todoProject, todoTask } from '../../helpers/todo-project.ts';

test(
  'without git the work is done in a private copy, and comes home with a backup of what was there',
  short,
  async () => {
    const rig = testRig();
    await todoProject(rig);
    rmSync(join(rig.repo, '.git'), { recursive: true });
    workBy(rig, checkedEdits, { plan: checkedPlan });
    expect((await rig.conclave('plan', '--auto-yes', '--max-rounds', '3', todoTask)).code).toBe(0);
    const before = { src: rig.contents('src'), test: rig.contents('test') };
    const done = await rig.conclave('execute', '-y');
    expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: '' });
    expect({ src: rig.contents('src'), test: rig.contents('test') }).toEqual(before);
    rig.write('src/commands/list.js', 'mine\n');
    const refused = await rig.conclave('execute', '-y', '--apply');
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain('src/commands/list.js');
    expect(rig.read('src/commands/list.js')).toBe('mine\n');
    rig.write('src/commands/list.js', before.src['commands/list.js'] ?? '');
    const applied = await rig.conclave('execute', '-y', '--apply');
    expect({ code: applied.code, stderr: applied.stderr }).toEqual({ code: 0, stderr: '' });
    expect(rig.read('src/commands/list.js')).toBe(
      checkedEdits['TASK-001'].edits['src/commands/list.js'],
    );
    expect(rig.read('src/format.js')).toBe('export const formatJson = 1;\n');
    const [, backup = ''] =
      /what the files held before is in (\S+?)\.?\s/.exec(applied.stdout) ?? [];
    expect(readFileSync(join(backup, 'src/commands/list.js'), 'utf8')).toBe(
      before.src['commands/list.js'],
    );
  },
);
