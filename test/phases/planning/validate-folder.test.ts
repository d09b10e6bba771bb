import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { validateFolder } from '../../../src/phases/planning/validate-folder.ts';
import { schemaCheck } from '../../../src/store/published-schemas.ts';
import { changed, samplesOf } from '../../helpers/samples.ts';
import { affected, approvalOf, packageOf, planOf, short, taskOf } from './samples.ts';

const schemas = await schemaCheck({});
const check = schemas.check.bind(schemas);

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'conclave-validate-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(file: string, content: unknown): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(
    join(folder, file),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
}

const plan = planOf(['TASK-001', 'TASK-002']);
const tasks = [taskOf('TASK-001'), taskOf('TASK-002', { depends_on: ['TASK-001'] })];

function putPlan(): void {
  put('plan.json', plan);
  for (const task of tasks) put(`.task/${task.id}.json`, task);
}

const validate = async () => short(await validateFolder({ folder, check }));

test('plan.json and .task/ alone are enough', async () => {
  putPlan();
  expect(await validate()).toEqual([]);
});

test('commands of a test that somebody made differ from the checks name the field to change', async () => {
  putPlan();
  const checks = [{ kind: 'command', argv: ['npm', 'test'] }];
  const one = (commands: string[]) => ({ ...taskOf('TASK-001'), checks, test: { commands } });
  put('.task/TASK-001.json', one(['npm test']));
  expect(await validate()).toEqual([]);
  put('.task/TASK-001.json', one(['npm test', 'curl x']));
  const found = await validateFolder({ folder, check });
  expect(found).toMatchObject([
    {
      severity: 'blocking',
      file: '.task/TASK-001.json',
      pointer: '/test/commands',
      message: expect.stringContaining('change checks'),
    },
  ]);
});

test('a whole session folder with sound files has no finding', async () => {
  putPlan();
  const synthesis = samplesOf('synthesis').good[0];
  put('rounds/1/synthesis.json', changed(synthesis, '/round', 1));
  put('rounds/2/synthesis.json', changed(synthesis, '/round', 2));
  for (const name of ['session-state', 'codebase-context', 'execution-context'] as const) {
    put(`${name}.json`, samplesOf(name).good[0]);
  }
  put('context-package.json', packageOf());
  put('journal.jsonl', 'not looked at');
  put('.task/note.txt', 'not looked at');
  expect(await validate()).toEqual([]);
});

test('a folder without a file of a session is a finding', async () => {
  expect(await validate()).toEqual(['blocking nothing-to-validate ']);
});

describe('shape', () => {
  test('comes with file and pointer, and stops the meaning rules of that file only', async () => {
    put('plan.json', plan);
    put('.task/TASK-001.json', { ...tasks[0], convergence: { criteria: [] } });
    put('.task/TASK-002.json', { ...tasks[1], depends_on: ['X'] });
    expect(await validate()).toEqual([
      'blocking shape .task/TASK-001.json/convergence/criteria',
      'blocking dependency-unknown .task/TASK-002.json/depends_on/0',
    ]);
  });

  test('of every known file is checked', async () => {
    for (const name of [
      'session-state',
      'codebase-context',
      'context-package',
      'approval',
      'execution-context',
      'execution-result',
      'code-review',
      'plan',
    ]) {
      put(`${name}.json`, '[]');
    }
    put('rounds/3/synthesis.json', '[]');
    put('.task/TASK-001.json', '[]');
    const files = new Set((await validateFolder({ folder, check })).map(({ file }) => file));
    expect(files.size).toBe(10);
  });
});

describe('files that cannot be read', () => {
  test('name the line and column of the fault', async () => {
    putPlan();
    put('plan.json', '{\n  "summary": "x",\n  oops\n}');
    const [finding] = await validateFolder({ folder, check });
    expect(finding).toEqual({
      severity: 'blocking',
      rule: 'invalid-json',
      file: 'plan.json',
      pointer: '',
      message: 'plan.json is not JSON: line 3, column 3.',
    });
  });

  test('are those that are not UTF-8, so that no letter is lost', async () => {
    putPlan();
    const text = JSON.stringify({ ...tasks[0], title: 'Größe' });
    writeFileSync(join(folder, '.task/TASK-001.json'), text, 'latin1');
    expect(await validate()).toEqual(['blocking not-utf8 .task/TASK-001.json']);
  });

  test('are folders and pipes in the place of a file', async () => {
    putPlan();
    mkdirSync(join(folder, 'approval.json'));
    execFileSync('mkfifo', [join(folder, '.task', 'TASK-003.json')]);
    expect(await validate()).toEqual([
      'blocking not-a-file approval.json',
      'blocking not-a-file .task/TASK-003.json',
      'warning task-file-left-over .task/TASK-003.json',
    ]);
  });
});

describe('links are refused', () => {
  test('in the place of a file', async () => {
    putPlan();
    rmSync(join(folder, '.task/TASK-002.json'));
    symlinkSync(join(folder, '.task/TASK-001.json'), join(folder, '.task/TASK-002.json'));
    expect(await validate()).toEqual(['blocking link-refused .task/TASK-002.json']);
  });

  test('in the place of a folder', async () => {
    put('plan.json', plan);
    put('elsewhere/TASK-001.json', tasks[0]);
    symlinkSync(join(folder, 'elsewhere'), join(folder, '.task'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'rounds'));
    expect((await validate()).slice(0, 2)).toEqual([
      'blocking link-refused .task',
      'blocking link-refused rounds',
    ]);
    rmSync(join(folder, 'rounds'));
    put('elsewhere/synthesis.json', {});
    mkdirSync(join(folder, 'rounds'));
    symlinkSync(join(folder, 'elsewhere'), join(folder, 'rounds/1'));
    const inRounds = (await validate()).filter((found) => found.includes('rounds'));
    expect(inRounds).toEqual(['blocking link-refused rounds/1']);
  });
});

/** A base without any file, where one is named. */
const empty = {
  root: '/nowhere',
  files: async () => [],
  exists: async () => false,
  read: async () => null,
  uncommittable: async () => new Map(),
};
const open = async (base: unknown) => (base === null ? null : empty);

const withBase = async () => short(await validateFolder({ folder, check, openBase: open }));

describe('the plan check', () => {
  test('holds the plan against the solution, where the folder has it', async () => {
    putPlan();
    put('context-package.json', packageOf({ affected_files: [affected('src/new.ts')] }));
    expect(await validate()).toEqual(['blocking file-uncovered plan.json/task_ids']);
  });

  test('looks for files at the base that the folder names, and at no other', async () => {
    putPlan();
    put('context-package.json', packageOf());
    put('.task/TASK-001.json', taskOf('TASK-001', { files: [{ path: 'a.ts', action: 'modify' }] }));
    expect(await withBase()).toEqual([]);
    put('codebase-context.json', samplesOf('codebase-context').good[0]);
    expect(await withBase()).toEqual(['blocking file-missing .task/TASK-001.json/files/0/path']);
  });

  test('repeats nothing, and waits until all parts of the plan can be read', async () => {
    putPlan();
    put('context-package.json', packageOf({ affected_files: [affected('src/new.ts')] }));
    put('plan.json', { ...plan, task_count: 5 });
    expect(await validate()).toEqual([
      'blocking task-count plan.json/task_count',
      'blocking file-uncovered plan.json/task_ids',
    ]);
    put('.task/TASK-002.json', '{');
    expect((await validate()).join()).not.toContain('file-uncovered');
  });
});

describe('meaning', () => {
  test('without a plan, names its absence', async () => {
    put('.task/A.json', taskOf('A', { depends_on: ['A'] }));
    expect(await validate()).toEqual(['blocking plan-missing plan.json']);
  });
});

describe('the approval', () => {
  const approval = approvalOf(plan, tasks);

  test('that still fits is no finding, also after execution wrote its results', async () => {
    putPlan();
    put('approval.json', approval);
    put('.task/TASK-001.json', { ...tasks[0], status: 'completed', result: { success: true } });
    expect(await validate()).toEqual([]);
  });

  test('is stale once a task was edited', async () => {
    putPlan();
    put('approval.json', approval);
    put('.task/TASK-001.json', { ...tasks[0], title: 'Something else' });
    expect(await validate()).toEqual(['warning approval-stale approval.json/plan_hash']);
  });

  test('is not judged while a task cannot be read', async () => {
    putPlan();
    put('approval.json', approval);
    put('.task/TASK-001.json', '{');
    expect(await validate()).toEqual(['blocking invalid-json .task/TASK-001.json']);
  });
});
