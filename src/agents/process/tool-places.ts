// Finds the toolchains and package caches in a home that code without a network and a home still needs.
import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isInside } from '../../git/disk.ts';
import { findProgram } from './find-program.ts';
import { cacheFolders, realFolders, secretPlaces } from './home-places.ts';

/** Folders of tools that keep toolchains, relative to the home; they hold no logins. */
const managers = [
  '.nvm .fnm .volta .asdf .pyenv .rbenv .rustup .sdkman .goenv .nodenv .jenv .rvm .ghcup .opam',
  '.deno .bun/bin .cargo/bin go/bin .local/share/mise .local/share/fnm .local/share/uv',
].flatMap((names) => names.split(' '));

/** Programs that tests are run with, or that these start. */
const programs = [
  'node npm npx pnpm yarn bun deno python3 python pytest uv go cargo rustc java mvn gradle ruby',
  'bundle php composer dotnet elixir mix swift make cmake git',
].flatMap((names) => names.split(' '));

interface ToolSearch {
  readonly environment: NodeJS.ProcessEnv;
  /** Further programs, each by its name or absolute path. */
  readonly more: readonly string[];
  /** Folders of the user that must not become visible with a toolchain, absolute. */
  readonly apart: readonly string[];
  /** Places with secrets besides the usual ones. */
  readonly secrets: readonly string[];
}

/** The folders outside of the system’s own that these programs need, absolute and without links. */
export function toolPlaces(search: ToolSearch): readonly string[] {
  const { environment, more } = search;
  const { HOME: home = '/', PATH: path, VIRTUAL_ENV: venv, RUSTUP_HOME: rust } = environment;
  const known = managers.flatMap((name) => realFolders(join(home, name)));
  const moved = [venv, rust].flatMap((one) => (one === undefined ? [] : realFolders(one)));
  const caches = cacheFolders(environment, { isMade: false });
  const found = [...programs, ...more].flatMap((name) => {
    const at = findProgram(name, path);
    return at === null ? [] : [at, realpathSync(at)].map((one) => prefixOf(one, home));
  });
  const all = [...known, ...caches, ...found, ...moved];
  const shown = [...new Set(all)].filter((one) => isApart(one, search));
  return shown.filter((one) => !shown.some((other) => one.startsWith(`${other}/`)));
}

/** The folder with everything that belongs to a program: that above `bin`, unless all kinds of things are there. */
function prefixOf(program: string, home: string): string {
  const folder = dirname(program);
  const above = dirname(folder);
  const isShared = dirname(above) === home && basename(above).startsWith('.');
  return /^(?:bin|shims)$/.test(basename(folder)) && !isShared ? above : folder;
}

/** True for a path outside of the system’s own with nothing that is to stay hidden. */
export function isApart(
  path: string,
  { environment, apart, secrets }: Omit<ToolSearch, 'more'>,
): boolean {
  const { HOME: home = '/' } = environment;
  if (/^\/(?:(?:usr|bin|sbin|lib\d*|nix\/store|etc|proc|sys|dev)(?:\/|$)|$)/.test(path))
    return false;
  const hidden = secretPlaces(environment, { more: secrets, installs: false });
  const kept = [home, ...apart, ...hidden.map((one) => one.path)];
  return (
    !kept.some((one) => isInside(path, one)) && !hidden.some((one) => isInside(one.path, path))
  );
}
