import { isObject } from '../../model/json.ts';
import { folded, isNothing } from './vocabulary.ts';

/**
 * Puts back into a repaired answer what the answer before it held and it lost: fields, and entries
 * of lists that have become shorter. Nothing is put back that adds to the answer's faults.
 */
export function putBack(
  before: unknown,
  after: unknown,
  faultsOf: (answer: unknown) => number,
): { readonly value: unknown; readonly notes: readonly string[] } {
  const notes: string[] = [];
  let faults = faultsOf(after);
  const value = merged(before, after, (candidate, what) => {
    const found = faultsOf(candidate);
    if (found > faults) return false;
    faults = found;
    notes.push(`${what}: lost in the repair, put back`);
    return true;
  });
  return { value, notes };
}

/** Whether a candidate for the place is taken. */
type Accepts = (candidate: unknown, what: string) => boolean;

function merged(before: unknown, after: unknown, accepts: Accepts): unknown {
  if (isObject(before) && isObject(after)) return mergedFields(before, after, accepts);
  if (Array.isArray(before) && Array.isArray(after)) return mergedLists(before, after, accepts);
  return after;
}

function mergedFields(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  accepts: Accepts,
): unknown {
  let result = after;
  for (const [name, old] of Object.entries(before)) {
    const now = result[name];
    if (!isNothing(now) || now === false) {
      const rest = result;
      const inner = merged(old, now, (one, what) => accepts({ ...rest, [name]: one }, what));
      result = { ...rest, [name]: inner };
    } else if (!isNothing(old) && accepts({ ...result, [name]: old }, name)) {
      result = { ...result, [name]: old };
    }
  }
  return result;
}

function mergedLists(
  before: readonly unknown[],
  after: readonly unknown[],
  accepts: Accepts,
): readonly unknown[] {
  let result = after;
  const lost: [number, unknown][] = [];
  for (const [place, old] of before.entries()) {
    const at = result.findIndex((one) => isSame(one, old));
    if (at === -1) {
      lost.push([place, old]);
      continue;
    }
    const rest = result;
    const inner = merged(old, rest[at], (one, what) => accepts(rest.with(at, one), what));
    result = rest.with(at, inner);
  }
  for (const [place, old] of lost) {
    if (result.length >= before.length) break;
    const longer = result.toSpliced(place, 0, old);
    if (accepts(longer, nameOf(old))) result = longer;
  }
  return result;
}

/** By what names an entry: a task has an id and a title, a claim only its statement. */
const naming = ['id', 'solution', 'name', 'title', 'statement', 'path', 'file', 'describes'];

function isSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other);
  const name = naming.find((field) => field in one && field in other);
  return name !== undefined && folded(String(one[name])) === folded(String(other[name]));
}

function nameOf(value: unknown): string {
  const fields = isObject(value) ? value : { id: value };
  const name = naming.map((field) => fields[field]).find((one) => typeof one === 'string');
  return (name ?? 'an entry').slice(0, 80);
}
