import type { Found, ProjectFolder } from './project-folder.ts';

type Fact = readonly [kind: Found['kind'], value: string, source: string];

/** Go, Rust, the JVM, .NET, C and C++, Swift and others whose tools say nothing of themselves. */
export async function compiledFacts(place: ProjectFolder): Promise<readonly Found[]> {
  const found = await Promise.all(
    Object.entries(families).map(async ([language, find]) =>
      (await find(place)).map(([kind, value, source]) => ({ kind, value, language, source })),
    ),
  );
  return found.flat();
}

const families: Readonly<Record<string, (place: ProjectFolder) => Promise<readonly Fact[]>>> = {
  go,
  rust,
  jvm,
  dotnet,
  c,
  swift,
  elixir,
  dart,
};

async function go(place: ProjectFolder): Promise<readonly Fact[]> {
  if (!place.has('go.mod')) return [];
  const lint = place.names.find((name) => /^\.golangci\.(?:ya?ml|toml|json)$/.test(name));
  return [
    ['package-manager', 'Go modules', 'go.mod'],
    ['build', 'go build ./...', 'go.mod'],
    ['test', 'go test ./...', 'go.mod'],
    lint === undefined ? ['lint', 'go vet ./...', 'go.mod'] : ['lint', 'golangci-lint run', lint],
  ];
}

/** A crate of a workspace is built from the workspace’s root. */
async function rust(place: ProjectFolder): Promise<readonly Fact[]> {
  const source = 'Cargo.toml';
  if (!place.has(source) || place.isBelow(/^Cargo\.toml$/)) return [];
  const whole = /^\s*\[workspace\]/m.test((await place.read(source)) ?? '') ? ' --workspace' : '';
  const style = ['rustfmt.toml', '.rustfmt.toml'].find((name) => place.has(name));
  const clippy = ['clippy.toml', '.clippy.toml'].find((name) => place.has(name));
  return [
    ['package-manager', 'Cargo', source],
    ['build', `cargo build${whole}`, source],
    ['test', `cargo test${whole}`, source],
    ...one('lint', 'cargo clippy', clippy),
    ...one('format', 'cargo fmt --check', style),
  ];
}

/** Modules are built from the root, where the wrapper is. */
async function jvm(place: ProjectFolder): Promise<readonly Fact[]> {
  if (place.isBelow(/^(?:pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|build\.sbt)$/)) return [];
  const gradle = place.names.find((name) => /^(?:build|settings)\.gradle(?:\.kts)?$/.test(name));
  return [
    ...(place.has('pom.xml') ? maven(place) : []),
    ...(gradle === undefined
      ? []
      : tool('Gradle', place.has('gradlew') ? './gradlew' : 'gradle', gradle)),
    ...(place.has('build.sbt') ? tool('sbt', 'sbt', 'build.sbt', 'compile') : []),
  ];
}

function maven(place: ProjectFolder): readonly Fact[] {
  return tool('Maven', place.has('mvnw') ? './mvnw' : 'mvn', 'pom.xml', 'package');
}

function tool(
  name: string,
  program: string,
  ...[source, build = 'build']: string[]
): readonly Fact[] {
  const file = source ?? '';
  return [
    ['package-manager', name, file],
    ['build', `${program} ${build}`, file],
    ['test', `${program} test`, file],
  ];
}

async function dotnet(place: ProjectFolder): Promise<readonly Fact[]> {
  const isProject = /\.(?:slnx?|csproj|fsproj|vbproj)$/;
  const solution = place.names.find((name) => /\.slnx?$/.test(name));
  const source = solution ?? place.names.find((name) => isProject.test(name));
  if (source === undefined || place.isBelow(isProject)) return [];
  const tests = place.below.find((path) => /test[^/]*\.(?:cs|fs|vb)proj$/i.test(path));
  return [
    ['package-manager', 'NuGet', source],
    ['build', 'dotnet build', source],
    ...one('test', 'dotnet test', tests),
  ];
}

async function c(place: ProjectFolder): Promise<readonly Fact[]> {
  if (place.has('CMakeLists.txt') && !place.isBelow(/^CMakeLists\.txt$/)) {
    const text = (await place.read('CMakeLists.txt')) ?? '';
    const hasTests = /^\s*(?:enable_testing|include\s*\(\s*CTest|add_test)/im.test(text);
    return [
      ['build', 'cmake -B build && cmake --build build', 'CMakeLists.txt'],
      ...one('test', 'ctest --test-dir build', hasTests ? 'CMakeLists.txt' : undefined),
    ];
  }
  if (place.has('meson.build') && !place.isBelow(/^meson\.build$/)) {
    return [
      ['build', 'meson setup build && meson compile -C build', 'meson.build'],
      ['test', 'meson test -C build', 'meson.build'],
    ];
  }
  return one(
    'build',
    './configure && make',
    place.has('configure.ac') ? 'configure.ac' : undefined,
  );
}

async function swift(place: ProjectFolder): Promise<readonly Fact[]> {
  if (!place.has('Package.swift')) return [];
  const tests = place.below.find((path) => path.startsWith('Tests/'));
  return [
    ['package-manager', 'Swift Package Manager', 'Package.swift'],
    ['build', 'swift build', 'Package.swift'],
    ...one('test', 'swift test', tests === undefined ? undefined : 'Package.swift'),
  ];
}

async function elixir(place: ProjectFolder): Promise<readonly Fact[]> {
  return place.has('mix.exs')
    ? [
        ['package-manager', 'Mix', 'mix.exs'],
        ['build', 'mix compile', 'mix.exs'],
        ['test', 'mix test', 'mix.exs'],
      ]
    : [];
}

async function dart(place: ProjectFolder): Promise<readonly Fact[]> {
  const source = 'pubspec.yaml';
  if (!place.has(source)) return [];
  const program = /^\s+sdk:\s*flutter\b/m.test((await place.read(source)) ?? '')
    ? 'flutter'
    : 'dart';
  return [
    ['package-manager', 'pub', source],
    ['test', `${program} test`, source],
    ['lint', `${program} analyze`, source],
  ];
}

function one(kind: Found['kind'], value: string, source: string | undefined): readonly Fact[] {
  return source === undefined ? [] : [[kind, value, source]];
}
