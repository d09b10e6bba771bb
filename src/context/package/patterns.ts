import type { RelevantFile } from '../../model/context.ts';
import { listed } from '../../model/wording.ts';
import { kindOf } from '../file-kinds.ts';
import { folderOf, isFolderEntry } from '../../git/paths.ts';
import { nameStyle, siblingsOf } from '../siblings.ts';
import { testMap, type TestMap } from '../tests-of.ts';

const mostSentences = 16;

/** What the found files have in common with their neighbours, in short sentences. */
export function detectedPatterns(
  files: readonly RelevantFile[],
  all: readonly string[],
): readonly string[] {
  const sources = files.map(({ path }) => path).filter((path) => kindOf(path) === 'source');
  const known = testMap(all);
  const folders = Map.groupBy(all, folderOf);
  const inside = (folder: string): readonly string[] => folders.get(folder) ?? [];
  const near = (path: string) => (isFolderEntry(path) ? all : inside(folderOf(path)));
  const sentences = [
    ...neighbours(sources, near),
    ...sources.flatMap((path) => tests(path, known)),
    ...untested(sources, known),
    ...naming(sources, inside),
  ];
  return [...new Set(sentences)].slice(0, mostSentences);
}

/** Neighbours that share only the language are the same for every file of a folder: told once. */
function neighbours(
  sources: readonly string[],
  near: (path: string) => readonly string[],
): readonly string[] {
  const told = new Set<string>();
  return sources.flatMap((path) => {
    const { siblings, suffix } = siblingsOf(path, near(path));
    if (siblings.length === 0) return [];
    const isFolder = isFolderEntry(path);
    const place = isFolder ? folderOf(folderOf(path)) : folderOf(path);
    const group = `${isFolder ? 'folders' : 'files'} ${place} ${suffix}`;
    if (told.has(group)) return [];
    told.add(group);
    const kind = suffix === '' ? 'of the same language' : `whose names end in "${suffix}"`;
    const names = siblings.slice(0, 3).join(', ');
    const more = siblings.length > 3 ? ` and ${siblings.length - 3} more` : '';
    const holds = isFolder ? 'holds folders like that of' : `holds files ${kind} beside`;
    return [`${place || 'The root'} ${holds} ${path}: ${names}${more}.`];
  });
}

function tests(path: string, known: TestMap): readonly string[] {
  const found = known.of(path);
  return found.length === 0 ? [] : [`${path} is tested by ${listed(found.slice(0, 3))}.`];
}

function untested(sources: readonly string[], known: TestMap): readonly string[] {
  const bare = sources.filter((path) => known.of(path).length === 0);
  return bare.length === 0 ? [] : [`No test file has the name of ${listed(bare)}.`];
}

function naming(
  sources: readonly string[],
  inside: (folder: string) => readonly string[],
): readonly string[] {
  return [...new Set(sources.map(folderOf))].flatMap((folder) => {
    const style = nameStyle(inside(folder).filter((path) => kindOf(path) === 'source'));
    return style === null ? [] : [`File names in ${folder || 'the root'} are mostly ${style}.`];
  });
}
