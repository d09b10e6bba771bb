import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWorktrees } from '../../src/git/git-worktrees.ts';
import { memorySnapshots, tempRepository, type TempRepository } from '../git/temp-repository.ts';
import { atMost, type Effort, type Row, median } from './row.ts';

const files = 1_000;

/** A task in a work tree of its own, merged with another one, against the bare commands of git. */
export async function worktreeRows({ short }: Effort): Promise<Row[]> {
  const data = mkdtempSync(join(tmpdir(), 'conclave-bench-'));
  await using repo = await tempRepository();
  try {
    const content = Array.from({ length: files }, (_, n) => [`d${n % 40}/f${n}.ts`, `// ${n}\n`]);
    const start = await repo.commit('start', Object.fromEntries(content));
    const trees = await openWorktrees({
      session: 'bench',
      repository: await repo.open(),
      snapshots: memorySnapshots(),
      folder: join(data, 'ours'),
      signal: new AbortController().signal,
    });
    const ours: number[] = [];
    const bare: number[] = [];
    for (let turn = 0; turn < (short ? 3 : 9); turn += 1) {
      bare.push(await timed(async () => bareTask(repo, { start, folder: join(data, 'bare') })));
      ours.push(
        await timed(async () => {
          const made = await trees.make('task', [start]);
          edit(made.path);
          const commit = await trees.commit('task', { parents: [start], message: 'task' });
          await trees.make('all', [start, commit ?? start]);
          await trees.reclaim(['task', 'all']);
        }),
      );
    }
    return [
      atMost({
        name: `a task in its work tree (${files} files), merged`,
        value: median(ours),
        floor: median(bare),
        floorName: 'bare git',
        limit: 1.5,
        unit: 'ms',
      }),
    ];
  } finally {
    rmSync(data, { recursive: true });
  }
}

function edit(folder: string): void {
  for (let n = 0; n < 5; n += 1) writeFileSync(join(folder, `d0/new${n}.ts`), `// new ${n}\n`);
}

function bareTask(
  repo: TempRepository,
  { start, folder }: { readonly start: string; readonly folder: string },
): void {
  repo.git('worktree', 'add', '-q', '-b', 'task', `${folder}-task`, start);
  edit(`${folder}-task`);
  repo.git('-C', `${folder}-task`, 'add', '-A');
  repo.git('-C', `${folder}-task`, 'commit', '-q', '-m', 'task');
  repo.git('worktree', 'add', '-q', '-b', 'all', `${folder}-all`, start);
  repo.git('-C', `${folder}-all`, 'merge', '-q', '--no-ff', '-m', 'Merge task', 'task');
  repo.git('worktree', 'remove', '--force', `${folder}-task`);
  repo.git('worktree', 'remove', '--force', `${folder}-all`);
  repo.git('branch', '-q', '-D', 'task', 'all');
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
