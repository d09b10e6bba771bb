import { endingOf } from '../../git/paths.ts';

/** A programming language, and the family whose tools build and test it. */
interface Language {
  readonly name: string;
  readonly family: string;
}

const families = {
  javascript: {
    TypeScript: 'ts tsx mts cts',
    JavaScript: 'js jsx mjs cjs',
    Vue: 'vue',
    Svelte: 'svelte',
  },
  python: { Python: 'py pyi' },
  go: { Go: 'go' },
  rust: { Rust: 'rs' },
  jvm: { Java: 'java', Kotlin: 'kt kts', Scala: 'scala', Groovy: 'groovy', Clojure: 'clj cljs' },
  dotnet: { 'C#': 'cs', 'F#': 'fs', 'Visual Basic': 'vb' },
  c: { C: 'c h', 'C++': 'cc cpp cxx hh hpp', 'Objective-C': 'm mm' },
  ruby: { Ruby: 'rb' },
  php: { PHP: 'php' },
  swift: { Swift: 'swift' },
  elixir: { Elixir: 'ex exs' },
  dart: { Dart: 'dart' },
  haskell: { Haskell: 'hs' },
  lua: { Lua: 'lua' },
  zig: { Zig: 'zig' },
  shell: { Shell: 'sh bash' },
  sql: { SQL: 'sql' },
} as const;

const byEnding: ReadonlyMap<string, Language> = new Map(
  Object.entries(families).flatMap(([family, languages]) =>
    Object.entries(languages).flatMap(([name, endings]) =>
      endings.split(' ').map((ending) => [ending, { name, family }] as const),
    ),
  ),
);

/** The language of a file by its ending, or null for what is no code. */
export function programmingLanguage(path: string): Language | null {
  return byEnding.get(endingOf(path)) ?? null;
}
