import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findConfinement } from '../../../src/agents/process/find-confinement.ts';
import { proofReadiness } from '../../../src/phases/proof/proof-consent.ts';
import { testConfinement } from '../../../src/phases/proof/self-test.ts';
import { canConfine, proofRig } from '../../helpers/strict-rig.ts';

const { signal } = new AbortController();

test.skipIf(!canConfine)(
  'each limit is tried once on a machine, wherever temporary files are, and shown to who agrees',
  async () => {
    const rig = proofRig({ 'a.js': '' });
    try {
      const given = await rig.tools();
      // The home is the folder of temporary files here.
      const environment = { ...given.execution.environment, HOME: tmpdir() };
      const confinementFile = join(rig.room, 'limits.json');
      const tools = { ...given, execution: { ...given.execution, environment, confinementFile } };
      const found = findConfinement(environment);
      expect(found).not.toBeNull();
      if (found === null) return;
      const held = {
        network: true,
        home: true,
        'other projects': true,
        environment: true,
        'writing elsewhere': true,
        processes: true,
        memory: true,
      };
      expect(await testConfinement(tools, found, signal)).toEqual(held);
      expect(readdirSync(tmpdir())).not.toContain('conclave-self-test');
      const unused = { ...found, argv: () => expect.unreachable('it was tried before') };
      expect(await testConfinement(tools, unused, signal)).toEqual(held);
      const { obstacle, consent, lines } = await proofReadiness(tools, signal);
      expect({ obstacle, consent }).toEqual({ obstacle: null, consent: 'ask' });
      expect(lines.join('\n')).toMatch(
        /without a network.*\n.*60 seconds.*\n.*held: network, home/,
      );
    } finally {
      rig.remove();
    }
  },
);
