// Reads the answer of a turn in the form that was asked for.
import { extractJson } from '../agents/answer/extract.ts';
import { isObject } from '../model/json.ts';
import { listed } from '../model/wording.ts';
import type { SchemaFinding, UserSchema } from '../store/user-schema.ts';

type FormAnswer =
  | { readonly fits: true; readonly text: string }
  | { readonly fits: false; readonly errors: readonly string[] };

/** The JSON object in an answer, checked against the user’s schema. */
export function readForm(form: UserSchema, text: string): FormAnswer {
  const { required, properties } = form.schema;
  const wanted = Array.isArray(required) ? required.filter((one) => typeof one === 'string') : [];
  const known = isObject(properties) ? Object.keys(properties) : wanted;
  const found = extractJson(text, wanted, known);
  if (!found.ok) return { fits: false, errors: [found.failure.reason] };
  if (found.value.isCut === true) {
    return { fits: false, errors: ['the answer breaks off before its end'] };
  }
  const findings = form.check(found.value.value);
  if (findings.length > 0) return { fits: false, errors: findings.map(lineOf) };
  return { fits: true, text: JSON.stringify(found.value.value, null, 2) };
}

function lineOf({ pointer, message }: SchemaFinding): string {
  const field = pointer.slice(1).replaceAll('/', '.');
  return `${field === '' ? 'the answer' : field} ${message}`;
}

/** The most errors that a failure names. */
const mostNamed = 3;

/** Why an answer is of no use, in one clause that names the fields. */
export function misfitReason(errors: readonly string[]): string {
  const more = errors.length - mostNamed;
  const named = [...errors.slice(0, mostNamed), ...(more > 0 ? [`${more} more`] : [])];
  return `its answer does not fit the output format, also when asked again: ${listed(named)}`;
}
