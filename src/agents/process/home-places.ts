// Lists the places in a home that hold secrets, and the caches of build tools.
import { lstatSync, realpathSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { makeFolderNow } from '../../store/make-folder.ts';
import { isSystemError } from '../../store/system-error.ts';
import type { HiddenPlace } from './confinement.ts';
import { findProgram } from './find-program.ts';

/** Places of keys, tokens, logins and what people typed, relative to the home. */
const secrets = [
  '.ssh .gnupg .pki .password-store .netrc .authinfo .git-credentials .config/git/credentials',
  '.aws .azure .config/gcloud .oci .kube .docker .config/containers .terraform.d .vault-token',
  '.config/gh .config/hub .config/glab-cli .config/github-copilot .config/rclone .config/op',
  '.local/share/keyrings .config/sops .age .mozilla .config/google-chrome .config/chromium',
  '.config/BraveSoftware .thunderbird .electrum .bitcoin .bash_history .zsh_history .pgpass .my.cnf',
  '.node_repl_history .python_history .psql_history .mysql_history .local/share/fish/fish_history',
  'Library/Keychains Library/Cookies',
].flatMap((names) => names.split(' '));

/** Logins for installing: only the set-up, which is the user’s own command, may read them. */
const registryLogins = [
  '.npmrc .yarnrc.yml .pypirc .config/pip/pip.conf',
  '.cargo/credentials .cargo/credentials.toml .gem/credentials .m2/settings.xml .m2/settings-security.xml .gradle/gradle.properties',
  '.config/composer/auth.json .composer/auth.json .nuget/NuGet/NuGet.Config .bundle/config',
].flatMap((names) => names.split(' '));

/** Sockets through which another program could do what a command may not do itself. */
const sockets = [
  '/run/docker.sock /run/containerd /run/podman /run/buildkit /run/dbus /run/user',
  '/var/run/docker.sock',
].flatMap((names) => names.split(' '));

/** The caches, each with the program that uses it, or alone for all programs. */
const caches = `.cache
.npm npm
.local/share/pnpm/store pnpm
.yarn/berry yarn
.bun/install/cache bun
go/pkg go
.cargo/registry cargo
.cargo/git cargo
.m2/repository mvn
.gradle/caches gradle
.gradle/daemon gradle
.gradle/wrapper gradle
.nuget/packages dotnet
.composer/cache composer
.pub-cache dart
.ivy2/cache sbt
.cabal/packages cabal
Library/Caches`
  .split('\n')
  .map((line) => line.split(' '));

/** The secrets of a home, as `~/…`, for CLIs that hide them with their own rules. */
export const secretPaths: readonly string[] = secrets.map((path) => `~/${path}`);

/** The existing places that must be hidden. `more` are further ones, absolute or relative to the home. */
export function secretPlaces(
  environment: NodeJS.ProcessEnv,
  { more, installs }: { readonly more: readonly string[]; readonly installs: boolean },
): readonly HiddenPlace[] {
  const {
    HOME: home = '/',
    XDG_RUNTIME_DIR: runtime = '',
    CARGO_HOME: cargo = '.cargo',
  } = environment;
  const logins = [...registryLogins, join(cargo, 'credentials'), join(cargo, 'credentials.toml')];
  const own = [...secrets, ...(installs ? [] : logins), ...more];
  const paths = own.map((path) => (isAbsolute(path) ? path : join(home, path)));
  const all = [...paths, ...sockets, ...(isAbsolute(runtime) ? [runtime] : [])].flatMap(realPlace);
  return [...new Map(all.map((one) => [one.path, one])).values()].filter(
    ({ path }) =>
      !all.some((other) => other.kind === 'folder' && path.startsWith(`${other.path}/`)),
  );
}

/** The real place of a path; empty if there is none. */
export function realPlace(path: string): readonly HiddenPlace[] {
  try {
    const real = realpathSync(path);
    return [{ path: real, kind: lstatSync(real).isDirectory() ? 'folder' : 'file' }];
  } catch (error) {
    // It does not exist, or we may not look at it either.
    if (isSystemError(error)) return [];
    throw error;
  }
}

/**
 * The caches of a home. With `isMade`, a missing one is made if its program is installed; without, those are left
 * out that hold what any program of the user kept.
 */
export function cacheFolders(
  environment: NodeJS.ProcessEnv,
  { isMade = true }: { readonly isMade?: boolean } = {},
): readonly string[] {
  const { HOME: home = '/', PATH: path, XDG_CACHE_HOME: cache } = environment;
  const { GOPATH: go, CARGO_HOME: cargo } = environment;
  const moved = [
    ...(cache === undefined || !isMade ? [] : [cache]),
    ...(go === undefined ? [] : [join(go, 'pkg')]),
    ...(cargo === undefined ? [] : [join(cargo, 'registry'), join(cargo, 'git')]),
  ];
  const usual = caches.flatMap(([name = '', program = null]) => {
    const folder = join(home, name);
    if (!isMade) return program === null ? [] : realFolders(folder);
    const isMissing = program !== null && findProgram(program, path) !== null;
    return isMissing || name === '.cache' ? makeIfPossible(folder) : realFolders(folder);
  });
  const own = moved.filter((one) => isAbsolute(one));
  return [...new Set([...usual, ...own.flatMap(isMade ? makeIfPossible : realFolders)])];
}

function makeIfPossible(folder: string): readonly string[] {
  try {
    makeFolderNow(folder);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
  return realFolders(folder);
}

/** The real path of a folder; empty if there is none. */
export function realFolders(folder: string): readonly string[] {
  return realPlace(folder).flatMap(({ path, kind }) => (kind === 'folder' ? [path] : []));
}
