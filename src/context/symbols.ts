// Finds the names that a file defines, by its language.
import { endingOf, nameOfPath } from '../git/paths.ts';
import * as patterns from './definition-patterns.ts';

/** A name that a file defines. `line` counts from 1, `text` is that line. */
export interface Definition {
  readonly name: string;
  readonly line: number;
  /** The line, without the value in a file of environment variables, which may be a secret. */
  readonly text: string;
}

/** The longest line that is searched, in characters: longer ones are generated or packed. */
const longestLine = 400;

/** Finds the definitions of a file by the form of its lines. Empty for unknown languages. */
export function definitionsIn(path: string, content: string): readonly Definition[] {
  const language = languageOf(path);
  if (language === null) return [];
  const hasSecrets = language === environment;
  const text = language === markdown ? withoutCode(content) : content;
  return text.split(/\r?\n/).flatMap((line, at) => {
    const name = line.length > longestLine ? null : nameIn(line, language);
    const shown = hasSecrets ? line.replace(/=.*$/, '=') : line;
    return name === null ? [] : [{ name, line: at + 1, text: shown }];
  });
}

/** The patterns of a language, and all of them combined, because hardly any line matches. */
interface Language {
  readonly patterns: readonly RegExp[];
  readonly any: () => RegExp;
}

function nameIn(line: string, { patterns: own, any }: Language): string | null {
  if (startsWithSign.test(line) || !any().test(line)) return null;
  const names = own.map((pattern) => pattern.exec(line)?.[1]?.trim());
  return names.find((one) => one !== undefined && !notNames.has(one)) ?? null;
}

/** Matches the start of a line that cannot be a definition. */
const startsWithSign = /^\s*[!%&()+,;<=>?\]^{|]/;

const notNames: ReadonlySet<string> = new Set(
  'if for while switch catch return function else do try with new throw await typeof super'.split(
    ' ',
  ),
);

/** Blanks the code blocks, in which `# a comment` is not a heading. */
function withoutCode(text: string): string {
  return text.replaceAll(/^ {0,3}(```|~~~)[^]*?^ {0,3}\1/gm, (code) => code.replaceAll(/.+/g, ''));
}

/** Finds the language by the ending, then by the name: `dockerfile.ts` is TypeScript. */
function languageOf(path: string): Language | null {
  const name = nameOfPath(path).toLowerCase();
  return byEnding.get(endingOf(path)) ?? byName.find(([names]) => names.test(name))?.[1] ?? null;
}

const environment = readBy(patterns.environment);
const markdown = readBy(patterns.markdown);

const languages: readonly (readonly [string, Language])[] = [
  ['ts tsx mts cts js jsx mjs cjs vue svelte', readBy(patterns.javascript)],
  ['py pyi', readBy(patterns.python)],
  ['rb rake gemspec', readBy(patterns.ruby)],
  ['php', readBy(patterns.php)],
  ['sh bash zsh ksh', readBy(patterns.shell)],
  ['ex exs', readBy(patterns.elixir)],
  ['go', readBy(patterns.go)],
  ['rs', readBy(patterns.rust)],
  ['c h cc cpp cxx hh hpp', readBy(patterns.c)],
  ['swift', readBy(patterns.swift)],
  ['java groovy', readBy(patterns.java)],
  ['cs', readBy(patterns.csharp)],
  ['kt kts', readBy(patterns.kotlin)],
  ['scala sc', readBy(patterns.scala)],
  ['sql psql pgsql', readBy(patterns.sql)],
  ['toml ini cfg conf', readBy(patterns.sections)],
  ['properties', readBy(patterns.properties)],
  ['yaml yml', readBy(patterns.yaml)],
  ['json jsonc json5', readBy(patterns.json)],
  ['mk mak', readBy(patterns.makefile)],
  ['md mdx markdown', markdown],
];

const byEnding: ReadonlyMap<string, Language> = new Map(
  languages.flatMap(([endings, own]) => endings.split(' ').map((ending) => [ending, own] as const)),
);

const byName: readonly (readonly [RegExp, Language])[] = [
  [/^\.env(?:\.|$)|\.env$/, environment],
  [/^(?:dockerfile|containerfile)(?:\.|$)|\.dockerfile$/, readBy(patterns.dockerfile)],
  [/^(?:gnu)?makefile(?:\.(?:am|in|inc))?$/, readBy(patterns.makefile)],
];

function readBy(own: readonly RegExp[]): Language {
  let any: RegExp | null = null;
  const combine = () =>
    new RegExp(own.map(({ source }) => `(?:${source})`).join('|'), own[0]?.flags);
  // Every command loads this, and few look for a name.
  return { patterns: own, any: () => (any ??= combine()) };
}

/** The most nested definitions that are named: the two nearest say enough. */
const mostAround = 2;
/** The most characters of a definition’s head. */
const longestHead = 60;

/**
 * The definitions around a line, found by indentation, as they begin in the file, e.g. `class
 * Context › def __init__`; null if there is none. A less indented line, such as the `end` of
 * another definition or a `class << self`, closes everything at its depth or deeper.
 */
export function enclosingDefinitions(
  definitions: readonly Definition[],
  content: string,
  line: number,
): string | null {
  const begun = new Map(definitions.map((one) => [one.line, one]));
  const lines = content.split(/\r?\n/, line);
  const heads: string[] = [];
  // A line of a block comment is one column deeper than what it documents.
  const text = lines.at(-1) ?? '';
  let indent = indentOf(text) - (/^\s+\*/.test(text) ? 1 : 0);
  for (let at = line - 1; at > 0 && indent > 0 && heads.length < mostAround; at -= 1) {
    const above = lines[at - 1] ?? '';
    if (above.trim() === '' || indentOf(above) >= indent) continue;
    const definition = begun.get(at);
    if (definition !== undefined) heads.unshift(headOf(definition));
    if (definition !== undefined || !goesOn.test(above)) indent = indentOf(above);
  }
  return heads.length === 0 ? null : heads.join(' › ');
}

/**
 * Matches lines at the depth of a definition that still belong to it: a second line, a part, a
 * comment, a directive.
 */
const goesOn =
  /^\s*(?:\{|[)\]}].*[{(:[]$|[)\]}].*=>$|(?:public|private|protected|rescue|ensure|else|where)\b|\/\/|\/?\*|#|--)/;

function indentOf(text: string): number {
  return text.search(/\S|$/);
}

/** The line of a definition up to the end of its name. */
function headOf({ name, text }: Definition): string {
  const end = text.indexOf(name) + name.length;
  return text.slice(0, end).trim().slice(-longestHead);
}

const mostSymbols = 12;

/** Names defined in some lines, and the definition before them. */
export function symbolsIn(
  definitions: readonly Pick<Definition, 'name' | 'line'>[],
  { start, end }: { readonly start: number; readonly end: number },
): readonly string[] {
  const around = definitions.findLast(({ line }) => line < start);
  const inside = definitions.filter(({ line }) => line >= start && line <= end);
  const names = [...(around === undefined ? [] : [around]), ...inside].map(({ name }) => name);
  return [...new Set(names)].slice(0, mostSymbols);
}
