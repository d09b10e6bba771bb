import { kindOf } from './file-kinds.ts';
import { partsOf } from './identifiers.ts';
import { endingOf, folderOf, isFolderEntry, nameOfPath, stemOf } from '../git/paths.ts';

interface Siblings {
  /** Source files of the same kind in the same folder, without the file itself. */
  readonly siblings: readonly string[];
  /** The last part that their names share, e.g. `-provider.ts`; empty where it is the language. */
  readonly suffix: string;
}

/** Neighbours of the same kind: those that share the name’s last part, else the language. */
export function siblingsOf(path: string, all: readonly string[]): Siblings {
  if (isFolderEntry(path)) return { siblings: folderSiblings(path, all), suffix: '' };
  const ending = endingOf(path);
  const neighbours = all.filter(
    (other) =>
      other !== path &&
      folderOf(other) === folderOf(path) &&
      endingOf(other) === ending &&
      kindOf(other) === kindOf(path) &&
      !isFolderEntry(other),
  );
  const suffix = lastPart(path);
  const alike = suffix === '' ? [] : neighbours.filter((other) => lastPart(other) === suffix);
  return alike.length > 0 ? { siblings: alike, suffix } : { siblings: neighbours, suffix: '' };
}

/** The same entry file of the folders beside its folder. */
function folderSiblings(path: string, all: readonly string[]): readonly string[] {
  const name = nameOfPath(path);
  const above = folderOf(folderOf(path));
  return all.filter(
    (other) => other !== path && nameOfPath(other) === name && folderOf(folderOf(other)) === above,
  );
}

export type NameStyle = 'kebab-case' | 'snake_case' | 'camelCase' | 'PascalCase';

/** How most files of several words are named, or null where nothing shows it. */
export function nameStyle(paths: readonly string[]): NameStyle | null {
  const styles = paths.map((path) => styleOf(stemOf(path))).filter((style) => style !== null);
  const counts = new Map<NameStyle, number>();
  for (const style of styles) counts.set(style, (counts.get(style) ?? 0) + 1);
  const [best] = [...counts].toSorted((a, b) => b[1] - a[1]);
  return best !== undefined && best[1] >= 2 && best[1] > styles.length / 2 ? best[0] : null;
}

function styleOf(stem: string): NameStyle | null {
  if (/^[a-z\d]+(?:-[a-z\d]+)+$/.test(stem)) return 'kebab-case';
  if (/^[a-z\d]+(?:_[a-z\d]+)+$/.test(stem)) return 'snake_case';
  if (/^[a-z][a-z\d]*(?:[A-Z][a-z\d]*)+$/.test(stem)) return 'camelCase';
  return /^[A-Z][a-z\d]+(?:[A-Z][a-z\d]*)*$/.test(stem) ? 'PascalCase' : null;
}

/** `-provider.ts` of `date-provider.ts`; empty for a name of one part. */
function lastPart(path: string): string {
  const stem = stemOf(path);
  const parts = partsOf(stem);
  const last = parts.at(-1);
  if (parts.length < 2 || last === undefined) return '';
  const separator = /[-_.]/.exec(stem.slice(-last.length - 1))?.[0] ?? '';
  return `${separator}${stem.slice(-last.length)}.${endingOf(path)}`;
}
