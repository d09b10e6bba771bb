// Collects what is known around the found files: tests, errors, types, documentation.
import type {
  BuildFact,
  CodebaseContext,
  Companion,
  RelevantFile,
  TokenEstimate,
} from '../../model/context.ts';
import { estimateTokens } from '../../model/text-size.ts';
import { clip, listed, oneLine } from '../../model/wording.ts';
import type { Repository } from '../../git/repository.ts';
import { kindOf, languageFamily } from '../file-kinds.ts';
import { type TestMap, testMap } from '../tests-of.ts';
import { endingOf, folderOf, foldersAbove, joinPath, nameOfPath, stemOf } from '../../git/paths.ts';
import { scriptFacts, toolFacts } from './build-tools.ts';
import { type FolderFact, projectFolders } from './project-folder.ts';
import { cleanText } from '../../model/clean-text.ts';
import { redactFile } from '../../model/secrets.ts';
import { hitReader } from '../search/find-hits.ts';
import { partsOf, stemOfWord } from '../search/terms.ts';
import { type Definition, definitionsIn } from '../symbols.ts';

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

const mostFiles = 5;
const mostOfKind = 2;

/** Finds, by names and folders, what goes with the first sources of `near` and is not in it already. */
export function findCompanions(
  near: readonly string[],
  { files, tests }: { readonly files: readonly string[]; readonly tests: TestMap },
): readonly Companion[] {
  const own = new Set(near);
  const sources = near.filter((path) => kindOf(path) === 'source').slice(0, mostFiles);
  const pool = candidates(files);
  const found = sources.flatMap((of) => {
    const errors = nearest(
      of,
      pool.errors.filter((path) => sharesLanguage(path, of)),
    );
    const types = [of, ...errors].flatMap((path) => nearest(path, typesOf(path, pool)));
    const docs = nearest(of, pool.docs.get(subjectOf(of)) ?? []);
    const kinds = { test: tests.of(of), errors, types, documentation: docs } as const;
    return companionKinds.flatMap((kind) =>
      kinds[kind].slice(0, mostOfKind).map((path) => ({ path, kind, of })),
    );
  });
  const once = new Map(found.toReversed().map((one) => [`${one.kind} ${one.path}`, one]));
  return [...once.values()].toReversed().filter(({ path }) => !own.has(path));
}

const companionKinds = ['test', 'errors', 'types', 'documentation'] as const;

const errorName = /(?:^|[._-])(?:errors?|exceptions?|errno|error[-_]?codes?)$/i;
const typeName = /(?:^|[._-])(?:types?|typings|interfaces)$/i;
const typeEndings: ReadonlySet<string> = new Set(['pyi', 'h', 'hh', 'hpp']);

interface Pool {
  readonly errors: readonly string[];
  /** Declarations by their subject. */
  readonly declarations: ReadonlyMap<string, readonly string[]>;
  readonly types: readonly string[];
  /** Documents by their subject. */
  readonly docs: ReadonlyMap<string, readonly string[]>;
}

function candidates(files: readonly string[]): Pool {
  const { source: sources = [], doc: docs = [] } = Object.groupBy(files, kindOf);
  const others = sources.filter((path) => !isDeclaration(path));
  return {
    errors: others.filter((path) => errorName.test(stemOf(path))),
    declarations: Map.groupBy(sources.filter(isDeclaration), subjectOf),
    types: others.filter((path) => typeName.test(stemOf(path))),
    docs: Map.groupBy(docs, subjectOf),
  };
}

function isDeclaration(path: string): boolean {
  return typeEndings.has(endingOf(path)) || /\.d\.[cm]?ts$/.test(path);
}

/** The name of a file, or of the folder that it represents, in the singular and without punctuation. */
function subjectOf(path: string): string {
  const stem = stemOf(path.replace(/\.d\.([cm]?ts)$/, '.$1'));
  const isEntry = /^(?:index|mod|__init__|readme)$/i.test(stem);
  const name = isEntry && folderOf(path) !== '' ? nameOfPath(folderOf(path)) : stem;
  return name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/s$/, '');
}

function typesOf(path: string, { declarations, types }: Pool): readonly string[] {
  const own = declarations.get(subjectOf(path)) ?? [];
  return own.length > 0
    ? own
    : types.filter((one) => sharesLanguage(one, path) && folderOf(one) === folderOf(path));
}

function sharesLanguage(one: string, other: string): boolean {
  return languageFamily(one) === languageFamily(other);
}

/** The path that shares the most leading folders with a file; empty without other paths. */
function nearest(of: string, paths: readonly string[]): readonly string[] {
  const folders = folderOf(of).split('/');
  const shared = (path: string): number => {
    const own = folderOf(path).split('/');
    const end = own.findIndex((name, at) => name !== folders[at]);
    return end === -1 ? own.length : end;
  };
  return paths
    .filter((path) => path !== of)
    .toSorted((a, b) => shared(b) - shared(a) || a.length - b.length || (a < b ? -1 : 1))
    .slice(0, 1);
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
    architecture_insights: [...foldersOf(found), ...usersOf(uses)].slice(0, mostAnswers),
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
  const namesIn = hitReader({ pattern: '', phrases: [] });
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

function usersOf(uses: readonly Use[]): readonly string[] {
  return [...Map.groupBy(uses, ({ path, of }) => `${path} uses ${of}`)].map(
    ([pair, own]) => `${pair} (${listed(own.slice(0, mostNames).map(({ name }) => name))}).`,
  );
}

/** The definitions whose names contain most of the keywords, with the first keyword counting most. */
function implementations(sources: readonly Source[], keywords: readonly string[]): string[] {
  const weights = new Map<string, number>();
  for (const [at, word] of keywords.entries()) {
    for (const part of partsOf(stemOf(word))) {
      const form = formOf(part, word);
      weights.set(form, Math.max(weights.get(form) ?? 0, 1 / (1 + at)));
    }
  }
  const valueOf = ({ name }: Definition): number => {
    const forms = new Set(partsOf(name).flatMap((part) => [part, formOf(part, part)]));
    return [...forms].reduce((sum, form) => sum + (weights.get(form) ?? 0), 0);
  };
  return sources
    .flatMap(({ path, definitions }) =>
      definitions.map((one) => ({ path, one, value: valueOf(one) })),
    )
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value)
    .map(({ path, one }) => `${path}:${one.line} ${shortenLine(path, one.text)}`);
}

/** The exact part for a word with capitals; for other words, its stem, so that each form counts. */
function formOf(part: string, word: string): string {
  return /\p{Lu}/u.test(word) ? part : `${stemOfWord(part)}*`;
}
