// Opens sessions that earlier versions wrote, shows them and goes on with them.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { parseStep } from '../../src/model/steps.ts';
import { readJournalText } from '../../src/store/journal-record.ts';
import type { Rig } from '../helpers/rig.ts';
import { short } from '../helpers/short-form.ts';
import { testRig } from '../helpers/test-rig.ts';
import { configureVendors } from '../helpers/vendors.ts';

const fixtures = new URL('../fixtures/sessions/', import.meta.url).pathname;
const versions = ['0.1.0-a', '0.1.0-b'] as const;

/** The repository of such a session with the session in it, and agents that do what is left. */
function earlierRig(version: (typeof versions)[number]) {
  const rig = testRig();
  const from = join(fixtures, version);
  const id = readdirSync(from).find((name) => name.startsWith('MCP-')) ?? '';
  const run = (...args: string[]) =>
    execFileSync('git', args, { cwd: rig.repo, env: rig.environment, stdio: 'pipe' });
  run('init', '-q', '-b', 'unborn');
  run('fetch', '-q', join(from, 'repository.bundle'), '+refs/*:refs/*');
  run('checkout', '-q', 'main');
  cpSync(join(from, id), join(rig.repo, '.workflow/.multi-cli-plan', id), { recursive: true });
  const done = { answer: 'Done.' };
  const script = {
    else: { exit: 1, stderr: 'this was answered before' },
    execute: done,
    'TASK-001': { ...done, edits: { 'src/commands/list.js': listWithFlag } },
    'TASK-002': { ...done, edits: { 'test/more.test.js': 'import "node:test";\n' } },
    'TASK-003': { ...done, edits: { 'src/format.js': 'export const a = 1;\n' } },
  };
  configureVendors(rig, { alpha: script, beta: script });
  return { rig, id };
}

const listWithFlag = `export function listTodos(args) {
  if (args.includes('--json')) console.log('[]');
}

export function formatTodo(todo) {
  return \`\${todo.done ? 'x' : ' '} \${todo.text}\`;
}
`;

function recordsIn(rig: Rig) {
  const text = readFileSync(join(rig.session(), 'journal.jsonl'));
  return readJournalText(text, 'earlier').records;
}

/** The calls of agents that began after so many records. */
function callsAfter(rig: Rig, count: number): readonly string[] {
  return recordsIn(rig)
    .slice(count)
    .flatMap((record) => (record.type === 'started' ? record.key : []))
    .filter((key) => parseStep(key)?.kind === 'work');
}

const State = z.object({
  status: z.string(),
  phase: z.string(),
  spent: z.object({ agent_runs: z.int() }),
});

describe.each(versions)('a session of version %s', (version) => {
  test('has no key that is not known', () => {
    const keys = recordsIn(earlierRig(version).rig).flatMap((record) =>
      record.type === 'started' ? record.key : [],
    );
    expect(keys.filter((key) => parseStep(key)?.key !== key)).toEqual([]);
    expect(keys.length).toBeGreaterThan(10);
  });

  test('is listed, shown, checked and reported', short, async () => {
    const { rig, id } = earlierRig(version);
    const listed = await rig.conclave('sessions', 'list');
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining(id.slice(-4)) });
    const shown = await rig.conclave('sessions', 'show', id, '--json');
    const state = State.parse(JSON.parse(shown.stdout));
    expect(state).toMatchObject(
      version === '0.1.0-a'
        ? { status: 'done', phase: 'execution', spent: { agent_runs: 3 } }
        : { status: 'failed', phase: 'code-review', spent: { agent_runs: 8 } },
    );
    expect(await rig.conclave('validate', id)).toMatchObject({ code: 0 });
    expect(await rig.conclave('report', id)).toMatchObject({ code: 0 });
  });
});

test('an approved plan of version 0.1.0-a is carried out, and nothing is asked again', async () => {
  const { rig, id } = earlierRig('0.1.0-a');
  const before = recordsIn(rig).length;
  const resumed = await rig.conclave('resume', id);
  expect(resumed).toMatchObject({ code: 0 });
  expect(callsAfter(rig, before)).toEqual([]);
  const { stderr } = await rig.conclave('execute', id, '--auto-yes');
  expect(stderr).toContain('0 of 3 tasks completed, 3 unproven');
  expect(callsAfter(rig, before).toSorted()).toEqual([
    'execution-1/TASK-001/work/alpha',
    'execution-1/TASK-002/work/alpha',
    'execution-1/TASK-003/work/alpha',
  ]);
});

test('an execution of version 0.1.0-b goes on with the task that failed', async () => {
  const { rig, id } = earlierRig('0.1.0-b');
  const before = recordsIn(rig).length;
  const { stderr } = await rig.conclave('execute', id, '--auto-yes');
  expect(stderr).toContain('0 of 3 tasks completed, 3 unproven');
  expect(callsAfter(rig, before)).toEqual(['execution-1/TASK-002/work/alpha']);
});
