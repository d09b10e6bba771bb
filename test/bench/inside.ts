import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAnswer } from '../../src/agents/answer/read-answer.ts';
import { openWorktrees } from '../../src/git/git-worktrees.ts';
import { Proposal } from '../../src/model/proposal.ts';
import { Task } from '../../src/model/task.ts';
import { openQuestions } from '../../src/phases/discussion/clarify.ts';
import { schedule } from '../../src/phases/execution/schedule.ts';
import { validateFolder } from '../../src/phases/planning/validate-folder.ts';
import { schemaCheck } from '../../src/store/published-schemas.ts';
import { agentRoom, runToEnd, fakeAgent } from '../agents/agent-room.ts';
import { memorySnapshots, tempRepository } from '../git/temp-repository.ts';
import { samplesOf } from '../helpers/samples.ts';
import { packageOf, planOf } from '../phases/planning/samples.ts';
import { type Row, medians, timed } from './measure.ts';
import { setUpRow } from './set-up.ts';

/** Parts of the program in this process. */
export async function* insideRows(short: boolean): AsyncGenerator<Row> {
  yield await eventsRow(short ? 3 : 7);
  yield await worktreeRow(short ? 3 : 9);
  yield await setUpRow();
  yield await scheduleRow(short ? 5 : 21);
  yield await taskFilesRow(short ? 3 : 9);
  yield await questionsRow(short ? 3 : 9);
}

/** An answer with 4,000 questions read and compared, against its text parsed and validated. */
async function questionsRow(turns: number): Promise<Row> {
  const check = await schemaCheck({});
  const [good] = samplesOf('proposal').good;
  const { session } = Proposal.parse(good);
  const words = ['cache', 'login', 'invoice', 'parser', 'window', 'header', 'ticket'];
  const questions = Array.from({ length: 4_000 }, (_, n) => {
    const [one, other] = [words[n % 7], words[(n >> 3) % 7]];
    return `Should the ${one}${n} wait for the ${other}${n >> 2} of step ${n}?`;
  });
  const text = JSON.stringify({ ...Object(good), questions });
  const expected = { session, round: 1 };
  const run = () => {
    const read = readAnswer({ text, expected, schemaName: 'proposal', shape: Proposal, check });
    if (!read.ok) throw new Error(read.failure.reason);
    openQuestions([{ agent: 'alpha', questions }], []);
  };
  const median = await medians(turns, async () => ({
    bare: await timed(() => Proposal.safeParse(JSON.parse(text))),
    ours: await timed(run),
  }));
  return {
    name: 'an answer with 4000 questions',
    value: median('ours'),
    unit: 'ms',
    floor: [median('bare'), 'parse, validate'],
    // It is also checked against its published schema, which parsing knows nothing of.
    most: 50,
  };
}

/** Event lines through a pipe, framed, read and yielded, against bare `JSON.parse` in memory. */
async function eventsRow(turns: number): Promise<Row> {
  const room = agentRoom();
  try {
    const [text, count] = [eventLine(), 60_000];
    const all = Array.from({ length: count }, () => text);
    // Starting a process is another figure.
    const empty = await timed(() => runToEnd(fakeAgent('empty'), room.request()));
    const repeat = [
      '-e',
      `process.stdout.write((${JSON.stringify(text)} + '\\n').repeat(${count}))`,
    ];
    const agent = fakeAgent('empty', [], { args: repeat });
    const median = await medians(turns, async () => ({
      bare: await timed(() => all.map((line) => JSON.parse(line))),
      ours: (await timed(() => runToEnd(agent, room.request()))) - empty,
    }));
    return {
      name: `${Math.round((count * text.length) / 1e6)} MB of event lines through a pipe`,
      value: median('ours'),
      unit: 'ms',
      floor: [median('bare'), 'bare JSON.parse'],
      limit: 4,
    };
  } finally {
    room.remove();
  }
}

/** An event as CLIs print them: a piece of text among the ids and figures of its message. */
function eventLine(): string {
  const usage = { input_tokens: 900, output_tokens: 5, cache: { read: 2, creation: { m5: 1 } } };
  const message = { id: 'msg_1', role: 'assistant', model: 'fake-1', stop_reason: null, usage };
  const content = [{ type: 'tool_use', id: 'tool_1', name: 'Read', input: { path: 'src/a.ts' } }];
  const ids = { uuid: '4c0e7a55-0000-4000-8000-000000000000', session: 'bench' };
  const text = 'a few words of "text" '.repeat(20);
  return JSON.stringify({ kind: 'message', partial: true, ...ids, message, content, text });
}

const edit = (folder: string) => {
  for (let n = 0; n < 5; n += 1) writeFileSync(join(folder, `d0/new${n}.ts`), `// new ${n}\n`);
};

/** A task in a work tree of its own, merged with another one, against the bare commands of git. */
async function worktreeRow(turns: number): Promise<Row> {
  const data = mkdtempSync(join(tmpdir(), 'conclave-bench-'));
  await using repo = await tempRepository();
  try {
    const files = Array.from({ length: 1_000 }, (_, n) => [`d${n % 40}/f${n}.ts`, `// ${n}\n`]);
    const start = await repo.commit('start', Object.fromEntries(files));
    const trees = await openWorktrees({
      session: 'bench',
      repository: await repo.open(),
      snapshots: memorySnapshots(),
      folder: join(data, 'ours'),
      signal: new AbortController().signal,
    });
    const ours = async () => {
      edit((await trees.make('task', [start])).path);
      const commit = await trees.commit('task', { parents: [start], message: 'task' });
      await trees.make('all', [start, commit ?? start]);
      await trees.reclaim(['task', 'all']);
    };
    const [one, all] = [join(data, 'task'), join(data, 'all')];
    const bare = () => {
      repo.git('worktree', 'add', '-q', '-b', 'task', one, start);
      edit(one);
      repo.git('-C', one, 'add', '-A');
      repo.git('-C', one, 'commit', '-q', '-m', 'task');
      repo.git('worktree', 'add', '-q', '-b', 'all', all, start);
      repo.git('-C', all, 'merge', '-q', '--no-ff', '-m', 'Merge task', 'task');
      for (const tree of [one, all]) repo.git('worktree', 'remove', '--force', tree);
      repo.git('branch', '-q', '-D', 'task', 'all');
    };
    const median = await medians(turns, async () => ({
      bare: await timed(bare),
      ours: await timed(ours),
    }));
    return {
      name: 'a task in its work tree (1000 files), merged',
      value: median('ours'),
      unit: 'ms',
      floor: [median('bare'), 'bare git'],
      limit: 1.5,
    };
  } finally {
    rmSync(data, { recursive: true });
  }
}

/** The order of tasks of which each waits for three earlier ones. */
async function scheduleRow(turns: number): Promise<Row> {
  const count = 1_000;
  const tasks = Array.from({ length: count }, (_, n) => {
    const on = [n / 2, n / 3, n / 5].map((at) => Math.floor(at)).filter((at) => at < n);
    return { id: `T${n}`, depends_on: [...new Set(on)].map((at) => `T${at}`), files: [`f${n}`] };
  });
  const run = () => {
    let ended = 0;
    for (const order = schedule(tasks, 2); !order.isOver;) {
      for (const id of order.begin()) {
        order.end(id, true);
        ended += 1;
      }
    }
    if (ended !== count) throw new Error(`${ended} of ${count} tasks have run`);
  };
  const median = await medians(turns, async () => ({ ours: await timed(run) }));
  const edges = tasks.flatMap(({ depends_on: on }) => on).length;
  const name = `order of ${count} tasks with ${edges} edges`;
  return { name, value: median('ours'), unit: 'ms', most: 20 };
}

/** A plan folder read and checked, against the bare reading of its files into tasks. */
async function taskFilesRow(turns: number): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'conclave-bench-'));
  try {
    const count = 10_000;
    writePlan(folder, count);
    const schemas = await schemaCheck({});
    const check = schemas.check.bind(schemas);
    const median = await medians(turns, async () => ({
      bare: await timed(() => {
        for (const name of readdirSync(join(folder, '.task'))) {
          Task.parse(JSON.parse(readFileSync(join(folder, '.task', name), 'utf8')));
        }
      }),
      ours: await timed(async () => {
        const findings = await validateFolder({ folder, check });
        const blocking = findings.find(({ severity }) => severity === 'blocking');
        if (blocking !== undefined) throw new Error(JSON.stringify(blocking));
      }),
    }));
    return {
      name: `${count} task files loaded and checked`,
      value: median('ours'),
      unit: 'ms',
      floor: [median('bare'), 'read, parse, validate'],
      limit: 2.5,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Tasks with every field that a task may have. */
function writePlan(folder: string, count: number): void {
  const full = Task.parse(samplesOf('task').good.at(2));
  const ids = Array.from({ length: count }, (_, n) => `TASK-${String(n + 1).padStart(5, '0')}`);
  const put = (file: string, value: unknown) =>
    writeFileSync(join(folder, file), JSON.stringify(value, null, 2));
  mkdirSync(join(folder, '.task'));
  put('plan.json', planOf(ids));
  put('context-package.json', packageOf({ affected_files: [], constraints: [] }));
  for (const [n, id] of ids.entries()) {
    const path = `src/part-${n % 100}/file-${n}.ts`;
    const files = [{ path, action: 'create' as const, change: `Write part ${n}.` }];
    const needs = n === 0 ? [] : [ids[Math.floor(n / 2)] ?? '', ids[Math.floor(n / 3)] ?? ''];
    put(`.task/${id}.json`, { ...full, id, depends_on: [...new Set(needs)], files });
  }
}
