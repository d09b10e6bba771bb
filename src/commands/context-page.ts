import { styleText } from 'node:util';
import wrapAnsi from 'wrap-ansi';
import type { SearchReport } from '../context/search/provider.ts';
import type { RelevantFile } from '../model/context.ts';
import { cleanText } from '../model/clean-text.ts';
import { counted, listed, oneLine } from '../model/wording.ts';
import { duration } from '../faces/short-forms.ts';
import stringWidth from 'string-width';
import type { FoundCode } from '../phases/find-code.ts';
import { contextSections } from '../prompts/context-text.ts';

/** What is shown, with what the search looked at. */
type Shown = FoundCode & { readonly looked: SearchReport | null };

const barCells = 8;
const mostSymbols = 6;
const mostReasons = 3;
/** Of each section. */
const mostEntries = 10;

/** What was found, as lines for people that are at most `width` columns wide where words allow it. */
export function contextPage(found: Shown, width: number): readonly string[] {
  const { relevant_files: files } = found;
  const end = hanging(foundBy(found), width, ['', '']);
  if (files.length === 0) return ['No file matches this task.', '', ...end];
  const best = Math.max(...files.map(({ score }) => score));
  const sections = contextSections(found).flatMap(({ title, entries }) => [
    '',
    bold(title),
    ...shortList(entries).flatMap((entry) => hanging(entry, width, ['  ', '    '])),
  ]);
  return [
    ...files.flatMap((file, index) => fileLines({ file, rank: index + 1, best, width })),
    ...sections,
    '',
    ...end,
  ];
}

function shortList(entries: readonly string[]): readonly string[] {
  const more = entries.length - mostEntries;
  return more <= 1 ? entries : [...entries.slice(0, mostEntries), `and ${more} more (--json)`];
}

/** Rank, score and place, then symbols and reasons below the place. */
function fileLines(shown: {
  readonly file: RelevantFile;
  readonly rank: number;
  readonly best: number;
  readonly width: number;
}): readonly string[] {
  const { file, rank, best, width } = shown;
  const head = `${String(rank).padStart(2)}  ${bar(file.score, best)} ${scoreText(file.score)}  `;
  const indent = ' '.repeat(6);
  const place = safe(`${file.path}:${file.start}-${file.end}`);
  const fits = stringWidth(head) + stringWidth(place) <= width;
  const symbols = file.symbols.slice(0, mostSymbols).join(', ');
  const text = (line: string) => (line === '' ? [] : hanging(line, width, [indent, indent]));
  return [
    ...(fits ? [`${head}${bold(place)}`] : [head.trimEnd(), `${indent}${bold(place)}`]),
    ...text(symbols),
    ...text(file.reasons.slice(0, mostReasons).join('; ')).map(dim),
  ];
}

function foundBy(found: Shown): string {
  const { provider, duration_ms: ms, relevant_files: files, token_estimates: tokens } = found;
  const sum = (of: 'range' | 'file') => tokens.reduce((total, each) => total + each[of], 0);
  const size =
    files.length === 0
      ? ''
      : `; about ${rounded(sum('range'))} tokens as shown, ${rounded(sum('file'))} in whole files (estimates)`;
  const some = `${counted(files.length, 'file')} by ${provider} in ${duration(ms)}`;
  const by = provider === 'none' ? `searched for ${duration(ms)}` : some;
  return `${by}${lookedText(found.looked)}${size}`;
}

function lookedText(looked: SearchReport | null): string {
  if (looked === null) return '';
  const skipped = Object.entries({ ...looked.skipped, unread: looked.unread })
    .filter(([, count]) => count > 0)
    .map(([why, count]) => `${count} ${why}`);
  const without = skipped.length === 0 ? '' : ` (without ${listed(skipped)})`;
  const commits = looked.commits === 0 ? '' : ` and ${counted(looked.commits, 'commit')}`;
  return `; looked at ${counted(looked.files, 'file')}${without}${commits}${beyondText(looked)}`;
}

function beyondText({ unlisted, refused }: SearchReport): string {
  const folders = [
    ...(refused === 0 ? [] : [`${counted(refused, 'folder')} that cannot be read`]),
    ...(unlisted === 0 ? [] : [`${counted(unlisted, 'folder')}: too many files without git`]),
  ];
  return folders.length === 0 ? '' : `, but not into ${folders.join(', nor into ')}`;
}

function rounded(tokens: number): string {
  return tokens < 1000 ? String(tokens) : `${(tokens / 1000).toFixed(1)}k`;
}

function bar(score: number, best: number): string {
  const cells = best <= 0 ? 0 : Math.max(1, Math.round((barCells * score) / best));
  return '█'.repeat(cells).padEnd(barCells, '░');
}

function scoreText(score: number): string {
  return (score < 100 ? score.toFixed(2) : score.toFixed(0)).padStart(5);
}

function hanging(
  text: string,
  width: number,
  [first, rest]: readonly [string, string],
): readonly string[] {
  return wrapAnsi(safe(text), width - stringWidth(rest))
    .split('\n')
    .map((line, index) => `${index === 0 ? first : rest}${line}`);
}

function safe(text: string): string {
  return oneLine(cleanText(text));
}

function bold(text: string): string {
  return styleText('bold', text, { stream: process.stdout });
}

function dim(text: string): string {
  return styleText('dim', text, { stream: process.stdout });
}
