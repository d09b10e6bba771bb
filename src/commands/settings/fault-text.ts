import type { z } from 'zod';
import { settingsList } from '../../model/settings.ts';
import { closestName } from '../closest-name.ts';
import { keyOf } from './leaf.ts';

/** What is wrong with a configuration, as one sentence, and where. */
export interface Fault {
  readonly path: readonly string[];
  readonly message: string;
  /** The same of a single value without its key; starts with "must" or "is". */
  readonly demand: string;
}

/**
 * The first thing that does not fit, with the key and what would be right. The error must hold the
 * values it is about (`reportInput`).
 */
export function faultOf(error: z.ZodError): Fault {
  const [issue] = error.issues;
  if (issue === undefined) throw error;
  const path = issue.path.map(String);
  const more = error.issues.length - 1;
  const others = more === 0 ? '' : ` (${more} more after this one)`;
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] ?? '';
    const message = `${unknownKey(path, key)}${others}`;
    return { path: [...path, key], message, demand: message };
  }
  const demand = `${demandOf(issue, issue.input)}${others}.`;
  return { path, message: `${keyOf(path)} ${demand}`, demand };
}

function unknownKey(path: readonly string[], key: string): string {
  const place = path.length === 0 ? 'at the top level' : `in [${keyOf(path)}]`;
  const known = keysAt(path);
  const near = closestName(key, known);
  const elsewhere = keysAt([]).find((table) => keysAt([table]).includes(key));
  const hint =
    near !== null
      ? `Did you mean ${near}? `
      : elsewhere === undefined
        ? ''
        : `It belongs in [${elsewhere}]. `;
  return `the key ${keyOf([key])} is unknown ${place}. ${hint}Known keys: ${known.join(', ')}.`;
}

/** The keys that a table may have. */
function keysAt(path: readonly string[]): readonly string[] {
  const inside = settingsList
    .map((setting) => setting.path.split('.'))
    .filter((parts) => path.every((part, at) => parts[at] === '*' || parts[at] === part))
    .flatMap((parts) => parts[path.length] ?? []);
  return [...new Set(inside)].filter((key) => key !== '*');
}

function demandOf(issue: z.core.$ZodIssue, found: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}, not ${shown(found)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}, not ${shown(found)}`;
    case 'too_small':
      return issue.origin === 'array'
        ? 'must name at least one'
        : `must be ${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}, not ${shown(found)}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}, not ${shown(found)}`;
    case 'invalid_key':
      return `is not the name of an agent; ${agentNameRule}`;
    case 'invalid_format':
      return issue.path.at(-1) === 'model'
        ? `is not the name of a model; it takes letters, digits and . _ / : @ -, does not start with -, and is not ${shown(found)}`
        : `is not the name of an agent; ${agentNameRule}, and it is not ${shown(found)}`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_union':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    default:
      return `does not fit: ${issue.message}`;
  }
}

const agentNameRule = 'it takes at most 32 lower-case letters, digits, - and _';

const kinds: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list in brackets',
  object: 'a table',
  record: 'a table',
};

function shown(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : (JSON.stringify(value) ?? 'nothing');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
