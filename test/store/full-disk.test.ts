import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { claimSession } from '../../src/store/session-folder.ts';
import { canMount, newRoot, opened, someTime, write } from './room.ts';

/** Runs shell text and a fixture; returns the JSON lines it told, one object each. */
function tellings(
  shell: string,
  { fixture, args }: { fixture: string; args: string[] },
): unknown[] {
  const path = fileURLToPath(new URL(`../fixtures/store/${fixture}`, import.meta.url));
  const wrapped = ['-c', `${shell} exec "$@"`, 'sh', process.execPath, path, ...args];
  const [program, before] = shell.includes('mount') ? ['unshare', ['-rm', 'sh']] : ['sh', []];
  const end = spawnSync(program, [...before, ...wrapped], { encoding: 'utf8' });
  expect(end.stderr).toBe('');
  return end.stdout
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}

const refusal = (code: string, name: string) => ({
  reason: 'cannot-write',
  code,
  path: expect.stringContaining(name),
});

// Needs user namespaces, which some machines forbid.
test.skipIf(!canMount)(
  'on a full disk old files stay whole, the errno is told, and freed space lets it go on',
  async () => {
    const root = await newRoot();
    const told = tellings(`mount -t tmpfs -o size=256k tmpfs "${root}";`, {
      fixture: 'on-full-disk.ts',
      args: [root],
    });
    expect(told).toEqual([
      { filled: 'ENOSPC' },
      { write: refusal('ENOSPC', '/plan.json') },
      { append: refusal('ENOSPC', '/journal.jsonl') },
      { append: refusal('ENOSPC', '/journal.jsonl') },
      { lock: refusal('ENOSPC', '/owner.json') },
      { claim: refusal('ENOSPC', '.workflow') },
      { left: { plan: 'old', names: ['journal.jsonl', 'lock.sqlite', 'plan.json'] } },
      { later: refusal('ENOSPC', '/journal.jsonl') },
      { journal: { texts: ['first', 'after'] } },
    ]);
  },
);

test.skipIf(!canMount)('on a read-only disk every write says so and reading works', async () => {
  const root = await newRoot();
  const folder = await claimSession({ root, task: 'x', now: someTime });
  await write(folder, [opened(folder.id)]);
  const told = tellings(`mount --bind "${root}" "${root}"; mount -o remount,ro,bind "${root}";`, {
    fixture: 'on-read-only-disk.ts',
    args: [root],
  });
  expect(told).toEqual([
    { write: refusal('EROFS', '/plan.json') },
    { remove: refusal('EROFS', '/journal.jsonl') },
    { journal: refusal('EROFS', '/journal.jsonl') },
    { lock: refusal('EROFS', '/lock.sqlite') },
    { claim: { ...refusal('EROFS', '/.workflow'), reason: 'cannot-begin' } },
    { read: 1 },
  ]);
});
