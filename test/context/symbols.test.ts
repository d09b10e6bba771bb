import { expect, test } from 'vitest';
import { definitionsIn } from '../../src/context/symbols.ts';

test.each([
  [
    'a.ts',
    'export async function load() {}\nexport const limit = 3;\nabstract class A {\n  static of(x: number): A {\n  }\n  if (x) {\n}\nexport type T = 1;\nfoo(function () {\n',
    ['load', 'limit', 'A', 'of', 'T'],
  ],
  [
    'a.py',
    'class A:\n    async def run(self):\n        x = 1\nMAX_SIZE: int = 3\n',
    ['A', 'run', 'MAX_SIZE'],
  ],
  [
    'a.go',
    'func (s *Server) Start() error {\ntype Server struct {\nvar ErrX = 1\n',
    ['Start', 'Server', 'ErrX'],
  ],
  [
    'a.rs',
    'pub(crate) async fn run() {}\nimpl Foo for Bar {\npub struct Bar;\nconst MAX: u8 = 1;\nmacro_rules! go {\n',
    ['run', 'Bar', 'MAX', 'go'],
  ],
  [
    'A.java',
    'public final class A {\n  private static Map<String, List<Integer>> build(int x) {\n    return make(x);\n  }\n',
    ['A', 'build'],
  ],
  ['a.rb', 'module M\n  def self.run!\n', ['M', 'run!']],
  [
    'a.c',
    'static int run_it(int x) {\n#define LIMIT 3\nstruct point {\n',
    ['run_it', 'LIMIT', 'point'],
  ],
  ['a.kt', 'data class P(val x: Int)\nsuspend fun load(): P {\n', ['P', 'load']],
  ['a.txt', 'function x() {}', []],
])('the definitions of %s', (path, content, names) => {
  expect(definitionsIn(path, content).map(({ name }) => name)).toEqual(names);
});

test('a definition knows its line as it stands in the file', () => {
  expect(definitionsIn('a.py', '# note\n\n  def run(self):\n')).toEqual([
    { name: 'run', line: 3, text: '  def run(self):' },
  ]);
});

test('long and hostile lines take little time', () => {
  const lines = ['a '.repeat(190), 'public '.repeat(55), 'a.'.repeat(190), `(${'a,'.repeat(180)}`];
  const content = Array.from({ length: 2000 }, (_, i) => lines[i % lines.length]).join('\n');
  const started = performance.now();
  for (const path of ['a.ts', 'a.py', 'a.rs', 'A.java', 'a.c', 'a.kt', 'a.swift', 'a.php']) {
    definitionsIn(path, content);
  }
  expect(performance.now() - started).toBeLessThan(3000);
});
