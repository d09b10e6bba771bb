// Tests a container as a machine, by a stand-in for docker that makes a real namespace.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configureVendors } from '../helpers/vendors.ts';
import { todoRig } from '../helpers/test-rig.ts';

const canConfine = spawnSync('bwrap', ['--ro-bind', '/', '/', 'true']).status === 0;

test.skipIf(!canConfine)(
  'a container sees this program, the logins of the agents, and nothing else of the home',
  async () => {
    const rig = await todoRig();
    configureVendors(rig, { alpha: { else: { answer: 'Done.' } } });
    mkdirSync(join(rig.home, '.codex'));
    writeFileSync(join(rig.home, '.codex/auth.json'), '{}');
    writeFileSync(join(rig.home, 'diary.txt'), 'private');
    const inside = join(rig.home, 'data/conclave/containers');
    mkdirSync(join(inside, '.config/conclave'), { recursive: true });
    const look =
      'ls -a "$HOME" > "$HOME/seen"; ls /opt/conclave/dist/cli.js >> "$HOME/seen"; echo 1.0.0';
    writeFileSync(join(inside, 'look.sh'), `#!/bin/sh\n${look}\n`, { mode: 0o755 });
    writeFileSync(
      join(inside, '.config/conclave/config.toml'),
      '[agents.alpha]\npath = "/home/agent/look.sh"\nvendor = "v"\n',
    );
    rig.config(
      `${rig.configured()}\n[machines.box]\ncontainer = "the-image"\nagents = ["alpha"]\n`,
    );
    const bin = new URL('../fixtures/machines/bin', import.meta.url).pathname;
    rig.environment['PATH'] = `${bin}:${rig.environment['PATH']}`;
    const { stdout } = await rig.conclave('machines', 'allow', 'box');
    expect(stdout).toContain('alpha: ready');
    const seen = readFileSync(join(inside, 'seen'), 'utf8').split('\n');
    expect(seen).toContain('.codex');
    expect(seen).toContain('/opt/conclave/dist/cli.js');
    expect(seen).not.toContain('diary.txt');
  },
);
