// Finds the places that a call of an ACP agent names, and where they really are.
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { isInside } from '../../git/disk.ts';
import { hasCode } from '../../store/system-error.ts';
import { type Fields, fieldsIn, isString, objectsIn, textOr } from '../cli/adapter-parts.ts';

/** Every place that a call names: its own list, its changes, the input of its tool. */
export function placesIn({ locations, content, rawInput }: Fields): readonly string[] {
  const listed = objectsIn(locations).map(({ path }) => textOr(path, ''));
  const changed = objectsIn(content).filter(({ type }) => type === 'diff');
  return [...listed, ...changed.map(({ path }) => textOr(path, '')), ...namedIn(rawInput)];
}

function namedIn(value: unknown, name = '', depth = 0): readonly string[] {
  // No tool asks for more; what cannot be looked at leads out of every folder.
  if (depth > 16) return ['..'];
  if (isString(value)) return value !== '' && placeField.test(name) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => namedIn(one, name, depth + 1));
  return Object.entries(fieldsIn(value)).flatMap(([field, one]) => namedIn(one, field, depth + 1));
}

const placeField =
  /(?:path|file|file_?name|dir|directory|folder|root|cwd|ur[il]|glob|pattern|source|target|destination)s?$/i;

/** The place to which a name leads after all links, even if nothing is there yet; null where it may be anywhere. */
export function realPlace(cwd: string, name: string): string | null {
  const path = name.replace(/^file:\/\//, '');
  // A link may stand before "..", and some programs read "~" as the home.
  const isPlain = !path.includes('\0') && !path.startsWith('~') && !path.split('/').includes('..');
  return isPlain ? realPath(resolve(cwd, path)) : null;
}

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
