import { spawnSync } from 'node:child_process';
import { program } from '../helpers/rig.ts';
import { type Effort, type Row, atMost, median } from './row.ts';

/** Start-up of the two questions that need nothing loaded, against an empty Node. */
export async function startUpRows({ short }: Effort): Promise<Row[]> {
  const commands = {
    node: ['-e', '0'],
    version: [program, '--version'],
    help: [program, '--help'],
  };
  const times = { node: [] as number[], version: [] as number[], help: [] as number[] };
  for (let turn = 0; turn < (short ? 15 : 41); turn += 1) {
    // Interleaved, so that a busy moment of the machine hits all three.
    for (const name of ['node', 'version', 'help'] as const) {
      times[name].push(timed(commands[name]));
    }
  }
  const floor = { floor: median(times.node), floorName: 'node -e 0', unit: 'ms' };
  return [
    atMost({ name: '--version', value: median(times.version), limit: 1.35, ...floor }),
    atMost({ name: '--help', value: median(times.help), limit: 1.6, ...floor }),
  ];
}

function timed(args: readonly string[]): number {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: 'ignore' });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
  return performance.now() - start;
}
