// Lists the tools that install a project’s dependencies: the files that reveal one, and its command.
import { readdir } from 'node:fs/promises';
import { nullIfAbsent } from '../../store/system-error.ts';

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

const tools: readonly SetUpTool[] = rows.map(([command, shownBy, reads, stays]) => {
  const argv = command.split(' ');
  const [program = ''] = argv;
  const common = { shownBy: shownBy.split(' '), reads: reads.split(' ') };
  return { program, argv, ...common, isMovable: stays === undefined };
});

/** The names of all files that such tools read: a change to one may add dependencies. */
export const setUpFiles: ReadonlySet<string> = new Set([
  ...tools.flatMap(({ reads }) => reads),
  'requirements.txt',
]);

/** A set-up command that a project’s own files suggest. */
export interface FoundSetUp {
  readonly argv: readonly string[];
  /** The file that reveals it. */
  readonly source: string;
}

/** The command that installs the dependencies of the project in a folder; null if no file reveals one. */
export async function findSetUp(root: string): Promise<FoundSetUp | null> {
  const names = new Set(await nullIfAbsent(readdir(root)));
  for (const { argv, shownBy } of tools) {
    const source = shownBy.find((name) => names.has(name));
    if (source !== undefined) return { argv, source };
  }
  return null;
}

/** The tool of a set-up command, by its program; null for a command of the user’s own. */
export function setUpTool(argv: readonly string[]): SetUpTool | null {
  return tools.find(({ program }) => program === argv[0]) ?? null;
}

/** True if npm and its like also run scripts of the project, which may read anything in it. */
export function hasInstallScripts(packageJson: string): boolean {
  return /"(?:pre|post)?(?:install|prepare)"\s*:/.test(packageJson);
}
