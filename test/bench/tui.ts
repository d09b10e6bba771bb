import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Rig, fixture, makeRig, program } from '../helpers/rig.ts';
import { todoProject } from '../helpers/todo-project.ts';
import { type Measured, inPty, residentMb } from './in-pty.ts';
import { type Effort, type Row, atMost, median } from './row.ts';

const floorProgram = new URL('tui-floor.ts', import.meta.url).pathname;
const task = 'Add a --json flag to listTodos';
const idle = { name: 'hang-after-first-line', args: [] };

/** The terminal UI in a real pty of 120 × 45. */
export async function tuiRows(effort: Effort): Promise<Row[]> {
  const rig = makeRig();
  try {
    await todoProject(rig);
    return [
      await firstFrame(rig, effort),
      ...(await busy(rig, effort)),
      await memory(rig),
      ...(await quiet(rig, effort)),
    ];
  } finally {
    rig.remove();
  }
}

async function firstFrame(rig: Rig, { short }: Effort): Promise<Row> {
  const [ours, floor]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < (short ? 5 : 11); turn += 1) {
    const start = performance.now();
    spawnSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
    floor.push(performance.now() - start);
    const shown = conclave(rig);
    ours.push(await shown.letters(12));
    await shown.end();
  }
  return atMost({
    name: 'terminal UI, first frame',
    value: median(ours),
    floor: median(floor),
    floorName: 'node -e 0',
    limit: 6.5,
    unit: 'ms',
  });
}

/** Three agents that tell 1,000 events a second together, for 6 s. */
async function busy(rig: Rig, { short }: Effort): Promise<Row[]> {
  const stream = { name: 'stream', args: ['334', '12'] };
  agents(rig, stream);
  const figures = {
    ours: [] as number[],
    floor: [] as number[],
    bytes: [] as number[],
    floorBytes: [] as number[],
  };
  const seconds = 6;
  for (let turn = 0; turn < (short ? 1 : 3); turn += 1) {
    const own = await watched(conclave(rig, 'plan', task), seconds);
    const bare = await watched(
      inPty([floorProgram, fixture(stream.name), ...stream.args], places(rig)),
      seconds,
    );
    figures.ours.push(own.cpuMs);
    figures.bytes.push(own.bytes / 1_000 / seconds);
    figures.floor.push(bare.cpuMs);
    figures.floorBytes.push(bare.bytes / 1_000 / seconds);
  }
  return [
    atMost({
      name: 'three panes at 1,000 events/s: CPU in 6 s',
      value: median(figures.ours),
      floor: median(figures.floor),
      floorName: 'bare Ink',
      limit: 1.2,
      unit: 'ms',
    }),
    within({
      name: 'three panes at 1,000 events/s: to the terminal',
      value: median(figures.bytes),
      beside: `${median(figures.floorBytes).toFixed(1)} KB/s bare Ink`,
      limit: 30,
      unit: 'KB/s',
    }),
  ];
}

async function watched(shown: Measured, seconds: number) {
  await shown.letters(200);
  await sleep(1_500);
  const figures = await shown.watch(seconds * 1_000);
  await shown.end();
  return figures;
}

/** What 100,000 events add to the memory, after as many have been told before. */
async function memory(rig: Rig): Promise<Row> {
  const rate = 4_000;
  const all = (100_000 / (3 * rate)) * 1_000;
  agents(rig, { name: 'stream', args: [String(rate), '30'] });
  const shown = conclave(rig, 'plan', task);
  await shown.letters(200);
  await sleep(all);
  const before = residentMb(shown.pid);
  await sleep(all);
  const after = residentMb(shown.pid);
  await shown.end();
  return within({
    name: 'three panes: memory over 100,000 events',
    value: after - before,
    beside: `${before.toFixed(0)} MB before`,
    limit: 20,
    unit: 'MB',
  });
}

/** Nobody tells anything: with running clocks, and with nothing that could change. */
async function quiet(rig: Rig, { short }: Effort): Promise<Row[]> {
  const seconds = short ? 5 : 10;
  agents(rig, idle);
  const running = conclave(rig, 'plan', task);
  await running.letters(200);
  await sleep(3_000);
  const clocks = await running.watch(seconds * 1_000);
  await running.end();
  const asking = conclave(rig);
  await asking.letters(12);
  await sleep(3_000);
  const still = await asking.watch(seconds * 1_000);
  await asking.end();
  return [
    within({
      name: 'idle with running clocks: CPU',
      value: clocks.cpuMs / seconds / 10,
      beside: 'one core',
      limit: 2,
      unit: '%',
    }),
    within({
      name: 'idle without a clock: to the terminal',
      value: still.bytes,
      beside: '',
      limit: 0,
      unit: 'bytes',
    }),
  ];
}

function conclave(rig: Rig, ...args: readonly string[]): Measured {
  return inPty([program, ...args], places(rig));
}

function places(rig: Rig) {
  return { cwd: rig.repo, environment: rig.environment };
}

function agents(
  rig: Rig,
  { name, args }: { readonly name: string; readonly args: readonly string[] },
) {
  const names = ['alpha', 'beta', 'gamma'];
  const each = names.map(
    (agent) => `[agents.${agent}]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify([fixture(name), ...args])}
vendor = "${agent}"
`,
  );
  rig.config(
    `[workflow]\ntools = ${JSON.stringify(names)}\nfallback_chain = []\n${each.join('\n')}`,
  );
}

/** A row for a figure that must stay at or under a limit of its own. */
function within(row: {
  readonly name: string;
  readonly value: number;
  readonly beside: string;
  readonly limit: number;
  readonly unit: string;
}): Row {
  const { name, value, beside, limit, unit } = row;
  return {
    name,
    measured: `${value.toFixed(1)} ${unit}`,
    floor: beside,
    ratio: '',
    limit: `<= ${limit} ${unit}`,
    ok: value <= limit,
  };
}
