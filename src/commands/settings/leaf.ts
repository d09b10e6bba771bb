import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import type { z } from 'zod';
import { shapeOf } from '../../model/config.ts';
import type { Stopped } from '../../model/failure.ts';
import { AgentName } from '../../model/ids.ts';
import type { Setting, SettingWithDefault } from '../../model/setting.ts';
import { settingsList } from '../../model/settings.ts';

/** One value with where it was said. */
export interface Leaf {
  readonly setting: Setting;
  /** From the outside in, e.g. `['workflow', 'max_rounds']`; one part more in a table of values. */
  readonly path: readonly string[];
  /** The path as TOML spells it. */
  readonly key: string;
  readonly value: unknown;
  readonly source: Source;
}

/** Who says something. */
export interface Source {
  /** For people: a file, a variable, a flag or `default`. */
  readonly name: string;
  /** Where its relative paths start, and what `~/` stands for; none where it has no paths. */
  readonly starts?: PathStarts;
  /** The failure that blames the value at a path; `demand` goes on from its key: "must be …". */
  readonly stop: (path: readonly string[], demand: string) => Stopped;
}

/** Both absolute. */
export interface PathStarts {
  readonly folder: string;
  readonly home: string;
}

/** Leaves by their key; the last one that was said wins. */
export type Leaves = ReadonlyMap<string, Leaf>;

/** The leaves of one value, with absolute paths. Throws, blaming it, where it does not fit. */
export function leavesOf(said: Omit<Leaf, 'key'>): readonly Leaf[] {
  const { setting, path, source } = said;
  const [table, name] = path;
  if (table === 'agents' && !AgentName.safeParse(name).success) {
    const rule = 'an agent is called by at most 32 lower-case letters, digits, - and _';
    throw source.stop(path.slice(0, 2), `is not the name of an agent; ${rule}`);
  }
  const parsed = shapeOf(setting).safeParse(said.value, { error: demandOf });
  const issue = parsed.error?.issues[0];
  if (issue !== undefined) throw source.stop([...path, ...issue.path.map(String)], issue.message);
  const value = withPaths(parsed.data, setting, source.starts);
  if (!isTable(value)) return value === '' ? [] : [leafOf({ ...said, value })];
  return Object.entries(value).map(([part, inner]) =>
    leafOf({ ...said, path: [...path, part], value: inner }),
  );
}

export function leafOf(said: Omit<Leaf, 'key'>): Leaf {
  return { ...said, key: keyOf(said.path) };
}

/** Later leaves win; lists that add up are joined. */
export function mergeLeaves(said: readonly Leaf[]): Leaves {
  const merged = new Map<string, Leaf>();
  for (const leaf of said) {
    const before = merged.get(leaf.key);
    const isJoined = leaf.setting.addsUp === true && before !== undefined;
    merged.set(leaf.key, isJoined ? both(before, leaf) : leaf);
  }
  return merged;
}

/** Reads the value of a setting; `name` is what `*` stands for. */
export function reader(leaves: Leaves) {
  function read<T>(setting: SettingWithDefault<T>, name?: string): T;
  function read<T>(setting: Setting<T>, name?: string): T | undefined;
  function read<T>(setting: Setting<T>, name = ''): T | undefined {
    const key = keyOf(pathOf(setting, name));
    const own = leaves.get(key);
    if (own !== undefined) return shapeOf(setting).parse(own.value);
    const inner = [...leaves.values()].filter((leaf) => leaf.key.startsWith(`${key}.`));
    if (inner.length === 0) return setting.default;
    const entries = inner.map((leaf) => [leaf.path.at(-1), leaf.value]);
    return shapeOf(setting).parse(Object.fromEntries(entries));
  }
  return read;
}

export type Read = ReturnType<typeof reader>;

/** A path as TOML spells it: `agents.codex.path`, `models."gpt 5".provider`. */
export function keyOf(path: readonly string[]): string {
  return path
    .map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part)))
    .join('.');
}

/** The setting of a value; undefined where there is none. */
export function settingAt(path: readonly string[]): Setting | undefined {
  return settingsList.find((setting) =>
    setting.path.split('.').every((part, at) => part === '*' || part === path[at]),
  );
}

/** A setting's path with what its `*` stands for. */
export function pathOf({ path }: Setting, name: string): readonly string[] {
  return path.split('.').map((part) => (part === '*' ? name : part));
}

export function isTable(value: unknown): value is object {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && !Array.isArray(value) && !(value instanceof Date);
}

function both(before: Leaf, leaf: Leaf): Leaf {
  const lists = [before.value, leaf.value].filter((value) => Array.isArray(value));
  const name = `${before.source.name}, ${leaf.source.name}`;
  return { ...leaf, value: [...new Set(lists.flat())], source: { ...leaf.source, name } };
}

function withPaths(value: unknown, setting: Setting, starts: PathStarts | undefined): unknown {
  if (Array.isArray(value)) return value.map((part: unknown) => withPaths(part, setting, starts));
  if (typeof value !== 'string' || starts === undefined || isAbsolute(value)) return value;
  const { folder, home } = starts;
  const path = value.startsWith('~/') ? join(home, value.slice(2)) : resolve(folder, value);
  return isPath(value, path, setting) ? path : value;
}

/** A bare word is a program on PATH, and an argument such as "vendor/model" is no file there. */
function isPath(text: string, path: string, { holds }: Setting): boolean {
  if (holds !== 'arguments') return holds === 'file' || (holds === 'program' && text.includes('/'));
  return /^(?:\.{1,2}|~)\//.test(text) || (/^[^-].*\//.test(text) && existsSync(path));
}

/** What a value must be that does not fit, in words that go on from its key. */
function demandOf(issue: z.core.$ZodRawIssue): string {
  const found = shownValue(issue.input);
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${kinds[issue.expected] ?? issue.expected}, not ${found}`;
    case 'too_big':
      return `must be at most ${issue.maximum}, not ${found}`;
    case 'too_small':
      if (issue.origin === 'array') return 'must name at least one';
      if (issue.origin === 'string') return 'must not be empty';
      return `must be ${issue.inclusive === true ? 'at least' : 'more than'} ${issue.minimum}, not ${found}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}, not ${found}`;
    case 'invalid_format':
      return `must be made of letters, digits and . _ / : @ - and not start with -; it is ${found}`;
    case 'invalid_union':
      return `must be a text, a number, true or false, or a list of texts, not ${found}`;
    case 'custom':
    case 'invalid_element':
    case 'invalid_key':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    default:
      return `does not fit: it is ${found}`;
  }
}

/** A value as TOML or JSON would show it, cut. */
export function shownValue(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : (JSON.stringify(value) ?? 'nothing');
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text in quotes',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list in brackets',
  object: 'a table',
  record: 'a table',
};
