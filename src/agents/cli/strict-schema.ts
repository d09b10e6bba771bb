// Derives the form of a JSON Schema for providers that accept only strict ones.
import { isObject } from '../../model/json.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The form of a JSON Schema that OpenAI’s strict mode accepts: closed objects whose fields are all
 * required, optional ones as nullable, and of the rules only types, enums and alternatives. Our own
 * validation checks what it leaves out. Null if the schema cannot be expressed this way, e.g.
 * because of an object with free names: a request with it would be refused.
 */
export function strictSchema(schema: Schema): Schema | null {
  const strict = strictNode(schema);
  return strict?.['type'] === 'object' ? strict : null;
}

/**
 * The form for a CLI that refuses what does not fit and asks the model again on its own: the names
 * of all fields and what they hold, and no rule except that the answer is an object. The rules are
 * written as words, because no other text contains them.
 */
export function lenientSchema(schema: Schema): Schema {
  return { ...lenientNode(schema), type: 'object' };
}

function lenientNode(schema: unknown): Schema {
  if (!isObject(schema)) return {};
  const { properties, items, description } = schema;
  const alternatives = schema['anyOf'] ?? schema['oneOf'];
  const told = [description, ...rulesIn(schema)].filter((text) => typeof text === 'string');
  return {
    ...(told.length === 0 ? {} : { description: told.join(' ') }),
    ...(Array.isArray(alternatives) ? { anyOf: alternatives.map(lenientNode) } : {}),
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [name, lenientNode(one)]),
          ),
        }
      : {}),
    ...(isObject(items) ? { items: lenientNode(items) } : {}),
  };
}

/** The rules of one place in words; those of a text or a list are clear from its form. */
function rulesIn(schema: Schema): readonly string[] {
  const { type, enum: words, const: constant, required, pattern } = schema;
  return [
    ...(Array.isArray(words) ? [`One of ${words.join(', ')}.`] : []),
    ...(constant === undefined ? [] : [`Always ${JSON.stringify(constant)}.`]),
    ...(type === 'number' || type === 'integer' ? [`${numberWords[type]}${rangeIn(schema)}.`] : []),
    ...(type === 'boolean' ? ['True or false.'] : []),
    ...(type === 'null' ? ['Null.'] : []),
    ...(typeof pattern === 'string' && !('format' in schema) ? [`Of the form ${pattern}.`] : []),
    ...(Array.isArray(required) && required.length > 0 ? [`Needs ${required.join(', ')}.`] : []),
  ];
}

const numberWords = { number: 'A number', integer: 'A whole number' } as const;

function isBound(bound: unknown): boolean {
  return typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
}

function rangeIn({ minimum, maximum }: Schema): string {
  const from = isBound(minimum) ? ` from ${String(minimum)}` : '';
  return isBound(maximum) ? `${from} to ${String(maximum)}` : from;
}

function strictNode(schema: unknown): Schema | null {
  if (!isObject(schema)) return null;
  const { description } = schema;
  const body = strictBody(schema);
  return body === null || typeof description !== 'string' ? body : { ...body, description };
}

function strictBody(schema: Schema): Schema | null {
  const { type, anyOf, oneOf, properties, items } = schema;
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return strictAlternatives(alternatives);
  if (schema['const'] !== undefined) return wordsOnly([schema['const']]);
  if (Array.isArray(schema['enum'])) return wordsOnly(schema['enum']);
  if (Array.isArray(type)) return strictAlternatives(type.map((one) => ({ ...schema, type: one })));
  switch (type) {
    case 'object':
      return isObject(properties) ? strictObject(properties, schema['required']) : null;
    case 'array': {
      const strict = strictNode(items);
      return strict === null ? null : { type, items: strict };
    }
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return { type };
    default:
      return null;
  }
}

function strictAlternatives(alternatives: readonly unknown[]): Schema | null {
  const strict = alternatives.map(strictNode);
  return strict.every((one) => one !== null) ? { anyOf: strict } : null;
}

// Every node needs one type, even an enum.
function wordsOnly(words: readonly unknown[]): Schema | null {
  return words.every((word) => typeof word === 'string') ? { type: 'string', enum: words } : null;
}

// An optional field that cannot be expressed is left out, so that the model will not give it.
function strictObject(properties: Schema, required: unknown): Schema | null {
  const fields: Record<string, Schema> = {};
  for (const [name, property] of Object.entries(properties)) {
    const strict = strictNode(property);
    const isRequired = Array.isArray(required) && required.includes(name);
    if (strict === null && isRequired) return null;
    if (strict !== null) fields[name] = isRequired ? strict : nullable(strict);
  }
  const names = Object.keys(fields);
  if (names.length === 0) return null;
  return { type: 'object', properties: fields, required: names, additionalProperties: false };
}

function nullable(schema: Schema): Schema {
  const { anyOf } = schema;
  const known = Array.isArray(anyOf) ? anyOf.filter(isObject) : [schema];
  if (known.some(({ type }) => type === 'null')) return schema;
  return { anyOf: [...known, { type: 'null' }] };
}
