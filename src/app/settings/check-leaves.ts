// Checks what a file, a variable or a flag says of a setting, by its shape.
import { isAbsolute, join, resolve } from 'node:path';
import { shapeOf } from '../../model/setting-shape.ts';
import { kinds } from '../../model/describe-value.ts';
import { agentNamePattern } from '../../model/id-patterns.ts';
import type { Setting } from '../../model/setting.ts';
import { misfitsIn } from '../../store/schema-findings.ts';
import { type Leaf, leafOf, type PathBase, pathOf, type Source } from './leaf.ts';

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
