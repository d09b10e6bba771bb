import { isObject } from '../../model/json.ts';
import { wordFor } from './vocabulary.ts';

export type Node = Readonly<Record<string, unknown>>;

/** The schema itself or the first branch of its union that is of this type. */
export function branchOf(schema: Node, type: string): Node | undefined {
  return branches(schema).find((branch) => branch['type'] === type);
}

/** Of several object branches the one whose constants, then whose fields, the value has. */
export function objectBranch(schema: Node, value: Node): Node | undefined {
  const score = (branch: Node) =>
    [...fieldsOf(branch)].reduce((sum, [name, property]) => {
      if ('const' in property) return sum + (isConstant(value[name], property) ? 100 : 0);
      return sum + (name in value ? 1 : 0);
    }, 0);
  const objects = branches(schema).filter((branch) => branch['type'] === 'object');
  return objects.toSorted((a, b) => score(b) - score(a))[0];
}

export function fieldsOf({ properties }: Node): ReadonlyMap<string, Node> {
  const entries = isObject(properties) ? Object.entries(properties) : [];
  return new Map(entries.flatMap(([name, field]) => (isObject(field) ? [[name, field]] : [])));
}

export function requiredOf({ required }: Node): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

/** What the entries of a list are, where they are objects. */
export function itemsOf(schema: Node): Node | undefined {
  const items = branchOf(schema, 'array')?.['items'];
  return isObject(items) ? branchOf(items, 'object') : undefined;
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

/** The value without the innermost optional field on the way to a place; itself if none is. */
export function withoutOptional(value: unknown, schema: Node, pointer: string): unknown {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return dropped(value, schema, path) ?? value;
}

/** Null where no field on the way is optional. */
function dropped(value: unknown, schema: Node, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined) return null;
  if (Array.isArray(value)) {
    const items = branchOf(schema, 'array')?.['items'];
    const inner = isObject(items) ? dropped(value[Number(key)], items, rest) : null;
    return inner === null ? null : value.with(Number(key), inner);
  }
  if (!isObject(value)) return null;
  const branch = objectBranch(schema, value);
  const property = branch === undefined ? undefined : fieldsOf(branch).get(key);
  if (branch === undefined || property === undefined) return null;
  const inner = dropped(value[key], property, rest);
  if (inner !== null) return { ...value, [key]: inner };
  if (requiredOf(branch).includes(key)) return null;
  const { [key]: _, ...others } = value;
  return others;
}
