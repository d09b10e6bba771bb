import type { ErrorObject } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { isObject } from '../model/json.ts';

type Issue = z.core.$ZodIssue;

/** One place in a value that does not fit its shape. */
export interface Misfit {
  readonly path: readonly PropertyKey[];
  /** What it must be and what it is, in words that follow the name of the place. */
  readonly message: string;
}

/**
 * Everything in a value that does not fit; empty if it is good. Of a union only the branch is
 * reported that the value comes closest to.
 */
export function misfitsIn(value: unknown, shape: z.ZodType): readonly Misfit[] {
  return misfitsOf(shape.safeParse(value, { error: demandOf }).error?.issues ?? []);
}

/** The first thing that does not fit, as one clause. */
export function firstMisfit(value: unknown, shape: z.ZodType): string {
  const [misfit] = misfitsIn(value, shape);
  return misfit === undefined ? '' : `${misfit.path.join('.') || 'it'} ${misfit.message}`;
}

function misfitsOf(issues: readonly Issue[]): readonly Misfit[] {
  return issues.flatMap((issue): readonly Misfit[] => {
    const { path, message } = issue;
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key], message }));
    }
    const branch = issue.code === 'invalid_union' ? closestOf(issue.errors) : undefined;
    if (branch === undefined) return [{ path, message }];
    return misfitsOf(branch).map((one) => ({ ...one, path: [...path, ...one.path] }));
  });
}

/** Of the branches for this kind of value, the one with the fewest issues. */
function closestOf(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches
    .filter((issues) => otherKinds(issues).length === 0)
    .toSorted((a, b) => a.length - b.length)[0];
}

/** What a branch is for, where it is for another kind of value. */
function otherKinds(issues: readonly Issue[]): readonly string[] {
  return issues.flatMap((issue) =>
    issue.code === 'invalid_type' && issue.path.length === 0 ? nameOfKind(issue.expected) : [],
  );
}

function demandOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') {
    const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
    return `is not a known field; known are ${short(known.join(', '))}`;
  }
  if (issue.code === 'too_small' && typeof issue.input !== 'number') return 'must not be empty';
  const wanted = wantedBy(issue);
  if (wanted === null) return undefined;
  const given = givenTo(issue);
  if (given === undefined) return `is missing; it must be ${wanted}`;
  return `must be ${wanted}, not ${received(given)}`;
}

function wantedBy(issue: z.core.$ZodRawIssue): string | null {
  switch (issue.code) {
    case 'invalid_type':
      return nameOfKind(issue.expected);
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union': {
      if ('options' in issue && Array.isArray(issue.options)) return oneOf(issue.options);
      return [...new Set(issue.errors.flatMap(otherKinds))].join(' or ');
    }
    case 'too_big':
      return `at most ${issue.maximum}${units[issue.origin] ?? ''}`;
    case 'too_small':
      return `${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'a moment like "2026-11-21T08:00:00Z"'
        : `text of the form ${short(issue.pattern ?? issue.format)}`;
    case 'unrecognized_keys':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return null;
  }
}

/** The value that is judged: a tag for a union that goes by tags. */
function givenTo(issue: z.core.$ZodRawIssue): unknown {
  const { input } = issue;
  const tag = issue.code === 'invalid_union' ? issue.discriminator : undefined;
  return tag === undefined || !isObject(input) ? input : input[tag];
}

function nameOfKind(kind: string): string {
  return kinds[kind] ?? kind;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const units: Readonly<Record<string, string>> = { string: ' characters long', array: ' entries' };

function oneOf(values: readonly unknown[]): string {
  const [first] = values;
  if (values.length === 1) return received(first);
  const shown = [...values.slice(0, 20).map(received), ...(values.length > 20 ? ['…'] : [])];
  return `one of ${shown.join(', ')}`;
}

/** The same of an error that ajv found with a schema of the user, made with `verbose`. */
export function misfitOf({ keyword, params, data, ...error }: ErrorObject): Misfit {
  const name: unknown =
    params['missingProperty'] ?? params['additionalProperty'] ?? params['unevaluatedProperty'];
  const parts = error.instancePath.split('/').slice(1);
  const path = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (typeof name === 'string') path.push(name);
  return {
    path,
    message: messages[keyword] ?? `${short(error.message ?? keyword)}, not ${received(data)}`,
  };
}

const messages: Readonly<Record<string, string>> = {
  required: 'is missing',
  additionalProperties: 'is not a known field',
  unevaluatedProperties: 'is not a known field',
};

/** A value for people: text and numbers as they are, cut at 80 characters, the rest by its kind. */
export function received(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) {
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
