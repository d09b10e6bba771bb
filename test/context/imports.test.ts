import { expect, test } from 'vitest';
import { importsIn } from '../../src/context/imports.ts';

test.each([
  ['src/a.ts', "import { b } from './b.ts';", ['src/b.ts']],
  ['src/a.ts', "import { b } from '../lib/b.js';", ['lib/b.ts']],
  ['src/a.ts', "export * from './dir';", ['src/dir/index.ts']],
  ['src/a.ts', "const x = await import('./b.ts'); import 'zod';", ['src/b.ts']],
  ['a.ts', "import './src/b.ts';", ['src/b.ts']],
  ['src/a.ts', "import { a } from './a.ts'; // itself", []],
  ['pkg/a.py', 'from .b import c', ['pkg/b.py']],
  ['pkg/sub/a.py', 'from ..b import c', ['pkg/b.py']],
  ['pkg/a.py', 'from pkg import b', ['pkg/b.py']],
  ['pkg/a.py', 'import pkg.b', ['pkg/b.py']],
  ['src/lib.rs', 'pub mod b;', ['src/b.rs']],
  ['src/x/c.rs', 'use crate::b::Thing;', ['src/b.rs']],
  ['src/bin/p/main.rs', 'use crate::b::Thing;', []],
  ['src/main/java/org/x/A.java', 'import org.y.B;', ['src/main/java/org/y/B.java']],
  ['src/test/java/org/x/ATest.java', 'import static org.y.B.of;', ['src/main/java/org/y/B.java']],
  ['src/main/java/org/x/A.kt', 'import org.y.B', ['src/main/java/org/y/B.java']],
  ['src/a.c', '#include "b.h"', ['src/b.h']],
  ['src/a.cc', '#include "net/c.h"', ['include/net/c.h']],
  ['src/a.c', '#include <b.h>', []],
  ['lib/x/a.rb', "require_relative '../y/b'", ['lib/y/b.rb']],
  ['bin/a.rb', "require 'y/b'", ['lib/y/b.rb']],
  ['a.go', 'import "x/b"', []],
])('%s with %s', (path, line, targets) => {
  const known = new Set([
    'src/a.ts',
    'src/b.ts',
    'lib/b.ts',
    'src/dir/index.ts',
    'pkg/b.py',
    'pkg/__init__.py',
    'src/b.rs',
    'src/main/java/org/y/B.java',
    'src/b.h',
    'include/net/c.h',
    'lib/y/b.rb',
  ]);
  const edges = importsIn({ path, content: `\n${line}\n` }, known);
  expect(edges.map(({ target }) => target)).toEqual(targets);
  for (const edge of edges) expect(edge).toMatchObject({ line: 2, text: line });
});
