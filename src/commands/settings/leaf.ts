import { Config } from '../../model/config.ts';
import type { Stopped } from '../../model/failure.ts';

/** One setting with where it was said. */
export interface Leaf {
  /** From the outside in, e.g. `['workflow', 'max_rounds']`. */
  readonly path: readonly string[];
  readonly value: unknown;
  /** For people: a file, a variable or a flag. */
  readonly source: string;
  /** The failure that blames this setting. */
  stop(message: string): Stopped;
}

/** Settings by `keyOf`, the last one that was said wins. */
export type Leaves = ReadonlyMap<string, Leaf>;

/** A path as TOML spells it: `agents.codex.path`, `models."gpt 5".provider`. */
export function keyOf(path: readonly string[]): string {
  return path
    .map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : JSON.stringify(part)))
    .join('.');
}

/** Every setting in a nested value; lists are settings as a whole, a blank model is none. */
export function pathsOf(
  value: unknown,
  path: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly value: unknown }[] {
  if (value === undefined) return [];
  if (path.at(-1) === 'model' && value === '') return [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, value }];
  return Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, [...path, name]));
}

/** Later leaves win; constraints are added to each other, as each only narrows. */
export function mergeLeaves(layers: readonly (readonly Leaf[])[]): Leaves {
  const merged = new Map<string, Leaf>();
  for (const leaf of layers.flat()) {
    const key = keyOf(leaf.path);
    const before = merged.get(key);
    merged.set(
      key,
      before !== undefined && key === 'workflow.constraints' ? both(before, leaf) : leaf,
    );
  }
  return merged;
}

/** The leaves as one configuration. */
export function configOf(leaves: Leaves): Config {
  return Config.parse(nested([...leaves.values()]), { jitless: true });
}

/** A nested value that holds only this one. */
export function nest(path: readonly string[], value: unknown): unknown {
  return nested([{ path, value }]);
}

function both(before: Leaf, leaf: Leaf): Leaf {
  const lists = [before.value, leaf.value].filter((value) => Array.isArray(value));
  return { ...leaf, value: [...new Set(lists.flat())], source: `${before.source}, ${leaf.source}` };
}

function nested(leaves: readonly { path: readonly string[]; value: unknown }[]): unknown {
  const last = leaves.at(-1);
  if (last !== undefined && last.path.length === 0) return last.value;
  const groups = Map.groupBy(leaves, (leaf) => leaf.path[0] ?? '');
  const entries = [...groups].map(([name, group]) => [
    name,
    nested(group.map(({ path, value }) => ({ path: path.slice(1), value }))),
  ]);
  return Object.fromEntries(entries);
}
