import type { BuildFact } from '../../../model/context.ts';
import { counted } from '../../../model/wording.ts';
import { kindOf } from '../../file-kinds.ts';
import { folderOf, joined } from '../../../git/paths.ts';
import { languageOf } from '../languages.ts';
import { ciFacts } from './ci.ts';
import { compiledFacts } from './compiled.ts';
import { javascriptFacts } from './javascript.ts';
import { foldersAbove, projectFolders, type Found } from './project-folder.ts';
import { pythonFacts } from './python.ts';
import { runnerFacts } from './runners.ts';
import { scriptedFacts } from './scripted.ts';

const finders = [javascriptFacts, pythonFacts, compiledFacts, scriptedFacts, runnerFacts];

/** A task that touches more parts of a project than this is about all of it. */
const mostFolders = 24;
const mostFacts = 40;
const mostLanguages = 4;

/**
 * How the project is built and tested, as its files say: for the root, and for each folder above
 * the files that a task is about, theirs first. `read` gives the text of a file, or null.
 */
export async function buildFacts(project: {
  readonly files: readonly string[];
  readonly near: readonly string[];
  readonly read: (path: string) => Promise<string | null>;
}): Promise<readonly BuildFact[]> {
  const { files, near, read } = project;
  const folderAt = projectFolders(files, read);
  const around = near.flatMap((path) => {
    const folder = folderOf(path);
    return folder === '' ? [] : [folder, ...foldersAbove(folder)];
  });
  const folders = [...new Set([...around.filter((at) => at !== '').slice(0, mostFolders), ''])];
  const commands = await Promise.all(
    folders.map(async (folder) => {
      const found = await Promise.all(finders.map((find) => find(folderAt(folder))));
      return found.flat().map((fact) => placed(fact, folder));
    }),
  );
  return [...languageFacts(files), ...commands.flat(), ...ciFacts(files)].slice(0, mostFacts);
}

function placed({ source, ...fact }: Found, folder: string): BuildFact {
  const path = source.startsWith('/') ? source.slice(1) : joined(folder, source);
  return { ...fact, folder, source: path };
}

/** What most of the source is written in, with the folder that holds most of it. */
function languageFacts(files: readonly string[]): readonly BuildFact[] {
  const sources = files.filter((path) => ['source', 'test'].includes(kindOf(path)));
  const byName = Map.groupBy(sources, (path) => languageOf(path)?.name ?? '');
  return [...byName]
    .filter(([name]) => name !== '')
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, mostLanguages)
    .map(([name, own]) => ({
      kind: 'language',
      value: `${name} (${counted(own.length, 'file')})`,
      folder: '',
      language: languageOf(own[0] ?? '')?.family ?? null,
      source: commonest(own.map(firstFolder)),
    }));
}

function firstFolder(path: string): string {
  const end = path.indexOf('/');
  return end === -1 ? '.' : path.slice(0, end);
}

function commonest(names: readonly string[]): string {
  const [best] = [...Map.groupBy(names, (name) => name)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  );
  return best?.[0] ?? '.';
}
