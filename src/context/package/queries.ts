// Answers the queries of every task: the architecture, existing code, patterns, where to join in.
import type { ContextAnswers, RelevantFile } from '../../model/context.ts';
import { cleanText } from '../../model/clean-text.ts';
import { redactFile } from '../../model/secrets.ts';
import { counted, listed, oneLine } from '../../model/wording.ts';
import { endingOf, folderOf, joinPath, nameOfPath, stemOf } from '../../git/paths.ts';
import type { PastCommit } from '../../git/past-commits.ts';
import { kindOf } from '../file-kinds.ts';
import { hitReader } from '../search/find-hits.ts';
import { partsOf, stemOfWord } from '../search/terms.ts';
import { definitionsIn, type Definition } from '../symbols.ts';

const mostAnswers = 6;
const longestLine = 120;

interface Asked {
  /** The found files, best first. */
  readonly found: readonly RelevantFile[];
  readonly keywords: readonly string[];
  /** All files of the repository. */
  readonly files: readonly string[];
  readonly commits: readonly PastCommit[];
  /** The text of a found file. */
  readonly textOf: (path: string) => string;
}

/** Answers the four queries of phase 1 from the found files, as sentences, at most six for each. */
export function answerQueries(asked: Asked): ContextAnswers {
  const sources = asked.found
    .filter(({ path }) => kindOf(path) === 'source')
    .map(({ path }) => {
      const text = asked.textOf(path);
      return { path, text, definitions: definitionsIn(path, text) };
    });
  const uses = usesAmong(sources);
  const answers = {
    architecture: [...foldersOf(asked.found), ...usersOf(uses)],
    implementations: implementations(sources, asked.keywords),
    patterns: [...kinsOf(sources, asked.files), ...precedents(asked)],
    integration_points: uses.map(
      ({ path, line, text, name, of }) => `${path}:${line} uses ${name} of ${of}: ${text}`,
    ),
  };
  return {
    architecture: answers.architecture.slice(0, mostAnswers),
    implementations: answers.implementations.slice(0, mostAnswers),
    patterns: answers.patterns.slice(0, mostAnswers),
    integration_points: answers.integration_points.slice(0, mostAnswers),
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
  const text = oneLine(cleanText(redactFile(path, line)));
  return text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text;
}

const mostFolders = 3;
const mostNames = 4;

function foldersOf(found: readonly RelevantFile[]): readonly string[] {
  return [...Map.groupBy(found, ({ path }) => folderOf(path))]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .slice(0, mostFolders)
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

const fewestKin = 3;

/** Files built like a found one: with the same name in neighbouring folders, or the same ending. */
function kinsOf(sources: readonly Source[], files: readonly string[]): readonly string[] {
  const wanted = new Set(sources.flatMap(({ path }) => formsOf(path).map(({ form }) => form)));
  const alike = files.flatMap(formsOf).filter(({ form }) => wanted.has(form));
  const kin = Map.groupBy(
    alike.filter(({ path }) => kindOf(path) === 'source'),
    ({ form }) => form,
  );
  const told = new Set<string>();
  return sources.flatMap(({ path }) => {
    const [best] = formsOf(path)
      .map(({ form }) => ({ form, own: kin.get(form) ?? [] }))
      .filter(({ own, form }) => own.length >= fewestKin && !told.has(form));
    if (best === undefined) return [];
    told.add(best.form);
    const others = best.own.map((one) => one.path).filter((one) => one !== path);
    return [
      `${path} is one of ${counted(best.own.length, 'file')} ${best.form}, as is ${others[0] ?? ''}.`,
    ];
  });
}

/** The patterns of a path: `src/cli/*.command.ts`, and the same name in several folders. */
function formsOf(path: string): readonly { readonly form: string; readonly path: string }[] {
  const folder = folderOf(path);
  const name = nameOfPath(path);
  const [, mark] = /^[^._-]+([._-][\p{L}\p{N}]+)$/u.exec(stemOf(path)) ?? [];
  const marked = mark === undefined ? [] : [joinPath(folder, `*${mark}.${endingOf(path)}`)];
  const inFolder = folder.includes('/') ? [joinPath(joinPath(folderOf(folder), '*'), name)] : [];
  return [...marked, ...inFolder].map((form) => ({ form, path }));
}

/** The largest commit that may serve as a pattern to follow. */
const largestCommit = 12;
const mostPrecedents = 3;

/** The latest commits that changed several of the found files. */
function precedents({ found, commits }: Asked): readonly string[] {
  const own = new Set(found.map(({ path }) => path));
  return commits
    .filter(({ isRoot, files }) => !isRoot && files.length <= largestCommit)
    .map((commit) => ({ commit, count: commit.files.filter(({ path }) => own.has(path)).length }))
    .filter(({ count }) => count > 1)
    .toSorted((a, b) => b.count - a.count)
    .slice(0, mostPrecedents)
    .map(({ commit: { id, subject, files } }) => {
      const names = files.slice(0, mostNames).map(({ path }) => path);
      const rest = files.length - names.length;
      const all = [...names, ...(rest > 0 ? [`${rest} more`] : [])];
      return `Commit ${id.slice(0, 8)} “${oneLine(cleanText(subject))}” changed ${listed(all)}.`;
    });
}
