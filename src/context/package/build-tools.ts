// Reads from its files how a project is built and tested: from the scripts that it declares, and from its tools.
import { isObject, jsonIn } from '../../model/json.ts';
import { nameOfPath } from '../../git/paths.ts';
import type { FolderFact, ProjectFolder } from './project-folder.ts';

/** Finds, for each language, the first way to build, test and so on that the folder shows. */
export async function toolFacts(folder: ProjectFolder): Promise<readonly FolderFact[]> {
  const found = await Promise.all(tools.map(([language, own]) => factsFor(language, own, folder)));
  return found.flat();
}

/** Languages built from the topmost folder that has one of their files. */
const builtFromTop: readonly string[] = ['rust', 'jvm', 'dotnet', 'c'];

async function factsFor(
  language: string,
  own: readonly Tool[],
  folder: ProjectFolder,
): Promise<readonly FolderFact[]> {
  const isSign = (name: string) => own.some(({ files }) => isNamed(name, files));
  if (!folder.names.some(isSign)) return [];
  if (builtFromTop.includes(language) && folder.isBelow(isSign)) return [];
  const run = language === 'python' ? await pythonRun(folder) : '';
  const found = new Map<string, FolderFact>();
  for (const tool of own) {
    const { kind, command } = tool;
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
  { files, says, needs }: Tool,
  folder: ProjectFolder,
): Promise<string | null> {
  if (needs !== null && !folder.below().some((path) => needs.test(path))) return null;
  for (const name of folder.names.filter((one) => isNamed(one, files))) {
    if (says === null || says.test(await folder.read(name))) return name;
  }
  return null;
}

function isNamed(name: string, files: readonly string[]): boolean {
  return files.some((file) =>
    file.startsWith('*') ? name.endsWith(file.slice(1)) : name === file,
  );
}

/** A sign that a folder can be built, tested or checked in some way. */
interface Tool {
  readonly kind: Kind;
  /** The command, in which `{run}` is replaced by how the project’s manager runs a tool. */
  readonly command: string;
  /** The files, any of which is a sign; a star at the start of a name matches anything. */
  readonly files: readonly string[];
  /** A text that the file must contain. */
  readonly says: RegExp | null;
  /** The path of a further file that must exist below the folder. */
  readonly needs: RegExp | null;
}

/**
 * The tools of each language: kind, command and files; then `[name` for a section that the file must have, `~` and
 * a pattern for other content, or `+` and a pattern for the path of a further file.
 */
const table = String.raw`
python
test | {run}pytest | pyproject.toml | [tool.pytest
test | {run}pytest | pytest.ini
test | {run}pytest | setup.cfg | [tool:pytest
test | {run}pytest | tox.ini | [pytest
test | python manage.py test | manage.py
test | tox | tox.ini | ~^\[(?:tox|testenv)
test | nox | noxfile.py
test | {run}pytest | pyproject.toml setup.py setup.cfg requirements.txt | +^(?:tests?\/)?conftest\.py$
lint | {run}ruff check | pyproject.toml | [tool.ruff
lint | {run}ruff check | ruff.toml .ruff.toml
lint | {run}flake8 | .flake8
lint | {run}flake8 | setup.cfg | [flake8
lint | pre-commit run --all-files | .pre-commit-config.yaml
format | {run}black --check . | pyproject.toml | [tool.black
types | {run}mypy | pyproject.toml | [tool.mypy
types | {run}mypy | mypy.ini .mypy.ini
types | {run}pyright | pyproject.toml | [tool.pyright
types | {run}pyright | pyrightconfig.json
build | python -m build | pyproject.toml | [build-system

go
build | go build ./... | go.mod
test | go test ./... | go.mod
lint | golangci-lint run | .golangci.yml .golangci.yaml
lint | go vet ./... | go.mod

rust
build | cargo build --workspace | Cargo.toml | [workspace
build | cargo build | Cargo.toml
test | cargo test --workspace | Cargo.toml | [workspace
test | cargo test | Cargo.toml
lint | cargo clippy | clippy.toml .clippy.toml
format | cargo fmt --check | rustfmt.toml .rustfmt.toml

jvm
build | ./mvnw package | pom.xml | +^mvnw$
build | mvn package | pom.xml
test | ./mvnw test | pom.xml | +^mvnw$
test | mvn test | pom.xml
build | ./gradlew build | build.gradle build.gradle.kts settings.gradle settings.gradle.kts | +^gradlew$
build | gradle build | build.gradle build.gradle.kts settings.gradle settings.gradle.kts
test | ./gradlew test | build.gradle build.gradle.kts settings.gradle settings.gradle.kts | +^gradlew$
test | gradle test | build.gradle build.gradle.kts settings.gradle settings.gradle.kts
build | sbt compile | build.sbt
test | sbt test | build.sbt

dotnet
build | dotnet build | *.sln *.slnx *.csproj *.fsproj *.vbproj
test | dotnet test | *.sln *.slnx *.csproj *.fsproj *.vbproj | +[Tt]est[^/]*\.(?:cs|fs|vb)proj$

c
build | cmake -B build && cmake --build build | CMakeLists.txt
test | ctest --test-dir build | CMakeLists.txt | ~^\s*(?:enable_testing|ENABLE_TESTING|(?:include|INCLUDE)\s*\(\s*CTest|add_test|ADD_TEST)
build | meson setup build && meson compile -C build | meson.build
test | meson test -C build | meson.build
build | ./configure && make | configure.ac

swift
build | swift build | Package.swift
test | swift test | Package.swift | +^Tests\/

elixir
build | mix compile | mix.exs
test | mix test | mix.exs

dart
test | flutter test | pubspec.yaml | ~^\s+sdk:\s*flutter\b
test | dart test | pubspec.yaml
lint | dart analyze | pubspec.yaml

ruby
test | bundle exec rspec | .rspec
test | bin/rails test | Gemfile | +^bin\/rails$
test | bundle exec rake test | Rakefile | ~Rake::TestTask|^\s*task\s+:?["']?test\b
lint | bundle exec rubocop | .rubocop.yml

any
build | bazel build //... | MODULE.bazel WORKSPACE WORKSPACE.bazel
test | bazel test //... | MODULE.bazel WORKSPACE WORKSPACE.bazel

php
test | composer test | composer.json | ~"scripts"\s*:\s*\{[^}]*"test"\s*:
test | vendor/bin/phpunit | phpunit.xml phpunit.xml.dist phpunit.dist.xml
lint | vendor/bin/phpstan analyse | phpstan.neon phpstan.neon.dist phpstan.dist.neon
`;

type Kind = FolderFact['kind'];

/** Names of scripts and targets by their purpose; the likeliest name first. */
const names: readonly (readonly [Kind, readonly string[]])[] = [
  ['build', ['build', 'compile', 'all']],
  ['test', ['test', 'tests', 'test:unit', 'unit-test', 'test-unit']],
  ['lint', ['lint', 'eslint', 'vet']],
  ['types', ['types', 'typecheck', 'type-check', 'check-types', 'tsc', 'mypy']],
  ['format', ['format:check', 'format', 'fmt', 'prettier']],
];

const tools = table
  .trim()
  .split('\n\n')
  .map((block): readonly [language: string, own: readonly Tool[]] => {
    const [language = '', ...lines] = block.split('\n');
    return [language, lines.flatMap(toolIn)];
  });

function toolIn(line: string): readonly Tool[] {
  const [word, command = '', files = '', sign = ''] = line.split(' | ');
  const told = sign.slice(1);
  // A section is `[name]`, `[name.more]` or `[[name]]` at the start of a line.
  const section = `^\\s*\\[{1,2}${told.replaceAll('.', '\\.')}[.:\\]]`;
  const says = sign.startsWith('[') ? section : told;
  const needs = sign.startsWith('+') ? new RegExp(told) : null;
  return names
    .filter(([kind]) => kind === word)
    .map(([kind]) => ({
      kind,
      command,
      files: files.split(' '),
      says: sign === '' || needs !== null ? null : new RegExp(says, 'm'),
      needs,
    }));
}

/** The most test files that are read for what they import. */
const mostTests = 20;

/** Finds out whether the tests of a project that names no runner are written for the one that Python has. */
export async function unittestFact(folder: ProjectFolder): Promise<FolderFact | null> {
  const tests = folder.below().filter((path) => /(?:^|\/)test[^/]*\.py$/.test(path));
  for (const source of tests.slice(0, mostTests)) {
    if (!/^\s*(?:import|from) unittest\b/m.test(await folder.read(source))) continue;
    const [, start = '.'] = /^(tests?)\//.exec(source) ?? [];
    const value = `python3 -m unittest discover -s ${start}`;
    return { kind: 'test', value, language: 'python', source };
  }
  return null;
}

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
