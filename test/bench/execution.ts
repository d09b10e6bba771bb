import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Task } from '../../src/model/task.ts';
import { schedule, type ScheduledTask } from '../../src/phases/execution/schedule.ts';
import { validateFolder } from '../../src/phases/validate-folder.ts';
import { schemaCheck } from '../../src/store/published-schemas.ts';
import { samplesOf } from '../helpers/samples.ts';
import { packageOf, planOf } from '../phases/planning/samples.ts';
import { atMost, type Effort, type Row, median } from './row.ts';
import { dice } from './seeded-dice.ts';

/** The order of many tasks, and what it takes to load and check the files of even more. */
export async function executionRows({ short }: Effort): Promise<Row[]> {
  return [schedulerRow(short ? 5 : 21), await taskFilesRow(short ? 5 : 9)];
}

function schedulerRow(turns: number): Row {
  const [count, edges, most] = [1_000, 3_000, 20];
  const tasks = graphOf(count, edges);
  const times = Array.from({ length: turns }, () => {
    const start = performance.now();
    const order = schedule(tasks, 2);
    let ended = 0;
    while (!order.isOver) {
      for (const id of order.begin()) {
        order.end(id, true);
        ended += 1;
      }
    }
    if (ended !== count) throw new Error(`${ended} of ${count} tasks have run`);
    return performance.now() - start;
  });
  const ms = median(times);
  return {
    name: `order of ${count} tasks with ${edges} edges`,
    measured: `${ms.toFixed(1)} ms`,
    floor: '',
    ratio: '',
    limit: `<= ${most} ms`,
    ok: ms <= most,
  };
}

/** Each waits for earlier ones only, and changes a file of its own. */
function graphOf(count: number, edges: number): readonly ScheduledTask[] {
  const roll = dice(1);
  const needs = Array.from({ length: count }, () => new Set<string>());
  for (let made = 0; made < edges;) {
    const task = roll.between(1, count - 1);
    const before = needs[task]?.size ?? 0;
    needs[task]?.add(`T${roll.between(0, task - 1)}`);
    made += (needs[task]?.size ?? 0) - before;
  }
  return needs.map((on, at) => ({ id: `T${at}`, depends_on: [...on], files: [`f${at}`] }));
}

/** A plan folder read and checked, against the bare reading of its files into tasks. */
async function taskFilesRow(turns: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-bench-'));
  try {
    const count = 10_000;
    writePlan(folder, count);
    const schemas = await schemaCheck({});
    const check = schemas.check.bind(schemas);
    const ours: number[] = [];
    const bare: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      bare.push(await timed(() => loadAll(join(folder, '.task'))));
      ours.push(
        await timed(async () => {
          const findings = await validateFolder({ folder, check });
          if (findings.some(({ severity }) => severity === 'blocking')) {
            throw new Error(`the plan is not sound: ${JSON.stringify(findings.slice(0, 3))}`);
          }
        }),
      );
    }
    return atMost({
      name: `${count} task files loaded and checked`,
      value: median(ours),
      floor: median(bare),
      floorName: 'read, parse, validate',
      limit: 2.5,
      unit: 'ms',
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Tasks with every field that a task may have. */
function writePlan(folder: string, count: number): void {
  const full = Task.parse(samplesOf('task').good.at(2));
  const roll = dice(2);
  const ids = Array.from({ length: count }, (_, n) => `TASK-${String(n + 1).padStart(5, '0')}`);
  const put = (file: string, value: unknown) =>
    writeFileSync(join(folder, file), JSON.stringify(value, null, 2));
  mkdirSync(join(folder, '.task'));
  put('plan.json', planOf(ids));
  put('context-package.json', packageOf({ affected_files: [], constraints: [] }));
  for (const [at, id] of ids.entries()) put(`.task/${id}.json`, taskFor(id, at));

  function taskFor(id: string, at: number): Task {
    const on = at === 0 ? [] : [roll.between(0, at - 1), roll.between(0, at - 1)];
    const path = `src/part-${at % 100}/file-${at}.ts`;
    const files = [{ path, action: 'create' as const, change: `Write part ${at}.` }];
    const needs = [...new Set(on)].flatMap((one) => ids[one] ?? []);
    return { ...full, id, depends_on: needs, files };
  }
}

function loadAll(folder: string): void {
  const tasks = readdirSync(folder).map((name) =>
    Task.parse(JSON.parse(readFileSync(join(folder, name), 'utf8'))),
  );
  if (tasks.length === 0) throw new Error('there is no task');
}

async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
