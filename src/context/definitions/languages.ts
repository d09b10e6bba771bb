import { endingOf, nameOfPath } from '../../git/paths.ts';
import * as code from './code.ts';
import { dockerfile, environment, json, makefile, sections, sql, yaml } from './configuration.ts';
import { markdown } from './markdown.ts';
import { byPatterns, type NameReader } from './name-reader.ts';

/** Finds the definitions of one language: a reader for each file. */
type Language = () => NameReader;

/** Null where the language of the file is unknown: `dockerfile.ts` is TypeScript. */
export function languageOf(path: string): Language | null {
  return byEnding.get(endingOf(path)) ?? named(nameOfPath(path).toLowerCase());
}

function named(name: string): Language | null {
  return byName.find(([names]) => names.test(name))?.[1] ?? null;
}

/** True for a file that gives variables their values, e.g. `.env.local`. */
export function isEnvironmentFile(path: string): boolean {
  // Nearly no path has that in it.
  return /\.env/i.test(path) && environmentName.test(nameOfPath(path).toLowerCase());
}

const environmentName = /^\.env(?:\.|$)|\.env$/;

const byName: readonly (readonly [RegExp, Language])[] = [
  [environmentName, byLine(environment)],
  [/^(?:dockerfile|containerfile)(?:\.|$)|\.dockerfile$/, byLine(dockerfile)],
  [/^(?:gnu)?makefile(?:\.(?:am|in|inc))?$/, makefile],
  [
    /^(?:\.editorconfig|\.gitconfig|\.gitmodules|\.npmrc|\.flake8|\.coveragerc|\.pylintrc|pipfile)$/,
    sections,
  ],
];

const languages: readonly (readonly [string, Language])[] = [
  ['ts tsx mts cts js jsx mjs cjs vue svelte', byLine(code.javascript)],
  ['py pyi', byLine(code.python)],
  ['rb rake gemspec', byLine(code.ruby)],
  ['php', byLine(code.php)],
  ['sh bash zsh ksh', byLine(code.shell)],
  ['ex exs', byLine(code.elixir)],
  ['go', byLine(code.go)],
  ['rs', byLine(code.rust)],
  ['c h cc cpp cxx hh hpp', byLine(code.c)],
  ['swift', byLine(code.swift)],
  ['java groovy', byLine(code.java)],
  ['cs', byLine(code.csharp)],
  ['kt kts', byLine(code.kotlin)],
  ['scala sc', byLine(code.scala)],
  ['sql psql pgsql', sql],
  ['toml ini cfg conf properties', sections],
  ['yaml yml', byLine(yaml)],
  ['json jsonc json5', json],
  ['mk mak', makefile],
  ['md mdx markdown', markdown],
];

const byEnding: ReadonlyMap<string, Language> = new Map(
  languages.flatMap(([endings, language]) =>
    endings.split(' ').map((ending) => [ending, language] as const),
  ),
);

/** Patterns remember nothing, so that one reader serves all files. */
function byLine(patterns: readonly RegExp[]): Language {
  const namesIn = byPatterns(patterns);
  return () => namesIn;
}
