import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { shapeOf } from '../../model/config.ts';
import { Stopped } from '../../model/failure.ts';
import { type Setting, type SettingWithDefault, tomlTables } from '../../model/setting.ts';
import { settingsList, settingsTable } from '../../model/settings.ts';

/** One value with where it was said. */
export interface Leaf {
  readonly setting: Setting;
  /** From the outside in, e.g. `['workflow', 'max_rounds']`; one part more in a table of values. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** For people: a file, a variable, a flag or `default`. */
  readonly source: string;
  /** The failure that blames this setting. */
  stop(message: string): Stopped;
}

/** Leaves by `keyOf`; the last one that was said wins. */
export type Leaves = ReadonlyMap<string, Leaf>;

/** Where relative paths of a source start, and what `~/` stands for. Both absolute. */
export interface PathStarts {
  readonly folder: string;
  readonly home: string;
}

/** What one source says. */
interface Said {
  /** Nested as in TOML, and checked. */
  readonly config: unknown;
  readonly source: string;
  readonly stopAt: (path: readonly string[], message: string) => Stopped;
  readonly starts: PathStarts;
}

/** Each value that a source sets, with absolute paths. */
export function leavesOf({ config, source, stopAt, starts }: Said): readonly Leaf[] {
  return valuesIn(config).flatMap(({ path, value: said }) => {
    const setting = settingAt(path);
    if (setting === undefined) throw new Error(`No setting is called ${keyOf(path)}.`);
    if (said === '' && isModel(setting)) return [];
    const stop = (message: string): Stopped => stopAt(path, message);
    return [{ setting, path, value: withPaths(setting, { value: said, starts }), source, stop }];
  });
}

/** What holds where nobody says otherwise, but for what follows from the agents there are. */
export function defaultLeaves(): readonly Leaf[] {
  const alone = tomlTables.filter(({ path, isWhole }) => !path.includes('*') && isWhole !== true);
  return settingsList.flatMap((setting) => {
    const isAlone = alone.some(({ path }) => setting.path === `${path}.${lastPart(setting)}`);
    const isHeld = isAlone && setting.default !== undefined && setting.followsAgents !== true;
    return isHeld ? [defaultLeaf(setting, setting.default)] : [];
  });
}

export function defaultLeaf(setting: Setting, value: unknown): Leaf {
  return { setting, path: setting.path.split('.'), value, source: 'default', stop: blameDefaults };
}

function blameDefaults(message: string): Stopped {
  return new Stopped({ reason: 'config', file: 'the defaults', message });
}

/** Later leaves win; lists that add up are joined. */
export function mergeLeaves(layers: readonly (readonly Leaf[])[]): Leaves {
  const merged = new Map<string, Leaf>();
  for (const leaf of layers.flat()) {
    const key = keyOf(leaf.path);
    const before = merged.get(key);
    const isJoined = leaf.setting.addsUp === true && before !== undefined;
    merged.set(key, isJoined ? both(before, leaf) : leaf);
  }
  return merged;
}

/** Reads the value of a setting; `name` is what `*` stands for. */
export function reader(leaves: Leaves) {
  function read<T>(setting: SettingWithDefault<T>, name?: string): T;
  function read<T>(setting: Setting<T>, name?: string): T | undefined;
  function read<T>(setting: Setting<T>, name = ''): T | undefined {
    const path = pathOf(setting, name);
    const own = leaves.get(keyOf(path));
    if (own !== undefined) return shapeOf(setting).parse(own.value);
    const inner = [...leaves.values()].filter((leaf) => isUnder(path, leaf.path));
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

/** Lists are values as a whole. */
function valuesIn(
  value: unknown,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly value: unknown }[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([name, inner]) => valuesIn(inner, [...path, name]));
}

// A blank name of a model says that none is chosen.
function isModel(setting: Setting): boolean {
  return setting === settingsTable.agentModel || setting === settingsTable.plannerModel;
}

function lastPart({ path }: Setting): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function isUnder(path: readonly string[], inner: readonly string[]): boolean {
  return inner.length > path.length && path.every((part, at) => part === inner[at]);
}

function both(before: Leaf, leaf: Leaf): Leaf {
  const lists = [before.value, leaf.value].filter((value) => Array.isArray(value));
  return { ...leaf, value: [...new Set(lists.flat())], source: `${before.source}, ${leaf.source}` };
}

function withPaths(
  { holds }: Setting,
  { value, starts }: { readonly value: unknown; readonly starts: PathStarts },
): unknown {
  if (holds === 'arguments' && Array.isArray(value)) {
    return value.map((part: unknown) => argument(part, starts));
  }
  if (holds === undefined || typeof value !== 'string') return value;
  // A bare word is a program on PATH.
  return holds === 'file' || value.includes('/') ? absolute(value, starts) : value;
}

// "openai/model" or a URL has a slash too, so only what is plainly a path, or a file that is
// there, is taken for one.
function argument(part: unknown, starts: PathStarts): unknown {
  if (typeof part !== 'string' || !part.includes('/') || part.startsWith('-')) return part;
  const path = absolute(part, starts);
  return /^(?:\.{1,2}|~)\//.test(part) || existsSync(path) ? path : part;
}

function absolute(value: string, { folder, home }: PathStarts): string {
  if (isAbsolute(value)) return value;
  return value.startsWith('~/') ? join(home, value.slice(2)) : resolve(folder, value);
}
