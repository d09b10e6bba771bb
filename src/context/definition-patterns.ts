// Lists the patterns of definitions in each programming language.

/** Patterns of definitions by programming language: the group of a pattern is the name. */

export const javascript: readonly RegExp[] = [
  /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const\s+(?=enum\s))?(?:function\*?|class|interface|type|enum|namespace)\s+([A-Za-z_$][\w$]*)/,
  /^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*[:=]/,
  /^\s+(?:(?:public|private|protected|static|async|override|get|set)\s+)*[*#]?([A-Za-z_$][\w$]*)\s*\([^'"`=]*\)\s*(?::[^=]+)?\{\s*$/,
];

export const python: readonly RegExp[] = [
  /^\s*(?:async\s+)?(?:def|class)\s+(\w+)/,
  /^([A-Z_][A-Z\d_]+)\s*(?::[^=]+)?=/,
];

export const ruby: readonly RegExp[] = [
  /^\s*(?:(?:private|protected|public|module_function|private_class_method)\s+)?def\s+(?:\w+\.)?([A-Za-z_]\w*[?!]?)/,
  /^\s*(?:class|module)\s+(?:\w+::)*(\w+)/,
  /^\s*([A-Z]\w*)\s*=\s/,
  /^\s*(?:attr_(?:reader|writer|accessor)|define_method|alias_method|scope)[\s(]+:(\w+[?!]?)/,
];

export const php: readonly RegExp[] = [
  /^\s*(?:(?:public|private|protected|static|final|abstract|readonly)\s+)*(?:function\s+&?|(?:class|interface|trait|enum)\s+)(\w+)/,
  /^\s*(?:(?:public|private|protected|final)\s+)*const\s+(?:\w+\s+)?(\w+)\s*=/,
  /^\s*define\(\s*['"](\w+)['"]/,
];

export const shell: readonly RegExp[] = [
  /^\s*(?:function\s+)?([A-Za-z_][\w:.-]*)\s*\(\)/,
  /^\s*function\s+([A-Za-z_][\w:.-]*)\s*(?:\{|$)/,
  /^(?:(?:export|readonly|declare\s+-\w+)\s+)?([A-Z_][A-Z\d_]+)=/,
  /^\s*alias\s+([\w.-]+)=/,
];

export const elixir: readonly RegExp[] = [/^\s*(?:defp?|defmodule|defmacro)\s+([\w.]+)/];

export const go: readonly RegExp[] = [
  /^func\s+(?:\([^)]*\)\s*)?(\w+)/,
  /^type\s+(\w+)/,
  /^(?:var|const)\s+(\w+)/,
];

export const rust: readonly RegExp[] = [
  /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|const|async|unsafe)\s+)*(?:extern\s+"[^"]*"\s+)?(?:fn|struct|enum|trait|type|mod|union)\s+(\w+)/,
  /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+(?:mut\s+)?([A-Z_]\w*)\s*:/,
  /^\s*macro_rules!\s+(\w+)/,
];

/** Patterns for C and C++. A line that ends with a semicolon is only a declaration. */
export const c: readonly RegExp[] = [
  // The name may follow a macro, and only a body or bases follow it: `struct a b = {` is a value.
  /^\s*(?:typedef\s+)?(?:template\s*<[^>]*>\s*)?(?:struct|class|union|enum(?:\s+(?:class|struct))?|namespace)\s+(?:[A-Z][A-Z\d_]*\s+)?([A-Za-z_][\w:]*)\s*(?:final\s*)?(?::[^:;(].*|\{.*)?$/,
  /^\s*#\s*define\s+(\w+)/,
  /^typedef\s[^;]*\(\s*\*\s*(\w+)\s*\)/,
  /^typedef\s[^(){};]*[\s*](\w+)\s*(?:\[[^\]]*\]\s*)?;/,
  /^\}\s*(\w+)\s*;/,
  /^\s*using\s+(\w+)\s*=/,
  /^[A-Za-z_][\w :<>,*&]*[ *&](?:\w+::)*(~?[A-Za-z_]\w*)\s*\([^;{]*(?:\{|$)/,
  // A constructor, or a function whose result type is on the line before.
  /^(?:\w+(?:<[^>]*>)?::)+(~?[A-Za-z_]\w*)\s*\([^;{]*(?:\{|$)/,
  /^([a-z_]\w*) ?\([^;{]*(?:\{|$)/,
  /^\s+(?=[^;{"]*\)[\w\s]*\{)(?!(?:return|else|new|throw|case|delete)\b)[A-Za-z_][\w :<>,*&]*?[ *&](~?[A-Za-z_]\w*)\s*\(/,
];

const swiftModifiers =
  '(?:(?:@\\w+(?:\\([^)]*\\))?|public|private|internal|fileprivate|open|package|final|static|class|mutating|nonmutating|override|required|convenience|indirect|lazy|weak|nonisolated|consuming|borrowing|(?:private|fileprivate|internal)\\(set\\))\\s+)';
export const swift: readonly RegExp[] = [
  new RegExp(
    `^\\s*${swiftModifiers}*(?:func|struct|enum|protocol|extension|actor|typealias|associatedtype|macro)\\s+([A-Za-z_][\\w.]*)`,
  ),
  new RegExp(`^\\s*${swiftModifiers}*class\\s+(?!func\\b|var\\b|let\\b)([A-Za-z_]\\w*)`),
  new RegExp(`^(?:\\s*${swiftModifiers}+)?(?:let|var)\\s+([A-Za-z_]\\w*)\\s*[:=]`),
];

const annotations = '(?:@\\w+(?:\\([^)]*\\))?\\s+)*';
const type = '[\\w<>\\[\\],.?]+';
/** Statements that look like a method with a type, e.g. `return find(x);`. */
const notTypes = 'return throw new else await yield case assert goto in import package using';
const noType = `(?!(?:${notTypes.replaceAll(' ', '|')})\\b)`;
const javaModifiers =
  '(?:(?:public|private|protected|static|final|abstract|sealed|non-sealed|synchronized|default|native|strictfp|transient|volatile)\\s+)';
export const java: readonly RegExp[] = [
  new RegExp(
    `^\\s*${annotations}${javaModifiers}*(?:class|interface|enum|record|trait|@interface)\\s+(\\w+)`,
  ),
  new RegExp(`^\\s*${annotations}${javaModifiers}+[\\w<>\\[\\],.?& ]+? (\\w+)\\s*\\(`),
  new RegExp(`^\\s*${annotations}${javaModifiers}+${type} ([A-Z][A-Z\\d_]+)\\s*[=;]`),
  new RegExp(`^\\s+${noType}${type} (\\w+)\\s*\\([^"=]*[,;{)(]\\s*$`),
  /^\s*(?:static\s+)?def\s+(\w+)\s*\(/,
];

const csharpModifiers =
  '(?:(?:public|private|protected|internal|static|sealed|abstract|override|virtual|async|partial|readonly|const|unsafe|extern|new|file|required|volatile|ref|event)\\s+)';
export const csharp: readonly RegExp[] = [
  /^\s*namespace\s+([\w.]+)/,
  new RegExp(
    `^\\s*${csharpModifiers}*(?:class|interface|enum|struct|record(?:\\s+(?:class|struct))?)\\s+(\\w+)`,
  ),
  new RegExp(`^\\s*${csharpModifiers}*delegate\\s+${type} (\\w+)`),
  new RegExp(`^\\s*${csharpModifiers}+[\\w<>\\[\\],.? ]+? (\\w+)\\s*(?:<[^>]*>\\s*)?(?:\\(|\\{|=)`),
  new RegExp(`^\\s+${noType}${type} (\\w+)\\s*(?:<[^>]*>\\s*)?\\([^"=]*[,;{)(]\\s*$`),
];

const kotlinModifiers =
  '(?:(?:public|private|protected|internal|final|abstract|sealed|data|open|override|enum|annotation|value|inner|inline|companion|suspend|operator|infix|tailrec|external|lateinit|const|expect|actual|fun(?=\\s+interface))\\s+)';
export const kotlin: readonly RegExp[] = [
  new RegExp(
    `^\\s*${annotations}${kotlinModifiers}*(?:class|interface|object|typealias)\\s+(\\w+)`,
  ),
  new RegExp(
    `^\\s*${annotations}${kotlinModifiers}*fun\\s+(?:<[^(]*>\\s*)?(?:[\\w<>,?* ]+\\.)*(\\w+|\`[^\`]+\`)\\s*\\(`,
  ),
  new RegExp(`^(?:\\s*${annotations}${kotlinModifiers}+)?(?:val|var)\\s+(?:[\\w<>,?]+\\.)?(\\w+)`),
];

const scalaModifiers =
  '(?:(?:private(?:\\[\\w+\\])?|protected(?:\\[\\w+\\])?|override|final|sealed|abstract|implicit|lazy|case|inline|transparent|opaque|open|infix)\\s+)';
const receiver = 'extension\\s*(?:\\[[^\\]]*\\]\\s*)?\\(\\s*\\w+\\s*:\\s*';
export const scala: readonly RegExp[] = [
  new RegExp(
    `^\\s*${annotations}${scalaModifiers}*(?:package\\s+object|class|object|trait|enum|type)\\s+(\\w+)`,
  ),
  new RegExp(
    `^\\s*(?:${receiver}[^)]*\\)\\s*)?${annotations}${scalaModifiers}*def\\s+(\`[^\`]+\`|[^\\s(\\[:=]+)`,
  ),
  new RegExp(`^(?: {0,2}|\\s*${scalaModifiers}+)(?:val|var)\\s+(\\w+)\\s*[:=]`),
  /^\s*(?:inline\s+)?given\s+(\w+)(?:\[[^\]]*\])?\s*(?:\([^)]*\)\s*)*:/,
  // An extension has no name of its own, so the name of what it extends is used.
  new RegExp(`^\\s*${receiver}(\\w+)`),
];

/** Patterns for SQL: the name that a statement creates, without its schema. */
export const sql: readonly RegExp[] = [
  new RegExp(
    [
      '^\\s*create\\s+(?:(?:or\\s+(?:replace|alter)|global|local|temp|temporary|unlogged|external|foreign|virtual|unique|clustered|nonclustered|fulltext|materialized|recursive|constraint)\\s+)*',
      '(?:table|view|function|procedure|index|type|trigger|sequence|schema|domain|extension|policy|role|database|event)\\s+',
      '(?:concurrently\\s+)?(?:if\\s+not\\s+exists\\s+)?(?!on\\b|if\\b)',
      '(?:["`\\[]?[\\w$]+["`\\]]?\\.)*["`\\[]?([A-Za-z_][\\w$]*)',
    ].join(''),
    'i',
  ),
];

/** Patterns for TOML, INI and the like. */
export const sections: readonly RegExp[] = [
  /^\s*\[{1,2}\s*([A-Za-z_][^\],[]*)\]{1,2}\s*(?:[#;].*)?$/,
];

export const properties: readonly RegExp[] = [/^([A-Za-z_][\w.-]*)\s*[=:]/];

/** Patterns for YAML: the keys that are not indented. */
export const yaml: readonly RegExp[] = [
  /^([A-Za-z_$][\w.$/-]*)\s*:(?:\s|$)/,
  // Keys without letters belong to a table of data.
  /^(?:"(?=[^"]*[A-Za-z])|'(?=[^']*[A-Za-z]))([^"']+)["']\s*:(?:\s|$)/,
];

/** Patterns for JSON: the keys of the outermost object, which are mostly indented. */
export const json: readonly RegExp[] = [/^(?: {2}|\t)"(?=[^"]*[A-Za-z])([^"\\]{1,80})"\s*:/];

/** Patterns for a `.env` file: its variables. */
export const environment: readonly RegExp[] = [/^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/];

/** Patterns for a Dockerfile: the named stages of the build. */
export const dockerfile: readonly RegExp[] = [/^\s*FROM\s.*\sAS\s+([\w.-]+)\s*$/i];

/** Patterns for a makefile: the first target of a rule, without names that are special to make. */
export const makefile: readonly RegExp[] = [
  /^(?!\.[A-Z]+\s*:)([\w./][\w./-]*)(?: [\w.$()/ -]*)?\s*::?(?![=:])/,
];

/** Patterns for Markdown: the headings; longer ones are sentences. */
export const markdown: readonly RegExp[] = [/^ {0,3}#{1,6}[ \t]+(\S.{0,79}?)[ \t]*#*$/];
