// Tests the limits of the user's accounts where no machine is configured.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as settle } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Agent, bareTraits } from '../../src/agents/agent.ts';
import { plainRequest } from '../../src/agents/cli/describe.ts';
import { poolToAsk } from '../../src/app/make-pool.ts';
import { ownMachines } from '../../src/app/own-machines.ts';
import { openWorkplace } from '../../src/app/workplace.ts';
import { plainFacts } from '../agents/agent-room.ts';

const { signal } = new AbortController();

test('an agent has no more runs at once than at_once says, also where no machine is configured', async () => {
  const home = mkdtempSync(join(tmpdir(), 'own-machines-'));
  mkdirSync(join(home, 'conclave'));
  const own = '[agents.mine]\npath = "/bin/true"\nvendor = "v"\nat_once = 1\n';
  writeFileSync(join(home, 'conclave/config.toml'), own);
  const environment = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
  const workplace = await openWorkplace({ cwd: home, environment, flags: [] });
  const begun: (() => void)[] = [];
  const mine: Agent = {
    name: 'mine',
    traits: bareTraits('mine'),
    kind: 'model',
    ready: async () => ({ state: 'ready', path: null, version: null }),
    vendorOf: () => 'v',
    // oxlint-disable-next-line require-yield
    async *run() {
      await new Promise<void>((resolve) => begun.push(resolve));
      return { ok: true, text: 'Done.', facts: plainFacts };
    },
  };
  const pool = ownMachines(workplace).place({ ...poolToAsk(workplace), get: () => mine });
  const placed = pool.get('mine') ?? mine;
  const runs = [1, 2].map(() => placed.run(plainRequest('/project'), signal).next());
  await settle();
  expect(begun).toHaveLength(1);
  begun[0]?.();
  await runs[0];
  await settle();
  expect(begun).toHaveLength(2);
  begun[1]?.();
  expect((await Promise.all(runs)).map(({ done }) => done)).toEqual([true, true]);
});
