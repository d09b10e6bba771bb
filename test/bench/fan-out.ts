import { bareCalls, crowd, runOnce } from './crowd.ts';
import { type Effort, type Row, atMost, median } from './row.ts';

/** Three agents of one second asked together, against the same three programs started bare. */
export async function fanOutRows({ short }: Effort): Promise<Row[]> {
  const rig = await crowd({ delayMs: 1_000 });
  try {
    const ours: number[] = [];
    const bare: number[] = [];
    for (let turn = 0; turn < (short ? 3 : 7); turn += 1) {
      ours.push(roundTime(await runOnce(rig)));
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

/** From the first agent asked to the last one answered, in ms. */
function roundTime(events: readonly { type: string; at: string }[]): number {
  const at = (event: { at: string } | undefined) => Date.parse(event?.at ?? '');
  const first = events.find(({ type }) => type === 'agent.started');
  const last = events.findLast(({ type }) => type === 'agent.answered');
  return at(last) - at(first);
}
