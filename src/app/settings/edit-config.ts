// Writes settings into the user's settings file, and keeps its comments.
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { TomlError, parse } from 'smol-toml';
import { Stopped, wrongUsage } from '../../model/failure.ts';
import { isObject } from '../../model/json.ts';
import type { Setting } from '../../model/setting.ts';
import { settingsList } from '../../model/settings.ts';
import { writeAtomic } from '../../store/atomic.ts';
import { makeFolder } from '../../store/make-folder.ts';
import { guardWrite, nullIfAbsent } from '../../store/system-error.ts';
import { suggestion } from '../../model/closest-name.ts';
import { userConfigFile } from '../folders.ts';
import { homeFolder } from '../user-folders.ts';
import { leavesIn, leavesOf } from './checked-leaves.ts';
import { partsOf, readConfigFile, settingsBytes, tomlIn, tomlLines } from './config-file.ts';
import { keyOf, type Leaf, type Source } from './leaf.ts';
import { checkSettings } from './load-settings.ts';
import { valueOf } from './text-leaves.ts';

/**
 * Sets settings in the user’s file, which is created if necessary; keys and values are given as typed, and null
 * takes a setting out. Returns the file and what was written to it. Throws `usage` for an unknown setting, for a
 * value that it does not take, or for one that conflicts with the rest of the file; nothing is written then.
 */
export async function setInUserFile(
  pairs: readonly (readonly [key: string, text: string | null])[],
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly file: string; readonly set: readonly Pick<Leaf, 'key' | 'value'>[] }> {
  const file = userConfigFile(environment);
  const base = { folder: dirname(file), home: homeFolder(environment) };
  const source: Source = { name: file, base, stop };
  let text = (await settingsBytes(file))?.toString() ?? '';
  const set: Pick<Leaf, 'key' | 'value'>[] = [];
  for (const [key, typed] of pairs) {
    const path = partsOf(key);
    if (typed === null) {
      text = withSetting(text, path, undefined) ?? cannotUnset(key, file);
      set.push({ key: keyOf(path), value: null });
      continue;
    }
    const { setting, name } = settingOf(key);
    const value = typedValue(setting, typed);
    const [leaf] = leavesOf({ setting, name, value, source });
    if (leaf === undefined) stop(path, 'needs a value');
    text = withSetting(text, path, value) ?? cannotEdit(file, path, value);
    set.push(leaf);
  }
  checkSettings(leavesIn(tomlIn(text, file), [], source));
  await writeUserFile(file, text);
  return { file, set };
}

function stop(path: readonly string[], demand: string): never {
  throw wrongUsage(`${keyOf(path)} ${demand}. Nothing was written.`);
}

/** Refuses to take a setting back; one that does not exist is named as such first. */
function cannotUnset(key: string, file: string): never {
  settingOf(key);
  stop(partsOf(key), `has no line of its own in ${file}`);
}

function cannotEdit(file: string, path: readonly string[], value: unknown): never {
  throw wrongUsage(
    `${keyOf(path)} is in ${file} in a form that this command cannot change; write this line there yourself: ${lineFor(path, value)}`,
  );
}

/** Finds the setting of a key in TOML’s spelling, with the name that replaces `*`. Throws `usage`. */
function settingOf(key: string): Pick<Leaf, 'setting' | 'name'> {
  const path = partsOf(key);
  for (const setting of settingsList) {
    const parts = setting.path.split('.');
    const fits = parts.every((part, at) => part === '*' || part === path[at]);
    if (!fits || parts.length !== path.length) continue;
    return { setting, name: path[parts.indexOf('*')] ?? '' };
  }
  const known = settingsList.map((one) => one.path.replace('*', path[1] ?? 'NAME'));
  const whole = known.find((one) => one.endsWith(`.${key}`));
  const other = suggestion(key, known, ' "conclave help settings" lists them.');
  const hint = whole === undefined ? other : ` Did you mean ${whole}?`;
  throw wrongUsage(`There is no setting ${JSON.stringify(key)}.${hint}`);
}

/** Reads a typed value: a list, a table or a quoted text as TOML, everything else as in a variable. */
function typedValue(setting: Setting, typed: string): unknown {
  if (!/^\s*["'[{]/.test(typed)) return valueOf(setting, typed);
  try {
    return structuredClone(parse(`value = ${typed}`)['value']);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw wrongUsage(`${setting.path}: ${typed} is not a value as TOML writes it.`);
  }
}

/** Settings of `[projects."/path"]`. */
export interface ProjectChoices {
  readonly setup?: readonly string[] | undefined;
  readonly copy?: readonly string[] | undefined;
  readonly commit_style?: string | undefined;
  readonly code_before_approval?: 'on' | 'off' | undefined;
}

/** Adds the choices for one repository to the user's file. Returns the reason if it could not; null if it did. */
export async function rememberChoices(
  root: string,
  choices: ProjectChoices,
  environment: NodeJS.ProcessEnv,
): Promise<string | null> {
  const file = userConfigFile(environment);
  const table = ['projects', root];
  const known = await readConfigFile(file, homeFolder(environment));
  let text = (await settingsBytes(file))?.toString() ?? '';
  const chosen = Object.entries(choices).filter(([, value]) => value !== undefined);
  for (const [name, value] of chosen) {
    const path = [...table, name];
    if (known?.leaves.some(({ key }) => key === keyOf(path)) === true)
      return `It is not remembered, as ${file} has [${keyOf(table)}] ${name} already.`;
    const next = withSetting(text, path, value);
    if (next === null)
      return `It is not remembered; add to [${keyOf(table)}] in ${file}: ${lineFor([name], value)}`;
    text = next;
  }
  try {
    if (chosen.length > 0) await writeUserFile(file, text);
    return null;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    const { failure } = error;
    const code = failure.reason === 'cannot-write' ? ` (${failure.code})` : '';
    return `It is not remembered, as ${file} cannot be written${code}.`;
  }
}

/** Replaces the file; a user’s file may be a link to where it is kept. */
async function writeUserFile(file: string, text: string): Promise<void> {
  await guardWrite(file, () => makeFolder(dirname(file), { mode: 0o700 }));
  await writeAtomic((await nullIfAbsent(realpath(file))) ?? file, text);
}

/**
 * A TOML text in which a key has this value: on the line that sets it, below the header of its table, or in a
 * new table at the end; without that line for undefined. Null if that would change anything else.
 */
export function withSetting(text: string, path: readonly string[], value: unknown): string | null {
  const lines = text.split('\n');
  const places = tomlLines(text);
  const [table, key] = [path.slice(0, -1), path.slice(-1)];
  const at = places.findIndex((place) => isPath([...place.table, ...place.key], path));
  const head = places.findIndex((place) => place.key.length === 0 && isPath(place.table, table));
  const line = lineFor(key, value);
  const end = [...(text.trim() === '' ? [] : ['']), `[${keyOf(table)}]`, line, ''];
  const edited =
    at !== -1
      ? lines.toSpliced(at, 1, ...(value === undefined ? [] : [withValue(lines[at] ?? '', value)]))
      : head !== -1
        ? lines.toSpliced(head + 1, 0, line)
        : [text.trimEnd(), ...end].slice(text.trim() === '' ? 1 : 0);
  const candidate = edited.join('\n');
  return isDeepStrictEqual(tableIn(candidate), withValueAt(tableIn(text), path, value))
    ? candidate
    : null;
}

function isPath(one: readonly string[], other: readonly string[]): boolean {
  return keyOf(one) === keyOf(other);
}

/** The line with another value; the text before the value and the comment stay. */
function withValue(line: string, value: unknown): string {
  const start = line.indexOf('=') + 1;
  const marks = [...line.matchAll(/\s*#/g)].map(({ index }) => index);
  const comment = marks.find((at) => at >= start && tableIn(line.slice(0, at)) !== null);
  return `${line.slice(0, start)} ${tomlText(value)}${comment === undefined ? '' : line.slice(comment)}`;
}

/** The content of a TOML text; null if it is not TOML. */
function tableIn(text: string): unknown {
  try {
    return structuredClone(parse(text));
  } catch (error) {
    if (error instanceof TomlError) return null;
    throw error;
  }
}

function withValueAt(
  table: unknown,
  [first = '', ...rest]: readonly string[],
  value: unknown,
): unknown {
  const { [first]: inner, ...others } = isObject(table) ? table : {};
  const next = rest.length === 0 ? value : withValueAt(inner, rest, value);
  return { ...others, ...(next !== undefined && { [first]: next }) };
}

function lineFor(path: readonly string[], value: unknown): string {
  return `${keyOf(path)} = ${tomlText(value)}`;
}

/** A value as TOML writes it. */
export function tomlText(value: unknown): string {
  if (!isObject(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([name, inner]) => `${keyOf([name])} = ${tomlText(inner)}`,
  );
  return `{ ${entries.join(', ')} }`;
}
