import { readFileSync } from 'node:fs';
import { type Rig, ended, fixture, makeRig } from '../helpers/rig.ts';
import { todoProject } from '../helpers/todo-project.ts';
import { type Effort, type Row, atMost } from './row.ts';

/** Peak memory of the orchestrator with an agent that prints 1 GB, against one that prints little. */
export async function memoryRows({ short }: Effort): Promise<Row[]> {
  const megabytes = short ? 256 : 1024;
  const idle = await peakWith([fixture('empty')]);
  const flood = await peakWith([fixture('flood'), String(megabytes)]);
  return [
    atMost({
      name: `${megabytes} MB of agent output`,
      value: flood,
      floor: idle,
      floorName: 'idle run',
      limit: 3,
      unit: 'MB',
    }),
  ];
}

async function peakWith(args: readonly string[]): Promise<number> {
  const rig = makeRig();
  try {
    await todoProject(rig);
    rig.config(`[workflow]
tools = ["fake"]
[agents.fake]
path = ${JSON.stringify(process.execPath)}
args = ${JSON.stringify(args)}
vendor = "fake"
`);
    return await peakOfRun(rig);
  } finally {
    rig.remove();
  }
}

/** `VmHWM` of the orchestrator alone, in MB, looked at until it ends. */
async function peakOfRun(rig: Rig): Promise<number> {
  const child = rig.start('plan', '--auto-yes', '--max-rounds', '1', 'Print JSON from listTodos');
  let peak = 0;
  const look = setInterval(() => {
    peak = Math.max(peak, highWater(child.pid ?? 0));
  }, 20);
  const { code, stderr } = await ended(child);
  clearInterval(look);
  if (code !== 0) throw new Error(`the run ended with ${code}: ${stderr}`);
  return peak;
}

function highWater(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  } catch (error) {
    if (error instanceof Error && 'code' in error) return 0;
    throw error;
  }
}
