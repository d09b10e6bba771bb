import { describe, expect, test } from 'vitest';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench, shell, text } from './cli-bench.ts';
import { isFull, repeats } from './extent.ts';
import { asleep, marked, sleepers } from './processes.ts';
import { cliNames, realClis } from './real-clis.ts';

const runs = Array.from({ length: repeats }, (_, run) => run + 1);
let naps = 0;

describe.each(cliNames)('while a tool of %s runs,', (name) => {
  const cli = realClis[name];
  const bench = cliBench(cli);

  /** Runs until the tool does: one program in the background, one in the foreground. */
  async function napping(limits: { readonly totalMs?: number } = {}) {
    const time = `97${(naps += 1)}.5`;
    const free = bench.roomFor(cli.unbound);
    const script = [shell(`sh -c "sleep ${time} & sleep ${time}"`), text('Late.')];
    const request = free.request(bench.scripted(...script), { limits });
    const abort = new AbortController();
    const running = runToEnd(free.agent(), request, abort.signal);
    await asleep(running, { time, count: 2 });
    expect(marked(request.mark).length).toBeGreaterThan(2);
    const left = () => [...marked(request.mark), ...sleepers(time)];
    return { running, abort, left };
  }

  test.each(runs)('to cancel the run leaves no process (%i)', async () => {
    const { running, abort, left } = await napping();
    abort.abort();
    expect(answerOf((await running).end)).toMatchObject({ category: 'cancelled' });
    expect(left()).toEqual([]);
  });

  // Where it takes long to start, cancelling shows the same.
  test.each(isFull || cli.startsWithin <= 12_000 ? runs : [])(
    'a run that takes too long leaves no process (%i)',
    async () => {
      const { running, left } = await napping({ totalMs: cli.startsWithin });
      expect(answerOf((await running).end)).toMatchObject({ category: 'timed-out' });
      expect(left()).toEqual([]);
    },
  );
});
