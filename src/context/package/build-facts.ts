import type { BuildFact } from '../../model/context.ts';
import { counted } from '../../model/wording.ts';
import { kindOf } from '../file-kinds.ts';
import { folderOf, joined } from '../../git/paths.ts';
import { toolFacts } from './build-tools.ts';
import { foldersAbove, projectFolders, type FolderFact } from './project-folder.ts';
import { scriptFacts } from './build-scripts.ts';
import { programmingLanguage } from './languages.ts';

/** A task that touches more parts of a project than this is about all of it. */
const mostFolders = 24;
const mostFacts = 40;

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
  const around = new Set(near.flatMap((path) => foldersAbove(path)).filter((at) => at !== ''));
  const commands = await Promise.all(
    [...[...around].slice(0, mostFolders), ''].map(async (at) => {
      const folder = folderAt(at);
      const found = await Promise.all([scriptFacts(folder), toolFacts(folder)]);
      return found.flat().map((fact) => placed(fact, at));
    }),
  );
  return [...languageFacts(files), ...commands.flat(), ...ciFacts(files)].slice(0, mostFacts);
}

function placed({ source, ...fact }: FolderFact, folder: string): BuildFact {
  const path = source.startsWith('/') ? source.slice(1) : joined(folder, source);
  return { ...fact, folder, source: path };
}

const mostLanguages = 4;

/** What most of the source is written in, with the folder that holds most of it. */
function languageFacts(files: readonly string[]): readonly BuildFact[] {
  const sources = files.filter((path) => ['source', 'test'].includes(kindOf(path)));
  const byName = Map.groupBy(sources, (path) => programmingLanguage(path)?.name ?? '');
  byName.delete('');
  return largestFirst(byName)
    .slice(0, mostLanguages)
    .map(([name, own]) => ({
      kind: 'language',
      value: `${name} (${counted(own.length, 'file')})`,
      folder: '',
      language: programmingLanguage(own[0] ?? '')?.family ?? null,
      source: largestFirst(Map.groupBy(own, topFolder))[0]?.[0] ?? '.',
    }));
}

function largestFirst(groups: ReadonlyMap<string, readonly string[]>) {
  return [...groups].toSorted(([, a], [, b]) => b.length - a.length);
}

function topFolder(path: string): string {
  return folderOf(path).split('/')[0] || '.';
}

const services: readonly (readonly [name: string, files: RegExp])[] = [
  ['GitHub Actions', /^\.github\/workflows\/[^/]+\.ya?ml$/],
  ['GitLab CI', /^\.gitlab-ci\.ya?ml$/],
  ['CircleCI', /^\.circleci\/config\.ya?ml$/],
  ['Azure Pipelines', /^\.?azure-pipelines\.ya?ml$/],
  ['Jenkins', /^Jenkinsfile$/],
  ['Travis CI', /^\.travis\.ya?ml$/],
  ['Bitbucket Pipelines', /^bitbucket-pipelines\.ya?ml$/],
  ['Buildkite', /^\.buildkite\/pipeline\.ya?ml$/],
  ['Forgejo Actions', /^\.(?:forgejo|gitea)\/workflows\/[^/]+\.ya?ml$/],
];

/** More files of one service than this say nothing new. */
const mostFiles = 4;

/** Which files say what runs for every change. */
function ciFacts(files: readonly string[]): readonly BuildFact[] {
  return services.flatMap(([value, pattern]) =>
    files
      .filter((path) => pattern.test(path))
      .slice(0, mostFiles)
      .map((source) => ({ kind: 'ci' as const, value, folder: '', language: null, source })),
  );
}
