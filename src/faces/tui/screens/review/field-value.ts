import { isObject, jsonIn } from '../../../../model/json.ts';
import type { PlanEdit } from '../../../../model/plan-edit.ts';

type Json = Extract<PlanEdit, { kind: 'set' }>['value'];

/** What stands at a path like `files.0.path`; undefined where nothing does. */
export function valueAt(value: unknown, field: string): unknown {
  return field.split('.').reduce<unknown>((inner, name) => {
    if (Array.isArray(inner)) return inner[Number(name)];
    return isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined;
  }, value);
}

/** A value as it is edited in a text field. */
export function editable(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * What was typed as the kind of value that stood there: a number stays a number if it can. Null,
 * which takes the field out, for nothing. What does not fit is left to the desk to refuse.
 */
export function typedValue(
  text: string,
  { before, field }: { before: unknown; field: string },
): Json {
  const said = text.trim();
  if (said === '') return null;
  if (before === undefined) return newValue(said, field);
  if (typeof before === 'string') return said;
  const read = jsonIn(said);
  return isJson(read) ? read : said;
}

/** Entries that are more than a text are begun with what was typed. */
function newValue(said: string, field: string): Json {
  if (/^checks\.\d+$/.test(field)) return { kind: 'manual', describes: said };
  if (/^risks\.\d+$/.test(field)) {
    return {
      description: said,
      probability: 'Medium',
      impact: 'Medium',
      mitigation: 'none named yet',
    };
  }
  if (/^files\.\d+$/.test(field)) return { path: said };
  if (/^design_decisions\.\d+$/.test(field)) return { decision: said, rationale: 'not said yet' };
  return said;
}

/** The path of the list that a field is an entry of, or in one of; null where it is in none. */
export function listOf(field: string): { readonly list: string; readonly index: number } | null {
  const names = field.split('.');
  const at = names.findLastIndex((name) => /^\d+$/.test(name));
  if (at < 1) return null;
  return { list: names.slice(0, at).join('.'), index: Number(names[at]) };
}

function isJson(value: unknown): value is Json {
  if (Array.isArray(value)) return value.every(isJson);
  if (isObject(value)) return Object.values(value).every(isJson);
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
