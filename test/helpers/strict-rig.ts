// Makes a repository, a home and a data folder, and runs proofs in the strict confinement there.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { leaveRun } from '../../src/agents/process/start-program.ts';
import { findConfinement } from '../../src/agents/process/find-confinement.ts';
import { tryConfinement } from '../../src/phases/execution/confine.ts';
import { defaultSettings } from '../../src/app/settings/load-settings.ts';
import { openWorktrees } from '../../src/git/git-worktrees.ts';
import { openRepository } from '../../src/git/open-repository.ts';
import type { ExecutionSettings } from '../../src/model/settings.ts';
import type { Proof } from '../../src/model/proof.ts';
import type { ProofTools } from '../../src/phases/proof/proof-consent.ts';
import { proofCopy } from '../../src/phases/proof/run-proofs.ts';
import { memorySnapshots } from '../git/temp-repository.ts';

const { signal } = new AbortController();

export interface ProofRig {
  readonly room: string;
  readonly root: string;
  readonly home: string;
  /** Writes files, relative to the repository. */
  write(files: Readonly<Record<string, string>>): void;
  git(...args: readonly string[]): string;
  tools(settings?: Partial<ExecutionSettings>, standing?: string): Promise<ProofTools>;
  run(proofs: readonly Proof[], given?: Given): ReturnType<ReturnType<typeof proofCopy>['run']>;
  records(): readonly unknown[];
  remove(): void;
}

interface Given {
  readonly setUp?: readonly string[];
  readonly settings?: Partial<ExecutionSettings>;
  /** The session’s folder, relative to the repository. */
  readonly standing?: string;
}

const markPrefix = `proof-${process.pid}.`;
/** The home is another one, in which the programs of rustup would find no toolchain. */
const environment = {
  PATH: process.env['PATH'],
  HOME: tmpdir(),
  RUSTUP_HOME: process.env['RUSTUP_HOME'] ?? join(homedir(), '.rustup'),
};
const found = findConfinement(environment);

/** True where code can be confined strictly; tests of it are skipped elsewhere. */
export const canConfine =
  found?.isStrict === true &&
  (await tryConfinement(found, { environment, signal }).then(
    () => true,
    () => false,
  ));
if (!canConfine) console.warn('bubblewrap is missing, so that its tests are skipped');

/** The self-test costs seconds, and says the same for all rigs of a battery. */
const kept = process.env['CONCLAVE_TESTS_KEPT'] ?? tmpdir();
const confinementFile = join(kept, 'strict-rig.json');

export function proofRig(files: Readonly<Record<string, string>>): ProofRig {
  const room = realpathSync(mkdtempSync(join(tmpdir(), 'conclave-proof-')));
  const [root, home] = [join(room, 'repo'), join(room, 'home')];
  const lines: string[] = [];
  mkdirSync(root);
  mkdirSync(home);
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@t', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  const write: ProofRig['write'] = (all) => {
    for (const [path, text] of Object.entries(all)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
  };
  write(files);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Base');
  const tools: ProofRig['tools'] = async (settings = {}, standing = '') => {
    const own = { ...environment, HOME: home };
    const snapshots = memorySnapshots();
    const repository = await openRepository({
      root: join(root, standing),
      base: null,
      snapshots,
      signal,
    });
    return {
      repository,
      markPrefix,
      folder: { append: async (_, text) => void lines.push(text) },
      execution: {
        settings: { ...defaultSettings(own).execution, ...settings },
        environment: own,
        secrets: [],
        confinementFile,
        remember: async () => null,
        worktrees: () =>
          openWorktrees({
            session: 'S-1',
            repository,
            snapshots,
            folder: join(room, 'data'),
            signal,
          }),
      },
    };
  };
  return {
    room,
    root,
    home,
    write,
    git,
    tools,
    async run(proofs, { setUp = [], settings, standing } = {}) {
      await using copy = proofCopy({ setUp, tools: await tools(settings, standing), signal });
      return await copy.run(proofs);
    },
    records: () => lines.map((line): unknown => JSON.parse(line)),
    remove() {
      leaveRun(markPrefix);
      rmSync(room, { recursive: true, force: true });
    },
  };
}

/** Links vitest into a rig. One mount holds all packages, so that a run begins faster than with one for each. */
export function linkVitest({ root, write }: Pick<ProofRig, 'root' | 'write'>): void {
  const packages = realpathSync('node_modules');
  write({ 'node_modules/.bin/made': '' });
  for (const name of ['.bin/vitest', 'vitest', '.all'])
    symlinkSync(join(packages, name.replace('.all', '')), join(root, 'node_modules', name));
}

/** A proof with the usual answers, by its path and content. */
export function proofOf(path: string, content: string, part: Partial<Proof> = {}): Proof {
  return {
    id: 'P1',
    path,
    content,
    argv: ['node', '--test', path],
    folder: '.',
    sentence: 'It works.',
    for: 'the request',
    expect_today: 'fails',
    needs: [],
    ...part,
  };
}
