import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inTerminal } from '../../helpers/terminal.ts';
import { todoRig } from '../../helpers/test-rig.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { configureVendors, listSolution } from '../../helpers/vendors.ts';

test('what an agent reads is told from the root of the repository, its commands as they are', async () => {
  const rig = await todoRig();
  const inside = (path: string) => join(realpathSync(rig.repo), path);
  const events = [
    { kind: 'command', command: `cat ${inside('src/store.js')}`, exit_code: 0 },
    { kind: 'tool-call', name: 'Grep', detail: inside('test') },
    { kind: 'file-read', path: '/etc/hosts' },
    { kind: 'file-read', path: inside('src/cli.js') },
  ];
  const answer = { solutions: [listSolution()], questions: [] };
  configureVendors(rig, { alpha: { propose: { events, delay_ms: 600_000, answer } } });
  const terminal = inTerminal(rig, ['plan', todoTask], { columns: 200, rows: 24 });
  const screen = await terminal.shows('› read src/cli.js');
  expect(screen).toContain('   reading src/cli.js\n');
  expect(screen).toContain('› Grep test\n› read /etc/hosts\n');
  expect(screen).toContain(`$ cat ${inside('src/store.js')}\n`);
});
