import type { ErrorObject } from 'ajv/dist/2020.js';
import { isObject } from '../model/json.ts';

/** One sentence without its subject: "expected number, received \"0.8\"". */
export function messageOf(error: ErrorObject): string {
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
      return `expected ${types(params['type'])}, ${got}`;
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
export function fieldSchema(
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
  return 'type' in field ? `, expected ${types(field['type'])}` : '';
}

function types(type: unknown): string {
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
