import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  approvedRig,
  checkedEdits,
  checkedPlan,
  listWithJson,
} from '../../helpers/executed-rig.ts';
import { short } from '../../helpers/short-form.ts';

test(
  'a plan whose files changed is refused, planned again on request with its end told, and carried out then',
  short,
  async () => {
    const rig = await approvedRig(
      {
        ...checkedEdits,
        'TASK-001': { edits: { 'src/commands/list.js': `// changed\n${listWithJson}` } },
      },
      { plan: checkedPlan },
    );
    rig.write('src/commands/list.js', `// changed\n${rig.read('src/commands/list.js')}`);
    const refused = await rig.conclave('execute', '-y');
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain('src/commands/list.js');
    const heard = join(rig.home, 'heard.jsonl');
    const keep = `require('node:fs').appendFileSync(process.argv[1], require('node:fs').readFileSync(0, 'utf8') + '\\n')`;
    const notify = [process.execPath, '-e', keep, heard];
    rig.config(`${rig.configured()}\n[notify]\ncommand = ${JSON.stringify(notify)}\n`);
    const again = await rig.conclave('execute', '-y', '--replan');
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: '' });
    expect(again.stdout).toContain('version 2');
    const news: unknown[] = readFileSync(heard, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const end = { event: 'end', session: basename(rig.session()) };
    expect(news).toEqual([expect.objectContaining(end)]);
    expect((await rig.conclave('execute', '-y')).code).toBe(6);
    expect((await rig.conclave('review', '--approve')).code).toBe(0);
    const done = await rig.conclave('execute', '-y', '--apply');
    expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: '' });
    expect(rig.read('src/format.js')).toContain('formatJson');
    expect(rig.read('src/commands/list.js')).toContain('// changed');
  },
);
