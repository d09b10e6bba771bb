import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { ProviderFall } from '../model/context.ts';
import type { SearchReport } from '../context/search/provider.ts';
import { openRepository } from '../git/open-repository.ts';
import { cleanText } from '../model/clean-text.ts';
import { type Stopped, wrongUsage } from '../model/failure.ts';
import { counted } from '../model/wording.ts';
import { findCode, type FoundCode } from '../phases/find-code.ts';
import { contextWithin } from '../prompts/context-text.ts';
import { isSystemError } from '../store/system-error.ts';
import { contextPage } from './context-page.ts';
import {
  pageWidth,
  printJson,
  printLines,
  printPage,
  printWarnings,
  progressLine,
} from './output.ts';
import type { CommonOptions } from './program/options.ts';
import { loadSettings } from './settings/load-settings.ts';
import { checkedTask, taskBytes } from './task-text.ts';
import { interruptible } from './wiring/interruptions.ts';
import { searchProviders } from './wiring/agents-and-providers.ts';

const budgetRange = { least: 100, most: 1_000_000 };
/** As many paths as another program may want to choose from. */
const mostPaths = 50;

/** `conclave context`: the search of phase 1, without a session. Prints all, paths, or a prompt. */
export async function contextCommand(
  words: readonly string[],
  { cwd, root, json, paths = false, budget }: CommonOptions,
): Promise<number> {
  if (paths && json) throw excluding('--paths', '--json');
  if (paths && budget !== undefined) throw excluding('--paths', '--budget');
  const tokens = budget === undefined ? null : tokensOf(budget);
  const task = await taskIn(words);
  await checkReadable(cwd);
  await interruptible(async (run) => {
    const line = progressLine();
    try {
      const most = paths ? { maxFiles: mostPaths } : {};
      const search = await searchFor(task, { root, ...run, say: line.say, most });
      line.end();
      printWarnings([...fallSentences(search.found.falls), ...search.found.notes]);
      if (paths) printPaths(search.found);
      else await printFound(search, { task, json, tokens });
    } finally {
      line.end();
    }
  });
  return 0;
}

interface Search {
  readonly found: FoundCode;
  /** What the search looked at, null where nothing was searched. */
  readonly looked: SearchReport | null;
  readonly read: (path: string) => Promise<string | null>;
}

/** Searches by the settings of the repository. */
async function searchFor(
  task: string,
  given: {
    readonly root: string;
    readonly signal: AbortSignal;
    readonly markPrefix: string;
    readonly say: (text: string) => void;
    readonly most: { readonly maxFiles?: number };
  },
): Promise<Search> {
  const { root, signal, markPrefix, say, most } = given;
  const settings = await loadSettings({ cwd: root });
  printWarnings(settings.warnings);
  say('Looking at the work tree…');
  const repository = await openRepository({ root, base: null, snapshots: null, signal });
  let looked: SearchReport | null = null;
  const means = {
    onProgress: (searched: number, of: number) =>
      say(`Searching ${of.toLocaleString('en')} files: ${searched.toLocaleString('en')} done`),
    onReport: (report: SearchReport) => void (looked = report),
  };
  const providers = searchProviders({ settings, repository, markPrefix, means });
  const tools = { repository, providers, search: { ...settings.context, ...most } };
  const found = await findCode(task, tools, signal);
  return { found, looked, read: (path) => repository.read(path) };
}

/** Each line is a path as it is: a name that would have to be cleaned or takes two lines is none. */
function printPaths({ relevant_files: files }: FoundCode): void {
  const all = files.map(({ path }) => path);
  const whole = all.filter((path) => cleanText(path) === path && !path.includes('\n'));
  const left = all.length - whole.length;
  if (left > 0) {
    const these = counted(left, 'file');
    printWarnings([
      `Left out: ${these} with names that no line can show as they are; --json does.`,
    ]);
  }
  printLines(...whole);
}

/** What is said of the providers that did not answer. */
function fallSentences(falls: readonly ProviderFall[]): readonly string[] {
  return falls.map(({ provider, reason }) => {
    const who = provider === 'search' ? 'The search' : `The search by ${provider}`;
    return reason.startsWith('found ') ? `${who} ${reason}.` : `${who} failed: ${reason}.`;
  });
}

async function printFound(
  { found, looked, read }: Search,
  form: { readonly task: string; readonly json: boolean; readonly tokens: number | null },
): Promise<void> {
  const { task, json, tokens } = form;
  const prompt = tokens === null ? null : await contextWithin(found, read, tokens);
  if (json) {
    const { relevant_files: files, ...rest } = found;
    printJson({ task, files, ...rest, searched: looked, ...(prompt === null ? {} : { prompt }) });
  } else if (prompt === null) printPage(contextPage({ ...found, looked }, pageWidth()));
  else printLines(prompt);
}

function excluding(one: string, other: string): Stopped {
  return wrongUsage(`${one} and ${other} exclude each other; give one of them.`);
}

function tokensOf(budget: string): number {
  const tokens = /^\d{1,7}$/.test(budget) ? Number(budget) : Number.NaN;
  const { least, most } = budgetRange;
  if (tokens >= least && tokens <= most) return tokens;
  throw wrongUsage(
    `--budget takes a number of tokens from ${least} to ${most}, not ${JSON.stringify(budget)}.`,
  );
}

async function taskIn(words: readonly string[]): Promise<string> {
  const given = words.join(' ');
  const text = given.trim() === '-' ? (await taskBytes(process.stdin)).toString('utf8') : given;
  return checkedTask(text, 'conclave context');
}

async function checkReadable(cwd: string): Promise<void> {
  try {
    await access(cwd, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw wrongUsage(`The folder ${cwd} cannot be read (${error.code}); name another one with -C.`);
  }
}
