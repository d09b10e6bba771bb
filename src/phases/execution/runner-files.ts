// Lists the kinds of files that a test runner or a builder loads by their name, and those that hold tests.
import { isTest, kindOf } from '../../context/file-kinds.ts';
import { nameOfPath, stemOf } from '../../git/paths.ts';

const code = '{{,c,m}{j,t}s{,x},json{,5,c},{yml,yaml},toml}';

/** The names of files by their kinds, as `patternOf` reads them. */
const kinds = Object.entries({
  'a lockfile':
    'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml bun.lock{,b} go.sum go.work.sum Package.resolved packages.lock.json *.lock',
  'a manifest': `package.json deno.json{,c} pyproject.toml setup.{py,cfg} Pipfile {requirements,constraints}{,.*,-*,_*}.{txt,in}
    Cargo.toml go.{mod,work} pom.xml {build,settings}.gradle{,.kts} composer.json Gemfile *.gemspec mix.exs pubspec.yaml
    Package.swift *.{sln,slnx,cabal,nimble,rockspec} *.{cs,fs,vb,vcx,es,sql}proj`,
  'a build file': `{,GNU}makefile *.mk CMakeLists.txt CMakePresets.json *.cmake meson.build configure{,.ac}
    build.{rs,zig,xml,sbt} BUILD{,.bazel} WORKSPACE MODULE.bazel SConstruct justfile taskfile.{yml,yaml} rakefile
    {Docker,Container}file{,.*} {,docker-}compose{,.*,-*}.{yml,yaml} Procfile binding.gyp {gradlew,mvnw}{,.*}
    gradle.properties Directory.*.{props,targets} rust-toolchain{,.toml} {nx,turbo,lerna,rush}.json pnpm-workspace.yaml`,
  'settings of a test runner or compiler': `*.{config,conf,setup,workspace,preset}.CODE
    {jest,vitest,mocha,setupTests,setup-tests,test-setup}*.CODE {ava,karma,babel,swc}{,.*,-*}.CODE {ts,js}config{,.*,-*}.json
    {pytest,tox,mypy,flake8,pylint}.ini pylintrc {ruff,bunfig,clippy,rustfmt}.toml *.pth python*._pth
    {conftest,sitecustomize,usercustomize,noxfile,fabfile,dodo}.py phpunit.xml{,.dist} {spec,test,rails}_helper.rb
    {biome,pyrightconfig,global,testem}.json{,c} test_helper.exs junit-platform.properties *.runsettings xunit.runner.json`,
}).map(([kind, names]): [string, RegExp] => [
  kind,
  patternOf(names.replaceAll('CODE', code).trim().split(/\s+/).join(',')),
]);

/**
 * Turns text into a pattern for all of a line: `*` stands for anything, N for a number, NAME for a name, which is
 * the first group, and braces for one of some.
 */
export function patternOf(text: string): RegExp {
  const signs: Readonly<Record<string, string>> = {
    '*': '.*?',
    N: String.raw`\d+`,
    NAME: String.raw`@?([^./@~#'"\x60\s][^'"\x60\s;,]*)`,
    '{': '(?:',
    '}': ')',
    ',': '|',
  };
  const pattern = text.replaceAll(
    /[.*{},?+()[\]]|\bNAME\b|\bN(?=s?\b)/g,
    (sign) => signs[sign] ?? `\\${sign}`,
  );
  return new RegExp(`^(?:${pattern})$`, 'i');
}

/**
 * Names the kind of a file that a runner or builder loads by its name, e.g. "a manifest"; null for any other
 * file, tests included. The text tells a Go `TestMain`; null where it is not known.
 */
export function loadedByName(path: string, text: string | null): string | null {
  if (/(?:^|\/)\./.test(path)) return 'a dotfile';
  if (replacing.test(path)) return 'a mock that replaces a module';
  const name = nameOfPath(path);
  const isMain = name.endsWith('_test.go') && /^func TestMain\s*\(/m.test(text ?? '');
  if (isMain) return 'a test with TestMain';
  return kinds.find(([, names]) => names.test(name))?.[0] ?? null;
}

/** A file in the place of a module, also of one with which Python tests. */
const replacing = /(?:^|\/)(?:__mocks__\/|(?:unittest|_?pytest|doctest)(?:\.py$|\/))/;

export function isManifest(path: string): boolean {
  return loadedByName(nameOfPath(path), null) === 'a manifest';
}

export function isLockfile(path: string): boolean {
  return loadedByName(nameOfPath(path), null) === 'a lockfile';
}

const testFolder =
  /(?:^|\/)(?:tests?|__tests__|__snapshots__|__fixtures__|fixtures|testdata|golden|specs?|e2e)\//;

/** True for a test, and for what tests read: helpers, fixtures and expected results in their folders. */
export function isTestFile(path: string): boolean {
  const isNamedTest = /^tests?$/.test(stemOf(path)) && kindOf(path) === 'source';
  if (/\.(?:md|rst|adoc)$/.test(path)) return false;
  return isTest(path) || isNamedTest || testFolder.test(path) || path.endsWith('.snap');
}
