// Collects what is known around the found files.
import type {
  CodebaseContext,
  RelevantFile,
  TokenEstimate,
  BuildFact,
} from '../../model/context.ts';
import { estimateTokens } from '../../model/text-size.ts';
import { listed } from '../../model/wording.ts';
import type { Repository } from '../../git/repository.ts';
import { kindOf } from '../file-kinds.ts';
import { testMap, type TestMap } from '../tests-of.ts';
import { findCompanions } from './companions.ts';
import { answerQueries } from './queries.ts';
import { joinPath } from '../../git/paths.ts';
import { toolFacts } from './build-tools.ts';
import { foldersAbove, projectFolders, type FolderFact } from './project-folder.ts';
import { scriptFacts } from './build-tools.ts';

/** The part of `codebase-context.json` around the found files. */
type Surroundings = Pick<
  CodebaseContext,
  | 'detected_patterns'
  | 'architecture_insights'
  | 'build_facts'
  | 'companions'
  | 'query_answers'
  | 'token_estimates'
>;

/** Collects what the repository at its base says about the surroundings of found files. */
export async function surroundings(
  found: readonly RelevantFile[],
  keywords: readonly string[],
  repository: Pick<Repository, 'files' | 'read'>,
): Promise<Surroundings> {
  const files = await repository.files();
  const near = found.map(({ path }) => path);
  const tests = testMap(files);
  const read = (path: string) => repository.read(path);
  const [build, texts] = await Promise.all([
    buildFacts({ files, near, read }),
    Promise.all(near.map(async (path) => [path, (await read(path)) ?? ''] as const)),
  ]);
  const known = new Map(texts);
  const textOf = (path: string): string => known.get(path) ?? '';
  return {
    detected_patterns: testSentences(near, tests),
    build_facts: [...build],
    companions: [...findCompanions(near, { files, tests })],
    ...answerQueries({ found, keywords, textOf }),
    token_estimates: found.map((file) => tokenEstimate(file, textOf(file.path))),
  };
}

const mostTests = 3;

/** Says which tests go with which of the sources. */
function testSentences(near: readonly string[], tests: TestMap): string[] {
  const tested = near.filter((path) => kindOf(path) === 'source' && tests.of(path).length > 0);
  return tested.map(
    (path) => `${path} is tested by ${listed(tests.of(path).slice(0, mostTests))}.`,
  );
}

/** Estimates the tokens that a found file costs a model, with line numbers; empty if it is unreadable. */
function tokenEstimate({ path, start, end }: RelevantFile, text: string): TokenEstimate {
  const lines = text.split('\n');
  const range = numberedBytes(lines.slice(start - 1, end), start);
  return { path, range: estimateTokens(range), file: estimateTokens(numberedBytes(lines, 1)) };
}

function numberedBytes(lines: readonly string[], first: number): number {
  return lines.reduce(
    (sum, line, index) => sum + Buffer.byteLength(`${first + index}: ${line}\n`, 'utf8'),
    0,
  );
}

/** The most folders that are read: a task that touches more parts is about the whole project. */
const mostFolders = 24;
const mostFacts = 40;

/**
 * Reads from its files how the project is built and tested: for the root, and for each folder above
 * the files that a task is about, whose folders come first. `read` gives the text of a file, or
 * null.
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
      return found.flat().map((fact) => toBuildFact(fact, at));
    }),
  );
  return commands.flat().slice(0, mostFacts);
}

function toBuildFact({ source, ...fact }: FolderFact, folder: string): BuildFact {
  const path = source.startsWith('/') ? source.slice(1) : joinPath(folder, source);
  return { ...fact, folder, source: path };
}
