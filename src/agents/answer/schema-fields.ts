// Reads the parts of a JSON Schema, and finds the field that a model meant.
import { isObject } from '../../model/json.ts';
import { aliasesOf, fold, isNothing, wordFor } from './vocabulary.ts';

/** A JSON Schema or a part of it; also an object that should fit one. */
export type Node = Readonly<Record<string, unknown>>;

/** Picks the schema itself or the first branch of its union that has this type. */
export function branchOf(schema: Node, type: string): Node | undefined {
  return branches(schema).find((branch) => branch['type'] === type);
}

/** Picks the object branch that matches the value’s constants best, then its field names. */
export function objectBranch(schema: Node, value: Node): Node | undefined {
  const score = (branch: Node) =>
    [...fieldsOf(branch)].reduce((sum, [name, property]) => {
      if ('const' in property) return sum + (isConstant(value[name], property) ? 100 : 0);
      return sum + (name in value ? 1 : 0);
    }, 0);
  return objectBranches(schema).toSorted((a, b) => score(b) - score(a))[0];
}

export function objectBranches(schema: Node): readonly Node[] {
  return branches(schema).filter((branch) => branch['type'] === 'object');
}

export function fieldsOf({ properties }: Node): ReadonlyMap<string, Node> {
  const entries = isObject(properties) ? Object.entries(properties) : [];
  return new Map(entries.flatMap(([name, field]) => (isObject(field) ? [[name, field]] : [])));
}

export function requiredOf({ required }: Node): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** Returns the schema of the entries of a list. */
export function itemsOf(schema: Node): Node {
  const items = branchOf(schema, 'array')?.['items'];
  return isObject(items) ? items : {};
}

function isConstant(value: unknown, property: Node): boolean {
  const { const: wanted } = property;
  if (typeof value !== 'string' || typeof wanted !== 'string') return value === wanted;
  return wordFor(value, [wanted]) === wanted;
}

function branches(schema: Node): readonly Node[] {
  const union = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(union)) return union.filter(isObject);
  const types: unknown = schema['type'];
  return Array.isArray(types) ? types.map((type) => ({ ...schema, type })) : [schema];
}

/**
 * Leaves out of a value the innermost optional part on the way to a place: a field, or an entry of an
 * optional list. Returns the value itself if nothing is optional.
 */
export function withoutOptional(value: unknown, schema: Node, pointer: string): unknown {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return dropPart(value, { schema, path, isOptional: false }) ?? value;
}

/** Drops the innermost optional part; null if nothing on the way is optional. */
function dropPart(
  value: unknown,
  way: { readonly schema: Node; readonly path: readonly string[]; readonly isOptional: boolean },
): unknown {
  const { schema, isOptional } = way;
  const [key, ...path] = way.path;
  if (key === undefined) return null;
  if (Array.isArray(value)) {
    const at = Number(key);
    const inner = dropPart(value[at], { schema: itemsOf(schema), path, isOptional: false });
    if (inner !== null) return value.with(at, inner);
    return isOptional && at in value ? value.toSpliced(at, 1) : null;
  }
  if (!isObject(value)) return null;
  const branch = objectBranch(schema, value) ?? {};
  const property = fieldsOf(branch).get(key);
  if (property === undefined) return null;
  const isFree = !requiredOf(branch).includes(key);
  const inner = dropPart(value[key], { schema: property, path, isOptional: isFree });
  if (inner !== null) return { ...value, [key]: inner };
  if (!isFree || !Object.hasOwn(value, key)) return null;
  const { [key]: _, ...others } = value;
  return others;
}

/** Renames the fields of a value to those of its schema: other spellings, or other names. */
export function renameFields(value: Node, schema: Node, note: (text: string) => void): Node {
  const properties = fieldsOf(schema);
  const required = requiredOf(schema);
  const isOpen = isObject(schema['additionalProperties']);
  const result: Record<string, unknown> = { ...value };
  for (const ofName of [(name: string) => [name], aliasesOf]) {
    for (const name of new Set([...required, ...properties.keys()])) {
      const isKnown = !isNothing(result[name]) || result[name] === false;
      const isFree = ofName === aliasesOf && isOpen && !required.includes(name);
      if (isKnown || isFree || 'const' in (properties.get(name) ?? {})) continue;
      const from = ofName(name)
        .map((one) => Object.keys(result).find((key) => !properties.has(key) && fold(key) === one))
        .find((key) => key !== undefined);
      if (from === undefined) continue;
      result[name] = result[from];
      delete result[from];
      note(`${from}: taken as ${name}`);
    }
  }
  return result;
}
