import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorktrees } from '../../src/git/git-worktrees.ts';
import { type TreePreparation, prepareTree } from '../../src/phases/execution/prepare-tree.ts';
import { openSharedSetUp } from '../../src/phases/execution/shared-set-up.ts';
import { memorySnapshots, tempRepository } from '../git/temp-repository.ts';
import type { Row } from './measure.ts';

/** A set-up of one second for 200 independent tasks; git makes their work trees besides. */
export async function setUpRow(): Promise<Row> {
  const data = mkdtempSync(join(tmpdir(), 'conclave-bench-'));
  await using repo = await tempRepository();
  try {
    const start = await repo.commit('start', { '.gitignore': 'deps/\n', 'a.txt': 'a\n' });
    const { signal } = new AbortController();
    const repository = await repo.open();
    const snapshots = memorySnapshots();
    const folder = join(data, 'ours');
    const trees = await openWorktrees({ session: 'bench', repository, snapshots, folder, signal });
    const common = { buildFacts: [], mostMs: 60_000, markPrefix: 'bench', signal };
    const place = { ...common, home: repo.root, environment: process.env };
    const setup = ['node', '-e', makesDeps];
    const shared = openSharedSetUp();
    const made: string[] = [];
    let total = 0;
    for (let task = 1; task <= 200; task += 1) {
      const name = `TASK-${task}`;
      const { path: cwd } = await trees.make(name, [start]);
      const preparation = { trees, setup, copy: [], link: [], shared, place: { ...place, cwd } };
      total += await timeOf(name, start, preparation);
      made.push(cwd);
    }
    checkCopies(made);
    return { name: '200 tasks with a set-up of 1 s', value: total, unit: 'ms', most: 3_000 };
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

const makesDeps = `require('fs').mkdirSync('deps');
require('fs').writeFileSync('deps/x', 'x');
setTimeout(() => {}, 1000);`;

async function timeOf(name: string, start: string, preparation: TreePreparation): Promise<number> {
  const since = performance.now();
  await prepareTree(name, start, preparation);
  return performance.now() - since;
}

/** Each has its own: what is written in one is in no other. */
function checkCopies([first = '', ...others]: readonly string[]): void {
  writeFileSync(join(first, 'deps/x'), 'changed');
  writeFileSync(join(first, 'deps/new'), '');
  if (!others.every(isOwn)) throw new Error('two work trees share what the set-up made');
}

function isOwn(path: string): boolean {
  return readFileSync(join(path, 'deps/x'), 'utf8') === 'x' && !existsSync(join(path, 'deps/new'));
}
