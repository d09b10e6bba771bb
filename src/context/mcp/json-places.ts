import { isObject } from '../../model/json.ts';
import type { Place } from './places.ts';

/** The places in an answer that is JSON, in their order, however deep they lie. */
export function placesInJson(value: unknown): readonly Place[] {
  const places: Place[] = [];
  collect(value, { places, depth: 0 });
  return places;
}

const deepest = 8;

function collect(value: unknown, into: { readonly places: Place[]; readonly depth: number }): void {
  const { places, depth } = into;
  if (depth > deepest) return;
  const inner = { places, depth: depth + 1 };
  if (Array.isArray(value)) {
    for (const one of value) {
      if (typeof one === 'string') places.push({ names: [one], start: null, end: null });
      else collect(one, inner);
    }
  }
  if (!isObject(value)) return;
  const name = textAt(value, pathKeys);
  if (name === null) for (const one of Object.values(value)) collect(one, inner);
  else places.push({ names: [name], ...linesOf(value) });
}

const pathKeys = ['path', 'filepath', 'relativepath', 'file', 'filename', 'uri'];
const startKeys = ['startline', 'linestart', 'start', 'line', 'linenumber', 'from'];
const endKeys = ['endline', 'lineend', 'end', 'to'];

function linesOf(value: Record<string, unknown>): Pick<Place, 'start' | 'end'> {
  const range = Object.entries(value).find(([key]) => /^(?:range|lines|span)$/i.test(key))?.[1];
  const [first, last] = Array.isArray(range) ? range : [];
  const from = isObject(range) ? range : value;
  const start = lineAt(from, startKeys) ?? asLine(first);
  return { start, end: lineAt(from, endKeys) ?? asLine(last) ?? start };
}

function textAt(value: Record<string, unknown>, keys: readonly string[]): string | null {
  const found = valueAt(value, keys);
  return typeof found === 'string' && found !== '' ? found : null;
}

function lineAt(value: Record<string, unknown>, keys: readonly string[]): number | null {
  return asLine(valueAt(value, keys));
}

function asLine(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null;
}

/** By the likeliest name, however it is spelt: `startLine`, `start_line`. */
function valueAt(value: Record<string, unknown>, keys: readonly string[]): unknown {
  const byKey = new Map(
    Object.entries(value).map(([key, one]) => [key.toLowerCase().replaceAll(/[_-]/g, ''), one]),
  );
  return byKey.get(keys.find((key) => byKey.has(key)) ?? '');
}
