import { expect, test } from 'vitest';
import { cpuFloors } from '../helpers/cpu-floors.ts';
import { definitionsIn, enclosingDefinitions } from '../../src/context/symbols.ts';

/** A piece of a file, and every name that it defines, in order: no other may be found. */
interface Sample {
  readonly path: string;
  readonly content: string;
  /** With spaces between them; a space in a name is `_`. */
  readonly names: string;
}

function namesOf({ names }: Sample): readonly string[] {
  return names.split(' ').filter((name) => name !== '');
}

function namesIn({ path, content }: Sample): readonly string[] {
  return definitionsIn(path, content).map(({ name }) => name.replaceAll(' ', '_'));
}

const samples: readonly Sample[] = [
  {
    path: 'a.ts',
    content:
      'export async function load() {}\nexport const limit = 3;\nabstract class A {\n  static of(x: number): A {\n  }\n  if (x) {\n}\nfoo(function () {\n',
    names: 'load limit A of',
  },
  {
    path: 'a.py',
    content: 'class A:\n    async def run(self):\n        x = 1\nMAX_SIZE: int = 3\n',
    names: 'A run MAX_SIZE',
  },
  {
    path: 'a.go',
    content: 'func (s *Server) Start() error {\ntype Server struct {\nvar ErrX = 1\n',
    names: 'Start Server ErrX',
  },
  {
    path: 'a.rs',
    content:
      'pub(crate) async fn run() {}\nimpl Foo for Bar {\nconst MAX: u8 = 1;\nmacro_rules! go {\n',
    names: 'run MAX go',
  },
  { path: 'a.txt', content: 'function x() {}', names: '' },
  {
    path: 'ring.c',
    content: `
#include "ring.h"
#define RING_MAX 64
typedef int (*ring_visit)(void *item);
typedef unsigned long ring_id;
struct ring *ring_head;
struct forward;
typedef struct ring {
  int size;
} ring_t;
enum state { EMPTY, FULL };
static struct ring empty = {
  0,
};
int ring_put(struct ring *ring, void *item);
static struct ring *ring_make(int size)
{
  if (size > RING_MAX) {
    return ring_fail(size);
  } else if (size < 0) {
    while (size--) {
    }
  }
}
static int
ring_drop(ring_t *ring) {
`,
    names: 'RING_MAX ring_visit ring_id ring ring_t state ring_make ring_drop',
  },
  {
    path: 'shape.hpp',
    content: `
namespace geo::flat {
class Point;
template <typename T> class Box final : public Shape<T> {
 public:
  explicit Box(T side) : side_(side) {}
  virtual ~Box() = default;
  double area() const override { return side_ * side_; }
  void draw();
  using Side = T;
};
enum class Color : int { Red };
class GEO_API Circle : public Shape<int> {
};
std::string Circle::name(int depth) const {
  for (auto& part : parts_) {
    return join(part, depth);
  }
}
Circle::~Circle() {
}
`,
    names: 'geo::flat Box Box area Side Color Circle name ~Circle',
  },
  {
    path: 'Orders.cs',
    content: `
using System.Linq;
namespace Shop.Orders;
public record struct Line(int Count);
public sealed class OrderService<T> : IOrders where T : class
{
    private const int MaxLines = 100;
    public string Name { get; set; } = "";
    public event EventHandler? Placed;
    public OrderService(IClock clock)
    {
    }
    public async Task<Order> PlaceAsync<TKey>(TKey key, int count)
    {
        var order = new Order(key);
        if (count > MaxLines) { throw new TooMany(count); }
        await store.Save(order);
        return Find(key);
    }
    public delegate void Changed(int count);
}
internal interface IOrders
{
    Task<Order> Find(int id);
}
`,
    names:
      'Shop.Orders Line OrderService MaxLines Name OrderService PlaceAsync Changed IOrders Find',
  },
  {
    path: 'Orders.java',
    content: `
package shop.orders;
import java.util.List;
@Service
public final class Orders implements Store<Order> {
  private static final int MAX_LINES = 100;
  @Override public List<Order> find(String name) {
    if (name.isEmpty()) { throw new NoName(name); }
    else return load(name);
  }
  void drop(Order order) throws IOException {
    new Thread(order) {
    };
    Order next = order.isOpen()
        ? reopened(order, 1)
        : closed(order);
    return other(order);
  }
  record Line(int count) {}
  @interface Fast {}
}
sealed interface Shape permits Circle {
  double area(int scale);
}
`,
    names: 'Orders MAX_LINES find drop Line Fast Shape area',
  },
  {
    path: 'orders.rb',
    content: `
require 'set'
module Shop
  class Admin::Orders < Base
    MAX_LINES = 100
    attr_reader :lines
    scope :open, -> { where(open: true) }
    def self.find!(id)
      total = lines.sum
      return nil if total == 0
    end
    private def open? = true
    def ==(other)
    end
    class << self
    end
  end
end
`,
    names: 'Shop Orders MAX_LINES lines open find! open?',
  },
  {
    path: 'Orders.php',
    content: `<?php
namespace App\\Shop;
use App\\Store\\Orders as Base;
define('SHOP_OPEN', true);
final readonly class Orders extends Base {
    private const MAX_LINES = 100;
    public static function &find(int $id): ?Order {
        $make = function ($x) use ($id) { return new class extends Base {}; };
        return $this->load($id);
    }
}
enum Suit: string { case Hearts = 'H'; }
interface Store {}
trait Saves {}
function total(array $lines) {}
`,
    names: 'SHOP_OPEN Orders MAX_LINES find Suit Store Saves total',
  },
  {
    path: 'Orders.swift',
    content: `
import struct Foundation.Data
/// The class of all orders
public final class Orders: Store {
  @Published private(set) var lines: [Line] = []
  class func make() -> Orders { Orders() }
  public override func find<T>(_ id: T) async throws -> Order? {
    let order = load(id)
    guard let found = order else { return nil }
    switch found { default: break }
  }
}
extension Orders.Line: Codable {}
protocol Store { associatedtype Item }
indirect enum Tree { case leaf }
actor Clock {}
typealias Lines = [Line]
let limit = 3
`,
    names: 'Orders lines make find Orders.Line Store Tree Clock Lines limit',
  },
  {
    path: 'Orders.kt',
    content: `
package shop
import shop.store.*
const val MAX_LINES = 100
typealias Lines = List<Line>
enum class Suit { HEARTS }
fun interface Visit { fun visit(line: Line) }
data class Line(val count: Int)
sealed class Result<out T> {
  private val cache = mutableMapOf<Int, T>()
  companion object { }
  object None : Result<Nothing>()
  inline fun <reified T> List<T>.second(at: Int = 1): T {
    val found = get(at)
    return when (found) { else -> found }
  }
  @Test fun \`finds the second\`() {}
}
val Line.isEmpty: Boolean get() = count == 0
`,
    names: 'MAX_LINES Lines Suit Visit Line Result cache None second `finds_the_second` isEmpty',
  },
  {
    path: 'Orders.scala',
    content: `
package shop
import shop.store.{Line => L}
package object orders
sealed abstract class Orders[T](val size: Int) extends Store
case class Line(count: Int)
case object Empty extends Orders
trait Store { type Item }
object Orders:
  private[shop] val limit: Int = 3
  implicit lazy val clock: Clock = Clock()
  override def find[T](id: Int): Option[T] = id match
    case 0 => None
    case Line(n) => load(n)
  def +(other: Line) = copy(count + other.count)
enum Color(val rgb: Int):
  case Red extends Color(1)
given lineOrdering: Ordering[Line] with
  val inner = 2
given Ordering[Color] = ???
extension (line: Line)
  def double = line.count * 2
extension (text: String) def shout: String = text.toUpperCase
opaque type Id = Int
`,
    names:
      'orders Orders Line Empty Store Orders limit clock find + Color lineOrdering inner Line double shout Id',
  },
  {
    path: 'deploy.sh',
    content: `#!/usr/bin/env bash
# function old() { }
readonly REGION=eu
TARGET_DIR="out"
alias ll='ls -l'
log() { echo "$1"; }
function build_all {
  local dir=$1
  if [ -d "$dir" ]; then make; fi
}
function aws::login () {
}
build_all "$TARGET_DIR"
`,
    names: 'REGION TARGET_DIR ll log build_all aws::login',
  },
  {
    path: 'schema.sql',
    content: `
-- create table comments (id int);
CREATE TABLE IF NOT EXISTS public."orders" (
  created at timestamp
);
CREATE UNIQUE INDEX CONCURRENTLY orders_name ON orders (name);
CREATE INDEX ON orders (id);
create or replace function app.total_of(id int) returns int
CREATE TYPE [dbo].[Mood] AS ENUM ('sad');
drop table gone;
`,
    names: 'orders orders_name total_of Mood',
  },
  {
    path: 'a.toml',
    content: '# [no]\ntitle = "x"\n[tool.ruff]\n[[bin]]\n',
    names: 'tool.ruff bin',
  },
  { path: 'app.properties', content: '# a=b\nserver.port=80\n', names: 'server.port' },
  { path: 'ci.yaml', content: 'name: ci\n\'on\':\n  push:\n"80": http\n', names: 'name on' },
  { path: 'a.json', content: '{\n  "name": "x",\n  "80": {\n    "test": 1\n', names: 'name' },
  { path: '.env', content: '# A=1\nexport API_URL=http://x\nDEBUG = 1\n', names: 'API_URL DEBUG' },
  { path: 'Dockerfile.dev', content: '# FROM x AS no\nFROM node AS build\n', names: 'build' },
  {
    path: 'Makefile',
    content:
      '.PHONY: all\nCC := gcc\nall: app\nbuild/app: $(OBJECTS)\n\tdocker run a:b\n%.o: %.c\n',
    names: 'all build/app',
  },
  {
    path: 'guide.md',
    content: '# The Guide\n```sh\n# no heading\n```\n## Set up ##\nText, #no\n#nospace\n',
    names: 'The_Guide Set_up',
  },
];

test.each(samples)('$path defines these names and no others', (sample) => {
  expect(namesIn(sample)).toEqual(namesOf(sample));
  const content = sample.content.replaceAll('\n', '\r\n');
  expect(namesIn({ ...sample, content })).toEqual(namesOf(sample));
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

const click = `class Context:
    def __init__(self):
        self.params = {}

class Command:
    params = []

VERSION = 1
`;

test.each([
  [3, 'class Context › def __init__'],
  [2, 'class Context'],
  [6, 'class Command'],
  [8, null],
])('line %i of a file lies in %s', (line, expected) => {
  expect(enclosingDefinitions(definitionsIn('core.py', click), click, line)).toBe(expected);
});

test('a line of a comment does not lie in the definition above it', () => {
  const java = `public class Writer {
  public void setIndent(String indent) {
    this.indent = indent;
  }

  /**
   * Permits NaN.
   */
  public void setLenient(boolean lenient) {}
}
`;
  const line = 1 + java.split('\n').indexOf('   * Permits NaN.');
  expect(enclosingDefinitions(definitionsIn('Writer.java', java), java, line)).toBe(
    'public class Writer',
  );
});

test('a definition that ends before a line does not hold it', () => {
  const ruby = `module Sinatra
  class Base
    def dump_errors!(boom)
      boom.message
    end

    class << self
      def setup_protection(builder)
        builder.use Rack::Protection
      end
  private
      def late
        1
      end
    end
  end
end
`;
  const around = (text: string) =>
    enclosingDefinitions(
      definitionsIn('base.rb', ruby),
      ruby,
      1 + ruby.split('\n').findIndex((one) => one.includes(text)),
    );
  expect(around('builder.use')).toBe('class Base › def setup_protection');
  expect(around('def setup_protection')).toBe('module Sinatra › class Base');
  expect(around('boom.message')).toBe('class Base › def dump_errors!');
  expect(around('        1')).toBe('class Base › def late');
});

test('a definition goes on over the lines that stand as deep as itself', () => {
  const typescript = `export async function load(
  path: string,
): Promise<void> {
#ifdef X
  await read(path);
}
`;
  expect(enclosingDefinitions(definitionsIn('a.ts', typescript), typescript, 5)).toBe(
    'export async function load',
  );
  const allman = 'class Reader\n{\npublic:\n  int size;\n};\n';
  expect(enclosingDefinitions(definitionsIn('a.hpp', allman), allman, 4)).toBe('class Reader');
  const python = `class A:
    def run(
        self,
    ) -> int:
        return 1
`;
  expect(enclosingDefinitions(definitionsIn('a.py', python), python, 5)).toBe('class A › def run');
});
