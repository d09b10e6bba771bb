import { isObject } from '../../../model/json.ts';
import type { Result } from '../../../model/failure.ts';
import { listed } from '../../../model/wording.ts';
import { type Refused, refused } from './plan-files.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * A copy of a JSON value with another content at a path: `schemas` say which fields there are,
 * not yet whether the content fits. Null takes out; an index one past the end adds. `about`
 * names what the value is, for the sentence of a refusal.
 */
export function putAt(put: {
  readonly about: string;
  readonly value: unknown;
  readonly schemas: readonly Schema[];
  readonly path: readonly string[];
  readonly content: unknown;
  /** The path walked so far. */
  readonly walked?: readonly string[];
}): Result<unknown, Refused> {
  const { value, path, content, walked = [] } = put;
  const [name, ...rest] = path;
  if (name === undefined) return { ok: true, value: content };
  const container = value ?? emptyFor(put.schemas);
  const place = { ...put, walked: [...walked, name], path: rest };
  if (Array.isArray(container)) return inList(place, container, name);
  if (isObject(container)) return inObject(place, container, name);
  const whole = walked.join('.');
  return refused(`${put.about} ${whole} has no fields of its own; set ${whole} as a whole.`);
}

type Inside = Parameters<typeof putAt>[0] & { readonly walked: readonly string[] };

function inList(put: Inside, list: readonly unknown[], name: string): Result<unknown, Refused> {
  const { about, path, content, walked } = put;
  const at = /^\d{1,6}$/.test(name) ? Number(name) : -1;
  const removes = path.length === 0 && content === null;
  if (at < 0 || at > list.length - (removes ? 1 : 0)) {
    const field = walked.slice(0, -1).join('.');
    return refused(
      `${about} ${field} ${rangeText(list.length, removes)}, not ${JSON.stringify(name)}.`,
    );
  }
  if (removes) return { ok: true, value: list.toSpliced(at, 1) };
  const inner = putAt({ ...put, value: list[at], schemas: entrySchemas(put.schemas) });
  return inner.ok ? { ok: true, value: list.toSpliced(at, 1, inner.value) } : inner;
}

function rangeText(length: number, removes: boolean): string {
  if (length === 0)
    return removes ? 'is an empty list and has no entry' : 'is an empty list: 0 adds';
  const entries = length === 1 ? 'has the entry 0' : `has the entries 0 to ${length - 1}`;
  return removes ? entries : `${entries}, and ${length} adds one`;
}

function inObject(
  put: Inside,
  object: Readonly<Record<string, unknown>>,
  name: string,
): Result<unknown, Refused> {
  const { about, path, content, walked } = put;
  const field = walked.join('.');
  const there = Object.hasOwn(object, name);
  const schemas = fieldSchemas(put.schemas, name);
  if (schemas.length === 0 && !there) return refused(unknownField(put, name));
  if (path.length === 0 && content === null) {
    if (!there) return refused(`${about} has no ${field} that could be taken out.`);
    if (isRequired(put.schemas, name)) {
      return refused(`${about} needs ${field}; give it another value instead of taking it out.`);
    }
    return {
      ok: true,
      value: Object.fromEntries(Object.entries(object).filter(([key]) => key !== name)),
    };
  }
  const inner = putAt({ ...put, value: object[name], schemas });
  return inner.ok ? { ok: true, value: { ...object, [name]: inner.value } } : inner;
}

function unknownField({ about, walked, schemas }: Inside, name: string): string {
  const known = [...new Set(objectSchemas(schemas).flatMap((one) => Object.keys(fieldsOf(one))))];
  const near = known.filter((one) => one.slice(0, 2) === name.slice(0, 2).toLowerCase());
  const hint = near.length > 0 ? near : known;
  const where = walked.length === 1 ? about : `${about} ${walked.slice(0, -1).join('.')}`;
  return `${where} has no field ${JSON.stringify(name)}${hint.length === 0 ? '' : `; there ${hint.length === 1 ? 'is' : 'are'} ${listed(hint)}`}.`;
}

/** A union counts as all of its branches: the whole is checked afterwards. */
function branches(schema: Schema): readonly Schema[] {
  const unions = [schema['anyOf'], schema['oneOf'], schema['allOf']].filter(Array.isArray).flat();
  return [schema, ...unions.filter(isObject).flatMap(branches)];
}

function objectSchemas(schemas: readonly Schema[]): readonly Schema[] {
  return schemas.flatMap(branches).filter((schema) => isObject(schema['properties']));
}

function fieldsOf(schema: Schema): Readonly<Record<string, unknown>> {
  const fields = schema['properties'];
  // What is not allowed at all is no field.
  return isObject(fields)
    ? Object.fromEntries(
        Object.entries(fields).filter(([, one]) => isObject(one) && !isObject(one['not'])),
      )
    : {};
}

function fieldSchemas(schemas: readonly Schema[], name: string): readonly Schema[] {
  return schemas.flatMap(branches).flatMap((schema) => {
    const fields = fieldsOf(schema);
    const field = Object.hasOwn(fields, name) ? fields[name] : null;
    if (isObject(field)) return [field];
    const others = schema['additionalProperties'];
    // An object without any named field is a free table; a loose one with names is not.
    return isObject(others) && Object.keys(others).length > 0 ? [others] : [];
  });
}

function entrySchemas(schemas: readonly Schema[]): readonly Schema[] {
  return schemas
    .flatMap(branches)
    .map((schema) => schema['items'])
    .filter(isObject);
}

function isRequired(schemas: readonly Schema[], name: string): boolean {
  const objects = objectSchemas(schemas);
  const naming = objects.filter((schema) => Object.hasOwn(fieldsOf(schema), name));
  return (
    naming.length > 0 &&
    naming.every(({ required }) => Array.isArray(required) && required.includes(name))
  );
}

function emptyFor(schemas: readonly Schema[]): unknown {
  const types = schemas.flatMap(branches).map(({ type }) => type);
  if (types.includes('object')) return {};
  return types.includes('array') ? [] : undefined;
}
