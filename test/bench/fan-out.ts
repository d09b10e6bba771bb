import { Receipt } from '../../src/model/receipt.ts';
import type { Rig } from '../helpers/rig.ts';
import { bareCalls, crowd, runOnce } from './crowd.ts';
import { type Effort, type Row, atMost, median } from './row.ts';

/** Three agents of one second asked together, against the same three programs started bare. */
export async function fanOutRows({ short }: Effort): Promise<Row[]> {
  const rig = await crowd({ delayMs: 1_000 });
  try {
    const ours: number[] = [];
    const bare: number[] = [];
    for (let turn = 0; turn < (short ? 3 : 7); turn += 1) {
      await runOnce(rig);
      ours.push(roundTime(rig));
      bare.push(await bareCalls(rig));
    }
    return [
      atMost({
        name: 'fan-out of three agents of 1 s',
        value: median(ours),
        floor: median(bare),
        floorName: 'slowest bare call',
        limit: 1.02,
        unit: 'ms',
      }),
    ];
  } finally {
    rig.remove();
  }
}

/**
 * From the start of the first agent’s process to the end of the last one’s, as the receipts have
 * it, in ms. What comes after the last byte is measured on its own.
 */
function roundTime(rig: Rig): number {
  const receipts = ['alpha', 'beta', 'gamma'].map((name) =>
    Receipt.parse(rig.json(`rounds/1/agents/${name}/receipt.json`)),
  );
  const starts = receipts.map(({ started_at }) => Date.parse(started_at));
  const ends = receipts.map(({ duration_ms }, index) => (starts[index] ?? 0) + duration_ms);
  return Math.max(...ends) - Math.min(...starts);
}
