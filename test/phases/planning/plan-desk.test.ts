import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openRepository } from '../../../src/git/open-repository.ts';
import type { SessionEvent } from '../../../src/model/event.ts';
import { taskFile } from '../../../src/model/plan-rules.ts';
import { listAnchors } from '../../../src/model/document.ts';
import { Plan } from '../../../src/model/plan.ts';
import { Task } from '../../../src/model/task.ts';
import { readEditedPlan } from '../../../src/phases/planning/editing/plan-markdown.ts';
import { planDesk } from '../../../src/phases/planning/plan-desk.ts';
import {
  fileText,
  finishWrites,
  keepVersion,
  unfinishedFile,
  writePlan,
  writeTogether,
} from '../../../src/phases/planning/write-plan.ts';
import { schemaCheck } from '../../../src/store/published-schemas.ts';
import { claimSession, type SessionFolder } from '../../../src/store/session-folder.ts';
import { packageOf, planOf, taskOf } from './samples.ts';

const schemas = await schemaCheck({});

const rename = (task: string, title: string) =>
  ({ kind: 'set', task, field: 'title', value: title }) as const;

/** The edit that leaves out a task in the Markdown of the whole plan. */
const without = (id: string, { plan, tasks }: { plan: Plan; tasks: readonly Task[] }) => {
  const left = tasks.filter((task) => task.id !== id);
  return { kind: 'whole', plan, tasks: left } as const;
};

/** A session folder on disk with a plan of three tasks, and its desk. */
async function onDisk() {
  const root = mkdtempSync(join(tmpdir(), 'conclave-desk-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = await claimSession({ root, task: 'Cache it', now: new Date() });
  const contextPackage = packageOf({ session_id: folder.id });
  const tasks = [
    taskOf('TASK-001'),
    taskOf('TASK-002', { depends_on: ['TASK-001'] }),
    taskOf('TASK-003', { depends_on: ['TASK-002'] }),
  ];
  const ids = tasks.map(({ id }) => id);
  const plan = Plan.parse(planOf(ids, { execution_flow: ids.join(' → ') }));
  await folder.writeJson('context-package.json', contextPackage);
  await writePlan({ plan, tasks, findings: [], contextPackage, folder });
  const { signal } = new AbortController();
  const repository = await openRepository({ root, base: null, snapshots: null, signal });
  const events: SessionEvent[] = [];
  const emit = (event: SessionEvent) => void events.push(event);
  const tools = { folder, schemas, repository, emit };
  const desk = planDesk(tools, { version: 1, since: { plan, tasks } });
  return { folder, desk, events, plan, tasks, tools };
}

function bytes({ path }: SessionFolder): Readonly<Record<string, string>> {
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.(json|md)$/.test(name)).toSorted();
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(path, name), 'utf8')]));
}

describe('the desk', () => {
  test('writes an edit into its one file and the readable plan, and tells the change', async () => {
    const { folder, desk, events } = await onDisk();
    const before = bytes(folder);
    const set = { kind: 'set', task: 'TASK-002', field: 'title', value: 'Read it' } as const;
    const edited = await desk.edit(set);
    expect(edited).toMatchObject({
      ok: true,
      value: { changes: [{ task: 'TASK-002', field: 'title', after: 'Read it' }] },
    });
    const after = bytes(folder);
    const changed = Object.keys(after).filter((file) => after[file] !== before[file]);
    expect(changed).toEqual(['.task/TASK-002.json', 'plan.md']);
    expect(after['plan.md']).toContain('TASK-002: Read it');
    expect(events).toEqual([{ type: 'plan.edited', task: 'TASK-002', field: 'title' }]);
  });

  test('leaves every byte as it was when one of several edits is refused', async () => {
    const { folder, desk, events, plan, tasks } = await onDisk();
    const before = bytes(folder);
    const refused = await desk.edit(without('TASK-003', { plan, tasks }), {
      kind: 'set',
      task: 'TASK-001',
      field: 'effort',
      value: 'endless',
    });
    expect(refused).toMatchObject({ ok: false });
    expect(bytes(folder)).toEqual(before);
    expect(events).toEqual([]);
  });

  test('takes back edits one by one, every byte, as long as nobody else changed the files', async () => {
    const { folder, desk, events, plan, tasks } = await onDisk();
    const states = [bytes(folder)];
    await desk.edit(rename('TASK-001', 'One'));
    states.push(bytes(folder));
    await desk.edit(without('TASK-003', { plan, tasks }));
    const { '.task/TASK-001.json': text = '' } = bytes(folder);
    for (const state of states.toReversed()) {
      expect(await desk.undo()).toMatchObject({ ok: true });
      expect(bytes(folder)).toEqual(state);
    }
    expect(events.at(-1)).toEqual({ type: 'plan.edited', task: null, field: 'undo' });
    expect(await desk.undo()).toMatchObject({ failure: { message: 'There is no edit to undo.' } });
    await desk.edit(rename('TASK-001', 'Fifth'));
    await folder.write('.task/TASK-002.json', text.replace('TASK-001', 'TASK-002'));
    expect(await desk.undo()).toMatchObject({
      failure: { message: expect.stringContaining('changed since') },
    });
  });

  test('makes edits that come at once one after the other, so that none is lost', async () => {
    const { desk } = await onDisk();
    const constraints = ['a', 'b', 'c', 'd', 'e', 'f'];
    await Promise.all(
      constraints.map((value, at) =>
        desk.edit({ kind: 'set', task: null, field: `constraints.${at}`, value }),
      ),
    );
    expect((await desk.read()).plan).toMatchObject({ constraints });
  });

  test('takes a whole file from an editor, and names the line of a fault in it', async () => {
    const { folder, desk } = await onDisk();
    const file = taskFile('TASK-001');
    const text = await desk.text(file);
    const before = bytes(folder);
    const faults = [
      [text.replace('"title"', 'title'), /line 3, column 3/],
      [text.replace('"depends_on": []', '"depends_on": "x"'), /depends_on: must be a list/],
      [text.replace('TASK-001', 'TASK-009'), /must keep the id that is its name/],
      ['', /is not JSON: line 1, column 1/],
    ] as const;
    for (const [wrong, why] of faults) {
      const refused = await desk.replace(file, wrong);
      expect(refused.ok ? 'accepted' : refused.failure.message).toMatch(why);
    }
    expect(bytes(folder)).toEqual(before);
    const right = await desk.replace(file, text.replace('Task TASK-001', 'By hand'));
    expect(right).toMatchObject({ ok: true, value: { tasks: [{ title: 'By hand' }, {}, {}] } });
    await expect(desk.text('journal.jsonl')).rejects.toThrow('is not a file of this plan');
    await expect(desk.replace('.task/TASK-009.json', text)).rejects.toThrow(
      'is not a file of this',
    );
  });

  test('lets files be mended that cannot be read as a plan', async () => {
    const { folder, desk } = await onDisk();
    const file = taskFile('TASK-002');
    const good = await desk.text(file);
    writeFileSync(join(folder.path, file), '{ "id": ');
    const broken = await desk.read();
    expect(broken).toMatchObject({ plan: null, tasks: [], hash: null });
    expect(broken.findings[0]?.message).toContain('line 1');
    const edit = await desk.edit(rename('TASK-002', 'Other'));
    expect(edit.ok ? '' : edit.failure.message).toContain('fix them first');
    expect(await desk.replace(file, good)).toMatchObject({ ok: true, value: { version: 1 } });
    expect((await desk.read()).plan).not.toBeNull();
  });

  test('takes the Markdown of a whole plan: changed, added, moved and deleted tasks, what it does not show stays', async () => {
    const { folder, desk } = await onDisk();
    const [markdown, before] = [await desk.markdown(), await desk.read()];
    const same = readEditedPlan(markdown);
    if ('faults' in same) throw new Error(same.faults.join());
    const unchanged = await desk.edit({ kind: 'whole', plan: same.plan, tasks: same.tasks });
    expect(unchanged.ok && unchanged.value.hash).toBe(before.hash);
    const added = `# TASK-004: Measure it\n\n## Description\n\nMeasure it.\n\n## Done when\n\n- It is fast.\n`;
    const changed = readEditedPlan(
      markdown
        .replace('# TASK-001: Task TASK-001', '# TASK-001: Cache it')
        .replace(/# TASK-003:.*/s, added),
    );
    if ('faults' in changed) throw new Error(changed.faults.join());
    const edited = await desk.edit({ kind: 'whole', plan: changed.plan, tasks: changed.tasks });
    expect(edited).toMatchObject({
      ok: true,
      value: {
        plan: { task_ids: ['TASK-001', 'TASK-002', 'TASK-004'], task_count: 3 },
        tasks: [{ title: 'Cache it' }, { depends_on: ['TASK-001'] }, { title: 'Measure it' }],
      },
    });
    expect(bytes(folder)['plan.md']).toContain('## TASK-004: Measure it');
    await desk.undo();
    expect((await desk.read()).hash).toBe(before.hash);
  });

  test('refuses a Markdown plan that does not fit, and names the field', async () => {
    const { folder, desk } = await onDisk();
    const before = bytes(folder);
    const read = readEditedPlan((await desk.markdown()).replace('- TASK-001', '- TASK-009'));
    if ('faults' in read) throw new Error(read.faults.join());
    const edited = await desk.edit({ kind: 'whole', plan: read.plan, tasks: read.tasks });
    expect(edited).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('TASK-009') },
    });
    expect(bytes(folder)).toEqual(before);
  });

  test('restores an earlier version as a new one, and compares it with the one before', async () => {
    const { folder, desk, plan, tasks, tools } = await onDisk();
    const at = 'planning/1/version-1';
    const [first, ...others] = tasks.map((task) => ({ ...task }));
    const older = [{ ...first, title: 'As it was' }, ...others].map((task) => Task.parse(task));
    await keepVersion(folder, { folder: at, plan, tasks: older });
    const later = planDesk(tools, { version: 2, since: { plan, tasks } });
    expect(await later.read()).toMatchObject({ version: 2, versions: [1] });
    const files = await later.version(1);
    expect(await later.version(7)).toBeNull();
    if (files === null) throw new Error('version 1 cannot be read');
    const restored = await later.edit({ kind: 'whole', ...files, restores: 1 });
    expect(restored).toMatchObject({
      ok: true,
      value: {
        version: 3,
        versions: [1, 2],
        tasks: [{ title: 'As it was' }, {}, {}],
        changes: [
          { task: 'TASK-001', field: 'title', before: 'Task TASK-001', after: 'As it was' },
        ],
      },
    });
    expect((await later.version(2))?.tasks[0]?.title).toBe('Task TASK-001');
    expect(await desk.read()).toMatchObject({ version: 3 });
  });

  test('says that the generated plan.md was edited, until it is written again', async () => {
    const { folder, desk } = await onDisk();
    expect(await desk.read()).toMatchObject({ isTextEdited: false });
    const { 'plan.md': text = '' } = bytes(folder);
    await folder.write('plan.md', text.replace('Task TASK-001', 'By hand'));
    expect(await desk.read()).toMatchObject({ isTextEdited: true });
    await desk.edit(rename('TASK-001', 'By the review'));
    expect(await desk.read()).toMatchObject({ isTextEdited: false });
  });

  test('gives the whole plan as a document, what is open first', async () => {
    const { desk } = await onDisk();
    const { document } = await desk.read();
    const anchors = listAnchors(document?.blocks ?? []).map(({ anchor }) => anchor);
    expect(anchors).toEqual(
      expect.arrayContaining(['summary', 'approach', 'tasks', 'TASK-002', 'TASK-002.after']),
    );
  });
});

describe('files that are written together', () => {
  test('are completed by the next owner, wherever the writing was cut short', async () => {
    const { folder, desk, plan, tools, tasks } = await onDisk();
    const start = bytes(folder);
    const [first, , third] = tasks.map((task) => ({ ...task, depends_on: [] }));
    const now = [taskOf('TASK-004'), first ?? {}, third ?? {}];
    await desk.edit({ kind: 'whole', plan, tasks: now });
    const end = bytes(folder);
    const changed = [...new Set([...Object.keys(start), ...Object.keys(end)])].filter(
      (file) => start[file] !== end[file],
    );
    expect(changed.length).toBeGreaterThan(3);
    for (let written = 0; written <= changed.length; written += 1) {
      const left = planDesk(tools, { version: 1, since: { plan, tasks } });
      for (const file of changed) await put(folder, file, start[file] ?? null);
      await writeTogether(
        stoppingAfter(folder, written),
        changed.map((path) => ({ path, text: end[path] ?? null })),
      ).catch(() => undefined);
      await finishWrites(folder);
      expect((await left.read()).plan?.task_ids).toEqual(['TASK-004', 'TASK-001', 'TASK-003']);
      expect(bytes(folder)).toEqual(end);
    }
  });

  test('are left where somebody changed them meanwhile, and that is said', async () => {
    const { folder } = await onDisk();
    const writes = ['TASK-001', 'TASK-002'].map((id) => ({
      path: taskFile(id),
      text: `{"${id}": 1}\n`,
    }));
    await writeTogether(stoppingAfter(folder, 1), writes).catch(() => undefined);
    writeFileSync(join(folder.path, taskFile('TASK-002')), 'mine\n');
    const [said] = await finishWrites(folder);
    expect(said).toContain('.task/TASK-002.json changed since; it was left as it is');
    expect(bytes(folder)).toMatchObject({
      '.task/TASK-001.json': '{"TASK-001": 1}\n',
      '.task/TASK-002.json': 'mine\n',
    });
    expect(await finishWrites(folder)).toEqual([]);
  });

  test('are not looked for outside of the plan', async () => {
    const { folder } = await onDisk();
    const path = 'journal.jsonl';
    await folder.writeJson(unfinishedFile, { files: [{ path, text: 'x', before: 'any' }] });
    expect((await finishWrites(folder))[0]).toContain('was not readable');
    expect(await folder.read(path)).toBeNull();
  });

  test('are shown as unfinished to whoever only looks', async () => {
    const { folder, tools, plan, tasks } = await onDisk();
    const writes = ['TASK-001', 'TASK-002'].map((id) => ({
      path: taskFile(id),
      text: fileText(taskOf(id, { title: 'New' })),
    }));
    await writeTogether(stoppingAfter(folder, 1), writes).catch(() => undefined);
    const before = bytes(folder);
    const looking = planDesk(tools, { version: 1, since: { plan, tasks } });
    const { findings } = await looking.read();
    expect(findings.map(({ rule }) => rule)).toContain('plan-change-unfinished');
    expect(bytes(folder)).toEqual(before);
  });
});

async function put(folder: SessionFolder, path: string, text: string | null): Promise<void> {
  if (text === null) await folder.remove(path);
  else await folder.write(path, text);
}

/** The same folder, in a process that dies after so many plan files were written or removed. */
function stoppingAfter(folder: SessionFolder, count: number): SessionFolder {
  let left = count;
  const step = async (work: () => Promise<void>): Promise<void> => {
    if (left === 0) throw new Error('killed');
    left -= 1;
    await work();
  };
  return {
    ...folder,
    write: (path, text) => step(() => folder.write(path, text)),
    remove: (path) => step(() => folder.remove(path)),
  };
}
