import type { SearchReport } from '../context/search/provider.ts';
import { duration } from '../faces/short-forms.ts';
import { cleanText } from '../model/clean-text.ts';
import type { RelevantFile } from '../model/context.ts';
import { counted, listed, oneLine } from '../model/wording.ts';
import type { FoundCode } from '../phases/find-code.ts';
import { contextSections } from '../prompts/context-text.ts';
import { alignedLines, bold } from './output.ts';

/** What is shown, with what the search looked at. */
type Shown = FoundCode & { readonly looked: SearchReport | null };

const mostSymbols = 6;
const mostReasons = 3;
/** Of each section. */
const mostEntries = 10;

/** What was found, as lines for people; texts wrap at `width` columns. */
export function contextPage(found: Shown, width: number): readonly string[] {
  const { relevant_files: files } = found;
  const sections = contextSections(found).flatMap(({ title, entries }) => {
    const more = entries.length - mostEntries;
    const rest = more > 0 ? [['', `and ${more} more (--json)`]] : [];
    const shown = entries.slice(0, mostEntries).map((entry) => ['', safe(entry)]);
    return ['', bold(title), ...alignedLines([...shown, ...rest], width)];
  });
  return [
    ...(files.length === 0 ? ['No file matches this task.'] : []),
    ...alignedLines(files.flatMap(fileRows), width),
    ...(files.length === 0 ? [] : sections),
    '',
    ...alignedLines([[foundBy(found)]], width),
  ];
}

/** Rank, score and place, with symbols and reasons below the place. */
function fileRows(file: RelevantFile, index: number): readonly (readonly string[])[] {
  const symbols = file.symbols.slice(0, mostSymbols).join(', ');
  const reasons = file.reasons.slice(0, mostReasons).join('; ');
  const place = bold(safe(`${file.path}:${file.start}-${file.end}`));
  return [
    [String(index + 1).padStart(2), file.score.toFixed(2).padStart(6), place],
    ...[symbols, reasons].filter((text) => text !== '').map((text) => ['', '', safe(text)]),
  ];
}

function foundBy(found: Shown): string {
  const { provider, duration_ms: ms, relevant_files: files, token_estimates: tokens } = found;
  const sum = (of: 'range' | 'file') =>
    tokens.reduce((total, each) => total + each[of], 0).toLocaleString('en');
  const size = `; about ${sum('range')} tokens as shown, ${sum('file')} in whole files (estimates)`;
  const by =
    provider === 'none' ? 'searched for' : `${counted(files.length, 'file')} by ${provider} in`;
  return `${by} ${duration(ms)}${lookedText(found.looked)}${files.length === 0 ? '' : size}`;
}

function lookedText(looked: SearchReport | null): string {
  if (looked === null) return '';
  const { unlisted, refused, unread } = looked;
  const skipped = Object.entries({ ...looked.skipped, unread })
    .filter(([, count]) => count > 0)
    .map(([why, count]) => `${count} ${why}`);
  const folders = [
    ...(refused === 0 ? [] : [`${counted(refused, 'folder')} that cannot be read`]),
    ...(unlisted === 0 ? [] : [`${counted(unlisted, 'folder')}: too many files without git`]),
  ];
  const without = skipped.length === 0 ? '' : ` (without ${listed(skipped)})`;
  const commits = looked.commits === 0 ? '' : ` and ${counted(looked.commits, 'commit')}`;
  const beyond = folders.length === 0 ? '' : `, but not into ${folders.join(', nor into ')}`;
  return `; looked at ${counted(looked.files, 'file')}${without}${commits}${beyond}`;
}

function safe(text: string): string {
  return oneLine(cleanText(text));
}
