import { expect, test } from 'vitest';
import { namesIn, namesOf, type Sample } from './sample.ts';

const samples: readonly Sample[] = [
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
];

test.each(samples)('$path defines these names and no others', (sample) => {
  expect(namesIn(sample)).toEqual(namesOf(sample));
  const content = sample.content.replaceAll('\n', '\r\n');
  expect(namesIn({ ...sample, content })).toEqual(namesOf(sample));
});
