// Collects what is known around the found files: tests, how they use each other, how the project is built.
import type { BuildFact, CodebaseContext, RelevantFile } from '../../model/context.ts';
import { clip, listed, oneLine } from '../../model/wording.ts';
import type { Repository } from '../../git/repository.ts';
import { kindOf } from '../file-kinds.ts';
import { type TestMap, testMap } from '../tests-of.ts';
import { folderOf, foldersAbove, joinPath, nameOfPath } from '../../git/paths.ts';
import { scriptFacts, toolFacts, unittestFact } from './build-tools.ts';
import { type FolderFact, projectFolders } from './project-folder.ts';
import { cleanText } from '../../model/clean-text.ts';
import { redactFile } from '../../model/secrets.ts';
import { hitReader } from '../search/find-hits.ts';
import { taskTerms, termFinder } from '../search/task-terms.ts';
import { partsOf } from '../search/terms.ts';
import { type Definition, definitionsIn } from '../symbols.ts';

/** The part of `codebase-context.json` around the found files. */
type Surroundings = Pick<
  CodebaseContext,
  'detected_patterns' | 'architecture_insights' | 'build_facts' | 'query_answers'
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
    ...answerQueries({ found, keywords, textOf }),
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
  const facts = commands.flat();
  const isTested = facts.some(
    ({ kind, folder, language }) =>
      kind === 'test' && folder === '' && (language === null || language === 'python'),
  );
  const unittest = isTested ? null : await unittestFact(folderAt(''));
  const all = unittest === null ? facts : [...facts, toBuildFact(unittest, '')];
  return all.slice(0, mostFacts);
}

function toBuildFact({ source, ...fact }: FolderFact, folder: string): BuildFact {
  const path = source.startsWith('/') ? source.slice(1) : joinPath(folder, source);
  return { ...fact, folder, source: path };
}

const mostAnswers = 6;
const longestLine = 120;

interface Asked {
  /** The found files, best first. */
  readonly found: readonly RelevantFile[];
  readonly keywords: readonly string[];
  /** The text of a found file. */
  readonly textOf: (path: string) => string;
}

/** Answers the queries from the found files, as sentences, at most six for each. */
function answerQueries({
  found,
  keywords,
  textOf,
}: Asked): Pick<CodebaseContext, 'architecture_insights' | 'query_answers'> {
  const sources = found
    .filter(({ path }) => kindOf(path) === 'source')
    .map(({ path }) => {
      const text = textOf(path);
      return { path, text, definitions: definitionsIn(path, text) };
    });
  const uses = usesAmong(sources);
  const joints = uses.map(
    ({ path, line, text, name, of }) => `${path}:${line} uses ${name} of ${of}: ${text}`,
  );
  return {
    architecture_insights: [...foldersOf(found)],
    query_answers: {
      implementations: implementations(sources, keywords).slice(0, mostAnswers),
      integration_points: joints.slice(0, mostAnswers),
    },
  };
}

interface Source {
  readonly path: string;
  readonly text: string;
  readonly definitions: readonly Definition[];
}

/** A line of a found file that uses a name defined only in another one. */
interface Use {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly name: string;
  readonly of: string;
}

/** The shortest name that counts as a use, in characters; a shorter or single-word name matches by chance. */
const leastName = 5;

/** The first use of each name in each file, uses of the best files’ names first. */
function usesAmong(sources: readonly Source[]): readonly Use[] {
  const definers = Map.groupBy(
    sources.flatMap(({ path, definitions }) =>
      [...new Set(definitions.map(({ name }) => name))].map((name) => ({ name, path })),
    ),
    ({ name }) => name,
  );
  const names = [...definers].filter(
    ([name, own]) => own.length === 1 && name.length >= leastName && partsOf(name).length > 1,
  );
  const definerOf = new Map(names.map(([name, own]) => [name, own[0]?.path ?? '']));
  const namesIn = hitReader('');
  const uses = sources.flatMap(({ path, text }) => {
    const lines = text.split('\n');
    const code = withoutProse(text).split('\n');
    const first = new Map<string, Use>();
    for (const { line, name } of namesIn(text)) {
      const of = definerOf.get(name);
      if (of === undefined || of === path || first.has(name)) continue;
      if (!usesName(code[line - 1] ?? '', name)) continue;
      first.set(name, { path, line, text: shortenLine(path, lines[line - 1] ?? ''), name, of });
    }
    return [...first.values()];
  });
  const rank = new Map(sources.map(({ path }, at) => [path, at]));
  return uses.toSorted((a, b) => (rank.get(a.of) ?? 0) - (rank.get(b.of) ?? 0));
}

/** Blanks the lines of block comments and of Python’s triple-quoted strings. */
function withoutProse(text: string): string {
  const blocks = /\/\*[^]*?\*\/|("""|''')[^]*?\1/g;
  return text.replaceAll(blocks, (block) => block.replaceAll(/[^\n]+/g, ''));
}

/** False if the name is in a comment or a string, or only names a key, a field or an argument. */
function usesName(line: string, name: string): boolean {
  const code = line
    .replaceAll(/(["'`])(?:\\.|(?!\1).)*\1/g, (quoted) => quoted.charAt(0))
    .replace(/^\s*(?:\/\/|\*|#(?!include)|--).*|\s(?:\/\/|#\s).*/, '');
  const isCode = '(?![\\w$])(?!\\??:(?!:)|=(?!=))';
  return new RegExp(`(?<![\\w$])${name.replaceAll(/\W/g, String.raw`\$&`)}${isCode}`).test(code);
}

function shortenLine(path: string, line: string): string {
  return clip(oneLine(cleanText(redactFile(path, line))), longestLine);
}

const mostPackageFolders = 3;
const mostNames = 4;

function foldersOf(found: readonly RelevantFile[]): readonly string[] {
  return [...Map.groupBy(found, ({ path }) => folderOf(path))]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, mostPackageFolders)
    .map(([folder, own]) => {
      const names = own.slice(0, mostNames).map(({ path }) => nameOfPath(path));
      const rest = own.length - names.length;
      const all = [...names, ...(rest > 0 ? [`${rest} more`] : [])];
      return `${folder === '' ? 'The root' : folder} has ${listed(all)}.`;
    });
}

/** The definitions whose names contain most of the keywords, with the first keywords counting most. */
function implementations(sources: readonly Source[], keywords: readonly string[]): string[] {
  const terms = taskTerms(keywords.join('\n'));
  const finder = termFinder(terms);
  const valueOf = ({ name }: Definition): number =>
    [...new Set(finder?.termsIn(name))].reduce((sum, at) => sum + (terms[at]?.weight ?? 0), 0);
  return sources
    .flatMap(({ path, definitions }) =>
      definitions.map((one) => ({ path, one, value: valueOf(one) })),
    )
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value)
    .map(({ path, one }) => `${path}:${one.line} ${shortenLine(path, one.text)}`);
}
