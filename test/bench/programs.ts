import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  globSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ProposedSolution } from '../../src/model/proposal.ts';
import { planning } from '../helpers/planned-rig.ts';
import { type Rig, ended, fixture, makeRig, program } from '../helpers/rig.ts';
import { todoProject } from '../helpers/todo-project.ts';
import {
  configureVendors,
  formatterSolution,
  listSolution,
  stances,
  witnessed,
} from '../helpers/vendors.ts';
import { type Row, bareMemory, medians, memoryOf, timed, useOf } from './measure.ts';

const vendors = ['alpha', 'beta', 'gamma'];
const runFlags = ['--auto-yes', '--max-rounds', '1'];
const task = 'Add a --json flag to `listTodos`';

/** The program as it is run by a script: its prompts, rounds, floods of output, a large search. */
export async function* programRows(short: boolean): AsyncGenerator<Row> {
  yield await inRig(promptsRow);
  yield* await inRig((rig) => roundRows(rig, short ? 5 : 15));
  for (const count of [30, 100]) {
    yield await inRig((rig) => fanOutRow(rig, { count, turns: short ? 1 : 3 }));
  }
  yield await floodRow(short ? 256 : 1024);
  yield* await inRig((rig) => searchRows(rig, short));
}

const proposing = (solution: ProposedSolution) => ({
  propose: { answer: { solutions: [solution], questions: [] } },
});

/** What two agents are sent in two rounds, the plan and its reading: small words cost at each call. */
async function promptsRow(rig: Rig): Promise<Row> {
  const preferred = listSolution().name;
  const common = {
    examine: { answer: stances({ A: 'support', B: 'support' }, { preferred }) },
    plan: planning,
  };
  configureVendors(rig, {
    alpha: { ...proposing(listSolution()), ...common },
    beta: { ...proposing(formatterSolution()), ...common },
  });
  await conclave(rig, 'plan', '--auto-yes', '--max-rounds', '2', task);
  const prompts = globSync('**/prompt.md', { cwd: rig.session() });
  const sizes = prompts.map((path) => readFileSync(join(rig.session(), path), 'utf8').length);
  const value = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  return { name: `prompts of a session, ${sizes.length} calls`, value, unit: 'k', most: 73 };
}

async function inRig<T>(measure: (rig: Rig) => Promise<T>): Promise<T> {
  const rig = makeRig();
  try {
    await todoProject(rig);
    return await measure(rig);
  } finally {
    rig.remove();
  }
}

/** What needs next to nothing, and the commands that only show something. */
const smallCommands: readonly (readonly [words: readonly string[], limit: number])[] = [
  [['--version'], 1.35],
  [['--help'], 1.6],
  [['sessions', 'list'], 3.5],
  [['sessions', 'show'], 3.5],
  [['agents'], 3.5],
  [['config'], 3.5],
  [['schema', 'event'], 3.5],
];

/** Small commands against an empty Node, in a repository with one session. */
export async function* startRows(short: boolean): AsyncGenerator<Row> {
  yield* await inRig(async (rig) => {
    configureSeats(rig, ['alpha'], 0);
    await conclave(rig, 'plan', ...runFlags, task);
    // The user has set no agent up, as on most machines; the session stays.
    rig.config('');
    const own = { cwd: rig.repo, env: rig.environment };
    const rows: Row[] = [];
    for (const [words, limit] of smallCommands) {
      const name = words.join(' ');
      const run = () => useOf([process.execPath, program, ...words], own);
      rows.push(await nodeRow({ name, limit, turns: short ? 9 : 25, own, run }));
    }
    return rows;
  });
}

/** A run of the program against an empty Node in the same place. */
async function nodeRow(given: {
  readonly name: string;
  readonly limit: number;
  readonly turns: number;
  readonly own: { readonly cwd: string; readonly env: NodeJS.ProcessEnv };
  readonly run: (turn: number) => ReturnType<typeof useOf>;
}): Promise<Row> {
  const { name, limit, turns, own, run } = given;
  let turn = 0;
  const median = await medians(turns, async () => {
    turn += 1;
    const [node, ours] = [useOf([process.execPath, '-e', '0'], own), run(turn)];
    return { node: node.ms, ours: ours.ms, nodeCpu: node.cpu, oursCpu: ours.cpu };
  });
  const floor = [median('node'), 'node -e 0'] as const;
  const cpu = median('oursCpu') / median('nodeCpu');
  return { name, value: median('ours'), unit: 'ms', floor, limit, cpu };
}

/** The gate of a host and the check of a plan without a model, in a repository of 300 files. */
export async function* critiqueRows(short: boolean): AsyncGenerator<Row> {
  yield* await inRig(async (rig) => {
    const paths = await writeFiles(rig, 300);
    const lines = paths
      .slice(0, 12)
      .map((path, n) => `${n + 1}. Change \`${name(7 * n)}()\` in ${path}:4.`);
    rig.write('plan.md', lines.join('\n'));
    const own = { cwd: rig.repo, env: rig.environment };
    const common = { own, turns: short ? 9 : 25 };
    const hook = (event: object) =>
      useOf([process.execPath, program, 'critique', '--hook'], {
        ...own,
        input: JSON.stringify({ cwd: rig.repo, session_id: JSON.stringify(event), ...event }),
      });
    const show = (plan: string) =>
      hook({ hook_event_name: 'PreToolUse', tool_name: 'ExitPlanMode', tool_input: { plan } });
    // A plan that was judged once passes the second time, so each turn shows another.
    const right = (turn: number) => `Plan ${turn}\n${lines.join('\n')}`;
    const wrong = (turn: number) => `${right(turn)}\n13. Change line 9000 in ${paths[0]}:9000.`;
    const stop = { hook_event_name: 'Stop', turn_id: 't', last_assistant_message: 'Done.' };
    const fast = [process.execPath, program, 'critique', '--fast', 'plan.md'];
    const rows = [
      { name: 'hook with a right plan, 300 files', limit: 5, run: (n: number) => show(right(n)) },
      { name: 'hook with a wrong plan, 300 files', limit: 5, run: (n: number) => show(wrong(n)) },
      { name: 'hook without a plan', limit: 4, run: () => hook(stop) },
      { name: 'critique --fast, 300 files', limit: 5, run: () => useOf(fast, own) },
    ];
    const measured: Row[] = [];
    for (const row of rows) measured.push(await nodeRow({ ...common, ...row }));
    return measured;
  });
}

/**
 * Three agents of a second, asked together in a repository of 300 files: from the start of the
 * first to the end of the last, against the same programs started bare; and from the last byte to
 * `synthesis.json` on disk, against one write and one look of git at the work tree.
 */
async function roundRows(rig: Rig, turns: number): Promise<Row[]> {
  await writeFiles(rig, 300);
  configureSeats(rig, vendors);
  const median = await medians(turns, async () => {
    const { ours, bare, whole } = await fanOut(rig, vendors);
    const synthesis = join(rig.session(), 'rounds/1/synthesis.json');
    const written = Number(statSync(synthesis, { bigint: true }).mtimeNs) / 1e6;
    const delay = written - lastEndBefore(rig, written);
    return {
      round: ours.end - ours.start,
      bare: bare.end - bare.start,
      whole,
      alone: bare.end - bare.asked,
      delay,
      write: await timed(() => bareWrite(`${synthesis}.bench`, readFileSync(synthesis))),
      status: await timed(() => rig.git('status', '--porcelain=v2', '-z', '-uall')),
    };
  });
  return [
    {
      name: 'fan-out of three agents of 1 s',
      value: median('round'),
      unit: 'ms',
      floor: [median('bare'), 'started bare'],
      limit: 1.02,
    },
    {
      name: 'the whole command: search, round, plan',
      value: median('whole'),
      unit: 'ms',
      floor: [median('alone'), 'started bare'],
      limit: 2,
    },
    {
      name: 'last byte to synthesis.json, 300 files, p50',
      value: median('delay'),
      unit: 'ms',
      floor: [median('write') + median('status'), 'bare write and git status'],
      most: 60,
    },
  ];
}

/**
 * Many agents of a second, asked together: from the request to the first to the end of the last,
 * against the same programs started bare. Those begin to work only once all of them are started, as
 * their input does not end before: the start that they write down themselves tells nothing here.
 */
async function fanOutRow(
  rig: Rig,
  { count, turns }: { readonly count: number; readonly turns: number },
): Promise<Row> {
  const names = Array.from({ length: count }, (_, n) => `agent-${n + 1}`);
  configureSeats(rig, names);
  const median = await medians(turns, async () => {
    const { ours, bare } = await fanOut(rig, names);
    return { ours: ours.end - ours.asked, bare: bare.end - bare.asked };
  });
  return {
    name: `fan-out of ${count} agents of 1 s`,
    value: median('ours'),
    unit: 'ms',
    floor: [median('bare'), 'started bare'],
    limit: 1.12,
  };
}

/** Seats that each propose after a second, or another time in ms. */
function configureSeats(rig: Rig, names: readonly string[], delay_ms = 1_000): void {
  const solutions = [listSolution(), formatterSolution()];
  const propose = { answer: { solutions, questions: [] }, delay_ms };
  configureVendors(
    rig,
    Object.fromEntries(names.map((name) => [name, { propose, plan: planning }])),
  );
}

/** A round of these agents, then the same programs with the same prompts and nobody around them. */
async function fanOut(rig: Rig, names: readonly string[]) {
  const { ms: whole } = await conclave(rig, 'plan', ...runFlags, task);
  const ours = { ...lastRound(rig, names), asked: firstAsked(rig) };
  const asked = Date.now();
  await Promise.all(names.map((name) => bareCall(rig, name)));
  return { ours, bare: { ...lastRound(rig, names), asked }, whole };
}

/** When the round began, as the journal records it before the prompt of its first agent is written. */
function firstAsked(rig: Rig): number {
  const lines = readFileSync(join(rig.session(), 'journal.jsonl'), 'utf8').split('\n');
  const first = lines.find((line) => line.includes('"type":"started","key":"round-1/propose/'));
  return Date.parse(JSON.parse(first ?? '{}').at);
}

/** When those that were last started began and ended: each writes it down by itself. */
function lastRound(rig: Rig, names: readonly string[]) {
  const times = (word: string) =>
    names.map((name) => {
      const line = witnessed(rig, name).findLast((one) => one.startsWith(`${word} propose-1 `));
      return Number(line?.split(' ').at(-1));
    });
  return { start: Math.min(...times('start')), end: Math.max(...times('end')) };
}

/** When the last call of an agent before a moment ended: those of round 1 compare the solutions, too. */
function lastEndBefore(rig: Rig, moment: number): number {
  const ends = vendors
    .flatMap((name) => witnessed(rig, name))
    .filter((line) => line.startsWith('end '))
    .map((line) => Number(line.split(' ').at(-1)));
  return Math.max(...ends.filter((end) => end <= moment));
}

async function bareCall(rig: Rig, name: string): Promise<void> {
  const child = spawn(process.execPath, [fixture('vendor'), join(rig.home, `${name}.json`)]);
  const end = ended(child);
  child.stdin.end(readFileSync(join(rig.session(), `rounds/1/agents/${name}/prompt.md`)));
  await end;
}

function bareWrite(path: string, text: Buffer): void {
  const file = openSync(path, 'w');
  writeSync(file, text);
  fsyncSync(file);
  closeSync(file);
}

/** Peak memory with an agent that floods, against an empty Node. */
async function floodRow(megabytes: number): Promise<Row> {
  const floor = [await bareMemory(), 'node -e 0'] as const;
  const value = await peakWith(fixture('flood'), String(megabytes));
  // Measured 3.9 with 1 GB: the engine of a session and its buffers, which do not grow with what is printed.
  return { name: `${megabytes} MB of agent output`, value, unit: 'MB', floor, limit: 4.3 };
}

/** Peak memory of a run with this program of Node as its agent, in MB. */
function peakWith(...args: readonly string[]): Promise<number> {
  return inRig(async (rig) => {
    rig.config(`[workflow]
tools = ["fake"]
[agents.fake]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify(args)}
vendor = "fake"
`);
    return (await conclave(rig, 'plan', ...runFlags, task)).peak;
  });
}

/** A search in a large tree, against reading and hashing all of it. */
async function searchRows(rig: Rig, short: boolean): Promise<Row[]> {
  const paths = await writeFiles(rig, short ? 20_000 : 100_000);
  const floor = await timed(() => {
    for (const path of paths) createHash('sha1').update(rig.read(path)).digest();
  });
  const words = 'Round the totals of an invoice before the tax is added';
  const { ms, peak, stderr } = await conclave(rig, 'context', '--json', words);
  if (stderr !== '') throw new Error(`the search was not complete: ${stderr}`);
  return [
    {
      name: `search in ${paths.length} files`,
      value: ms,
      unit: 'ms',
      floor: [floor, 'to read and hash them'],
      most: short ? 3_000 : 9_000,
    },
    { name: 'memory of that search', value: peak, unit: 'MB', most: short ? 250 : 400 },
  ];
}

/** Runs the program to its end: how long it takes, and its peak of memory in MB. */
async function conclave(rig: Rig, ...args: readonly string[]) {
  const start = performance.now();
  const child = rig.start(...args);
  let peak = 0;
  const look = setInterval(() => {
    peak = Math.max(peak, memoryOf(child.pid ?? 0, 'VmHWM'));
  }, 20);
  const { code, stderr } = await ended(child);
  clearInterval(look);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
  return { ms: performance.now() - start, peak, stderr };
}

const parts =
  `account address amount balance batch buffer cache cart client color count currency customer date
  discount document event field filter format header image input invoice item label limit line lock
  message month name note number offer order page parser payment plan price product query queue rate
  reader record region report result retry role row rule score session shape sheet signal size source
  state status stock style supplier table tax team template ticket time title token total user value
  version view warehouse week window worker zone`.split(/\s+/);

const word = (n: number) => parts[(n * 31) % parts.length] ?? '';
const name = (n: number) => [word(n), word(n >> 3), word(n >> 7)].join('_');

/** Commits small modules, whose names are made of such words; returns their paths. */
async function writeFiles(rig: Rig, count: number): Promise<readonly string[]> {
  const paths = Array.from({ length: count }, (_, n) => `lib/${word(n)}/${n % 50}/module-${n}.ts`);
  for (const [n, path] of paths.entries()) {
    const functions = Array.from(
      { length: 7 },
      (_, k) => `export function ${name(7 * n + k)}(${word(n + k)}: number): number {
  // The ${word(n + 2 * k)} of each ${word(n + 3 * k)} is what the ${word(k)} needs.
  return ${name(5 * n + k)}(${word(n + k)} * ${k});
}
`,
    );
    rig.write(path, functions.join('\n'));
  }
  await rig.git('add', '-A');
  await rig.git('commit', '-qm', 'Add the library');
  return paths;
}
