import { endingOf, nameOfPath } from '../paths.ts';
import * as cLike from './c-like.ts';
import { dockerfile, environment, json, makefile, sections, yaml } from './configuration.ts';
import { markdown } from './markdown.ts';
import { byPatterns, type NameReader } from './name-reader.ts';
import * as scripts from './scripts.ts';
import { sql } from './sql.ts';
import * as systems from './systems.ts';

/** A reader for this file, or null where its language is unknown: `dockerfile.ts` is TypeScript. */
export function nameReaderOf(path: string): NameReader | null {
  const name = nameOfPath(path).toLowerCase();
  const make = byEnding.get(endingOf(name)) ?? byName.find(([names]) => names.test(name))?.[1];
  return make?.() ?? null;
}

/** True for a file that gives variables their values, e.g. `.env.local`. */
export function isEnvironmentFile(path: string): boolean {
  return environmentName.test(nameOfPath(path).toLowerCase());
}

type MakeReader = () => NameReader;

const environmentName = /^\.env(?:\.|$)|\.env$/;

const byName: readonly (readonly [RegExp, MakeReader])[] = [
  [environmentName, environment],
  [/^(?:dockerfile|containerfile)(?:\.|$)|\.dockerfile$/, dockerfile],
  [/^(?:gnu)?makefile(?:\.(?:am|in|inc))?$/, makefile],
  [
    /^(?:\.editorconfig|\.gitconfig|\.gitmodules|\.npmrc|\.flake8|\.coveragerc|\.pylintrc|pipfile)$/,
    sections,
  ],
];

const languages: readonly (readonly [string, MakeReader])[] = [
  ['ts tsx mts cts js jsx mjs cjs vue svelte', patterns(scripts.javascript)],
  ['py pyi', patterns(scripts.python)],
  ['rb rake gemspec', patterns(scripts.ruby)],
  ['php', patterns(scripts.php)],
  ['sh bash zsh ksh', patterns(scripts.shell)],
  ['ex exs', patterns(scripts.elixir)],
  ['go', patterns(systems.go)],
  ['rs', patterns(systems.rust)],
  ['c h cc cpp cxx hh hpp', patterns(systems.c)],
  ['swift', patterns(systems.swift)],
  ['java groovy', patterns(cLike.java)],
  ['cs', patterns(cLike.csharp)],
  ['kt kts', patterns(cLike.kotlin)],
  ['scala sc', patterns(cLike.scala)],
  ['sql psql pgsql', sql],
  ['toml ini cfg conf properties', sections],
  ['yaml yml', yaml],
  ['json jsonc json5', json],
  ['mk mak', makefile],
  ['md mdx markdown', markdown],
];

const byEnding: ReadonlyMap<string, MakeReader> = new Map(
  languages.flatMap(([endings, make]) =>
    endings.split(' ').map((ending) => [ending, make] as const),
  ),
);

/** Patterns remember nothing, so that one reader serves all files. */
function patterns(all: readonly RegExp[]): MakeReader {
  const reader = byPatterns(all);
  return () => reader;
}
