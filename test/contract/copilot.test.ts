import { expect, test } from 'vitest';
import { runToEnd } from '../agents/agent-room.ts';
import { answerOf, cliBench } from './cli-bench.ts';
import { realClis } from './real-clis.ts';

const bench = cliBench(realClis.copilot);

test('with a provider of the user’s own and no model, the request is refused', async () => {
  const room = bench.roomFor(realClis.copilot.adapter, { COPILOT_MODEL: undefined });
  const { end } = await runToEnd(room.agent(), room.request('Hello?'));
  expect(answerOf(end)).toMatchObject({
    category: 'request-refused',
    detail: expect.stringContaining('require an explicit model'),
  });
});
