import type { FolderFact, ProjectFolder } from './project-folder.ts';

/** What shows that a folder can be built, tested or checked in some way. */
interface Tool {
  readonly kind: FolderFact['kind'];
  /** A command; `{run}` stands for how the project’s manager runs a tool. Else a name. */
  readonly value: string;
  /** Names of files, any of which shows it; a star at the start stands for anything. */
  readonly files: string;
  /** What the file must say. */
  readonly says?: RegExp;
  /** The path of a further file that there must be below the folder. */
  readonly needs?: RegExp;
}

/** For each language the first way to do a thing that shows itself in the folder. */
export async function toolFacts(folder: ProjectFolder): Promise<readonly FolderFact[]> {
  const found = await Promise.all(
    Object.entries(tools).map(([language, own]) => factsFor(language, own, folder)),
  );
  return found.flat();
}

/** These are built from the topmost folder that has one of their files. */
const builtFromTop: readonly string[] = ['rust', 'jvm', 'dotnet', 'c'];

async function factsFor(
  language: string,
  own: readonly Tool[],
  folder: ProjectFolder,
): Promise<readonly FolderFact[]> {
  const files = own.flatMap((tool) => tool.files.split(' '));
  if (!folder.names.some((name) => isNamed(name, files))) return [];
  if (builtFromTop.includes(language) && folder.isBelow((name) => isNamed(name, files))) return [];
  const manager = language === 'python' ? await pythonManager(folder) : null;
  const found = new Map<string, FolderFact>();
  if (manager !== null) found.set(manager.fact.kind, manager.fact);
  for (const tool of own) {
    const source = found.has(tool.kind) ? null : await sourceOf(tool, folder);
    if (source === null) continue;
    const value = tool.value.replace('{run}', manager?.run ?? 'python -m ');
    const family = language === 'any' ? null : language;
    found.set(tool.kind, { kind: tool.kind, value, language: family, source });
  }
  return [...found.values()];
}

/** Managers by what shows them, and how each runs a tool of the project’s environment. */
const managers = [
  { name: 'uv', lock: 'uv.lock', table: '[tool.uv', run: 'uv run ' },
  { name: 'Poetry', lock: 'poetry.lock', table: '[tool.poetry', run: 'poetry run ' },
  { name: 'PDM', lock: 'pdm.lock', table: '[tool.pdm', run: 'pdm run ' },
  { name: 'Pipenv', lock: 'Pipfile', table: null, run: 'pipenv run ' },
] as const;

/** Who manages the packages of a folder’s Python, and what to put before a tool to run it. */
async function pythonManager(
  folder: ProjectFolder,
): Promise<{ readonly fact: FolderFact; readonly run: string } | null> {
  const project = await folder.read('pyproject.toml');
  for (const { name, lock, table, run } of managers) {
    const nearest = project === '' && !folder.has(lock) ? null : folder.nearest([lock]);
    const isStated = table !== null && project.includes(table);
    const source = nearest === null ? (isStated ? 'pyproject.toml' : null) : `/${nearest}`;
    if (source !== null) return { fact: factOf(name, source), run };
  }
  const source = ['requirements.txt', 'setup.py', 'setup.cfg'].find((file) => folder.has(file));
  return source === undefined ? null : { fact: factOf('pip', source), run: 'python -m ' };
}

function factOf(value: string, source: string): FolderFact {
  return { kind: 'package-manager', value, language: 'python', source };
}

/** The first file that shows the tool, or null. */
async function sourceOf(
  { files, says, needs }: Tool,
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
    { kind: 'test', value: '{run}pytest', files: pyproject, says: section('tool.pytest') },
    { kind: 'test', value: '{run}pytest', files: 'pytest.ini' },
    { kind: 'test', value: '{run}pytest', files: 'setup.cfg', says: section('tool:pytest') },
    { kind: 'test', value: '{run}pytest', files: 'tox.ini', says: section('pytest') },
    { kind: 'test', value: 'python manage.py test', files: 'manage.py' },
    { kind: 'test', value: 'tox', files: 'tox.ini', says: /^\[(?:tox|testenv)/m },
    { kind: 'test', value: 'nox', files: 'noxfile.py' },
    {
      kind: 'test',
      value: '{run}pytest',
      files: `${pyproject} setup.py setup.cfg requirements.txt`,
      needs: /^(?:tests?\/)?conftest\.py$/,
    },
    { kind: 'lint', value: '{run}ruff check', files: pyproject, says: section('tool.ruff') },
    { kind: 'lint', value: '{run}ruff check', files: 'ruff.toml .ruff.toml' },
    { kind: 'lint', value: '{run}flake8', files: '.flake8' },
    { kind: 'lint', value: '{run}flake8', files: 'setup.cfg', says: section('flake8') },
    { kind: 'lint', value: 'pre-commit run --all-files', files: '.pre-commit-config.yaml' },
    {
      kind: 'format',
      value: '{run}black --check .',
      files: pyproject,
      says: section('tool.black'),
    },
    { kind: 'types', value: '{run}mypy', files: pyproject, says: section('tool.mypy') },
    { kind: 'types', value: '{run}mypy', files: 'mypy.ini .mypy.ini' },
    { kind: 'types', value: '{run}pyright', files: pyproject, says: section('tool.pyright') },
    { kind: 'types', value: '{run}pyright', files: 'pyrightconfig.json' },
    { kind: 'build', value: 'python -m build', files: pyproject, says: section('build-system') },
  ],
  go: [
    { kind: 'package-manager', value: 'Go modules', files: 'go.mod' },
    { kind: 'build', value: 'go build ./...', files: 'go.mod' },
    { kind: 'test', value: 'go test ./...', files: 'go.mod' },
    { kind: 'lint', value: 'golangci-lint run', files: '.golangci.yml .golangci.yaml' },
    { kind: 'lint', value: 'go vet ./...', files: 'go.mod' },
  ],
  rust: [
    { kind: 'package-manager', value: 'Cargo', files: 'Cargo.toml' },
    {
      kind: 'build',
      value: 'cargo build --workspace',
      files: 'Cargo.toml',
      says: section('workspace'),
    },
    { kind: 'build', value: 'cargo build', files: 'Cargo.toml' },
    {
      kind: 'test',
      value: 'cargo test --workspace',
      files: 'Cargo.toml',
      says: section('workspace'),
    },
    { kind: 'test', value: 'cargo test', files: 'Cargo.toml' },
    { kind: 'lint', value: 'cargo clippy', files: 'clippy.toml .clippy.toml' },
    { kind: 'format', value: 'cargo fmt --check', files: 'rustfmt.toml .rustfmt.toml' },
  ],
  jvm: [
    { kind: 'package-manager', value: 'Maven', files: 'pom.xml' },
    { kind: 'build', value: './mvnw package', files: 'pom.xml', needs: /^mvnw$/ },
    { kind: 'build', value: 'mvn package', files: 'pom.xml' },
    { kind: 'test', value: './mvnw test', files: 'pom.xml', needs: /^mvnw$/ },
    { kind: 'test', value: 'mvn test', files: 'pom.xml' },
    { kind: 'package-manager', value: 'Gradle', files: gradle },
    { kind: 'build', value: './gradlew build', files: gradle, needs: /^gradlew$/ },
    { kind: 'build', value: 'gradle build', files: gradle },
    { kind: 'test', value: './gradlew test', files: gradle, needs: /^gradlew$/ },
    { kind: 'test', value: 'gradle test', files: gradle },
    { kind: 'package-manager', value: 'sbt', files: 'build.sbt' },
    { kind: 'build', value: 'sbt compile', files: 'build.sbt' },
    { kind: 'test', value: 'sbt test', files: 'build.sbt' },
  ],
  dotnet: [
    { kind: 'package-manager', value: 'NuGet', files: dotnet },
    { kind: 'build', value: 'dotnet build', files: dotnet },
    { kind: 'test', value: 'dotnet test', files: dotnet, needs: /test[^/]*\.(?:cs|fs|vb)proj$/i },
  ],
  c: [
    { kind: 'build', value: 'cmake -B build && cmake --build build', files: 'CMakeLists.txt' },
    {
      kind: 'test',
      value: 'ctest --test-dir build',
      files: 'CMakeLists.txt',
      says: /^\s*(?:enable_testing|include\s*\(\s*CTest|add_test)/im,
    },
    { kind: 'build', value: 'meson setup build && meson compile -C build', files: 'meson.build' },
    { kind: 'test', value: 'meson test -C build', files: 'meson.build' },
    { kind: 'build', value: './configure && make', files: 'configure.ac' },
  ],
  swift: [
    { kind: 'package-manager', value: 'Swift Package Manager', files: 'Package.swift' },
    { kind: 'build', value: 'swift build', files: 'Package.swift' },
    { kind: 'test', value: 'swift test', files: 'Package.swift', needs: /^Tests\// },
  ],
  elixir: [
    { kind: 'package-manager', value: 'Mix', files: 'mix.exs' },
    { kind: 'build', value: 'mix compile', files: 'mix.exs' },
    { kind: 'test', value: 'mix test', files: 'mix.exs' },
  ],
  dart: [
    { kind: 'package-manager', value: 'pub', files: 'pubspec.yaml' },
    { kind: 'test', value: 'flutter test', files: 'pubspec.yaml', says: /^\s+sdk:\s*flutter\b/m },
    { kind: 'test', value: 'dart test', files: 'pubspec.yaml' },
    { kind: 'lint', value: 'dart analyze', files: 'pubspec.yaml' },
  ],
  ruby: [
    { kind: 'package-manager', value: 'Bundler', files: 'Gemfile' },
    { kind: 'test', value: 'bundle exec rspec', files: '.rspec' },
    { kind: 'test', value: 'bin/rails test', files: 'Gemfile', needs: /^bin\/rails$/ },
    {
      kind: 'test',
      value: 'bundle exec rake test',
      files: 'Rakefile',
      says: /Rake::TestTask|^\s*task\s+:?["']?test\b/m,
    },
    { kind: 'lint', value: 'bundle exec rubocop', files: '.rubocop.yml' },
  ],
  any: [
    { kind: 'build', value: 'bazel build //...', files: 'MODULE.bazel WORKSPACE WORKSPACE.bazel' },
    { kind: 'test', value: 'bazel test //...', files: 'MODULE.bazel WORKSPACE WORKSPACE.bazel' },
  ],
  php: [
    { kind: 'package-manager', value: 'Composer', files: 'composer.json' },
    {
      kind: 'test',
      value: 'composer test',
      files: 'composer.json',
      says: /"scripts"\s*:\s*\{[^}]*"test"\s*:/,
    },
    {
      kind: 'test',
      value: 'vendor/bin/phpunit',
      files: 'phpunit.xml phpunit.xml.dist phpunit.dist.xml',
    },
    {
      kind: 'lint',
      value: 'vendor/bin/phpstan analyse',
      files: 'phpstan.neon phpstan.neon.dist phpstan.dist.neon',
    },
  ],
};

/** `[name]`, `[name.more]` or `[[name]]` at the start of a line. */
function section(name: string): RegExp {
  return new RegExp(`^\\s*\\[{1,2}${name.replaceAll('.', '\\.')}[.:\\]]`, 'm');
}
