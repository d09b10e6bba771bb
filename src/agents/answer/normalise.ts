import { isObject } from '../../model/json.ts';

/**
 * Small slips of a model that have one meaning, put right before the answer is validated:
 *
 * - `"0.8"`, `"42"` where a number is asked for become numbers;
 * - a word of an enum in another case becomes the enum's (`"Low"` → `"low"`);
 * - a required list that is missing or null becomes `[]`, except claims and stances, and lists that
 *   must not be empty: what an agent says it must say itself;
 * - a required field that may be null is null where it is missing;
 * - null for an optional field is left out;
 * - a feasibility in percent becomes a share (`85` → `0.85`).
 *
 * Everything else stays as it is and is for the validation to refuse.
 */
export function normalise(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) return normaliseItems(value, schema);
  if (isObject(value)) return normaliseObject(value, schema);
  if (typeof value === 'string') return normaliseText(value, schema);
  return value;
}

type Schema = Readonly<Record<string, unknown>>;

/** Lists that only the agent itself can fill. */
const neverFilled = new Set(['claims', 'stances']);

function normaliseItems(values: readonly unknown[], schema: Schema): unknown[] {
  const items = branchOf(schema, 'array')?.['items'];
  return isObject(items) ? values.map((value) => normalise(value, items)) : [...values];
}

function normaliseObject(value: Record<string, unknown>, schema: Schema): Record<string, unknown> {
  const branch = objectBranch(schema, value);
  const properties = branch?.['properties'];
  if (branch === undefined || !isObject(properties)) return value;
  const required = Array.isArray(branch['required']) ? branch['required'] : [];
  const result = { ...value };
  for (const [name, property] of Object.entries(properties)) {
    if (!isObject(property)) continue;
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const next = normaliseField(name, given, property, required.includes(name));
    if (next === undefined) delete result[name];
    else result[name] = next;
  }
  return result;
}

function normaliseField(name: string, given: unknown, schema: Schema, required: boolean): unknown {
  if (given !== undefined && given !== null) {
    const value = normalise(given, schema);
    return name === 'feasibility' ? share(value) : value;
  }
  if (branchOf(schema, 'null') !== undefined) return given ?? (required ? null : undefined);
  if (!required) return undefined;
  const list = branchOf(schema, 'array');
  return list === undefined || 'minItems' in list || neverFilled.has(name) ? given : [];
}

function normaliseText(text: string, schema: Schema): string | number {
  if (branchOf(schema, 'string') === undefined) {
    const numeric = branchOf(schema, 'number') ?? branchOf(schema, 'integer');
    return numeric !== undefined && /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(text)
      ? Number(text)
      : text;
  }
  const words = branchOf(schema, 'string')?.['enum'];
  if (!Array.isArray(words) || words.includes(text)) return text;
  const folded = text.trim().toLowerCase();
  const same = words.filter(
    (word): word is string => typeof word === 'string' && word.toLowerCase() === folded,
  );
  return same.length === 1 ? (same[0] ?? text) : text;
}

/** Between 1 and 100 a feasibility can only be meant in percent. */
function share(value: unknown): unknown {
  return typeof value === 'number' && value > 1 && value <= 100 ? value / 100 : value;
}

/** The schema itself or the one branch of its union that is of this type. */
function branchOf(schema: Schema, type: string): Schema | undefined {
  return branches(schema).find((branch) => branch['type'] === type);
}

/** Among several object branches, the one whose constants the value has. */
function objectBranch(schema: Schema, value: Record<string, unknown>): Schema | undefined {
  const candidates = branches(schema).filter((branch) => branch['type'] === 'object');
  return candidates.find((branch) => constantsFit(branch, value));
}

function constantsFit(branch: Schema, value: Record<string, unknown>): boolean {
  const properties = branch['properties'];
  if (!isObject(properties)) return true;
  return Object.entries(properties).every(
    ([name, property]) =>
      !isObject(property) || !('const' in property) || property['const'] === value[name],
  );
}

function branches(schema: Schema): readonly Schema[] {
  const union = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(union)) return union.filter(isObject);
  const types: unknown = schema['type'];
  return Array.isArray(types) ? types.map((type) => ({ ...schema, type })) : [schema];
}
