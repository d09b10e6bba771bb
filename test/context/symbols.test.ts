import { expect, test } from 'vitest';
import { cpuFloors } from '../helpers/cpu-floors.ts';
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

test('a file of environment variables is shown without its values', () => {
  expect(definitionsIn('.env.local', '# keys\nexport API_KEY=abc=def\n')).toEqual([
    { name: 'API_KEY', line: 2, text: 'export API_KEY=' },
  ]);
});

test.each([
  ...'ts py rb php sh ex go rs c swift java cs kt scala sql toml yaml json mk md'
    .split(' ')
    .map((ending) => `a.${ending}`),
  '.env',
  'Dockerfile',
])('long and hostile lines of %s take little time', (path) => {
  const pieces =
    'a ,public ,a.,a<,@a(,[a,(a,,a* ,a::,"a" ,/*,# ,## ,`,a:,create or replace ,$(a) '.split(',');
  const lines = pieces.flatMap((piece) => {
    const long = piece.repeat(Math.floor(390 / Math.max(1, piece.length)));
    return [long, `  ${long}{`, `static ${long}(`, `extension (a: ${long}`, `# ${long}`];
  });
  const content = Array.from({ length: 20 }, () => lines.join('\n')).join('\n');
  const started = cpuFloors();
  definitionsIn(path, content);
  expect(cpuFloors() - started).toBeLessThan(40);
});

test('what the ending of a file says of its language comes before its name', () => {
  for (const path of ['dockerfile.ts', 'makefile.ts', '.env.ts']) {
    expect(definitionsIn(path, 'const limit = 1;\n').map(({ name }) => name)).toEqual(['limit']);
  }
  expect(definitionsIn('Dockerfile.dev', 'FROM a AS b\n')).toHaveLength(1);
});
