import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Effort, Row } from './row.ts';
import { dice } from './seeded-dice.ts';

const Search = z.object({ ms: z.number(), unread: z.int(), megabytes: z.number() });

/** A search in a large tree, against reading and hashing all of it. */
export async function contextRows({ short }: Effort): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'conclave-bench-context-'));
  try {
    const paths = makeTree(root, short ? 20_000 : 100_000);
    const floor = readAll(root, paths);
    const { ms, unread, megabytes } = search(root);
    if (unread !== 0) throw new Error(`the search did not read ${unread} files`);
    const most = short ? { ms: 4_000, megabytes: 250 } : { ms: 15_000, megabytes: 400 };
    return [
      {
        name: `search in ${paths.length} files`,
        measured: `${ms.toFixed(0)} ms`,
        floor: `${floor.toFixed(0)} ms to read and hash them`,
        ratio: (ms / floor).toFixed(2),
        limit: `<= ${most.ms} ms`,
        ok: ms <= most.ms,
      },
      {
        name: 'memory of that search',
        measured: `${megabytes.toFixed(0)} MB`,
        floor: '',
        ratio: '',
        limit: `<= ${most.megabytes} MB`,
        ok: megabytes <= most.megabytes,
      },
    ];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function search(root: string): z.infer<typeof Search> {
  const program = new URL('context-search.ts', import.meta.url).pathname;
  const said = execFileSync(process.execPath, [program, root], { encoding: 'utf8' });
  return Search.parse(JSON.parse(said));
}

const words =
  `account address amount balance batch buffer cache cart channel client color column commit count
  currency customer date delay discount document draft error event field file filter format group
  header image index input invoice item label layout limit line list lock login message metric month
  name node note number offer option order owner page panel parser path payment plan price product
  query queue rate reader record region report request result retry role route row rule score search
  section seller session setting shape sheet signal size source stack state status stock stream style
  supplier table task tax team template theme ticket time title token total user value version view
  warehouse week widget window worker writer zone`.split(/\s+/);

/** A committed tree of small modules with names of two or three words. */
function makeTree(root: string, count: number): readonly string[] {
  const roll = dice(1);
  const pick = (list: readonly string[]): string => roll.pick(list);
  const camel = (parts: number): string =>
    Array.from({ length: parts }, (_, at) => (at === 0 ? pick(words) : upper(pick(words)))).join(
      '',
    );
  const method = (): string => {
    const [first, second] = [camel(2), camel(2)];
    return `export function ${camel(3)}(${first}: number): number {
  // The ${pick(words)} of each ${pick(words)} is what the ${pick(words)} needs.
  const ${second} = ${first} * ${roll.between(2, 99)};
  return ${camel(2)}(${second}, ${first});
}
`;
  };
  const paths = Array.from(
    { length: count },
    (_, n) => `packages/${n % 50}/src/${pick(words)}/${pick(words)}-${pick(words)}-${n}.ts`,
  );
  for (const path of paths) {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), Array.from({ length: 7 }, method).join('\n'));
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', root, '-c', 'user.name=T', '-c', 'user.email=t@e.invalid', ...args]);
  git('init', '-q');
  git('add', '-A');
  git('-c', 'gc.auto=0', 'commit', '-qm', 'Start');
  return paths;
}

function upper(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/** What it takes at least to look at every file, in ms. */
function readAll(root: string, paths: readonly string[]): number {
  const started = performance.now();
  for (const path of paths)
    createHash('sha1')
      .update(readFileSync(join(root, path)))
      .digest('hex');
  return performance.now() - started;
}
