// Checks what a source sets, each value by the shape of its setting.
import { isAbsolute, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describeValue, kinds } from '../../model/describe-value.ts';
import { type Setting, keyIn } from '../../model/setting.ts';
import { settingsList } from '../../model/settings.ts';
import { suggestion } from '../../model/closest-name.ts';
import { type Leaf, type PathBase, type Source, keyOf, leafOf, pathOf } from './leaf.ts';
import { shapeOf } from '../../model/setting-shape.ts';
import { agentNamePattern } from '../../model/id-patterns.ts';
import { misfitsIn } from '../../store/schema-findings.ts';

/**
 * The leaves of a table and of its nested tables. Throws, blaming the source, for a key or value that no
 * setting has.
 */
export function leavesIn(value: unknown, path: readonly string[], source: Source): readonly Leaf[] {
  const inside = settingsList.filter((setting) =>
    path.every((part, at) => [part, '*'].includes(setting.path.split('.')[at] ?? '')),
  );
  const setting = inside.find((one) => one.path.split('.').length === path.length);
  if (setting !== undefined) {
    const [, name = ''] = setting.path.includes('*') ? path : [];
    return leavesOf({ setting, name, value, source });
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    throw source.stop(path, `must be a table, not ${describeValue(value)}`);
  }
  const known = new Set(inside.map((one) => one.path.split('.')[path.length] ?? ''));
  const table = new Map<string, unknown>(Object.entries(value));
  for (const { path: of, alias = '' } of inside) {
    const key = keyIn({ path: of });
    if (of.split('.').length !== path.length + 1 || !table.has(alias)) continue;
    const other = table.get(alias);
    if (table.has(key) && !isDeepStrictEqual(table.get(key), other)) {
      const both = `${alias} is another name of ${key}; keep one of them`;
      throw source.stop(
        [...path, key],
        `is ${describeValue(table.get(key))}, and ${alias} is ${describeValue(other)}: ${both}`,
      );
    }
    table.delete(alias);
    table.set(key, other);
  }
  return [...table].flatMap(([key, inner]) => {
    const at = [...path, key];
    if (!known.has(key) && !known.has('*')) throw source.stop(at, unknownKey(at, [...known]));
    return leavesIn(inner, at, source);
  });
}

function unknownKey(path: readonly string[], known: readonly string[]): string {
  const [table, key = ''] = [path.slice(0, -1), path.at(-1)];
  const place = table.length === 0 ? 'The file' : `[${keyOf(table)}]`;
  return `is not known.${suggestion(key, known)} ${place} takes: ${known.join(', ')}`;
}

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
  if (path[0] === 'agents' && !agentNamePattern.test(name)) {
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
