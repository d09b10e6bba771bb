// Finds the names that a file defines, by its language.
import { endingOf, nameOfPath } from '../git/paths.ts';

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
  const hasSecrets = language.names === environment;
  const text = language.names === markdown ? withoutCode(content) : content;
  return text.split(/\r?\n/).flatMap((line, at) => {
    const name = line.length > longestLine ? null : nameIn(line, language);
    const shown = hasSecrets ? line.replace(/=.*$/, '=') : line;
    return name === null ? [] : [{ name, line: at + 1, text: shown }];
  });
}

/** The patterns of a language, and all of them combined, because hardly any line matches. */
interface Language {
  readonly names: string;
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
  return text.replaceAll(/^ {0,3}(\x60{3}|~{3})[^]*?^ {0,3}\1/gm, (code) =>
    code.replaceAll(/.+/g, ''),
  );
}

/** Finds the language by the ending, then by the name: `dockerfile.ts` is TypeScript. */
function languageOf(path: string): Language | null {
  const name = nameOfPath(path).toLowerCase();
  const isNamed = ({ names }: Language) =>
    names.startsWith('~') && new RegExp(names.slice(1)).test(name);
  return byEnding.get(endingOf(path)) ?? languages.find(isNamed) ?? null;
}

/** The names of files with variables, whose values may be secrets, and those of Markdown. */
const environment = String.raw`~^\.env(?:\.|$)|\.env$`;
const markdown = 'md mdx markdown';

const swift =
  '(?:(?:@\\w+(?:\\([^)]*\\))?|public|private|internal|fileprivate|open|package|final|static|class|mutating|nonmutating|override|required|convenience|indirect|lazy|weak|nonisolated|consuming|borrowing|(?:private|fileprivate|internal)\\(set\\))\\s+)';
const annotations = '(?:@\\w+(?:\\([^)]*\\))?\\s+)*';
const type = '[\\w<>\\[\\],.?]+';
/** Statements that look like a method with a type, e.g. `return find(x);`. */
const notTypes = 'return throw new else await yield case assert goto in import package using';
const noType = `(?!(?:${notTypes.replaceAll(' ', '|')})\\b)`;
const java =
  '(?:(?:public|private|protected|static|final|abstract|sealed|non-sealed|synchronized|default|native|strictfp|transient|volatile)\\s+)';
const csharp =
  '(?:(?:public|private|protected|internal|static|sealed|abstract|override|virtual|async|partial|readonly|const|unsafe|extern|new|file|required|volatile|ref|event)\\s+)';
const kotlin =
  '(?:(?:public|private|protected|internal|final|abstract|sealed|data|open|override|enum|annotation|value|inner|inline|companion|suspend|operator|infix|tailrec|external|lateinit|const|expect|actual|fun(?=\\s+interface))\\s+)';
const scala =
  '(?:(?:private(?:\\[\\w+\\])?|protected(?:\\[\\w+\\])?|override|final|sealed|abstract|implicit|lazy|case|inline|transparent|opaque|open|infix)\\s+)';
const receiver = 'extension\\s*(?:\\[[^\\]]*\\]\\s*)?\\(\\s*\\w+\\s*:\\s*';

/**
 * The languages: a line with their endings, or with the pattern of their file names after "~" (and " i" where
 * case does not matter), then a line for each pattern of a definition, whose group is the name.
 */
const table = String.raw`
ts tsx mts cts js jsx mjs cjs vue svelte
^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const\s+(?=enum\s))?(?:function\*?|class|interface|type|enum|namespace)\s+([A-Za-z_$][\w$]*)
^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*[:=]
^\s+(?:(?:public|private|protected|static|async|override|get|set)\s+)*[*#]?([A-Za-z_$][\w$]*)\s*\([^'"\x60=]*\)\s*(?::[^=]+)?\{\s*$

py pyi
^\s*(?:async\s+)?(?:def|class)\s+(\w+)
^([A-Z_][A-Z\d_]+)\s*(?::[^=]+)?=

rb rake gemspec
^\s*(?:(?:private|protected|public|module_function|private_class_method)\s+)?def\s+(?:\w+\.)?([A-Za-z_]\w*[?!]?)
^\s*(?:class|module)\s+(?:\w+::)*(\w+)
^\s*([A-Z]\w*)\s*=\s
^\s*(?:attr_(?:reader|writer|accessor)|define_method|alias_method|scope)[\s(]+:(\w+[?!]?)

php
^\s*(?:(?:public|private|protected|static|final|abstract|readonly)\s+)*(?:function\s+&?|(?:class|interface|trait|enum)\s+)(\w+)
^\s*(?:(?:public|private|protected|final)\s+)*const\s+(?:\w+\s+)?(\w+)\s*=
^\s*define\(\s*['"](\w+)['"]

sh bash zsh ksh
^\s*(?:function\s+)?([A-Za-z_][\w:.-]*)\s*\(\)
^\s*function\s+([A-Za-z_][\w:.-]*)\s*(?:\{|$)
^(?:(?:export|readonly|declare\s+-\w+)\s+)?([A-Z_][A-Z\d_]+)=
^\s*alias\s+([\w.-]+)=

ex exs
^\s*(?:defp?|defmodule|defmacro)\s+([\w.]+)

go
^func\s+(?:\([^)]*\)\s*)?(\w+)
^type\s+(\w+)
^(?:var|const)\s+(\w+)

rs
^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|const|async|unsafe)\s+)*(?:extern\s+"[^"]*"\s+)?(?:fn|struct|enum|trait|type|mod|union)\s+(\w+)
^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+(?:mut\s+)?([A-Z_]\w*)\s*:
^\s*macro_rules!\s+(\w+)

// A line of C and C++ that ends with a semicolon is only a declaration.
c h cc cpp cxx hh hpp
// The name may follow a macro, and only a body or bases follow it: a "struct a b = {" is a value.
^\s*(?:typedef\s+)?(?:template\s*<[^>]*>\s*)?(?:struct|class|union|enum(?:\s+(?:class|struct))?|namespace)\s+(?:[A-Z][A-Z\d_]*\s+)?([A-Za-z_][\w:]*)\s*(?:final\s*)?(?::[^:;(].*|\{.*)?$
^\s*#\s*define\s+(\w+)
^typedef\s[^;]*\(\s*\*\s*(\w+)\s*\)
^typedef\s[^(){};]*[\s*](\w+)\s*(?:\[[^\]]*\]\s*)?;
^\}\s*(\w+)\s*;
^\s*using\s+(\w+)\s*=
^[A-Za-z_][\w :<>,*&]*[ *&](?:\w+::)*(~?[A-Za-z_]\w*)\s*\([^;{]*(?:\{|$)
// A constructor, or a function whose result type is on the line before.
^(?:\w+(?:<[^>]*>)?::)+(~?[A-Za-z_]\w*)\s*\([^;{]*(?:\{|$)
^([a-z_]\w*) ?\([^;{]*(?:\{|$)
^\s+(?=[^;{"]*\)[\w\s]*\{)(?!(?:return|else|new|throw|case|delete)\b)[A-Za-z_][\w :<>,*&]*?[ *&](~?[A-Za-z_]\w*)\s*\(

swift
^\s*${swift}*(?:func|struct|enum|protocol|extension|actor|typealias|associatedtype|macro)\s+([A-Za-z_][\w.]*)
^\s*${swift}*class\s+(?!func\b|var\b|let\b)([A-Za-z_]\w*)
^(?:\s*${swift}+)?(?:let|var)\s+([A-Za-z_]\w*)\s*[:=]

java groovy
^\s*${annotations}${java}*(?:class|interface|enum|record|trait|@interface)\s+(\w+)
^\s*${annotations}${java}+[\w<>\[\],.?& ]+? (\w+)\s*\(
^\s*${annotations}${java}+${type} ([A-Z][A-Z\d_]+)\s*[=;]
^\s+${noType}${type} (\w+)\s*\([^"=]*[,;{)(]\s*$
^\s*(?:static\s+)?def\s+(\w+)\s*\(

cs
^\s*namespace\s+([\w.]+)
^\s*${csharp}*(?:class|interface|enum|struct|record(?:\s+(?:class|struct))?)\s+(\w+)
^\s*${csharp}*delegate\s+${type} (\w+)
^\s*${csharp}+[\w<>\[\],.? ]+? (\w+)\s*(?:<[^>]*>\s*)?(?:\(|\{|=)
^\s+${noType}${type} (\w+)\s*(?:<[^>]*>\s*)?\([^"=]*[,;{)(]\s*$

kt kts
^\s*${annotations}${kotlin}*(?:class|interface|object|typealias)\s+(\w+)
^\s*${annotations}${kotlin}*fun\s+(?:<[^(]*>\s*)?(?:[\w<>,?* ]+\.)*(\w+|\x60[^\x60]+\x60)\s*\(
^(?:\s*${annotations}${kotlin}+)?(?:val|var)\s+(?:[\w<>,?]+\.)?(\w+)

scala sc
^\s*${annotations}${scala}*(?:package\s+object|class|object|trait|enum|type)\s+(\w+)
^\s*(?:${receiver}[^)]*\)\s*)?${annotations}${scala}*def\s+(\x60[^\x60]+\x60|[^\s(\[:=]+)
^(?: {0,2}|\s*${scala}+)(?:val|var)\s+(\w+)\s*[:=]
^\s*(?:inline\s+)?given\s+(\w+)(?:\[[^\]]*\])?\s*(?:\([^)]*\)\s*)*:
// An extension has no name of its own, so the name of what it extends is used.
^\s*${receiver}(\w+)

// What a statement creates, without its schema.
sql psql pgsql i
^\s*create\s+(?:(?:or\s+(?:replace|alter)|global|local|temp|temporary|unlogged|external|foreign|virtual|unique|clustered|nonclustered|fulltext|materialized|recursive|constraint)\s+)*(?:table|view|function|procedure|index|type|trigger|sequence|schema|domain|extension|policy|role|database|event)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?!on\b|if\b)(?:["\x60\[]?[\w$]+["\x60\]]?\.)*["\x60\[]?([A-Za-z_][\w$]*)

toml ini cfg conf
^\s*\[{1,2}\s*([A-Za-z_][^\],[]*)\]{1,2}\s*(?:[#;].*)?$

properties
^([A-Za-z_][\w.-]*)\s*[=:]

// The keys that are not indented.
yaml yml
^([A-Za-z_$][\w.$/-]*)\s*:(?:\s|$)
// Keys without letters belong to a table of data.
^(?:"(?=[^"]*[A-Za-z])|'(?=[^']*[A-Za-z]))([^"']+)["']\s*:(?:\s|$)

// The keys of the outermost object, which are mostly indented.
json jsonc json5
^(?: {2}|\t)"(?=[^"]*[A-Za-z])([^"\\]{1,80})"\s*:

// The first target of a rule, without names that are special to make.
mk mak
^(?!\.[A-Z]+\s*:)([\w./][\w./-]*)(?: [\w.$()/ -]*)?\s*::?(?![=:])

// Longer headings are sentences.
md mdx markdown
^ {0,3}#{1,6}[ \t]+(\S.{0,79}?)[ \t]*#*$

~^\.env(?:\.|$)|\.env$
^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=

// The named stages of the build.
~^(?:dockerfile|containerfile)(?:\.|$)|\.dockerfile$ i
^\s*FROM\s.*\sAS\s+([\w.-]+)\s*$

~^(?:gnu)?makefile(?:\.(?:am|in|inc))?$
^(?!\.[A-Z]+\s*:)([\w./][\w./-]*)(?: [\w.$()/ -]*)?\s*::?(?![=:])
`;

const languages = table
  .trim()
  .split('\n\n')
  .map((block): Language => {
    const [head = '', ...sources] = block.split('\n').filter((line) => !line.startsWith('//'));
    const names = head.replace(/ i$/, '');
    const flags = names === head ? '' : 'i';
    const patterns = sources.map((source) => new RegExp(source, flags));
    let any: RegExp | null = null;
    // Every command loads this, and few look for a name.
    return { names, patterns, any: () => (any ??= new RegExp(sources.join('|'), flags)) };
  });

const byEnding: ReadonlyMap<string, Language> = new Map(
  languages.flatMap((one) => one.names.split(' ').map((ending) => [ending, one])),
);

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
