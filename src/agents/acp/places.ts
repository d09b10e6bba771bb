// Finds the places that a call of an ACP agent names, and where they really are.
import { readlinkSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isSystemError } from '../../store/system-error.ts';
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

/** The place to which a name leads, through links too, whether or not anything is there; else null. */
export function realPlace(cwd: string, name: string): string | null {
  const path = name.replace(/^file:\/\//, '');
  // A link may stand before "..", and some programs read "~" as the home.
  const isPlain = !path.includes('\0') && !path.startsWith('~') && !path.split('/').includes('..');
  return isPlain ? followed(resolve(cwd, path)) : null;
}

function followed(path: string, links = 40): string | null {
  const parent = dirname(path);
  if (parent === path) return path;
  const folder = followed(parent, links);
  if (folder === null) return null;
  const place = join(folder, basename(path));
  const target = linkAt(place);
  if (target === null) return place;
  return links === 0 ? null : followed(resolve(folder, target), links - 1);
}

function linkAt(place: string): string | null {
  try {
    return readlinkSync(place);
  } catch (error) {
    if (isSystemError(error)) return null;
    throw error;
  }
}

/** The way from a folder to a real place in it, empty for the folder itself; null for any other place. */
export function wayFrom(folder: string, place: string | null): string | null {
  const real = followed(folder);
  if (real === null || place === null) return null;
  const way = relative(real, place);
  return way === '..' || way.startsWith('../') || isAbsolute(way) ? null : way;
}
