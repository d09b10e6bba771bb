import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adapters } from '../../src/agents/cli/list.ts';
import { builtCli } from '../helpers/built.ts';
import { type Rig, fixture, makeRig } from '../helpers/rig.ts';
import { canConfine } from '../helpers/strict-rig.ts';

let rig: Rig;
beforeAll(() => {
  builtCli();
  rig = makeRig();
  rig.write('good.json', JSON.stringify({ model: 'm-1', else: { answer: { ok: true } } }));
  rig.write('bad.json', JSON.stringify({ else: { exit: 1, stderr: 'no way' } }));
});
afterAll(() => {
  rig.remove();
});

const others = adapters.map(({ name }) => `[agents.${name}]\nenabled = false\n`).join('');

/** Sets up the agent `ant`, and no other. */
function ant(script: string): void {
  const args = [fixture('vendor'), join(rig.repo, script)];
  const path = JSON.stringify(process.execPath);
  rig.config(`${others}[agents.ant]\npath = ${path}\nargs = ${JSON.stringify(args)}\n`);
}

test.skipIf(!canConfine)(
  'what a probe learned is told by it and by doctor, until the agent is called otherwise',
  async () => {
    ant('good.json');
    const told =
      /^ant .* probed on \d{4}-\d\d-\d\d: answered in \S+ s with m-1, in the form asked for$/m;
    const probed = await rig.conclave('doctor', '--probe', '-y');
    expect(probed).toMatchObject({ code: 0, stderr: '' });
    expect(probed.stdout).toMatch(told);
    expect((await rig.conclave('doctor')).stdout).toMatch(told);
    const { stdout } = await rig.conclave('doctor', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      can_answer: true,
      agents: expect.arrayContaining([
        expect.objectContaining({
          name: 'ant',
          probe: expect.objectContaining({ failure: null, model: 'm-1', resumes: null }),
        }),
      ]),
    });
    ant('bad.json');
    expect((await rig.conclave('doctor')).stdout).not.toContain('probed on');
  },
);

test.skipIf(!canConfine)('where nobody answers it ends with 3, and says why', async () => {
  ant('bad.json');
  const { code, stdout } = await rig.conclave('doctor', '--probe', '-y');
  expect(code).toBe(3);
  expect(stdout).toMatch(/^ant .* probed on \S+: crashed: .*no way/m);
  expect(stdout).toMatch(/\nNo agent answered\.\n$/);
  rig.config(others);
  expect(await rig.conclave('doctor', '--probe')).toMatchObject({ code: 3 });
});

test('nobody is asked before the user agrees', async () => {
  ant('good.json');
  rig.write('good.json', JSON.stringify({ witness: join(rig.repo, 'called') }));
  const { code, stderr } = await rig.conclave('doctor', '--probe');
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/one or two small paid calls to each of ant\. .*add -y/),
  });
  expect(existsSync(join(rig.repo, 'called'))).toBe(false);
});
