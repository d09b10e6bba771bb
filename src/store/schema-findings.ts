// Puts into words why a value does not fit a shape, judging a union by its closest branch.
import type { ErrorObject } from 'ajv/dist/2020.js';
import { z } from 'zod';
import {
  describeValue,
  kindName,
  kinds,
  type KindNames,
  briefText,
} from '../model/describe-value.ts';
import { isObject } from '../model/json.ts';

type Issue = z.core.$ZodIssue;
type Shape = z.core.$ZodType;

/** A place in a value that does not fit its shape. */
export interface Misfit {
  readonly path: readonly PropertyKey[];
  /** The expected and the actual value, in words that follow the name of the field. */
  readonly message: string;
}

/**
 * Everything in a value that does not fit; empty if it is good. For a union, only the closest
 * branch is reported. `names` are those of kinds of values.
 */
export function misfitsIn(value: unknown, shape: z.ZodType, names = kinds): readonly Misfit[] {
  const { error } = shape.safeParse(value, { error: (issue) => demandOf(issue, names) });
  return misfitsOf(error?.issues ?? [], [shape]);
}

/** The first misfit, as one clause. */
export function firstMisfit(value: unknown, shape: z.ZodType): string {
  const [misfit] = misfitsIn(value, shape);
  return misfit === undefined ? '' : `${misfit.path.join('.') || 'it'} ${misfit.message}`;
}

/** Turns issues into misfits. The value must fit one of `shapes`. */
function misfitsOf(issues: readonly Issue[], shapes: readonly Shape[]): readonly Misfit[] {
  return issues.flatMap((issue): readonly Misfit[] => {
    const { path } = issue;
    const here = path.reduce((all, key) => all.flatMap((one) => inside(one, key)), shapes);
    const message = takesNull(issue, here)
      ? issue.message.replace('must be ', 'must be null or ')
      : issue.message;
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key], message }));
    }
    const branch = issue.code === 'invalid_union' ? closestOf(issue.errors) : undefined;
    if (branch === undefined) return [{ path, message }];
    return misfitsOf(branch, here).map((one) => ({ ...one, path: [...path, ...one.path] }));
  });
}

/** True if null would fit as well, when a value is of the wrong kind. */
function takesNull({ code }: Issue, shapes: readonly Shape[]): boolean {
  const isOfKind = ['invalid_type', 'invalid_value', 'invalid_union'].includes(code);
  return isOfKind && shapes.length > 0 && shapes.every((one) => z.safeParse(one, null).success);
}

/** The shapes that may apply to a field or an entry. */
function inside(shape: Shape, key: PropertyKey): readonly Shape[] {
  if (shape instanceof z.ZodObject) return [shape.shape[String(key)] ?? []].flat();
  if (shape instanceof z.ZodArray) return [shape.element];
  if (shape instanceof z.ZodRecord) return [shape.valueType];
  if (shape instanceof z.ZodUnion) return shape.options.flatMap((one) => inside(one, key));
  if (shape instanceof z.ZodPipe) return inside(shape.in, key);
  const isWrapped = shape instanceof z.ZodNullable || shape instanceof z.ZodOptional;
  return isWrapped ? inside(shape.unwrap(), key) : [];
}

/** Picks the branch with the fewest issues among those for this kind of value. */
function closestOf(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches
    .filter((issues) => otherKinds(issues).length === 0)
    .toSorted((a, b) => a.length - b.length)[0];
}

/** The kinds that a branch accepts, if it is for another kind of value. */
function otherKinds(issues: readonly Issue[]): readonly string[] {
  return issues.flatMap((issue) =>
    issue.code === 'invalid_type' && issue.path.length === 0 ? issue.expected : [],
  );
}

function demandOf(issue: z.core.$ZodRawIssue, names: KindNames): string | undefined {
  if (issue.code === 'unrecognized_keys') {
    const known = issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [];
    return `is not a known field; known are ${briefText(known.join(', '))}`;
  }
  if (issue.code === 'invalid_key') return `has a name that ${issue.issues[0]?.message}`;
  const isEmpty = issue.code === 'too_small' && issue.minimum === 1;
  if (isEmpty && typeof issue.input !== 'number') return 'must not be empty';
  const wanted = wantedBy(issue, names);
  if (wanted === null) return undefined;
  const given = givenTo(issue);
  if (given === undefined) return `is missing; it must be ${wanted}`;
  return `must be ${wanted}, not ${describeValue(given, names)}`;
}

function wantedBy(issue: z.core.$ZodRawIssue, names: KindNames): string | null {
  switch (issue.code) {
    case 'invalid_type':
      return kindName(issue.inst instanceof z.ZodNumberFormat ? 'int' : issue.expected, names);
    case 'invalid_value':
      return oneOf(issue.values);
    case 'invalid_union': {
      if ('options' in issue && Array.isArray(issue.options)) return oneOf(issue.options);
      return namesOf(issue.errors.flatMap(otherKinds), names);
    }
    case 'too_big':
      return `at most ${issue.maximum}${units[issue.origin] ?? ''}`;
    case 'too_small':
      return `${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}${units[issue.origin] ?? ''}`;
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'a moment like "2026-11-21T08:00:00Z"'
        : `text of the form ${briefText(issue.pattern ?? issue.format)}`;
    case 'unrecognized_keys':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return null;
  }
}

/** The value that is judged: for a tagged union, its tag. */
function givenTo(issue: z.core.$ZodRawIssue): unknown {
  const { input } = issue;
  const tag = issue.code === 'invalid_union' ? issue.discriminator : undefined;
  return tag === undefined || !isObject(input) ? input : input[tag];
}

function namesOf(all: readonly string[], names: KindNames): string {
  return [...new Set(all.map((kind) => kindName(kind, names)))].join(' or ');
}

const units: Readonly<Record<string, string>> = { string: ' characters long', array: ' entries' };

function oneOf(values: readonly unknown[]): string {
  const [first] = values;
  if (values.length === 1) return describeValue(first);
  const shown = [
    ...values.slice(0, 20).map((one) => describeValue(one)),
    ...(values.length > 20 ? ['…'] : []),
  ];
  return `one of ${shown.join(', ')}`;
}

/** Finds misfits in the errors that ajv found with a user’s schema, made with `verbose` and `allErrors`. */
export function misfitsOfSchema(errors: readonly ErrorObject[]): readonly Misfit[] {
  return errors.filter((error) => !isRepetition(error, errors)).map(misfitOf);
}

/** True if the error repeats those of its branches or of a name. */
function isRepetition(error: ErrorObject, errors: readonly ErrorObject[]): boolean {
  const { keyword, schemaPath } = error;
  if (keyword === 'if' || keyword === 'propertyNames') return true;
  const isUnion = keyword === 'anyOf' || keyword === 'oneOf';
  return isUnion && errors.some((one) => one.schemaPath.startsWith(`${schemaPath}/`));
}

function misfitOf({ params, propertyName, ...error }: ErrorObject): Misfit {
  const name: unknown =
    params['missingProperty'] ??
    params['additionalProperty'] ??
    params['unevaluatedProperty'] ??
    propertyName;
  const parts = error.instancePath.split('/').slice(1);
  const path = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (typeof name === 'string') path.push(name);
  return { path, message: messageOf({ ...error, params }) };
}

function messageOf({ keyword, params, data, parentSchema, message = keyword }: ErrorObject) {
  const fields: unknown = parentSchema?.['properties'];
  const known = isObject(fields) ? fields : {};
  switch (keyword) {
    case 'required': {
      const wanted = wantedIn(known[String(params['missingProperty'])]);
      return wanted === null ? 'is missing' : `is missing; it must be ${wanted}`;
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const names = Object.keys(known).join(', ');
      return names === ''
        ? 'is not a known field'
        : `is not a known field; known are ${briefText(names)}`;
    }
    case 'type':
      return `must be ${wantedIn(params)}, not ${describeValue(data)}`;
    case 'enum':
    case 'const':
      return `must be ${wantedIn(parentSchema)}, not ${describeValue(data)}`;
    default:
      return `${briefText(message)}, not ${describeValue(data)}`;
  }
}

/** Describes the value that a JSON Schema asks for; null if that is not simple. */
function wantedIn(schema: unknown): string | null {
  if (!isObject(schema)) return null;
  if (Array.isArray(schema['enum'])) return oneOf(schema['enum']);
  if ('const' in schema) return describeValue(schema['const']);
  return 'type' in schema ? namesOf([schema['type']].flat().map(String), kinds) : null;
}
