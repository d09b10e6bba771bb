// Knows what a repository must contain so that the program of a check can run there.
import { posix } from 'node:path';

/** A program that may not run in this repository, and why. */
export interface ProgramNeed {
  readonly program: string;
  /** `file`: it lacks a file that it needs; `path`: its path is missing; `word`: no path contains its word. */
  readonly kind: 'file' | 'path' | 'word';
  /** The rest of a sentence that starts with "but". */
  readonly why: string;
}

/** The programs that some files do not show to be usable; `files` are those of the base and of the plan. */
export function needsOfPrograms(
  programs: readonly string[],
  files: readonly string[],
): readonly ProgramNeed[] {
  const known = new Set(files);
  const words = new Set(files.flatMap((path) => path.split(/\W+/)));
  return programs.flatMap((program): ProgramNeed[] => {
    if (everywhere.has(program)) return [];
    if (program.includes('/')) {
      const path = posix.normalize(program);
      if (known.has(path) || /^(?:\/|\.\.\/)/.test(path) || built.test(path)) return [];
      return [{ program, kind: 'path', why: 'there is no such file' }];
    }
    const [names] = needed.find(([, programsOf]) => programsOf.split(' ').includes(program)) ?? [];
    if (names === undefined) {
      const why = 'no file of the repository knows this program';
      return words.has(program) ? [] : [{ program, kind: 'word', why }];
    }
    const wanted = names.split(' ');
    const isUsable = files.some((path) => wanted.some((name) => fits(posix.basename(path), name)));
    const why = `the repository has no ${wanted.slice(0, 2).join(' or ')}`;
    return isUsable ? [] : [{ program, kind: 'file', why }];
  });
}

function fits(file: string, name: string): boolean {
  return name.startsWith('*') ? file.endsWith(name.slice(1)) : file === name;
}

/** Folders that are filled by installing and building. */
const built = /(?:^|\/)(?:node_modules|\.?venv|env|target|build|dist|out|bin|vendor)\//;

/** Programs that exist on any machine. */
const everywhere: ReadonlySet<string> = new Set(
  `[ awk basename bash cat chmod cmp cp curl cut date diff dirname echo egrep env expr false fgrep file find
  git grep head jq kill ln ls mkdir mktemp mv printf pwd realpath rg rm rmdir sed seq sh sleep sort stat
  tail tar tee test time timeout touch tr true uniq unzip wc which xargs zip`.split(/\s+/),
);

/** Programs that run code given in their arguments. */
export const interpreters: ReadonlySet<string> = new Set(
  'deno node perl php python python3 ruby'.split(' '),
);

/** Files of which a repository must have one, and the programs that cannot work without them. */
const needed: readonly (readonly [files: string, programs: string])[] = [
  ['package.json', 'npm npx yarn pnpm pnpx'],
  ['package.json *.ts *.js', 'bun bunx'],
  ['*.js *.mjs *.cjs *.ts *.mts *.cts package.json', 'node'],
  ['deno.json *.ts deno.jsonc *.js', 'deno'],
  ['Cargo.toml', 'cargo'],
  ['*.rs', 'rustc'],
  ['go.mod *.go', 'go gofmt'],
  ['*.py pyproject.toml', 'python python3 py'],
  [
    'Makefile makefile GNUmakefile *.mk Makefile.am Makefile.in CMakeLists.txt configure',
    'make gmake',
  ],
  ['CMakeLists.txt', 'cmake ctest'],
  ['pom.xml', 'mvn'],
  ['build.gradle build.gradle.kts settings.gradle settings.gradle.kts', 'gradle'],
  ['build.sbt', 'sbt'],
  ['*.java', 'java javac'],
  ['*.csproj *.sln *.slnx *.fsproj *.vbproj', 'dotnet'],
  ['*.rb Gemfile Rakefile *.gemspec', 'ruby bundle rake'],
  ['composer.json *.php', 'composer php'],
  ['mix.exs', 'mix'],
  ['Package.swift', 'swift'],
  ['pubspec.yaml', 'dart flutter'],
];
