import type { RelevantFile } from '../model/context.ts';
import { listed } from '../model/wording.ts';
import { kindOf } from './file-kinds.ts';
import { importsIn } from './imports.ts';
import { nameStyle, siblingsOf } from './siblings.ts';
import { folderOf, isFolderEntry } from './paths.ts';
import { testMap, type TestMap } from './tests-of.ts';

const mostSentences = 12;

/** What the found files have in common with their neighbours, in short sentences. */
export function detectedPatterns(
  files: readonly RelevantFile[],
  all: readonly string[],
): readonly string[] {
  const sources = files.map(({ path }) => path).filter((path) => kindOf(path) === 'source');
  const known = testMap(all);
  const sentences = [
    ...sources.flatMap((path) => neighbours(path, all)),
    ...sources.map((path) => tests(path, known)),
    ...naming(sources, all),
  ];
  return [...new Set(sentences)].slice(0, mostSentences);
}

/** How the found files hang together: who imports whom, and where much meets. */
export async function architectureInsights(
  files: readonly RelevantFile[],
  read: (path: string) => Promise<string | null>,
): Promise<readonly string[]> {
  const known = new Set(files.map(({ path }) => path));
  const importers = new Map<string, string[]>();
  const edges: string[] = [];
  for (const path of known) {
    const content = await read(path);
    if (content === null) continue;
    for (const { target, line } of importsIn({ path, content }, known)) {
      edges.push(`${path} imports ${target} (line ${line}).`);
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  const hubs = [...importers]
    .filter(([, by]) => by.length >= 2)
    .toSorted((a, b) => b[1].length - a[1].length)
    .map(([path, by]) => `${path} is imported by ${by.length} of the found files: ${listed(by)}.`);
  return [...hubs, ...edges].slice(0, mostSentences);
}

function neighbours(path: string, all: readonly string[]): readonly string[] {
  const { siblings, suffix } = siblingsOf(path, all);
  if (siblings.length === 0) return [];
  const isFolder = isFolderEntry(path);
  const kind = suffix === '' ? 'of the same language' : `whose names end in "${suffix}"`;
  const place = isFolder ? folderOf(folderOf(path)) : folderOf(path);
  const names = siblings.slice(0, 3).join(', ');
  const more = siblings.length > 3 ? ` and ${siblings.length - 3} more` : '';
  const holds = isFolder ? 'holds folders like that of' : `holds files ${kind} beside`;
  return [`${place || 'The root'} ${holds} ${path}: ${names}${more}.`];
}

function tests(path: string, known: TestMap): string {
  const found = known.of(path);
  return found.length === 0
    ? `No test file has the name of ${path}.`
    : `${path} is tested by ${listed(found.slice(0, 3))}.`;
}

function naming(sources: readonly string[], all: readonly string[]): readonly string[] {
  return [...new Set(sources.map(folderOf))].flatMap((folder) => {
    const inside = all.filter((path) => folderOf(path) === folder && kindOf(path) === 'source');
    const style = nameStyle(inside);
    return style === null ? [] : [`File names in ${folder || 'the root'} are mostly ${style}.`];
  });
}
