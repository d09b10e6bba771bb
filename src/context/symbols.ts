import { endingOf } from './paths.ts';

/** A name that a file defines. `line` counts from 1, `text` is that line. */
export interface Definition {
  readonly name: string;
  readonly line: number;
  readonly text: string;
}

/** Longer lines are generated or packed. In characters. */
const longestLine = 400;

/** The definitions of a file, found by the look of its lines. Empty for unknown languages. */
export function definitionsIn(path: string, content: string): readonly Definition[] {
  const patterns = patternsOf(path);
  if (patterns === undefined) return [];
  const found: Definition[] = [];
  for (const [index, text] of content.split('\n').entries()) {
    if (text.length > longestLine) continue;
    const name = nameIn(text, patterns);
    if (name !== null) found.push({ name, line: index + 1, text });
  }
  return found;
}

function nameIn(text: string, patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined && !notNames.has(name)) return name;
  }
  return null;
}

const notNames: ReadonlySet<string> = new Set(
  'if for while switch catch return function else do try with new throw await typeof super'.split(
    ' ',
  ),
);

const script = [
  /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|interface|type|enum|namespace)\s+([A-Za-z_$][\w$]*)/,
  /^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*[:=]/,
  /^\s+(?:(?:public|private|protected|static|async|override|get|set)\s+)*[*#]?([A-Za-z_$][\w$]*)\s*\([^'"`=]*\)\s*(?::[^=]+)?\{\s*$/,
];
const python = [/^\s*(?:async\s+)?(?:def|class)\s+(\w+)/, /^([A-Z_][A-Z\d_]+)\s*(?::[^=]+)?=/];
const go = [/^func\s+(?:\([^)]*\)\s*)?(\w+)/, /^type\s+(\w+)/, /^(?:var|const)\s+(\w+)/];
const rust = [
  /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:default|const|async|unsafe)\s+)*(?:extern\s+"[^"]*"\s+)?(?:fn|struct|enum|trait|type|mod|union)\s+(\w+)/,
  /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:const|static)\s+(?:mut\s+)?([A-Z_]\w*)\s*:/,
  /^\s*macro_rules!\s+(\w+)/,
];
const modifiers =
  '(?:(?:public|private|protected|internal|static|final|abstract|sealed|data|open|override|virtual|async|synchronized|partial|readonly|default|suspend)\\s+)';
const classes = new RegExp(
  `^\\s*${modifiers}*(?:class|interface|enum|record|struct|object|trait|namespace|@interface)\\s+(\\w+)`,
);
const jvm = [classes, new RegExp(`^\\s*${modifiers}+[\\w<>\\[\\],.? ]+? (\\w+)\\s*\\(`)];
const kotlin = [classes, new RegExp(`^\\s*${modifiers}*fun\\s+(?:<[^>]*>\\s*)?(?:\\w+\\.)?(\\w+)`)];
const ruby = [/^\s*(?:def\s+(?:self\.)?|class\s+|module\s+)(\w+[?!]?)/];
const php = [
  /^\s*(?:(?:public|private|protected|static|final|abstract)\s+)*(?:function\s+&?|class\s+|interface\s+|trait\s+|enum\s+)(\w+)/,
];
const c = [
  /^\s*(?:typedef\s+)?(?:struct|class|enum|union|namespace)\s+(\w+)[^;]*$/,
  /^\s*#\s*define\s+(\w+)/,
  /^[A-Za-z_][\w :<>,*&]*[ *&]([A-Za-z_]\w*)\s*\([^;]*$/,
];
const swift = [
  /^\s*(?:\w+\s+)*?(?:func|class|struct|enum|protocol|extension|actor)\s+([A-Za-z_]\w*)/,
];
const shell = [/^(?:function\s+)?([A-Za-z_][\w-]*)\s*\(\)\s*\{?/];
const elixir = [/^\s*(?:defp?|defmodule|defmacro)\s+([\w.]+)/];

const languages: readonly (readonly [string, readonly RegExp[]])[] = [
  ['ts tsx mts cts js jsx mjs cjs vue svelte', script],
  ['py pyi', python],
  ['go', go],
  ['rs', rust],
  ['java cs groovy', jvm],
  ['kt kts scala', kotlin],
  ['rb', ruby],
  ['php', php],
  ['c h cc cpp cxx hh hpp', c],
  ['swift', swift],
  ['sh bash', shell],
  ['ex exs', elixir],
];

const byEnding: ReadonlyMap<string, readonly RegExp[]> = new Map(
  languages.flatMap(([endings, patterns]) =>
    endings.split(' ').map((ending) => [ending, patterns] as const),
  ),
);

function patternsOf(path: string): readonly RegExp[] | undefined {
  return byEnding.get(endingOf(path));
}
