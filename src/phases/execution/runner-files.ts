// Lists the kinds of files that a test runner or a builder loads by their name, and those that hold tests.
import { isTest, kindOf } from '../../context/file-kinds.ts';
import { nameOfPath, stemOf } from '../../git/paths.ts';

const code = String.raw`(?:[cm]?[jt]sx?|json[5c]?|ya?ml|toml)`;

/** The kinds with the names of their files. The first that fits counts. */
const kinds: readonly (readonly [kind: string, names: RegExp])[] = [
  [
    'a lockfile',
    /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb?|go\.sum|go\.work\.sum|Package\.resolved|packages\.lock\.json|.+\.lock)$/,
  ],
  [
    'a manifest',
    /^(?:package\.json|deno\.jsonc?|pyproject\.toml|setup\.(?:py|cfg)|Pipfile|(?:requirements|constraints)\b.*\.(?:txt|in)|Cargo\.toml|go\.(?:mod|work)|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|composer\.json|Gemfile|.+\.gemspec|mix\.exs|pubspec\.yaml|Package\.swift|.+\.(?:sln|slnx|[a-z]+proj|cabal|nimble|rockspec))$/,
  ],
  [
    'a build file',
    /^(?:(?:GNU)?makefile|.+\.mk|CMakeLists\.txt|CMakePresets\.json|CTestTestfile\.cmake|.+\.cmake|meson\.build|configure(?:\.ac)?|build\.(?:rs|zig|xml|sbt)|BUILD(?:\.bazel)?|WORKSPACE|MODULE\.bazel|SConstruct|justfile|taskfile\.ya?ml|rakefile|(?:Dockerfile|Containerfile)(?:\..+)?|(?:docker-)?compose\b.*\.ya?ml|Procfile|binding\.gyp|(?:gradlew|mvnw)(?:\..+)?|gradle\.properties|Directory\..+\.(?:props|targets)|rust-toolchain(?:\.toml)?|(?:nx|turbo|lerna|rush)\.json|pnpm-workspace\.yaml)$/i,
  ],
  [
    'settings of a test runner or compiler',
    new RegExp(
      [
        String.raw`.+\.(?:config|conf|setup|workspace|preset)\.${code}`,
        String.raw`(?:jest|vitest|mocha|ava|karma|babel|swc|setupTests|setup-tests|test-setup)[\w.-]*\.${code}`,
        String.raw`(?:ts|js)config\b.*\.json|(?:pytest|tox|mypy|flake8|pylint)\.ini|pylintrc|(?:ruff|bunfig|clippy|rustfmt)\.toml`,
        String.raw`(?:conftest|sitecustomize|usercustomize|noxfile|fabfile|dodo)\.py|.+\.pth|python\d*\._pth`,
        String.raw`phpunit\.xml(?:\.dist)?|(?:biome|pyrightconfig|global|testem)\.jsonc?|(?:spec|test|rails)_helper\.rb|test_helper\.exs|junit-platform\.properties|.+\.runsettings|xunit\.runner\.json`,
      ]
        .map((names) => `^(?:${names})$`)
        .join('|'),
    ),
  ],
];

/**
 * Names the kind of a file that a runner or builder loads by its name, e.g. "a manifest"; null for any other
 * file, tests included. The text tells a Go `TestMain`; null where it is not known.
 */
export function loadedByName(path: string, text: string | null): string | null {
  if (/(?:^|\/)\./.test(path)) return 'a dotfile';
  if (/(?:^|\/)__mocks__\//.test(path)) return 'a mock that replaces a module';
  const name = nameOfPath(path);
  const kind = kinds.find(([, names]) => names.test(name))?.[0];
  if (kind !== undefined) return kind;
  const isMain = name.endsWith('_test.go') && /^func TestMain\s*\(/m.test(text ?? '');
  return isMain ? 'a test with TestMain' : null;
}

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
