// Puts back into a repaired answer what the repair lost of the one before.
import { isObject } from '../../model/json.ts';
import { fold, isNothing } from './vocabulary.ts';

type Note = (text: string) => void;

/**
 * A repaired answer with what it lost of the answer before: fields, and entries of lists that have
 * become shorter.
 */
export function putBack(before: unknown, after: unknown, note: Note): unknown {
  if (isObject(before) && isObject(after)) {
    const lost = Object.keys(before).filter(
      (name) => isNothing(after[name]) && after[name] !== false && !isNothing(before[name]),
    );
    for (const name of lost) tell(name, note);
    const fields = Object.entries(after).map(([name, now]) => [
      name,
      putBack(before[name], now, note),
    ]);
    return { ...Object.fromEntries(fields), ...pick(before, lost) };
  }
  return Array.isArray(before) && Array.isArray(after) ? longer(before, after, note) : after;
}

function pick(value: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return Object.fromEntries(names.map((name) => [name, value[name]]));
}

function longer(
  before: readonly unknown[],
  after: readonly unknown[],
  note: Note,
): readonly unknown[] {
  const result = after.map((now) =>
    putBack(
      before.find((old) => isSame(old, now)),
      now,
      note,
    ),
  );
  for (const [place, old] of before.entries()) {
    if (result.length >= before.length) break;
    if (after.some((now) => isSame(old, now))) continue;
    result.splice(place, 0, old);
    tell(nameOf(old), note);
  }
  return result;
}

function tell(what: string, note: Note): void {
  note(`${what}: lost in the repair, put back`);
}

/** The fields that identify an entry. */
const naming = ['id', 'solution', 'name', 'title', 'statement', 'path', 'file', 'describes'];

function isSame(one: unknown, other: unknown): boolean {
  if (!isObject(one) || !isObject(other)) return JSON.stringify(one) === JSON.stringify(other);
  const name = naming.find((field) => field in one && field in other);
  return name !== undefined && fold(String(one[name])) === fold(String(other[name]));
}

function nameOf(value: unknown): string {
  const fields = isObject(value) ? value : { id: value };
  const name = naming.map((field) => fields[field]).find((one) => typeof one === 'string');
  return (name ?? 'an entry').slice(0, 80);
}
