import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdtempSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openRepository } from '../../src/git/open-repository.ts';
import type { Snapshots } from '../../src/git/open-repository.ts';
import type { Repository } from '../../src/git/repository.ts';
import type { Base } from '../../src/model/context.ts';

/** A real folder that a test fills, with git or without. */
export interface TempRepository {
  readonly root: string;
  git(...args: readonly string[]): string;
  write(files: Readonly<Record<string, string | Buffer>>): Promise<void>;
  remove(...paths: readonly string[]): Promise<void>;
  commit(message: string, files?: Readonly<Record<string, string>>): Promise<string>;
  open(base?: Base | null, snapshots?: Snapshots | null): Promise<Repository>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function tempRepository(kind: 'git' | 'plain' = 'git'): Promise<TempRepository> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'conclave-context-')));
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', root, ...identity, ...args], { encoding: 'utf8' }).trim();
  if (kind === 'git') cpSync(emptyGit(), join(root, '.git'), { recursive: true });
  const write: TempRepository['write'] = async (files) => {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), content);
    }
  };
  return {
    root,
    git,
    write,
    async remove(...paths) {
      for (const path of paths) await unlink(join(root, path));
    },
    async commit(message, files = {}) {
      await write(files);
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return headOf(root) ?? git('rev-parse', 'HEAD');
    },
    open: (base = null, snapshots = null) =>
      openRepository({ root, base, snapshots, signal: new AbortController().signal }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

let empty: string | undefined;

/** What git keeps in a new repository, made once for all tests of a worker: to copy it takes no program. */
function emptyGit(): string {
  if (empty !== undefined) return empty;
  empty = mkdtempSync(join(process.env['CONCLAVE_TESTS_KEPT'] ?? tmpdir(), 'empty-git-'));
  execFileSync('git', [...identity, 'init', '-q', '-b', 'main', empty]);
  empty = join(empty, '.git');
  return empty;
}

/** The same folder once more, with all that git keeps in it. */
export async function copyOf(repo: TempRepository): Promise<TempRepository> {
  const copy = await tempRepository('plain');
  cpSync(repo.root, copy.root, { recursive: true, preserveTimestamps: true });
  return copy;
}

/** The commit of the current branch as git has it in a file; null where it keeps it elsewhere. */
export function headOf(root: string): string | null {
  const folder = join(root, '.git');
  if (!lstatSync(folder).isDirectory()) return null;
  const [, branch] = /^ref: (.+)\n$/.exec(readFileSync(join(folder, 'HEAD'), 'utf8')) ?? [];
  const file = branch === undefined ? 'HEAD' : branch;
  if (!existsSync(join(folder, file))) return null;
  return readFileSync(join(folder, file), 'utf8').trim();
}

/** Whose commits they are, and none of what git does beside them: hooks as samples, tidying up. */
const identity = [
  'user.name=T',
  'user.email=t@example.invalid',
  'commit.gpgsign=false',
  'maintenance.auto=false',
  'init.templateDir=',
].flatMap((setting) => ['-c', setting]);

/** Snapshots in memory, with what was kept. */
export function memorySnapshots(): Snapshots & { readonly kept: Map<string, Buffer> } {
  const kept = new Map<string, Buffer>();
  return {
    kept,
    save: async (sha256, content) => void kept.set(sha256, content),
    load: async (sha256) => kept.get(sha256) ?? null,
  };
}
