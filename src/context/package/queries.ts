// Answers three queries of every task: the architecture, existing code, where to join in.
import type { CodebaseContext, RelevantFile } from '../../model/context.ts';
import { cleanText } from '../../model/clean-text.ts';
import { redactFile } from '../../model/secrets.ts';
import { listed, oneLine } from '../../model/wording.ts';
import { folderOf, nameOfPath, stemOf } from '../../git/paths.ts';
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
  /** The text of a found file. */
  readonly textOf: (path: string) => string;
}

/** Answers the queries from the found files, as sentences, at most six for each. */
export function answerQueries({
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
