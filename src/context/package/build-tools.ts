// Reads from its files how a project is built and tested: from the scripts that it declares, and from its tools.
import { isObject, jsonIn } from '../../model/json.ts';
import { nameOfPath } from '../../git/paths.ts';
import type { FolderFact, ProjectFolder } from './project-folder.ts';

/**
 * Signs that a folder can be built, tested or checked in some way. The value is a command, in which
 * `{run}` is replaced by how the project’s manager runs a tool, or else a name. Any one of the
 * files is a sign; a star at the start of a name matches anything.
 */
type Tool = readonly [
  kind: FolderFact['kind'],
  value: string,
  files: string,
  sign?: {
    /** The text that the file must contain. */
    readonly says?: RegExp;
    /** The path of a further file that must exist below the folder. */
    readonly needs?: RegExp;
  },
];

/** Finds, for each language, the first way to build, test and so on that the folder shows. */
export async function toolFacts(folder: ProjectFolder): Promise<readonly FolderFact[]> {
  const found = await Promise.all(
    Object.entries(tools).map(([language, own]) => factsFor(language, own, folder)),
  );
  return found.flat();
}

/** Languages built from the topmost folder that has one of their files. */
const builtFromTop: readonly string[] = ['rust', 'jvm', 'dotnet', 'c'];

async function factsFor(
  language: string,
  own: readonly Tool[],
  folder: ProjectFolder,
): Promise<readonly FolderFact[]> {
  const files = own.flatMap(([, , names]) => names.split(' '));
  if (!folder.names.some((name) => isNamed(name, files))) return [];
  if (builtFromTop.includes(language) && folder.isBelow((name) => isNamed(name, files))) return [];
  const run = language === 'python' ? await pythonRun(folder) : '';
  const found = new Map<string, FolderFact>();
  for (const tool of own) {
    const [kind, command] = tool;
    const source = found.has(kind) ? null : await sourceOf(tool, folder);
    if (source === null) continue;
    const family = language === 'any' ? null : language;
    found.set(kind, { kind, value: command.replace('{run}', run), language: family, source });
  }
  return [...found.values()];
}

/** Signs of the package manager, and the words that run a tool with it. */
const managers = [
  { lock: 'uv.lock', table: '[tool.uv', run: 'uv run ' },
  { lock: 'poetry.lock', table: '[tool.poetry', run: 'poetry run ' },
  { lock: 'pdm.lock', table: '[tool.pdm', run: 'pdm run ' },
  { lock: 'Pipfile', table: '[tool.pipenv', run: 'pipenv run ' },
];

async function pythonRun(folder: ProjectFolder): Promise<string> {
  const project = await folder.read('pyproject.toml');
  const manager = managers.find(
    ({ lock, table }) =>
      project.includes(table) ||
      folder.has(lock) ||
      (project !== '' && folder.nearest([lock]) !== null),
  );
  return manager?.run ?? 'python -m ';
}

/** The first file that is a sign of the tool, or null. */
async function sourceOf(
  [, , files, { says, needs } = {}]: Tool,
  folder: ProjectFolder,
): Promise<string | null> {
  if (needs !== undefined && !folder.below().some((path) => needs.test(path))) return null;
  for (const name of folder.names.filter((one) => isNamed(one, files.split(' ')))) {
    if (says === undefined || says.test(await folder.read(name))) return name;
  }
  return null;
}

function isNamed(name: string, files: readonly string[]): boolean {
  return files.some((file) =>
    file.startsWith('*') ? name.endsWith(file.slice(1)) : name === file,
  );
}

const gradle = 'build.gradle build.gradle.kts settings.gradle settings.gradle.kts';
const dotnet = '*.sln *.slnx *.csproj *.fsproj *.vbproj';
const pyproject = 'pyproject.toml';

const tools: Readonly<Record<string, readonly Tool[]>> = {
  python: [
    ['test', '{run}pytest', pyproject, { says: section('tool.pytest') }],
    ['test', '{run}pytest', 'pytest.ini'],
    ['test', '{run}pytest', 'setup.cfg', { says: section('tool:pytest') }],
    ['test', '{run}pytest', 'tox.ini', { says: section('pytest') }],
    ['test', 'python manage.py test', 'manage.py'],
    ['test', 'tox', 'tox.ini', { says: /^\[(?:tox|testenv)/m }],
    ['test', 'nox', 'noxfile.py'],
    [
      'test',
      '{run}pytest',
      `${pyproject} setup.py setup.cfg requirements.txt`,
      { needs: /^(?:tests?\/)?conftest\.py$/ },
    ],
    ['lint', '{run}ruff check', pyproject, { says: section('tool.ruff') }],
    ['lint', '{run}ruff check', 'ruff.toml .ruff.toml'],
    ['lint', '{run}flake8', '.flake8'],
    ['lint', '{run}flake8', 'setup.cfg', { says: section('flake8') }],
    ['lint', 'pre-commit run --all-files', '.pre-commit-config.yaml'],
    ['format', '{run}black --check .', pyproject, { says: section('tool.black') }],
    ['types', '{run}mypy', pyproject, { says: section('tool.mypy') }],
    ['types', '{run}mypy', 'mypy.ini .mypy.ini'],
    ['types', '{run}pyright', pyproject, { says: section('tool.pyright') }],
    ['types', '{run}pyright', 'pyrightconfig.json'],
    ['build', 'python -m build', pyproject, { says: section('build-system') }],
  ],
  go: [
    ['build', 'go build ./...', 'go.mod'],
    ['test', 'go test ./...', 'go.mod'],
    ['lint', 'golangci-lint run', '.golangci.yml .golangci.yaml'],
    ['lint', 'go vet ./...', 'go.mod'],
  ],
  rust: [
    ['build', 'cargo build --workspace', 'Cargo.toml', { says: section('workspace') }],
    ['build', 'cargo build', 'Cargo.toml'],
    ['test', 'cargo test --workspace', 'Cargo.toml', { says: section('workspace') }],
    ['test', 'cargo test', 'Cargo.toml'],
    ['lint', 'cargo clippy', 'clippy.toml .clippy.toml'],
    ['format', 'cargo fmt --check', 'rustfmt.toml .rustfmt.toml'],
  ],
  jvm: [
    ['build', './mvnw package', 'pom.xml', { needs: /^mvnw$/ }],
    ['build', 'mvn package', 'pom.xml'],
    ['test', './mvnw test', 'pom.xml', { needs: /^mvnw$/ }],
    ['test', 'mvn test', 'pom.xml'],
    ['build', './gradlew build', gradle, { needs: /^gradlew$/ }],
    ['build', 'gradle build', gradle],
    ['test', './gradlew test', gradle, { needs: /^gradlew$/ }],
    ['test', 'gradle test', gradle],
    ['build', 'sbt compile', 'build.sbt'],
    ['test', 'sbt test', 'build.sbt'],
  ],
  dotnet: [
    ['build', 'dotnet build', dotnet],
    ['test', 'dotnet test', dotnet, { needs: /test[^/]*\.(?:cs|fs|vb)proj$/i }],
  ],
  c: [
    ['build', 'cmake -B build && cmake --build build', 'CMakeLists.txt'],
    [
      'test',
      'ctest --test-dir build',
      'CMakeLists.txt',
      { says: /^\s*(?:enable_testing|include\s*\(\s*CTest|add_test)/im },
    ],
    ['build', 'meson setup build && meson compile -C build', 'meson.build'],
    ['test', 'meson test -C build', 'meson.build'],
    ['build', './configure && make', 'configure.ac'],
  ],
  swift: [
    ['build', 'swift build', 'Package.swift'],
    ['test', 'swift test', 'Package.swift', { needs: /^Tests\// }],
  ],
  elixir: [
    ['build', 'mix compile', 'mix.exs'],
    ['test', 'mix test', 'mix.exs'],
  ],
  dart: [
    ['test', 'flutter test', 'pubspec.yaml', { says: /^\s+sdk:\s*flutter\b/m }],
    ['test', 'dart test', 'pubspec.yaml'],
    ['lint', 'dart analyze', 'pubspec.yaml'],
  ],
  ruby: [
    ['test', 'bundle exec rspec', '.rspec'],
    ['test', 'bin/rails test', 'Gemfile', { needs: /^bin\/rails$/ }],
    [
      'test',
      'bundle exec rake test',
      'Rakefile',
      { says: /Rake::TestTask|^\s*task\s+:?["']?test\b/m },
    ],
    ['lint', 'bundle exec rubocop', '.rubocop.yml'],
  ],
  any: [
    ['build', 'bazel build //...', 'MODULE.bazel WORKSPACE WORKSPACE.bazel'],
    ['test', 'bazel test //...', 'MODULE.bazel WORKSPACE WORKSPACE.bazel'],
  ],
  php: [
    ['test', 'composer test', 'composer.json', { says: /"scripts"\s*:\s*\{[^}]*"test"\s*:/ }],
    ['test', 'vendor/bin/phpunit', 'phpunit.xml phpunit.xml.dist phpunit.dist.xml'],
    ['lint', 'vendor/bin/phpstan analyse', 'phpstan.neon phpstan.neon.dist phpstan.dist.neon'],
  ],
};

/** Matches `[name]`, `[name.more]` or `[[name]]` at the start of a line. */
function section(name: string): RegExp {
  return new RegExp(`^\\s*\\[{1,2}${name.replaceAll('.', '\\.')}[.:\\]]`, 'm');
}

type Kind = FolderFact['kind'];

/** Names of scripts and targets by their purpose; the likeliest name first. */
const names: readonly (readonly [Kind, readonly string[]])[] = [
  ['build', ['build', 'compile', 'all']],
  ['test', ['test', 'tests', 'test:unit', 'unit-test', 'test-unit']],
  ['lint', ['lint', 'eslint', 'vet']],
  ['types', ['types', 'typecheck', 'type-check', 'check-types', 'tsc', 'mypy']],
  ['format', ['format:check', 'format', 'fmt', 'prettier']],
];

/** Reads the project’s own scripts: those of `package.json`, make, just and task. */
export async function scriptFacts(folder: ProjectFolder): Promise<readonly FolderFact[]> {
  const found = await Promise.all([npmFacts(folder), targetFacts(folder)]);
  return found.flat();
}

function choose(
  has: (name: string) => boolean,
  factOf: (name: string) => Omit<FolderFact, 'kind'>,
): readonly FolderFact[] {
  return names.flatMap(([kind, wanted]) => {
    const name = wanted.find(has);
    return name === undefined ? [] : [{ kind, ...factOf(name) }];
  });
}

const locks = new Map([
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
  ['yarn.lock', 'yarn'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
]);

async function npmFacts(folder: ProjectFolder): Promise<readonly FolderFact[]> {
  const source = 'package.json';
  const manifest = jsonIn(await folder.read(source));
  if (!isObject(manifest)) return [];
  const manager = managerOf(folder, manifest['packageManager']);
  const scripts = isObject(manifest['scripts']) ? manifest['scripts'] : {};
  return choose(
    (name) => isScript(scripts[name]),
    (name) => ({ value: runOf(manager, name), language: 'javascript', source }),
  );
}

/** False for the placeholder that `npm init` writes as a test. */
function isScript(script: unknown): boolean {
  return typeof script === 'string' && script.trim() !== '' && !/no test specified/.test(script);
}

function runOf(manager: string, script: string): string {
  if (script === 'test' && manager !== 'bun') return `${manager} test`;
  return manager === 'yarn' ? `yarn ${script}` : `${manager} run ${script}`;
}

function managerOf(folder: ProjectFolder, field: unknown): string {
  const [, stated] = (typeof field === 'string' && /^(npm|yarn|pnpm|bun)@/.exec(field)) || [];
  return stated ?? locks.get(nameOfPath(folder.nearest([...locks.keys()]) ?? '')) ?? 'npm';
}

const runners = [
  { files: /^(?:GNUm|m|M)akefile$/, command: 'make', target: /^([\w-]+)[ \t]*:(?![=:])/gm },
  { files: /^\.?[jJ]ustfile$/, command: 'just', target: /^@?([\w-]+)(?:[ \t][^:\n]*)?:(?!=)/gm },
  { files: /^[Tt]askfile\.ya?ml$/, command: 'task', target: /^ {2}([\w-]+):/gm },
];

async function targetFacts(folder: ProjectFolder): Promise<readonly FolderFact[]> {
  const found: FolderFact[] = [];
  for (const { files, command, target } of runners) {
    const source = folder.names.find((name) => files.test(name));
    if (source === undefined) continue;
    const targets = new Set(
      [...(await folder.read(source)).matchAll(target)].map(([, name]) => name),
    );
    const factOf = (name: string) => ({ value: `${command} ${name}`, language: null, source });
    found.push(...choose((name) => targets.has(name), factOf));
  }
  return found;
}
