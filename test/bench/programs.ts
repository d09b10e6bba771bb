import { execFileSync, spawn } from 'node:child_process';
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
import { type Row, medians, memoryOf, timed } from './measure.ts';

const vendors = ['alpha', 'beta', 'gamma'];
const runFlags = ['--auto-yes', '--max-rounds', '1'];
const task = 'Add a --json flag to `listTodos`';

/** The program as it is run by a script: its start, rounds, floods of output, a large search. */
export async function* programRows(short: boolean): AsyncGenerator<Row> {
  yield* await startRows(short ? 15 : 41);
  yield* smallRows(short ? 7 : 21);
  yield* critiqueRows(short);
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

const startOf = (...args: string[]) => timed(() => execFileSync(process.execPath, args));

const smallCommands = [['sessions', 'list'], ['schema', 'event'], ['agents'], ['config']] as const;

/** Commands that only show something, against an empty Node. */
async function* smallRows(turns: number): AsyncGenerator<Row> {
  const rig = makeRig();
  try {
    await todoProject(rig);
    const own = { cwd: rig.repo, env: rig.environment };
    const start = (...args: string[]) => timed(() => execFileSync(process.execPath, args, own));
    for (const words of smallCommands) {
      const median = await medians(turns, async () => ({
        node: await start('-e', '0'),
        ours: await start(program, ...words),
      }));
      const floor = [median('node'), 'node -e 0'] as const;
      yield { name: words.join(' '), value: median('ours'), unit: 'ms', floor, limit: 3.5 };
    }
  } finally {
    rig.remove();
  }
}

/** What needs nothing loaded, against an empty Node. */
async function startRows(turns: number): Promise<Row[]> {
  const median = await medians(turns, async () => ({
    node: await startOf('-e', '0'),
    version: await startOf(program, '--version'),
    help: await startOf(program, '--help'),
  }));
  const floor = [median('node'), 'node -e 0'] as const;
  return [
    { name: '--version', value: median('version'), unit: 'ms', floor, limit: 1.35 },
    { name: '--help', value: median('help'), unit: 'ms', floor, limit: 1.6 },
  ];
}

/** The check of a plan without a model, and the hook of a host for a turn without a plan, in a repository of 300 files. */
async function* critiqueRows(short: boolean): AsyncGenerator<Row> {
  yield* await inRig(async (rig) => {
    const paths = await writeFiles(rig, 300);
    const lines = paths
      .slice(0, 12)
      .map((path, n) => `${n + 1}. Change \`${name(7 * n)}()\` in ${path}:4.`);
    rig.write('plan.md', lines.join('\n'));
    const stop = { hook_event_name: 'Stop', turn_id: 't', last_assistant_message: 'Done.' };
    const input = JSON.stringify({ ...stop, cwd: rig.repo, session_id: 's' });
    const own = { cwd: rig.repo, env: rig.environment, input };
    const start = (...args: string[]) => timed(() => execFileSync(process.execPath, args, own));
    const plan = (text: string) => {
      const shown = { hook_event_name: 'PreToolUse', tool_name: 'ExitPlanMode', cwd: rig.repo };
      const said = { ...shown, session_id: text, tool_input: { plan: text } };
      return { ...own, input: JSON.stringify(said) };
    };
    let turn = 0;
    const hookOn = (text: string) =>
      timed(() => execFileSync(process.execPath, [program, 'critique', '--hook'], plan(text)));
    const median = await medians(short ? 9 : 25, async () => {
      turn += 1;
      const right = `Plan ${turn}\n${lines.join('\n')}`;
      return {
        node: await start('-e', '0'),
        fast: await start(program, 'critique', '--fast', 'plan.md'),
        hook: await start(program, 'critique', '--hook'),
        right: await hookOn(right),
        wrong: await hookOn(`${right}\n13. Change line 9000 in ${paths[0]}:9000.`),
      };
    });
    const floor = [median('node'), 'node -e 0'] as const;
    return [
      {
        name: 'hook with a right plan, 300 files',
        value: median('right'),
        unit: 'ms',
        floor,
        limit: 5,
      },
      {
        name: 'hook with a wrong plan, 300 files',
        value: median('wrong'),
        unit: 'ms',
        floor,
        limit: 5,
      },
      { name: 'critique --fast, 300 files', value: median('fast'), unit: 'ms', floor, limit: 5 },
      {
        name: 'critique --hook without a plan',
        value: median('hook'),
        unit: 'ms',
        floor,
        limit: 4,
      },
    ];
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
    const { ours, bare } = await fanOut(rig, vendors);
    const synthesis = join(rig.session(), 'rounds/1/synthesis.json');
    const written = Number(statSync(synthesis, { bigint: true }).mtimeNs) / 1e6;
    const delay = written - lastEndBefore(rig, written);
    return {
      round: ours.end - ours.start,
      bare: bare.end - bare.start,
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

/** Seats that each propose after a second. */
function configureSeats(rig: Rig, names: readonly string[]): void {
  const solutions = [listSolution(), formatterSolution()];
  const propose = { answer: { solutions, questions: [] }, delay_ms: 1_000 };
  configureVendors(
    rig,
    Object.fromEntries(names.map((name) => [name, { propose, plan: planning }])),
  );
}

/** A round of these agents, then the same programs with the same prompts and nobody around them. */
async function fanOut(rig: Rig, names: readonly string[]) {
  await conclave(rig, 'plan', ...runFlags, task);
  const ours = { ...lastRound(rig, names), asked: firstAsked(rig) };
  const asked = Date.now();
  await Promise.all(names.map((name) => bareCall(rig, name)));
  return { ours, bare: { ...lastRound(rig, names), asked } };
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

/** Peak memory with an agent that floods, against one that prints next to nothing. */
async function floodRow(megabytes: number): Promise<Row> {
  const floor = [await peakWith(fixture('empty')), 'idle run'] as const;
  const value = await peakWith(fixture('flood'), String(megabytes));
  return { name: `${megabytes} MB of agent output`, value, unit: 'MB', floor, limit: 3 };
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
      most: short ? 4_000 : 15_000,
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
