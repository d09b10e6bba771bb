import type { LineLanguage } from './line-look.ts';

/** What a definition looks like in languages that are run from their source. */

export const javascript: LineLanguage = {
  look: {
    heads: 'function class interface type enum namespace',
    outermost: 'const let var',
    leading: 'export default declare abstract async const',
    never: 'if for while switch catch return await super',
    shapes: [{ first: 'A-Za-z_$*#', where: 'indented', last: '{', has: '(', lacks: '=' }],
  },
  patterns: [
    /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const\s+(?=enum\s))?(?:function\*?|class|interface|type|enum|namespace)\s+([A-Za-z_$][\w$]*)/,
    /^(?:export\s+)?(?:declare\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*[:=]/,
    /^\s+(?:(?:public|private|protected|static|async|override|get|set)\s+)*[*#]?([A-Za-z_$][\w$]*)\s*\([^'"`=]*\)\s*(?::[^=]+)?\{\s*$/,
  ],
};

export const python: LineLanguage = {
  look: {
    heads: 'def class',
    leading: 'async',
    shapes: [{ first: 'A-Z_', where: 'outermost', has: '=' }],
  },
  patterns: [/^\s*(?:async\s+)?(?:def|class)\s+(\w+)/, /^([A-Z_][A-Z\d_]+)\s*(?::[^=]+)?=/],
};

export const ruby: LineLanguage = {
  look: {
    heads:
      'def class module attr_reader attr_writer attr_accessor define_method alias_method scope',
    leading: 'private protected public module_function private_class_method',
    shapes: [{ first: 'A-Z', has: '=' }],
  },
  patterns: [
    /^\s*(?:(?:private|protected|public|module_function|private_class_method)\s+)?def\s+(?:\w+\.)?([A-Za-z_]\w*[?!]?)/,
    /^\s*(?:class|module)\s+(?:\w+::)*(\w+)/,
    /^\s*([A-Z]\w*)\s*=\s/,
    /^\s*(?:attr_(?:reader|writer|accessor)|define_method|alias_method|scope)[\s(]+:(\w+[?!]?)/,
  ],
};

export const php: LineLanguage = {
  look: {
    heads: 'function class interface trait enum const define',
    leading: 'public private protected static final abstract readonly',
  },
  patterns: [
    /^\s*(?:(?:public|private|protected|static|final|abstract|readonly)\s+)*(?:function\s+&?|(?:class|interface|trait|enum)\s+)(\w+)/,
    /^\s*(?:(?:public|private|protected|final)\s+)*const\s+(?:\w+\s+)?(\w+)\s*=/,
    /^\s*define\(\s*['"](\w+)['"]/,
  ],
};

export const shell: LineLanguage = {
  look: {
    heads: 'function alias',
    outermost: 'export readonly declare',
    shapes: [
      { first: 'A-Za-z_', has: '(' },
      { first: 'A-Z_', where: 'outermost', has: '=' },
    ],
  },
  patterns: [
    /^\s*(?:function\s+)?([A-Za-z_][\w:.-]*)\s*\(\)/,
    /^\s*function\s+([A-Za-z_][\w:.-]*)\s*(?:\{|$)/,
    /^(?:(?:export|readonly|declare\s+-\w+)\s+)?([A-Z_][A-Z\d_]+)=/,
    /^\s*alias\s+([\w.-]+)=/,
  ],
};

export const elixir: LineLanguage = {
  look: { heads: 'def defp defmodule defmacro' },
  patterns: [/^\s*(?:defp?|defmodule|defmacro)\s+([\w.]+)/],
};
