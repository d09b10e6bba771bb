// Defines one checked value with its source, and merges and reads settings.
import { isAbsolute, join, resolve } from 'node:path';
import { shapeOf } from '../../model/config.ts';
import { AgentName } from '../../model/ids.ts';
import type { Setting, SettingsPart, SettingWithDefault, ValuesOf } from '../../model/setting.ts';
import { kinds, misfitsIn } from '../../store/schema-findings.ts';

/** The value of one setting, with the source that set it. */
export interface Leaf {
  readonly setting: Setting;
  /** The name that replaces the `*` in its path: an agent, a model or a phase; otherwise empty. */
  readonly name: string;
  /** The path in TOML’s spelling. */
  readonly key: string;
  readonly value: unknown;
  readonly source: Source;
}

/** The source of a value. */
export interface Source {
  /** The name for people: a file, a variable, a flag or `default`. */
  readonly name: string;
  /** The folders from which its relative paths start; absent if it has no paths. */
  readonly base?: PathBase;
  /** The failure that blames the value at a path; `demand` follows its key: "must be …". */
  readonly stop: (path: readonly string[], demand: string) => Error;
}

/** The name of the source if a program that uses this one as a library sets values. */
export const programSource = 'the program';

/** Two absolute folders; `~/` means `home`. */
interface PathBase {
  readonly folder: string;
  readonly home: string;
}

/** The leaf of each key. */
export type Leaves = ReadonlyMap<string, Leaf>;

/**
 * Checks a value and makes its relative paths absolute; an empty text sets nothing. Throws, blaming the source,
 * for a value that does not fit.
 */
export function leavesOf(given: {
  readonly setting: Setting;
  readonly name?: string;
  readonly value: unknown;
  readonly source: Source;
}): readonly Leaf[] {
  const { setting, name = '', source } = given;
  const path = pathOf(setting, name);
  if (path[0] === 'agents' && !AgentName.safeParse(name).success) {
    const rule = 'an agent is called by at most 32 lower-case letters, digits, - and _';
    throw source.stop(path.slice(0, 2), `is not the name of an agent; ${rule}`);
  }
  const shape = shapeOf(setting);
  const [misfit] = misfitsIn(given.value, shape, tomlKinds);
  if (misfit !== undefined)
    throw source.stop([...path, ...misfit.path.map(String)], misfit.message);
  const value = withPaths(shape.parse(given.value), setting, source.base);
  return value === '' ? [] : [leafOf(setting, value, { name, source })];
}

/** The leaf of a value that is known to fit. */
export function leafOf(
  setting: Setting,
  value: unknown,
  { name = '', source }: { readonly name?: string; readonly source: Source | string },
): Leaf {
  const by = typeof source === 'string' ? soundSource(source) : source;
  return { setting, name, key: keyOf(pathOf(setting, name)), value, source: by };
}

/** A source whose values always fit, so that blaming it reveals a bug. */
function soundSource(name: string): Source {
  return { name, stop: (path, demand) => new Error(`${name}: ${keyOf(path)} ${demand}.`) };
}

/** Merges leaves: later ones win; tables are merged entry by entry, and so are lists that accumulate. */
export function mergeLeaves(leaves: readonly Leaf[]): Leaves {
  const merged = new Map<string, Leaf>();
  for (const leaf of leaves) {
    const before = merged.get(leaf.key);
    merged.set(leaf.key, before === undefined ? leaf : joinLeaves(before, leaf));
  }
  return merged;
}

/** The leaf that sets a setting; `name` replaces the `*`. */
export function leafFor(leaves: Leaves, setting: Setting, name = ''): Leaf | undefined {
  return leaves.get(keyOf(pathOf(setting, name)));
}

/** Makes a function that reads the value of a setting, or its default; `name` replaces the `*`. */
export function reader(leaves: Leaves) {
  function read<T>(setting: SettingWithDefault<T>, name?: string): T;
  function read<T>(setting: Setting<T>, name?: string): T | undefined;
  function read<T>(setting: Setting<T>, name?: string): T | undefined {
    const leaf = leafFor(leaves, setting, name);
    return leaf === undefined ? setting.default : shapeOf(setting).parse(leaf.value);
  }
  return read;
}

export type Read = ReturnType<typeof reader>;

export function valuesOf<P extends SettingsPart>(
  part: P,
  read: (setting: Setting) => unknown,
): ValuesOf<P>;
/** Reads every setting in a part of the table; times are in ms. */
export function valuesOf(
  part: SettingsPart,
  read: (setting: Setting) => unknown,
): Readonly<Record<string, unknown>> {
  const values = Object.entries(part).map(([name, setting]): readonly [string, unknown] => {
    const value = read(setting);
    return [name, setting.isTime === true && typeof value === 'number' ? value * 1000 : value];
  });
  return Object.fromEntries(values);
}

/** A path in TOML’s spelling: `agents.codex.path`, `models."gpt 5".usd_per_million`. */
export function keyOf(path: readonly string[]): string {
  return path
    .map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part)))
    .join('.');
}

/** A setting's path with its `*` replaced by the name. */
export function pathOf({ path }: Setting, name: string): readonly string[] {
  return path.split('.').map((part) => (part === '*' ? name : part));
}

function joinLeaves(before: Leaf, leaf: Leaf): Leaf {
  const value = joinedValue(before.value, leaf);
  const name = `${before.source.name}, ${leaf.source.name}`;
  return value === undefined ? leaf : { ...leaf, value, source: { ...leaf.source, name } };
}

/** The merged value; undefined if the later value replaces the earlier one. */
function joinedValue(before: unknown, { value, setting }: Leaf): unknown {
  if (isTable(before) && isTable(value)) return { ...before, ...value };
  if (setting.addsUp !== true) return undefined;
  return [...new Set([before, value].filter((list) => Array.isArray(list)).flat())];
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A bare word is a program on PATH, and an argument such as `vendor/model` is not a path. */
const relativePaths = { file: /./, program: /\//, arguments: /^(?:\.{1,2}|~)\// };

/** The kinds of values in the terms of TOML. */
const tomlKinds = {
  ...kinds,
  string: 'a text in quotes',
  array: 'a list in brackets',
  object: 'a table',
  record: 'a table',
};

function withPaths(value: unknown, setting: Setting, base: PathBase | undefined): unknown {
  if (Array.isArray(value)) return value.map((part: unknown) => withPaths(part, setting, base));
  const { holds } = setting;
  if (holds === undefined || base === undefined || typeof value !== 'string') return value;
  if (isAbsolute(value) || !relativePaths[holds].test(value)) return value;
  return value.startsWith('~/') ? join(base.home, value.slice(2)) : resolve(base.folder, value);
}
