import type { ErrorObject } from 'ajv/dist/2020.js';
import { isObject } from '../model/json.ts';

/** One place in a value that does not fit its schema. */
export interface SchemaFinding {
  /** JSON pointer to the field; empty for the whole value. */
  readonly pointer: string;
  /** What was expected and what was received, short enough for a repair prompt. */
  readonly message: string;
}

/**
 * Turns ajv's errors (made with `verbose` and `allErrors`) into findings. Of a union only the
 * branch is reported that the value comes closest to.
 */
export function schemaFindings(errors: readonly ErrorObject[]): readonly SchemaFinding[] {
  return closestBranches(errors.filter((error) => !isRepetition(error, errors))).map((error) => ({
    pointer: pointerOf(error),
    message: messageOf(error),
  }));
}

/** Repeats another error: that of a branch or a name, or of a format as its pattern. */
function isRepetition(
  { keyword, instancePath }: ErrorObject,
  errors: readonly ErrorObject[],
): boolean {
  if (keyword !== 'pattern') return keyword === 'if' || keyword === 'propertyNames';
  return errors.some((one) => one.keyword === 'format' && one.instancePath === instancePath);
}

/**
 * ajv lists the errors of all branches right before the error of the union itself, so one pass
 * with a stack replaces each such run by the errors of its closest branch.
 */
function closestBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const stack: ErrorObject[] = [];
  for (const error of errors) {
    let start = stack.length;
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      while (isInside(stack[start - 1], error)) start -= 1;
      stack.push(...closestBranch(stack.splice(start), error));
    } else stack.push(error);
  }
  return stack;
}

function isInside(inner: ErrorObject | undefined, union: ErrorObject): boolean {
  return (
    inner !== undefined &&
    inner.schemaPath.startsWith(`${union.schemaPath}/`) &&
    inner.instancePath.startsWith(union.instancePath)
  );
}

/** The branch for this kind of value that has the fewest errors, else what each branch is for. */
function closestBranch(inner: readonly ErrorObject[], union: ErrorObject): readonly ErrorObject[] {
  const branches = Map.groupBy(inner, ({ schemaPath }) =>
    schemaPath.slice(union.schemaPath.length + 1).replace(/\/.*/, ''),
  );
  const fitting = [...branches.values()].filter((errors) =>
    errors.every((error) => kindOf(error, union) === null),
  );
  const [closest] = fitting.toSorted((a, b) => a.length - b.length);
  if (closest !== undefined) return closest;
  const kinds = inner.map((error) => kindOf(error, union)).filter((kind) => kind !== null);
  const first = inner.find((error) => kindOf(error, union) !== null);
  if (first === undefined) return [union];
  const data: unknown = first.keyword === 'required' ? undefined : first.data;
  const params = { kinds: listed([...new Set(kinds)], ' or ') };
  return [{ ...first, instancePath: pointerOf(first), keyword: 'union', params, data }];
}

/** The type, or the constant in a field, by which a branch is for another kind of value. */
function kindOf(error: ErrorObject, union: ErrorObject): string | null {
  const { keyword, params, instancePath, parentSchema } = error;
  const depth = instancePath.split('/').length - union.instancePath.split('/').length;
  if (keyword === 'type' && depth === 0) return typeNames(params['type']);
  if (keyword === 'const' && depth <= 1) return received(params['allowedValue']);
  if (keyword !== 'required' || depth > 0) return null;
  const field = fieldSchema(parentSchema, params['missingProperty']);
  return field !== undefined && 'const' in field ? received(field['const']) : null;
}

function pointerOf({ instancePath, params, propertyName }: ErrorObject): string {
  const name: unknown =
    params['missingProperty'] ??
    params['additionalProperty'] ??
    params['unevaluatedProperty'] ??
    propertyName;
  return typeof name === 'string'
    ? `${instancePath}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : instancePath;
}

/** One sentence without its subject: "expected number, received \"0.8\"". */
function messageOf(error: ErrorObject): string {
  const { keyword, params, data, parentSchema } = error;
  const got = `received ${received(data)}`;
  switch (keyword) {
    case 'required':
      return `is missing${wanted(parentSchema, params['missingProperty'])}`;
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `is not a known field${knownFields(parentSchema)}`;
    case 'not':
    case 'false schema':
      return `must not be given${described(parentSchema)}`;
    case 'type':
      return `expected ${typeNames(params['type'])}, ${got}`;
    case 'enum':
      return `expected ${oneOf(params['allowedValues'])}, ${got}`;
    case 'const':
      return `expected ${received(params['allowedValue'])}, ${got}`;
    case 'union':
      return `expected ${params['kinds']}, ${got}`;
    default:
      return `${short(error.message ?? `breaks the rule "${keyword}"`)}, ${got}`;
  }
}

/** The schema of one field of an object schema, if it names that field. */
function fieldSchema(
  schema: ErrorObject['parentSchema'],
  name: unknown,
): Readonly<Record<string, unknown>> | undefined {
  const fields: unknown = schema?.['properties'];
  const field = isObject(fields) && typeof name === 'string' ? fields[name] : undefined;
  return isObject(field) ? field : undefined;
}

/** A value for people: text and numbers as they are, cut at 80 characters, the rest by its kind. */
export function received(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    return keys.length === 0 ? 'an empty object' : short(`an object with ${keys.join(', ')}`);
  }
  return short(JSON.stringify(typeof value === 'string' ? value.slice(0, 100) : value));
}

const maxShown = 80;

/** Cut, on one line, and without characters that could steer a terminal or turn the text round. */
function short(text: string): string {
  const safe = text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
  return safe.length > maxShown ? `${safe.slice(0, maxShown - 1)}…` : safe;
}

function oneOf(values: unknown): string {
  return Array.isArray(values) ? `one of ${listed(values.map(received), ', ')}` : 'another value';
}

function listed(texts: readonly string[], between: string): string {
  return [...texts.slice(0, 20), ...(texts.length > 20 ? ['…'] : [])].join(between);
}

/** What the schema says about a field that is not there. */
function wanted(schema: ErrorObject['parentSchema'], name: unknown): string {
  const field = fieldSchema(schema, name);
  if (field === undefined) return '';
  if (Array.isArray(field['enum'])) return `, expected ${oneOf(field['enum'])}`;
  if ('const' in field) return `, expected ${received(field['const'])}`;
  return 'type' in field ? `, expected ${typeNames(field['type'])}` : '';
}

function typeNames(type: unknown): string {
  return Array.isArray(type) ? type.join(' or ') : String(type);
}

function knownFields(schema: ErrorObject['parentSchema']): string {
  const fields: unknown = schema?.['properties'];
  return isObject(fields) ? `; known are ${short(Object.keys(fields).join(', '))}` : '';
}

function described(schema: ErrorObject['parentSchema']): string {
  const text: unknown = schema?.['description'];
  return typeof text === 'string' ? `: ${text}` : '';
}
