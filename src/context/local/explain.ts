import type { RelevantFile } from '../../model/context.ts';
import { counted, listed } from '../../model/wording.ts';
import { cleanText } from '../../model/clean-text.ts';
import { nameOfPath } from '../../git/paths.ts';
import { symbolsIn } from '../window.ts';
import type { WeighedTerm } from './file-scores.ts';
import type { RankedFile, Ranking, Signal } from './rank-files.ts';
import { blockLines } from './segment-format.ts';
import { termsOf } from './terms.ts';

/** The place, the names and the reasons of one ranked file. */
export function explained(file: RankedFile, ranking: Ranking): RelevantFile {
  const definitions = definitionsOf(file, ranking);
  const range = rangeOf(file, ranking);
  return {
    path: file.path,
    ...range,
    symbols: [...symbolsIn(definitions, range)],
    score: Math.round(file.score * 1000) / 1000,
    reasons: reasonsFor(file, { ranking, names: definitions.map(({ name }) => name) }),
  };
}

/** Of a file of which only the path and the score are wanted. */
export function unexplained({ path, score }: RankedFile): RelevantFile {
  return { path, start: 1, end: 1, symbols: [], score, reasons: [] };
}

interface Named {
  readonly name: string;
  readonly line: number;
}

function definitionsOf({ document }: RankedFile, { documents }: Ranking): readonly Named[] {
  if (document === null) return [];
  const { segment, index } = documents.placeOf(document);
  return segment
    .payload(index)
    .split('\n')
    .filter((line) => line !== '')
    .map((text) => {
      const space = text.indexOf(' ');
      return { line: Number(text.slice(0, space)), name: text.slice(space + 1) };
    });
}

const windowLines = 3 * blockLines;

/** The best 60 lines, or the head of a file that only its name or the history speaks for. */
function rangeOf(
  { document }: RankedFile,
  { documents, content }: Ranking,
): { readonly start: number; readonly end: number } {
  if (document === null) return { start: 1, end: 1 };
  const { segment, index } = documents.placeOf(document);
  const lines = Math.max(1, segment.document(index).lines);
  const start = 1 + blockLines * (content.windowStart[document] ?? 0);
  return { start: Math.min(start, lines), end: Math.min(start + windowLines - 1, lines) };
}

const mostReasons = 4;
/** A signal that adds less than this part of the score is no reason. */
const leastPart = 0.04;

/** One clause for each signal that counted, the strongest first. */
function reasonsFor(
  file: RankedFile,
  about: { readonly ranking: Ranking; readonly names: readonly string[] },
): string[] {
  const { ranking, names } = about;
  const clauses: readonly (readonly [readonly Signal[], () => string | null])[] = [
    [['named'], () => 'the task names this file'],
    [['definitions', 'definedJoints'], () => definesClause(names, ranking.content.terms)],
    [['body', 'window', 'joints'], () => wordsClause(file, ranking)],
    [['path'], () => pathClause(file.path, ranking.content.terms)],
    [['history'], () => historyClause(file, ranking)],
    [['commits'], () => commitClause(file, ranking)],
    [['churn'], () => churnClause(file, ranking)],
  ];
  return clauses
    .map(([signals, clause]) => ({
      part: signals.reduce((total, signal) => total + file.signals[signal], 0),
      clause,
    }))
    .filter(({ part }) => part > leastPart * file.score)
    .toSorted((a, b) => b.part - a.part)
    .map(({ clause }) => clause())
    .filter((clause) => clause !== null)
    .slice(0, mostReasons);
}

function definesClause(names: readonly string[], terms: readonly WeighedTerm[]): string | null {
  const values = new Map(
    terms.map(({ term, value, isJoint }) => [term, isJoint ? 3 * value : value]),
  );
  const best = [...new Set(names)]
    .map((name) => ({
      name,
      value: Math.max(0, ...termsOf(name).map((term) => values.get(term) ?? 0)),
    }))
    .filter(({ value }) => value > 0)
    .toSorted((a, b) => b.value - a.value)
    .slice(0, 3);
  return best.length === 0 ? null : `defines ${listed(best.map(({ name }) => name))}`;
}

/** Words are compared by their stems, so the file may have another form of them. */
function wordsClause({ document }: RankedFile, { content }: Ranking): string | null {
  if (document === null) return null;
  const counts = content.countsIn(document);
  const found = content.terms
    .map(({ word, value }, term) => ({ word, value, count: counts[term] ?? 0 }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.value - a.value);
  const words = distinctWords(
    found.map(({ word }) => word),
    4,
  );
  const hits = Math.max(...words.map((word) => most(found.filter((one) => one.word === word))));
  return words.length === 0 ? null : `words like ${listed(words)} (up to ${counted(hits, 'hit')})`;
}

function most(found: readonly { readonly count: number }[]): number {
  return Math.max(0, ...found.map(({ count }) => count));
}

/** The first of them: one of `Format` and `formats`, and no part of a name that is told whole. */
function distinctWords(words: readonly string[], wanted: number): readonly string[] {
  const kept: string[] = [];
  for (const word of words) {
    if (kept.length === wanted) break;
    const own = termsOf(word);
    const isTold = kept.some((other) => {
      const told = new Set(other.split(' ').flatMap(termsOf));
      return own.every((term) => told.has(term));
    });
    if (!isTold) kept.push(word);
  }
  return kept;
}

function pathClause(path: string, terms: readonly WeighedTerm[]): string | null {
  const own = new Set(path.split(/[^\p{L}\p{N}_$-]+/u).flatMap(termsOf));
  const words = distinctWords(
    terms
      .filter(({ term }) => own.has(term))
      .toSorted((a, b) => b.value - a.value)
      .map(({ word }) => word),
    3,
  );
  if (words.length === 0) return null;
  return `${nameOfPath(path) === path ? 'its name' : 'its path'} has ${listed(words)}`;
}

/** Several commits: of one alone, the clause on it tells more. */
function historyClause({ place }: RankedFile, { commits }: Ranking): string | null {
  const { values } = commits.history;
  const messages = commits.history.wordsOf(place);
  const counts = new Map<string, number>();
  for (const words of messages) {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const telling = [...counts]
    .map(([word, count]) => ({ word, value: ((values.get(word) ?? 0) * count) / (count + 1) }))
    .toSorted((a, b) => b.value - a.value);
  const words = distinctWords(
    telling.map(({ word }) => word),
    3,
  );
  const having = messages.filter((own) => words.some((word) => own.has(word))).length;
  if (having < 2) return null;
  return `${having} past commits that touched it have words like ${listed(words)}`;
}

const longestSubject = 72;

function commitClause({ place }: RankedFile, { commits }: Ranking): string | null {
  const like = commits.best(place);
  if (like === null) return null;
  const subject = cleanText(like.subject).replace(/\s+/g, ' ').trim();
  const short =
    subject.length > longestSubject
      ? `${subject.slice(0, longestSubject - 1).trimEnd()}…`
      : subject;
  const words = distinctWords(like.words, 3);
  return `commit ${like.id.slice(0, 8)} “${short}” touched it, with words like ${listed(words)}`;
}

function churnClause({ place }: RankedFile, { commits }: Ranking): string | null {
  const touches = commits.touches[place] ?? 0;
  if (touches === 0) return null;
  // Commits with many files are not counted: see the index of commits.
  return `changed in at least ${touches} of the last ${counted(commits.commitCount, 'commit')}`;
}
