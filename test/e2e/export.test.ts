import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { plannedRig } from '../helpers/planned-rig.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { todoRig } from '../helpers/test-rig.ts';
import { todoTask } from '../helpers/todo-project.ts';

const projectRoot = new URL('../..', import.meta.url).pathname;

/** A planned session, with a scripted gh on the PATH. */
async function exportRig(state = 'ready'): Promise<Rig> {
  const rig = await plannedRig();
  const bin = join(rig.home, 'bin');
  mkdirSync(bin);
  copyFileSync(join(projectRoot, 'test/fixtures/gh.mjs'), join(bin, 'gh'));
  chmodSync(join(bin, 'gh'), 0o755);
  Object.assign(rig.environment, {
    PATH: `${bin}:${rig.environment['PATH'] ?? ''}`,
    GH_CALLS: join(rig.home, 'gh-calls'),
    GH_STATE: state,
  });
  return rig;
}

/** The issues that gh was told to open. */
function openedBy(rig: Rig): readonly (readonly string[])[] {
  const file = join(rig.home, 'gh-calls');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return lines.map((line) => JSON.parse(line)).filter(([command]) => command === 'issue');
}

test(
  'a plan is exported as one Markdown file or one JSON document, to stdout or a file',
  short,
  async () => {
    const rig = await plannedRig();
    const id = rig.session().slice(-4);
    const shown = await rig.conclave('sessions', 'export', id);
    expect(shown).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('## TASK-001: '),
    });
    const { stdout } = await rig.conclave('sessions', 'export', id, '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      task: todoTask,
      plan: { task_ids: expect.arrayContaining(['TASK-001']) },
      tasks: expect.arrayContaining([expect.objectContaining({ id: 'TASK-001' })]),
      approval: null,
    });
  },
);

test('one issue is opened by gh for each task, and none twice', short, async () => {
  const rig = await exportRig();
  const id = rig.session().slice(-4);
  const unasked = await rig.conclave('sessions', 'export', id, '--format', 'github-issues');
  expect({ code: unasked.code, opened: openedBy(rig) }).toEqual({ code: 2, opened: [] });
  expect(unasked.stderr).toContain('add -y');
  const words = ['sessions', 'export', id, '--format', 'github-issues', '-y'];
  const { code, stdout } = await rig.conclave(...words);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^TASK-001 {2}https:\/\/example\.invalid\/issues\/1$/m),
  });
  const [first = []] = openedBy(rig);
  const file = join(rig.session(), 'issues/TASK-001.md');
  expect(first).toEqual(['issue', 'create', '--title', expect.any(String), '--body-file', file]);
  expect(readFileSync(file, 'utf8')).toContain('### Done when');
  const count = openedBy(rig).length;
  expect((await rig.conclave(...words)).stdout).toBe(stdout);
  expect(openedBy(rig).length).toBe(count);
});

test('without a gh that is logged in, files and commands are ready to paste', async () => {
  const rig = await exportRig('logged-out');
  const id = rig.session().slice(-4);
  const { code, stdout } = await rig.conclave(
    'sessions',
    'export',
    id,
    '--format',
    'github-issues',
  );
  expect(code).toBe(0);
  expect(stdout).toContain('gh is not logged in');
  expect(stdout).toMatch(/^ {2}gh issue create --title .* --body-file .*TASK-001\.md$/m);
});

test('a session without a plan and an unknown format are refused', async () => {
  const rig = await plannedRig();
  const format = await rig.conclave(
    'sessions',
    'export',
    rig.session().slice(-4),
    '--format',
    'pdf',
  );
  expect(format).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('md, json, github-issues'),
  });
  const none = await (await todoRig()).conclave('sessions', 'export', 'MCP-x');
  expect(none.code).toBe(2);
});
