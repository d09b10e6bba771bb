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
  return withoutFormatPatterns(closestBranches(errors)).map((error) => ({
    pointer: pointerOf(error),
    message: messageOf(error),
  }));
}

/** Keywords that only repeat that one of the errors before them occurred. */
const summaries = new Set(['if', 'propertyNames']);

/**
 * ajv lists the errors of all branches right before the error of the union itself, so one pass
 * with a stack replaces each such run by the errors of its best branch.
 */
function closestBranches(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const kept: ErrorObject[] = [];
  for (const error of errors) {
    if (summaries.has(error.keyword)) continue;
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') {
      kept.push(error);
      continue;
    }
    let start = kept.length;
    while (isInside(kept[start - 1], error)) start -= 1;
    kept.push(...closestBranch(kept.splice(start), error));
  }
  return kept;
}

function isInside(inner: ErrorObject | undefined, union: ErrorObject): boolean {
  return (
    inner !== undefined &&
    inner.schemaPath.startsWith(`${union.schemaPath}/`) &&
    inner.instancePath.startsWith(union.instancePath)
  );
}

function closestBranch(inner: readonly ErrorObject[], union: ErrorObject): readonly ErrorObject[] {
  const branches = Map.groupBy(inner, ({ schemaPath }) =>
    schemaPath
      .slice(union.schemaPath.length + 1)
      .split('/', 1)
      .join(''),
  );
  const ranked = [...branches.values()]
    .map((errors) => ({ errors, distance: distanceOf(errors, union) }))
    .toSorted((a, b) => a.distance - b.distance);
  const best = ranked[0];
  if (best === undefined) return [union];
  const tier = Math.floor(best.distance / otherKind);
  const tied = ranked.filter(({ distance }) => Math.floor(distance / otherKind) === tier);
  if (tier === 0 || tied.length === 1) return best.errors;
  const errors = tied.flatMap((branch) => branch.errors);
  return [joined(errors, union)];
}

/** At this distance and above, a branch is for another kind of value altogether. */
const otherKind = 1000;

/** Errors count one each; another tag (as of a tagged union) or type rules the branch out. */
function distanceOf(errors: readonly ErrorObject[], union: ErrorObject): number {
  return errors.reduce((sum, error) => {
    if (error.keyword === 'type' && error.instancePath === union.instancePath) {
      return sum + 2 * otherKind;
    }
    return sum + (tagOf(error, union) === undefined ? 1 : otherKind);
  }, 0);
}

/** The constant that a branch wanted in a field of the union's value, where it is another or none. */
function tagOf(error: ErrorObject, union: ErrorObject): unknown {
  const { keyword, params, instancePath } = error;
  const level = instancePath.split('/').length - union.instancePath.split('/').length;
  if (keyword === 'const' && level <= 1) return params['allowedValue'];
  if (keyword !== 'required' || level > 0) return undefined;
  return fieldSchema(error.parentSchema, params['missingProperty'])?.['const'];
}

/** All branches are for another kind of value: one error that lists what each would take. */
function joined(errors: readonly ErrorObject[], union: ErrorObject): ErrorObject {
  const tagged = errors.filter((error) => tagOf(error, union) !== undefined);
  const [tag] = tagged;
  if (tag !== undefined) {
    const allowedValues = [...new Set(tagged.map((error) => tagOf(error, union)))];
    const data: unknown = tag.keyword === 'required' ? undefined : tag.data;
    return {
      ...tag,
      instancePath: pointerOf(tag),
      keyword: 'enum',
      params: { allowedValues },
      data,
    };
  }
  const types = errors
    .filter(({ keyword }) => keyword === 'type')
    .map(({ params }) => params['type']);
  return { ...union, keyword: 'type', params: { type: [...new Set(types.flat())].join(' or ') } };
}

/** Where the format is wrong, the pattern that says the same at more length is left out. */
function withoutFormatPatterns(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const formats = new Set(
    errors.filter(({ keyword }) => keyword === 'format').map(({ instancePath }) => instancePath),
  );
  return errors.filter(
    ({ keyword, instancePath }) => keyword !== 'pattern' || !formats.has(instancePath),
  );
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
    case 'format':
      return `expected a ${String(params['format'])}, ${got}`;
    case 'pattern':
      return `expected text that matches ${short(String(params['pattern']))}, ${got}`;
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return `expected at least ${params['limit']} ${unit(keyword)}, ${got}`;
    case 'maxLength':
    case 'maxItems':
    case 'maxProperties':
      return `expected at most ${params['limit']} ${unit(keyword)}, ${got}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `expected a number ${params['comparison']} ${params['limit']}, ${got}`;
    default:
      return `${error.message ?? `breaks the rule "${keyword}"`}, ${got}`;
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

function unit(keyword: string): string {
  if (keyword.endsWith('Length')) return 'character(s)';
  return keyword.endsWith('Items') ? 'item(s)' : 'field(s)';
}

function oneOf(values: unknown): string {
  if (!Array.isArray(values)) return 'another value';
  const more = values.length > maxListed ? ', …' : '';
  return `one of ${values.slice(0, maxListed).map(received).join(', ')}${more}`;
}

const maxListed = 20;

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
