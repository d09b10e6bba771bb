import type { SearchReport } from '../context/search/provider.ts';
import { openRepository } from '../git/open-repository.ts';
import { cleanText } from '../model/clean-text.ts';
import type { ProviderFall } from '../model/context.ts';
import { wrongUsage } from '../model/failure.ts';
import { counted } from '../model/wording.ts';
import { findCode, type FoundCode } from '../phases/find-code.ts';
import { contextWithin } from '../prompts/context-text.ts';
import { contextPage } from './context-page.ts';
import { wholeNumber } from './flags.ts';
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
import { searchProviders } from './wiring/agents-and-providers.ts';
import { interruptible } from './wiring/interruptions.ts';

/** As many paths as another program may want to choose from. */
const mostPaths = 50;

/** `conclave context`: the search of phase 1, without a session. Prints all, paths, or a prompt. */
export async function contextCommand(
  words: readonly string[],
  { root, json, paths = false, budget }: CommonOptions,
): Promise<number> {
  if (paths && (json || budget !== undefined)) {
    const other = json ? '--json' : '--budget';
    throw wrongUsage(`--paths and ${other} exclude each other; give one of them.`);
  }
  const tokens = wholeNumber('--budget', budget, { least: 100, most: 1_000_000 });
  const task = await taskIn(words);
  const settings = await loadSettings({ root });
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
    const providers = searchProviders({ settings, repository, markPrefix, means });
    const search = paths ? { ...settings.context, maxFiles: mostPaths } : settings.context;
    const found = await findCode(task, { repository, providers, search }, signal).finally(line.end);
    printWarnings([...found.falls.map(fallSentence), ...found.notes]);
    if (paths) return printPaths(found);
    const read = (path: string) => repository.read(path);
    const prompt = tokens === undefined ? undefined : await contextWithin(found, read, tokens);
    if (json) {
      const { relevant_files: files, ...rest } = found;
      printJson({ task, files, ...rest, searched: looked, prompt });
    } else if (prompt === undefined) printPage(contextPage({ ...found, looked }, pageWidth()));
    else printLines(prompt);
  });
  return 0;
}

async function taskIn(words: readonly string[]): Promise<string> {
  const given = words.join(' ');
  const text = given.trim() === '-' ? (await taskBytes(process.stdin)).toString('utf8') : given;
  return checkedTask(text, 'conclave context');
}

/** Each line is a path as it is, so a name that needs cleaning or takes two lines is left out. */
function printPaths({ relevant_files: files }: FoundCode): void {
  const all = files.map(({ path }) => path);
  const whole = all.filter((path) => cleanText(path) === path && !path.includes('\n'));
  const left = counted(all.length - whole.length, 'file');
  if (whole.length < all.length) {
    printWarnings([`Left out: ${left} with names that no line can show as they are; --json does.`]);
  }
  printLines(...whole);
}

function fallSentence({ provider, reason }: ProviderFall): string {
  return `The search by ${provider} did not help: ${reason}.`;
}
