import { endingOf, nameOfPath } from '../../git/paths.ts';
import * as cLike from './c-like.ts';
import { dockerfile, environment, json, makefile, sections, sql, yaml } from './configuration.ts';
import { markdown } from './markdown.ts';
import { byPatterns, type NameReader } from './name-reader.ts';
import * as scripts from './scripts.ts';
import * as systems from './systems.ts';

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
  ['ts tsx mts cts js jsx mjs cjs vue svelte', byLine(scripts.javascript)],
  ['py pyi', byLine(scripts.python)],
  ['rb rake gemspec', byLine(scripts.ruby)],
  ['php', byLine(scripts.php)],
  ['sh bash zsh ksh', byLine(scripts.shell)],
  ['ex exs', byLine(scripts.elixir)],
  ['go', byLine(systems.go)],
  ['rs', byLine(systems.rust)],
  ['c h cc cpp cxx hh hpp', byLine(systems.c)],
  ['swift', byLine(systems.swift)],
  ['java groovy', byLine(cLike.java)],
  ['cs', byLine(cLike.csharp)],
  ['kt kts', byLine(cLike.kotlin)],
  ['scala sc', byLine(cLike.scala)],
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
