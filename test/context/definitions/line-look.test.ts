import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import * as cLike from '../../../src/context/definitions/c-like.ts';
import * as configuration from '../../../src/context/definitions/configuration.ts';
import * as scripts from '../../../src/context/definitions/scripts.ts';
import * as systems from '../../../src/context/definitions/systems.ts';
import { traitsOf } from '../../../src/context/file-kinds.ts';
import { fileTextOf } from '../../../src/context/local/file-text.ts';
import { segmentWriter } from '../../../src/context/local/segment-writer.ts';
import { type Definition, definitionsIn } from '../../../src/context/symbols.ts';

const { javascript, python, ruby, php, shell, elixir } = scripts;
const { go, rust, c, swift } = systems;
const { java, csharp, kotlin, scala } = cLike;
const { yaml, environment, dockerfile } = configuration;

const writer = segmentWriter();

test.each([
  ['a.ts', javascript],
  ['a.py', python],
  ['a.rb', ruby],
  ['a.php', php],
  ['a.sh', shell],
  ['a.ex', elixir],
  ['a.go', go],
  ['a.rs', rust],
  ['a.c', c],
  ['a.swift', swift],
  ['A.java', java],
  ['A.cs', csharp],
  ['a.kt', kotlin],
  ['a.scala', scala],
  ['a.yaml', yaml],
  ['.env', environment],
  ['Dockerfile', dockerfile],
])('of %s, lines found by their look define the same as all lines', (path, { patterns }) => {
  fc.assert(
    fc.property(textOf(linesFrom(patterns)), (text) => {
      expect(indexed(path, text)).toEqual(plain(path, text));
    }),
    { numRuns: 200 },
  );
});

test.each(['a.md', 'a.json', 'a.toml', 'a.sql', 'Makefile', 'a.unknown'])(
  'of %s, where lines depend on others, they define the same too',
  (path) => {
    const lines =
      '# A|B| C |===|---|- d|  -- |- -|```|````|~~~|{|  "c": 1,|[d]|e = 1|"""|f: g|/*|*/||ü|' +
      'create table h|## `i` ##|\u00a0---|\f===';
    const long = ['-', '=', 'é', '- '].map((one) => one.repeat(401));
    const text = textOf(fc.constantFrom(...lines.split('|'), ...long));
    fc.assert(
      fc.property(text, (one) => {
        expect(indexed(path, one)).toEqual(plain(path, one));
      }),
    );
  },
);

/** Lines of the words that the patterns have, and of what stands between such words. */
function linesFrom(patterns: readonly RegExp[]): fc.Arbitrary<string> {
  const sources = patterns.map(({ source }) => source.replaceAll(/\\[a-z]/g, ' ')).join(' ');
  const words = sources.match(/[A-Za-z_]{2,}/g) ?? [];
  const indent = fc.constantFrom('', '', '  ', ' ', '\t', '\f ', '\u00a0', ' '.repeat(13));
  const name = fc.constantFrom('Foo', 'bar', 'MAX_A', 'x', '$y');
  const word = fc.constantFrom('get', ...words);
  const first = fc.constantFrom(...firsts.split('|'));
  const last = fc.constantFrom(...'|(a) {|()| (b);| {| = 1|=|: c = 2|:|;|"'.split('|'));
  const signs = '( ) { } = : ; , . " \' @ # * ~ [ ] < > ! ? - ` :: \r \u00a0 é 日'.split(' ');
  const piece = fc.oneof(word, name, fc.constantFrom(' ', ' = ', ' '.repeat(390), ...signs));
  const usual = fc
    .tuple(fc.array(word, { maxLength: 3, size: 'max' }), name, last)
    .map(([all, own, end]) => [...all, own].join(' ') + end);
  const signed = fc.tuple(first, usual).map(([sign, line]) => sign + line);
  const mixed = fc.array(piece, { maxLength: 9, size: 'max' }).map((pieces) => pieces.join(''));
  const some = fc.oneof({ weight: 3, arbitrary: usual }, { weight: 2, arbitrary: signed }, mixed);
  return fc.tuple(indent, some).map(([before, line]) => before + line);
}

/** What the words of the patterns do not show. */
const firsts =
  '@|#|"|\'|*|}|~|<|attr_reader :|attr_writer :|attr_accessor :|define_method :|alias_method :|' +
  'scope :|macro_rules! |define("|declare -x |extern "C" |pub(crate) |non-sealed class |' +
  'template <a> class |extension (a: |typedef a |@a ';

function textOf(line: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const end = fc.constantFrom('\n', '\n', '\n', '\r\n', '\n\n');
  const lines = fc.array(fc.tuple(line, end), { maxLength: 40, size: 'max' });
  const last = fc.constantFrom('', 'def x', '\r');
  return fc.tuple(lines, last).map(([all, rest]) => all.flat().join('') + rest);
}

function indexed(path: string, text: string): readonly Definition[] {
  const found = fileTextOf({ path, traits: traitsOf(path) }, Buffer.from(text), (content) =>
    writer.take(content),
  );
  fc.pre(found.kind === 'text');
  return comparable(found.definitions ?? [], text);
}

function plain(path: string, text: string): readonly Definition[] {
  return comparable(definitionsIn(path, text), text);
}

/** Beyond ASCII, places are not those in the bytes. */
function comparable(definitions: readonly Definition[], text: string): readonly Definition[] {
  const isAscii = Buffer.byteLength(text) === text.length;
  return isAscii ? definitions : definitions.map((one) => ({ ...one, at: null }));
}
