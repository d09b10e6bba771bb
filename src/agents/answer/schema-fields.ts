// Reads the parts of a JSON Schema, and finds the field that a model meant and where it belongs.
import { isObject } from '../../model/json.ts';
import { aliasesOf, defaults, fold, isNothing, wordFor } from './vocabulary.ts';

/** A JSON Schema or a part of it; also an object that is to fit one. */
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

/** The schema of the entries of a list, if they are objects. */
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

/**
 * The value without the innermost optional part on the way to a place: a field, or an entry of an
 * optional list. Itself if nothing is optional.
 */
export function withoutOptional(value: unknown, schema: Node, pointer: string): unknown {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  return dropPart(value, { schema, path, isOptional: false }) ?? value;
}

/** Null where nothing on the way is optional. */
function dropPart(
  value: unknown,
  way: { readonly schema: Node; readonly path: readonly string[]; readonly isOptional: boolean },
): unknown {
  const { schema, isOptional } = way;
  const [key, ...path] = way.path;
  if (key === undefined) return null;
  if (Array.isArray(value)) {
    const items = branchOf(schema, 'array')?.['items'];
    const at = Number(key);
    const inner = isObject(items)
      ? dropPart(value[at], { schema: items, path, isOptional: false })
      : null;
    if (inner !== null) return value.with(at, inner);
    return isOptional && at in value ? value.toSpliced(at, 1) : null;
  }
  if (!isObject(value)) return null;
  const branch = objectBranch(schema, value);
  const property = branch === undefined ? undefined : fieldsOf(branch).get(key);
  if (branch === undefined || property === undefined) return null;
  const isFree = !requiredOf(branch).includes(key);
  const inner = dropPart(value[key], { schema: property, path, isOptional: isFree });
  if (inner !== null) return { ...value, [key]: inner };
  if (!isFree || !Object.hasOwn(value, key)) return null;
  const { [key]: _, ...others } = value;
  return others;
}

type Note = (text: string) => void;

/**
 * The fields of a value under the names of its schema: spelt otherwise, under another name, or, for
 * a required text that is missing, what another field says.
 */
export function renameFields(value: Node, schema: Node, note: Note): Record<string, unknown> {
  const properties = fieldsOf(schema);
  const required = requiredOf(schema);
  const isOpen = isObject(schema['additionalProperties']);
  const result: Record<string, unknown> = { ...value };
  const spelt = (name: string) =>
    Object.keys(result).find((key) => !properties.has(key) && fold(key) === name);
  const isMissing = (name: string) =>
    isNothing(result[name]) && result[name] !== false && !('const' in (properties.get(name) ?? {}));
  const take = (name: string, from: string | undefined): void => {
    if (from === undefined) return;
    result[name] = result[from];
    if (!properties.has(from)) delete result[from];
    note(`${from}: taken as ${name}`);
  };
  const names = [...new Set([...required, ...properties.keys()])];
  for (const name of names.filter(isMissing)) take(name, spelt(name));
  for (const name of names.filter(isMissing)) {
    const isRequired = required.includes(name);
    const aliases = isRequired || !isOpen ? aliasesOf(name) : [];
    const other = aliases.map(spelt).find((from) => from !== undefined);
    const property = properties.get(name) ?? {};
    const isText = branchOf(property, 'string') !== undefined && !('enum' in property);
    const mayBeSaid = isRequired && isText && !(name in defaults);
    const said = aliases.find((one) => typeof result[one] === 'string' && result[one] !== '');
    take(name, other ?? (mayBeSaid ? said : undefined));
  }
  return result;
}

/** Moves each missing required field into place: out of a wrapper or a neighbour, or put together. */
export function moveFields(value: Record<string, unknown>, schema: Node, note: Note): Node {
  const properties = fieldsOf(schema);
  return requiredOf(schema).reduce<Node>((all, name) => {
    const property = properties.get(name);
    if (property === undefined) return all;
    if (Object.hasOwn(all, name)) return all;
    return takeOut(all, { name, schema, note }) ?? putTogether(all, { name, schema, note }) ?? all;
  }, value);
}

interface Missing {
  readonly name: string;
  readonly schema: Node;
  readonly note: Note;
}

/** A wrapper, which the schema does not know, is dropped; a neighbour keeps its other fields. */
function takeOut(value: Node, { name, schema, note }: Missing): Node | null {
  const properties = fieldsOf(schema);
  const holder = Object.keys(value).find((key) => holds(value[key], name, properties.get(key)));
  if (holder === undefined) return null;
  note(`${name}: taken out of ${holder}`);
  const { [holder]: inner, ...rest } = value;
  const fields = isObject(inner) ? renameFields(inner, schema, note) : {};
  if (!properties.has(holder)) return { ...moveFields(fields, schema, note), ...rest };
  const { [name]: taken, ...left } = fields;
  return { ...rest, [holder]: left, [name]: taken };
}

function holds(value: unknown, name: string, schema: Node | undefined): boolean {
  if (!isObject(value)) return false;
  const inner = schema === undefined ? [value, ...Object.values(value).filter(isObject)] : [value];
  const own = schema === undefined ? undefined : objectBranch(schema, value);
  const property = own === undefined ? undefined : fieldsOf(own).get(name);
  const isOwn = property !== undefined && !('not' in property);
  return !isOwn && inner.some((one) => Object.keys(one).some((key) => fold(key) === name));
}

/** An object whose fields are one level too high, or a list of one that is a bare object. */
function putTogether(value: Node, { name, schema, note }: Missing): Node | null {
  const known = fieldsOf(schema);
  const property = known.get(name) ?? {};
  const { '': bare, ...named } = value;
  const items = itemsOf(property);
  if (bare !== undefined && items !== undefined) {
    note(`${name}: taken from a bare list`);
    return { ...named, [name]: bare };
  }
  const inner = branchOf(property, 'object') ?? items;
  if (inner === undefined) return null;
  const others = Object.entries(value).filter(([key]) => !known.has(key));
  const own = renameFields(Object.fromEntries(others), inner, () => undefined);
  const parts = requiredOf(inner).filter((key) => Object.hasOwn(own, key));
  if (parts.length < (items === undefined ? 1 : 2)) return null;
  note(`${name}: put together from ${parts.join(', ')}`);
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => known.has(key)));
  return { ...rest, [name]: items === undefined ? own : [own] };
}
