// Runs `conclave context`, and shows its result to people.
import type { SearchReport } from '../context/search/search-provider.ts';
import { fallText } from '../faces/short-forms.ts';
import { openRepository } from '../git/open-repository.ts';
import { cleanText } from '../model/clean-text.ts';
import type { RelevantFile } from '../model/context.ts';
import { wrongUsage } from '../model/failure.ts';
import { counted, duration, listed, oneLine } from '../model/wording.ts';
import { findCode, type FoundCode } from '../phases/find-code.ts';
import { contextSections } from '../prompts/context-text.ts';
import { alignColumns } from './columns.ts';
import {
  bold,
  pageWidth,
  printJson,
  printLines,
  printPage,
  printWarnings,
  progressLine,
} from './output.ts';
import type { CommonOptions } from './program/shared-options.ts';
import { loadSettings } from '../app/settings/load-settings.ts';
import { folderWithin } from '../app/folders.ts';
import { wordsOrInput } from './task-text.ts';
import { searchProviders } from '../app/search-providers.ts';
import { interruptible } from './wiring/interruptions.ts';

/** The most paths that are printed for another program. */
const mostPaths = 50;

/** `conclave context`: the search of phase 1 without a session. Prints the whole result, or only the paths. */
export async function contextCommand(
  words: readonly string[],
  { root, cwd, environment, json, format }: CommonOptions,
): Promise<number> {
  const paths = format === 'paths';
  if (format !== undefined && !paths)
    throw wrongUsage(`--format takes "paths", not ${JSON.stringify(format)}.`);
  if (paths && json)
    throw wrongUsage('--format paths and --json exclude each other; give one of them.');
  const task = await wordsOrInput(words, 'conclave context');
  const settings = await loadSettings({ root, environment });
  printWarnings(settings.warnings);
  await interruptible(async ({ signal, markPrefix }) => {
    const line = progressLine();
    let looked: SearchReport | null = null;
    const means = {
      onProgress: (searched: number, of: number) =>
        line.say(
          `Searching ${of.toLocaleString('en')} files: ${searched.toLocaleString('en')} done`,
        ),
      onReport: (report: SearchReport) => void (looked = report),
    };
    const repository = await openRepository({ root, base: null, snapshots: null, signal });
    const providers = searchProviders({ settings, environment, repository, markPrefix, means });
    const search = paths ? { ...settings.context, maxFiles: mostPaths } : settings.context;
    const standing = folderWithin(root, cwd);
    const tools = { repository, providers, search, standing, execution: { environment } };
    const found = await findCode(task, tools, signal).finally(line.end);
    printWarnings([...found.falls.map((fall) => `${fallText(fall)}.`), ...found.notes]);
    if (paths) return printPaths(found);
    if (json) {
      const { relevant_files: files, ...rest } = found;
      printJson({ task, files, ...rest, searched: looked });
    } else printPage(contextPage({ ...found, looked }, pageWidth()));
  });
  return 0;
}

/** Prints one exact path per line, so a name that needs cleaning or spans two lines is left out. */
function printPaths({ relevant_files: files }: FoundCode): void {
  const all = files.map(({ path }) => path);
  const whole = all.filter((path) => cleanText(path) === path && !path.includes('\n'));
  const left = counted(all.length - whole.length, 'file');
  if (whole.length < all.length) {
    printWarnings([`Left out: ${left} with names that no line can show as they are; --json does.`]);
  }
  printLines(...whole);
}

/** The found code, with a report about the search. */
type Shown = FoundCode & { readonly looked: SearchReport | null };

const mostSymbols = 6;
const mostReasons = 3;
/** The most entries in a section. */
const mostEntries = 10;

/** Shows people line by line what was found; texts wrap at `width` columns. */
export function contextPage(found: Shown, width: number): readonly string[] {
  const { relevant_files: files } = found;
  const sections = contextSections(found).flatMap(({ title, entries }) => {
    const more = entries.length - mostEntries;
    const rest = more > 0 ? [['', `and ${more} more (--json)`]] : [];
    const shown = entries.slice(0, mostEntries).map((entry) => ['', safe(entry)]);
    return ['', bold(title), ...alignColumns([...shown, ...rest], width)];
  });
  return [
    ...(files.length === 0 ? ['No file matches this task.'] : []),
    ...alignColumns(files.flatMap(fileRows), width),
    ...(files.length === 0 ? [] : sections),
    '',
    ...alignColumns([[foundBy(found)]], width),
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

function foundBy({ provider, duration_ms: ms, relevant_files: files, looked }: Shown): string {
  const by =
    provider === 'none' ? 'searched for' : `${counted(files.length, 'file')} by ${provider} in`;
  return `${by} ${duration(ms)}${lookedText(looked)}`;
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
