// Defines one checked value with its source, and merges and reads settings; loads no zod.
import type { Setting, SettingsPart, SettingWithDefault, ValuesOf } from '../../model/setting.ts';

/** The checked value of one setting, with the source that set it. */
export interface Leaf<T = unknown> {
  readonly setting: Setting<T>;
  /** The name that replaces the `*` in its path: an agent, a model or a phase; otherwise empty. */
  readonly name: string;
  /** The path in TOML’s spelling. */
  readonly key: string;
  readonly value: T;
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
export interface PathBase {
  readonly folder: string;
  readonly home: string;
}

/** The leaf of each key. */
export type Leaves = ReadonlyMap<string, Leaf>;

/** The leaf of a value that is known to fit. */
export function leafOf<T>(
  setting: Setting<T>,
  value: NoInfer<T>,
  { name = '', source }: { readonly name?: string; readonly source: Source | string },
): Leaf<T> {
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
    return leaf === undefined ? setting.default : checkedValue(leaf, setting);
  }
  return read;
}

/** The value of a leaf of this setting, which was checked when the leaf was made. */
function checkedValue<T>(leaf: Leaf, setting: Setting<T>): T {
  if (isLeafOf(leaf, setting)) return leaf.value;
  throw new Error(`${leaf.key} has the value of another setting`);
}

function isLeafOf<T>(leaf: Leaf, setting: Setting<T>): leaf is Leaf<T> {
  return leaf.setting === setting;
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
