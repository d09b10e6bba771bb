// Lists the tools that install a project’s dependencies, and finds the set-up that a project’s files propose.
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { nullIfAbsent } from '../../store/system-error.ts';
import { readStatedSetUp } from './stated-set-up.ts';

/** A way to install a project’s dependencies. */
export interface SetUpTool {
  readonly program: string;
  /** Files at the root, any of which reveals the tool. */
  readonly shownBy: readonly string[];
  readonly argv: readonly string[];
  /** The names of the files that it reads, in any folder. */
  readonly reads: readonly string[];
  /** True if its result contains no folder names, so that a copy works elsewhere. */
  readonly isMovable: boolean;
}

type Row = readonly [command: string, shownBy: string, reads: string, stays?: 'stays'];

const node = 'package.json .npmrc';

/** Checks out the submodules, which a new work tree lacks. */
const submodules: Row = ['git submodule update --init', '.gitmodules', '.gitmodules', 'stays'];

// If two tools are found, the first row counts.
const rows: readonly Row[] = [
  [
    'pnpm install --frozen-lockfile',
    'pnpm-lock.yaml',
    `${node} pnpm-lock.yaml pnpm-workspace.yaml`,
  ],
  ['yarn install --immutable', '.yarnrc.yml', `${node} yarn.lock .yarnrc.yml`],
  ['yarn install --frozen-lockfile', 'yarn.lock', `${node} yarn.lock`],
  ['bun install --frozen-lockfile', 'bun.lock bun.lockb', `${node} bun.lock bun.lockb`],
  [
    'npm ci',
    'package-lock.json npm-shrinkwrap.json',
    `${node} package-lock.json npm-shrinkwrap.json`,
  ],
  ['uv sync --frozen', 'uv.lock', 'uv.lock pyproject.toml', 'stays'],
  ['poetry install', 'poetry.lock', 'poetry.lock pyproject.toml', 'stays'],
  ['pdm sync', 'pdm.lock', 'pdm.lock pyproject.toml', 'stays'],
  ['pipenv sync --dev', 'Pipfile.lock', 'Pipfile Pipfile.lock', 'stays'],
  ['go mod download', 'go.sum', 'go.mod go.sum go.work go.work.sum'],
  ['cargo fetch --locked', 'Cargo.lock', 'Cargo.toml Cargo.lock'],
  ['bundle install', 'Gemfile.lock', 'Gemfile Gemfile.lock'],
  ['composer install --no-interaction', 'composer.lock', 'composer.json composer.lock'],
  ['mix deps.get', 'mix.lock', 'mix.exs mix.lock'],
  ['dotnet restore', 'packages.lock.json', 'packages.lock.json Directory.Packages.props'],
  ['dart pub get', 'pubspec.lock', 'pubspec.yaml pubspec.lock'],
];

const tools: readonly SetUpTool[] = [...rows, submodules].map(
  ([command, shownBy, reads, stays]) => {
    const argv = command.split(' ');
    const [program = ''] = argv;
    const common = { shownBy: shownBy.split(' '), reads: reads.split(' ') };
    return { program, argv, ...common, isMovable: stays === undefined };
  },
);

/** The names of all files that such tools read: a change to one may add dependencies. */
export const setUpFiles: ReadonlySet<string> = new Set([
  ...tools.flatMap(({ reads }) => reads),
  'requirements.txt',
]);

/** The set-up that a project’s own files suggest. */
export interface FoundSetUp {
  /** The words of its commands, which `&&` separates; empty for none. */
  readonly argv: readonly string[];
  /** The ignored files and folders of the user that each work tree is to get a copy of. */
  readonly copy: readonly string[];
  /** The files that suggest it. */
  readonly source: string;
}

/**
 * The set-up that the project in a folder states for such tools, or else the command of the tool that installs
 * its dependencies, after the one that checks out the submodules that the user has; null if no file suggests one.
 */
export async function findSetUp(root: string): Promise<FoundSetUp | null> {
  const names = new Set(await nullIfAbsent(readdir(root)));
  const stated = await readStatedSetUp(root);
  const sourceOf = (tool: SetUpTool) => tool.shownBy.find((name) => names.has(name));
  const found = tools.slice(0, rows.length).find((tool) => sourceOf(tool) !== undefined);
  const own =
    stated.argv.length > 0 || found === undefined
      ? stated
      : { argv: found.argv, sources: [...stated.sources, sourceOf(found) ?? ''] };
  const hasSubmodules = (await submodulesAt(root)).length > 0;
  const first = hasSubmodules ? { argv: words(submodules), sources: ['.gitmodules'] } : nothing;
  const argv = joinCommands(first.argv, own.argv);
  const { copy } = stated;
  const source = [...first.sources, ...own.sources].join(' and ');
  return argv.length + copy.length === 0 ? null : { argv, copy, source };
}

const nothing = { argv: [], sources: [] };

function words([command]: Row): readonly string[] {
  return command.split(' ');
}

/** The submodules that are checked out in a folder. */
export async function submodulesAt(root: string): Promise<readonly string[]> {
  const text = (await nullIfAbsent(readFile(join(root, '.gitmodules'), 'utf8'))) ?? '';
  const paths = [...text.matchAll(/^\s*path\s*=\s*(.+?)\s*$/gm)].map(([, path = '']) => path);
  const there = await Promise.all(
    paths.map(async (path) => (await nullIfAbsent(readdir(join(root, path)))) ?? []),
  );
  return paths.filter((_, at) => (there[at]?.length ?? 0) > 0);
}

/** The commands of a set-up, each as its words. */
export function commandsIn(setup: readonly string[]): readonly (readonly string[])[] {
  const ends = setup.flatMap((word, at) => (word === and ? [at] : []));
  return [...ends, setup.length]
    .map((end, at) => setup.slice(at === 0 ? 0 : (ends[at - 1] ?? 0) + 1, end))
    .filter(({ length }) => length > 0);
}

const and = '&&';

/** One set-up of several, whose commands run one after the other. */
export function joinCommands(...setups: readonly (readonly string[])[]): readonly string[] {
  return setups
    .filter(({ length }) => length > 0)
    .flatMap((setup, at) => (at === 0 ? setup : [and, ...setup]));
}

/** The tool of a command that installs; null for any other command, e.g. a build. */
export function setUpTool([program, what = 'install']: readonly string[]): SetUpTool | null {
  const own = tools.filter((tool) => tool.program === program);
  return own.find(({ argv }) => argv[1] === what || installs.has(what)) ?? null;
}

const installs: ReadonlySet<string> = new Set(['install', 'i', 'ci', 'add']);

/** True if npm and its like also run scripts of the project, which may read anything in it. */
export function hasInstallScripts(packageJson: string): boolean {
  return /"(?:pre|post)?(?:install|prepare)"\s*:/.test(packageJson);
}
