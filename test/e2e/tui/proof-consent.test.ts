import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { jsonProof, proofRig, proves } from '../../helpers/proof-rig.ts';
import { inTerminal } from '../../helpers/terminal.ts';
import { todoTask } from '../../helpers/todo-project.ts';
import { witnessed } from '../../helpers/vendors.ts';

const asks = 'May acceptance tests be written and run before you approve';

test('a person is asked once for a project, sees the whole rule, and the yes counts for what runs without a terminal', async () => {
  const rig = await proofRig(
    { beta: { proof: proves([jsonProof()]) } },
    'code_before_approval = "ask"',
  );
  const terminal = inTerminal(rig, ['plan', todoTask], { columns: 120, rows: 50 });
  await terminal.shows('enter choose');
  terminal.press('enter');
  const screen = await terminal.shows(asks);
  expect(screen).toMatch(/beta writes up to 12 test files/);
  expect(screen).toMatch(/without a network but their\s+own loopback/);
  expect(witnessed(rig, 'beta').filter((line) => line.startsWith('start proof'))).toEqual([]);
  terminal.press('up', 'enter');
  await terminal.shows('P1 list --json prints an array · fails today');
  expect(readFileSync(join(rig.home, 'config/conclave/config.toml'), 'utf8')).toMatch(
    /\[projects\."[^"]*"\]\ncode_before_approval = "on"/,
  );
  const { stdout } = await rig.conclave('plan', '--auto-yes', todoTask);
  expect(stdout).toContain('P1 list --json prints an array · fails today');
});
