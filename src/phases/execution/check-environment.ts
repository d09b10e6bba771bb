// Builds the environment variables for checks and for the set-up of a work tree.
import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { agentEnvironment } from '../../agents/process/environment.ts';
import { lookAt } from '../../git/disk.ts';
import { builtFolders } from '../../git/walk.ts';
import { nullIfAbsent } from '../../store/system-error.ts';

/** The folders that a command runs for, both absolute, and the variables that it may get. */
export interface CommandPlace {
  /** The work tree of the task. */
  readonly cwd: string;
  /** The user’s own folder from which the work tree was made. */
  readonly home: string;
  /** The environment of this program. */
  readonly environment: NodeJS.ProcessEnv;
  /** The user’s own variables, from `execution.env`. */
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * The variables that every program needs and that builds depend on, without any credentials, followed by the
 * user’s own variables for checks. Python finds the modules of the work tree before installed ones, and the
 * environment that a set-up made in the work tree.
 */
export async function checkEnvironment(place: CommandPlace): Promise<Record<string, string>> {
  const { cwd, home, environment, variables = {} } = place;
  const adapter = { variables: buildVariables, env: () => ({}) };
  const base = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !secretName.test(name)),
  );
  const passed = agentEnvironment({ base, adapter, settings: { env: variables }, request: null });
  return {
    ...passed,
    ...(await pythonVariables(passed, place)),
    CI: '1',
    ...variables,
    CONCLAVE_ROOT: home,
    CONCLAVE_WORKTREE: cwd,
  };
}

const secretName = /TOKEN|SECRET|PASSW|CREDENTIAL|_AUTH|_KEY$|_PAT$/i;

async function pythonVariables(
  passed: Readonly<Record<string, string>>,
  { cwd, home }: CommandPlace,
): Promise<Record<string, string>> {
  const given = (passed['PYTHONPATH'] ?? '').split(delimiter).filter((path) => path !== '');
  const paths = given.map((path) =>
    `${path}/`.startsWith(`${home}/`) ? cwd + path.slice(home.length) : path,
  );
  const all = [...new Set([...(await pythonRoots(cwd)), ...paths])];
  const made = join(cwd, '.venv');
  const hasMade = (await lookAt(cwd, '.venv/bin/python')).kind !== 'absent';
  return {
    ...(all.length === 0 ? {} : { PYTHONPATH: all.join(delimiter) }),
    ...(hasMade
      ? { VIRTUAL_ENV: made, PATH: [join(made, 'bin'), passed['PATH'] ?? ''].join(delimiter) }
      : {}),
  };
}

/**
 * The folders with the modules of each Python project in a work tree, down to two folders below its root. They
 * come before what is installed, because an editable install leads to the user’s own folder.
 */
async function pythonRoots(root: string, depth = 2): Promise<readonly string[]> {
  const entries = (await nullIfAbsent(readdir(root, { withFileTypes: true }))) ?? [];
  const names = entries.map(({ name }) => name);
  const isProject = ['pyproject.toml', 'setup.py', 'setup.cfg'].some((name) =>
    names.includes(name),
  );
  const own = names.includes('src') ? join(root, 'src') : root;
  const folders = entries.filter(
    (entry) =>
      entry.isDirectory() &&
      !/^\.|^(?:src|tests?)$/.test(entry.name) &&
      !builtFolders.has(entry.name),
  );
  const below =
    depth === 0 ? [] : folders.map(({ name }) => pythonRoots(join(root, name), depth - 1));
  return [...(isProject ? [own] : []), ...(await Promise.all(below)).flat()];
}

/** A star at the end matches anything. Names that suggest a secret are not passed on. */
const buildVariables = [
  'PYTHONPATH VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYENV_ROOT PYENV_VERSION UV_* PIP_* POETRY_*',
  'JAVA_HOME JAVA_OPTS JDK_HOME MAVEN_* M2_HOME GRADLE_* SDKMAN_DIR ANDROID_HOME ANDROID_SDK_ROOT',
  'GOPATH GOROOT GOBIN GOFLAGS GOCACHE GOMODCACHE GOPROXY GOPRIVATE GONOPROXY GOSUMDB GONOSUMDB',
  'GOTOOLCHAIN GOOS GOARCH CGO_* CARGO_* RUSTUP_* RUSTFLAGS RUSTC_WRAPPER',
  'npm_config_* NPM_CONFIG_* NVM_DIR VOLTA_HOME PNPM_HOME BUN_INSTALL COREPACK_* YARN_* DENO_DIR',
  'GEM_HOME GEM_PATH BUNDLE_* RBENV_ROOT RBENV_VERSION COMPOSER_* MIX_* HEX_HOME PUB_CACHE',
  'FLUTTER_ROOT DOTNET_* NUGET_PACKAGES MISE_* ASDF_* DOCKER_HOST',
  'CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CPATH LIBRARY_PATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH',
  'MAKEFLAGS SDKROOT DEVELOPER_DIR',
].flatMap((names) => names.split(' '));
