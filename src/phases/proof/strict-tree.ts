// Confines commands to a copy: a list of what is there in place of a list of what is hidden.
import { mkdir } from 'node:fs/promises';
import { delimiter, join, relative } from 'node:path';
import type { Confinement, Mount } from '../../agents/process/confinement.ts';
import { matches } from '../../agents/process/environment.ts';
import { isApart, toolPlaces } from '../../agents/process/tool-places.ts';
import { bytesIn, watchUse } from '../../agents/process/watch-use.ts';
import { isInside } from '../../git/disk.ts';
import type { CopiedStart } from '../../git/worktrees.ts';
import type { Command, TreeConfinement } from '../execution/confine.ts';
import { layDependencies } from './dependencies.ts';

export interface StrictTree {
  readonly confinement: Confinement;
  /** The files in which commands run, as they see them at `top`. */
  readonly copy: Pick<CopiedStart, 'files' | 'top'> & { readonly git: string | null };
  /** The session’s folder of the user, at or below the top; absolute. */
  readonly root: string;
  /** A folder of ours for the cache that runs share, and for the folders of dependencies. */
  readonly folder: string;
  /** The dependencies, relative to the top. */
  readonly dependencies: readonly string[];
  /** The programs of the commands. */
  readonly programs: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly secrets: readonly string[];
}

/** The home of a confined command, which is empty but for toolchains and caches. */
const home = '/tmp/home';

/** The confinement of code that nobody has looked at; only one command may run at a time. */
export async function strictTree(tree: StrictTree): Promise<TreeConfinement> {
  const { confinement, copy, root, folder, dependencies, environment, secrets } = tree;
  const { HOME: ownHome = '/' } = environment;
  const hidden = { environment, secrets, apart: [copy.top, folder] };
  const [cache, laid] = [join(folder, 'cache'), join(folder, 'laid')];
  await mkdir(cache, { recursive: true });
  const before = await bytesIn([copy.files, cache]);
  const venvs = dependencies.map((path) => join(copy.top, path, 'bin/python'));
  const tools = toolPlaces({ ...hidden, more: [...tree.programs, ...venvs] });
  const isShown = (path: string) =>
    !tools.some((one) => isInside(one, path)) && isApart(path, hidden);
  const inHome = tools.filter((path) => isInside(ownHome, path));
  const own: readonly Mount[] = [
    { from: cache, at: join(home, '.cache'), isWritable: true },
    ...tools.map((path) => ({ from: path, at: path })),
    { from: copy.files, at: copy.top, isWritable: true },
    ...(copy.git === null ? [] : [{ from: copy.git, at: join(copy.top, '.git') }]),
  ];
  return {
    confinement,
    top: copy.top,
    secrets,
    async wrap(call, temporary) {
      const needed = await layDependencies(dependencies, { top: copy.top, folder: laid, isShown });
      const only = {
        mounts: [...own, ...needed],
        links: inHome.map((path) => [join(home, relative(ownHome, path)), path] as const),
        folder: join(root, call.folder),
      };
      const bounds = { writable: [], hidden: [], temporary, insteadOf: '/tmp', only };
      const words = confinement.argv([call.command, ...call.args], bounds);
      const folders = [copy.files, cache, laid, temporary];
      return {
        command: words[0] ?? '',
        args: words.slice(1),
        env: strictEnvironment(call, [...tools, copy.top]),
        cwd: temporary,
        maxBytes: 100_000_000,
        watch: (pid) => watchUse(pid, { folders, before }),
      };
    },
  };
}

/** The variables that say where programs are and nothing about the user. A star at the end matches anything. */
const passed = [
  'LANG LANGUAGE LC_* TZ PYTHONPATH VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYENV_VERSION',
  'JAVA_HOME JDK_HOME GOROOT GOPATH GOMODCACHE GOFLAGS GOOS GOARCH CGO_ENABLED RUSTUP_HOME',
  'CARGO_HOME RUSTUP_TOOLCHAIN RUSTFLAGS GEM_HOME GEM_PATH RBENV_VERSION DOTNET_ROOT NUGET_PACKAGES',
  'CC CXX CFLAGS CXXFLAGS LDFLAGS CI CONCLAVE_WORKTREE',
].flatMap((names) => names.split(' '));

/** The variables of a confined command: no network is tried, and nothing is written beside sources. */
function strictEnvironment(
  { env }: Pick<Command, 'env'>,
  shown: readonly string[],
): Record<string, string> {
  const path = (env['PATH'] ?? '').split(delimiter);
  const there = path.filter(
    (one) => /^\/(?:usr|s?bin|nix)/.test(one) || shown.some((at) => isInside(at, one)),
  );
  return {
    ...Object.fromEntries(Object.entries(env).filter(([name]) => matches(name, passed))),
    PATH: [...new Set([...there, '/usr/local/bin', '/usr/bin', '/bin'])].join(delimiter),
    HOME: home,
    TMPDIR: '/tmp',
    GOTOOLCHAIN: 'local',
    GOPROXY: 'off',
    CARGO_NET_OFFLINE: 'true',
    npm_config_offline: 'true',
    PIP_NO_INDEX: '1',
    UV_OFFLINE: '1',
    PYTHONDONTWRITEBYTECODE: '1',
    PYTEST_ADDOPTS: '-p no:cacheprovider',
  };
}
