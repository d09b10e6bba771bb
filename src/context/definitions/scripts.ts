/** What a definition looks like in languages that are run from their source. */

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
