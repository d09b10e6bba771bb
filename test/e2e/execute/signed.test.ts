import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { approvedRig } from '../../helpers/executed-rig.ts';
import type { Rig } from '../../helpers/rig.ts';
import { short } from '../../helpers/short-form.ts';
import { planOf, task } from '../../helpers/small-plans.ts';

const plan = planOf([task(1, [], ['a.txt']), task(2, [], ['b.txt'])]);
const work = {
  'TASK-001': { edits: { 'a.txt': 'x\n' } },
  'TASK-002': { edits: { 'b.txt': 'x\n' } },
};

/** By its name, as it comes with git or the system. */
const keygen = 'ssh-keygen';

/** Has git sign every commit of this user by a real ssh key. */
function signing(rig: Rig): void {
  const folder = join(rig.home, '.ssh');
  mkdirSync(folder, { mode: 0o700 });
  const key = join(folder, 'id_ed25519');
  execFileSync(keygen, ['-q', '-t', 'ed25519', '-N', '', '-C', 'me', '-f', key]);
  const allowed = join(folder, 'allowed');
  writeFileSync(allowed, `* ${readFileSync(`${key}.pub`, 'utf8')}`);
  writeFileSync(
    join(rig.home, '.gitconfig'),
    `[user]
  signingkey = ${key}.pub
[commit]
  gpgsign = true
[gpg]
  format = ssh
[gpg "ssh"]
  allowedSignersFile = ${allowed}
`,
  );
}

/** What git says of the signatures of the commits that came home: G is good, N is none. */
const signatures = async (rig: Rig, since: string) =>
  (await rig.git('log', '--format=%G?', `${since.trim()}..HEAD`)).trim().split('\n');

for (const [how, signed] of Object.entries({
  merge: ['G', 'N', 'N', 'N'],
  squash: ['G'],
  linear: ['G', 'G'],
})) {
  test(
    `with execution.apply_hooks what comes home as ${how} is signed by the key of the user`,
    how === 'squash' ? short : {},
    async () => {
      const rig = await approvedRig(work, { plan, more: '[execution]\napply_hooks = true\n' });
      signing(rig);
      const before = await rig.git('rev-parse', 'HEAD');
      const { code, stderr } = await rig.conclave('execute', '-y', '--apply', how);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(await signatures(rig, before)).toEqual(signed);
    },
  );
}

test('without it nothing is signed, and a key that cannot sign leaves everything as it was', async () => {
  const plain = await approvedRig(work, { plan });
  signing(plain);
  const before = await plain.git('rev-parse', 'HEAD');
  expect((await plain.conclave('execute', '-y', '--apply')).code).toBe(0);
  expect(new Set(await signatures(plain, before))).toEqual(new Set(['N']));

  const rig = await approvedRig(work, { plan, more: '[execution]\napply_hooks = true\n' });
  signing(rig);
  const head = await rig.git('rev-parse', 'HEAD');
  writeFileSync(join(rig.home, '.ssh/id_ed25519'), 'broken');
  const { code, stderr } = await rig.conclave('execute', '-y', '--apply');
  expect(code).toBe(7);
  expect(stderr).toContain('your hooks or your signature refuse a commit');
  expect(await rig.git('rev-parse', 'HEAD')).toBe(head);
  expect(await rig.git('status', '--short')).toBe('');
});
