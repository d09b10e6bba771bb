import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { type Rig, fixture, makeRig, program } from '../helpers/rig.ts';
import { todoProject } from '../helpers/todo-project.ts';
import { type Row, medians, memoryOf, timed } from './measure.ts';

const bareInk = new URL('bare-ink.ts', import.meta.url).pathname;
const planning = [program, 'plan', 'Add a --json flag to listTodos'];

/** The terminal UI in a real pty of 120 × 45. */
export async function* terminalRows(short: boolean): AsyncGenerator<Row> {
  const rig = makeRig();
  try {
    await todoProject(rig);
    yield await firstFrame(rig, short ? 5 : 11);
    yield* await busyRows(rig, short);
    yield await growthRow(rig, short ? 30_000 : 100_000);
    yield* await idleRows(rig, short ? 4 : 10);
  } finally {
    rig.remove();
  }
}

async function firstFrame(rig: Rig, turns: number): Promise<Row> {
  const median = await medians(turns, async () => {
    const floor = await timed(() => execFileSync(process.execPath, ['-e', '0']));
    const shown = inPty(rig, [program]);
    const ours = await timed(() => shown.letters(12));
    await shown.end();
    return { floor, ours };
  });
  const floor = [median('floor'), 'node -e 0'] as const;
  return { name: 'terminal UI, first frame', value: median('ours'), unit: 'ms', floor, limit: 6.5 };
}

/** Three agents that tell 1,000 events a second together, beside what Ink needs for that at least. */
async function busyRows(rig: Rig, short: boolean): Promise<Row[]> {
  const [turns, seconds] = short ? [1, 4] : [3, 6];
  const stream = [fixture('stream'), '334', '12'];
  agents(rig, stream);
  const watch = async (args: readonly string[]) => {
    const shown = inPty(rig, args);
    await shown.letters(200);
    await sleep(1_500);
    const figures = await shown.watch(seconds);
    await shown.end();
    return figures;
  };
  const median = await medians(turns, async () => {
    const [ours, bare] = [await watch(planning), await watch([bareInk, ...stream])];
    return { cpu: ours.cpuMs, bareCpu: bare.cpuMs, bytes: ours.bytes, bareBytes: bare.bytes };
  });
  const rate = (bytes: number) => bytes / 1_000 / seconds;
  return [
    {
      name: `three panes at 1,000 events/s: CPU in ${seconds} s`,
      value: median('cpu'),
      unit: 'ms',
      floor: [median('bareCpu'), 'bare Ink'],
      limit: 1.2,
    },
    {
      name: 'three panes at 1,000 events/s: to the terminal',
      value: rate(median('bytes')),
      unit: 'KB/s',
      floor: [rate(median('bareBytes')), 'bare Ink'],
      most: 30,
    },
  ];
}

/** What so many events add to the memory, after as many have been told before. */
async function growthRow(rig: Rig, events: number): Promise<Row> {
  const rate = 4_000;
  agents(rig, [fixture('stream'), String(rate), '30']);
  const shown = inPty(rig, planning);
  await shown.letters(200);
  const told = () => sleep((events / (3 * rate)) * 1_000);
  await told();
  const before = memoryOf(shown.pid, 'VmRSS');
  await told();
  const value = memoryOf(shown.pid, 'VmRSS') - before;
  await shown.end();
  return { name: `three panes: memory over ${events} events`, value, unit: 'MB', most: 20 };
}

/** Nobody tells anything: with running clocks, and with nothing that could change. */
async function idleRows(rig: Rig, seconds: number): Promise<Row[]> {
  agents(rig, [fixture('hang-after-first-line')]);
  const [running, asking] = [inPty(rig, planning), inPty(rig, [program])];
  await running.letters(200);
  await asking.letters(12);
  await sleep(3_000);
  const [clocks, still] = await Promise.all([running.watch(seconds), asking.watch(seconds)]);
  await Promise.all([running.end(), asking.end()]);
  const ofACore = clocks.cpuMs / seconds / 10;
  return [
    { name: 'idle with running clocks: CPU of one core', value: ofACore, unit: '%', most: 2 },
    { name: 'idle without a clock: to the terminal', value: still.bytes, unit: 'bytes', most: 0 },
  ];
}

/** Starts `node` with arguments in a terminal of its own, as it is measured from outside. */
function inPty(rig: Rig, args: readonly string[]) {
  const env = { ...rig.environment, TERM: 'xterm-256color', NODE_ENV: 'production' };
  const size = { cols: 120, rows: 45 };
  const pty = spawn(process.execPath, [...args], { ...size, cwd: rig.repo, env });
  let [text, bytes] = ['', 0];
  pty.onData((data) => {
    bytes += Buffer.byteLength(data);
    // What is waited for comes early.
    if (text.length < 1_000_000) text += data;
  });
  const gone = new Promise<void>((resolve) => pty.onExit(() => resolve()));
  const letters = () => stripVTControlCharacters(text).match(/\p{Letter}/gu)?.length ?? 0;
  return {
    pid: pty.pid,
    /** Waits until so many letters are to be seen. */
    async letters(count: number): Promise<void> {
      for (const deadline = Date.now() + 20_000; letters() < count; await sleep(2)) {
        if (Date.now() > deadline) throw new Error(`the terminal never showed it: ${text}`);
      }
    },
    /** What it takes of the processor, in ms, and writes in so many seconds. */
    async watch(seconds: number) {
      const before = { cpuMs: cpuMs(pty.pid), bytes };
      await sleep(seconds * 1_000);
      return { cpuMs: cpuMs(pty.pid) - before.cpuMs, bytes: bytes - before.bytes };
    },
    async end(): Promise<void> {
      pty.kill('SIGINT');
      const late = setTimeout(() => pty.kill('SIGKILL'), 3_000);
      await gone;
      clearTimeout(late);
    },
  };
}

/** User and system time of a process in ms; Linux counts it in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /su, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Three agents that are this program of Node. */
function agents(rig: Rig, args: readonly string[]): void {
  const names = ['alpha', 'beta', 'gamma'];
  const each = names.map(
    (agent) => `[agents.${agent}]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify(args)}
vendor = "${agent}"
`,
  );
  rig.config(
    `[workflow]\ntools = ${JSON.stringify(names)}\nfallback_chain = []\n${each.join('\n')}`,
  );
}
