/** What a definition looks like in languages that are compiled for a machine. */

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

/** C and C++. What ends with a semicolon only declares. */
export const c: readonly RegExp[] = [
  // The name may follow a macro, and only a body or bases follow it: `struct a b = {` is a value.
  /^\s*(?:typedef\s+)?(?:template\s*<[^>]*>\s*)?(?:struct|class|union|enum(?:\s+(?:class|struct))?|namespace)\s+(?:[A-Z][A-Z\d_]*\s+)?([A-Za-z_][\w:]*)\s*(?:final\s*)?(?::[^:;(].*|\{.*)?$/,
  /^\s*#\s*define\s+(\w+)/,
  /^typedef\s[^;]*\(\s*\*\s*(\w+)\s*\)/,
  /^typedef\s[^(){};]*[\s*](\w+)\s*(?:\[[^\]]*\]\s*)?;/,
  /^\}\s*(\w+)\s*;/,
  /^\s*using\s+(\w+)\s*=/,
  /^[A-Za-z_][\w :<>,*&]*[ *&](?:\w+::)*(~?[A-Za-z_]\w*)\s*\([^;{]*(?:\{|$)/,
  // A constructor, or a function whose result stands on the line before.
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
