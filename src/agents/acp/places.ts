// Finds the places that a call of an ACP agent names, and where they really are.
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isInside } from '../../git/disk.ts';
import { jsonIn } from '../../model/json.ts';
import { hasCode } from '../../store/system-error.ts';
import { type Fields, fieldsIn, isString } from '../cli/adapter-parts.ts';

/** Every place that a call names: its own list, its changes, the input of its tool. */
export function placesIn({ locations, content, rawInput }: Fields): readonly string[] {
  return namedIn([locations, content, inputOf(rawInput)]);
}

/** The input of a tool; some programs send it as JSON text. */
export function inputOf(rawInput: unknown): unknown {
  return (isString(rawInput) ? jsonIn(rawInput) : undefined) ?? rawInput;
}

function namedIn(value: unknown, name = '', depth = 0): readonly string[] {
  // No tool asks for more; what cannot be looked at leads out of every folder.
  if (depth > 16) return ['..'];
  if (isString(value)) return namedBy(value, name);
  if (Array.isArray(value)) return value.flatMap((one) => namedIn(one, name, depth + 1));
  return Object.entries(fieldsIn(value)).flatMap(([field, one]) => [
    // Some list changes by their paths.
    ...(field.includes('/') ? [field] : []),
    ...namedIn(one, field, depth + 1),
  ]);
}

function namedBy(value: string, name: string): readonly string[] {
  const patched = [...value.matchAll(patchedFile)].map(([, path = '']) => path.trim());
  const isPlace = placeField.test(name) || (!textField.test(name) && leadsAway.test(value));
  return value !== '' && isPlace ? [value, ...patched] : patched;
}

const placeField =
  /(?:path|file|file_?name|dir|directory|folder|root|cwd|ur[il]|glob|pattern|source|target|destination)s?$/i;
/** A text of one line that begins as a path does which may lead anywhere, whatever its field is called. */
const leadsAway = /^(?:~|\.\.?\/|\/|file:)[^\n]*$/i;
/** A field with the text of a file, as it is or will be. */
export const textField =
  /^(?:old|new)_?(?:text|str|string|source|content)$|^(?:text|content|contents)$/i;
const patchedFile =
  /^\*\*\* (?:(?:Add|Delete|Update) File|Move to): (.+)$|^\+\+\+ (?:b\/)?(?!\/dev\/null)(.+)$/gm;

/** True for a place that is not on this machine. */
export function isAddress(name: string): boolean {
  return /^[a-z][a-z\d+.-]*:\/\//i.test(name) && !/^file:/i.test(name);
}

/** The place to which a name leads after all links, even if nothing is there yet; null where it may be anywhere. */
export function realPlace(cwd: string, name: string): string | null {
  const path = /^file:/i.test(name) ? (pathOfUrl.exec(name)?.[1] ?? null) : name;
  return path === null || outOfSight.test(path) ? null : realPath(resolve(cwd, path));
}

/** Without escapes, which programs read in different ways. */
const pathOfUrl = /^file:(?:\/\/(?:localhost)?)?(\/[^%?#]*)$/i;
/** A link may stand before "..", also among the choices of a pattern; some programs read "~" or a variable. */
const outOfSight = /\0|^[~$]|[{,][~/]|(?:^|[^\w.])\.\.(?:[^\w.]|$)/;

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!hasCode(error, ['ENOENT'])) return null;
  }
  // A link to nothing: whoever writes there makes a file somewhere else.
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return null;
  const folder = realPath(dirname(path));
  return folder === null ? null : join(folder, basename(path));
}

/** The way to a real place from the first of some folders that it is in, empty for that folder; else null. */
export function wayFrom(folders: readonly string[], place: string | null): string | null {
  if (place === null) return null;
  const real = folders.flatMap((one) => realPath(one) ?? []);
  const folder = real.find((one) => isInside(one, place));
  return folder === undefined ? null : relative(folder, place);
}
