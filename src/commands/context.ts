import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import type { IndexReport } from '../context/local/provider.ts';
import { openRepository } from '../context/open-repository.ts';
import { Stopped } from '../model/failure.ts';
import { longestTask } from '../model/task-text.ts';
import { findCode, type FoundCode, searchCode } from '../phases/find-code.ts';
import { contextWithin } from '../prompts/context-within.ts';
import { isSystemError } from '../store/system-error.ts';
import { contextPage } from './context-page.ts';
import { pageWidth, printJson, printLines, printPage, printWarnings } from './output.ts';
import type { Place } from './program/common.ts';
import { projectRoot } from './project-root.ts';
import { loadSettings } from './settings/load-settings.ts';
import { interruptible } from './wiring/interruptible.ts';
import { searchProviders } from './wiring/search-providers.ts';

/** What of the result is printed: all of it, the paths alone, or a text for a prompt. */
interface Printed {
  readonly paths: boolean;
  /** As typed; null where it was not given. */
  readonly budget: string | null;
}

/** As many paths as another program may want to choose from. */
const mostPaths = 50;
const budgetRange = { least: 100, most: 1_000_000 };

/** `conclave context`: the search of phase 1, without a session. */
export async function run(
  words: readonly string[],
  { cwd, json, paths, budget }: Place & Printed,
): Promise<number> {
  const tokens = budget === null ? null : tokensOf(budget);
  const task = await taskText(words);
  const root = await readableRoot(cwd);
  const settings = await loadSettings({ cwd: root, environment: process.env, flags: {} });
  printWarnings(settings.warnings);
  await interruptible(async (marked) => {
    const { signal } = marked;
    const repository = await openRepository({ root, base: null, snapshots: null, signal });
    const reports: IndexReport[] = [];
    const onReport = (report: IndexReport): void => void reports.push(report);
    const where = { settings, repository, environment: process.env, ...marked, onReport };
    const providers = searchProviders(where);
    const maxFiles = paths ? mostPaths : settings.context.maxFiles;
    const pathsOnly = paths && !json;
    const search = { ...settings.context, maxFiles, pathsOnly };
    const tools = { repository, providers, search };
    if (pathsOnly) {
      const found = await searchCode(task, tools, signal);
      printFalls(found.falls);
      printLines(...found.relevant_files.map(({ path }) => path));
      return;
    }
    const found = await findCode(task, tools, signal);
    printFalls(found.falls);
    const looked = reports.at(-1) ?? null;
    const read = (path: string) => repository.read(path);
    const prompt = tokens === null ? null : await contextWithin(found, read, tokens);
    if (json) printJson(documentOf({ task, found, looked, prompt }));
    else if (prompt === null) printPage(contextPage({ ...found, looked }, pageWidth()));
    else printLines(prompt);
  });
  return 0;
}

function printFalls(falls: FoundCode['falls']): void {
  printWarnings(
    falls.map(({ provider, reason }) => `The search by ${provider} failed: ${reason}.`),
  );
}

function tokensOf(budget: string): number {
  const tokens = /^\d{1,7}$/.test(budget) ? Number(budget) : Number.NaN;
  const { least, most } = budgetRange;
  if (tokens >= least && tokens <= most) return tokens;
  const message = `--budget takes a number of tokens from ${least} to ${most}, not ${JSON.stringify(budget)}.`;
  throw new Stopped({ reason: 'usage', message });
}

async function taskText(words: readonly string[]): Promise<string> {
  const given = words.join(' ').trim();
  const task = given === '-' ? (await textOf(process.stdin)).trim() : given;
  const bytes = Buffer.byteLength(task);
  if (bytes > longestTask) {
    const message = `The task text has ${bytes} bytes and at most ${longestTask} are taken; shorten it.`;
    throw new Stopped({ reason: 'usage', message });
  }
  if (task !== '') return task;
  const where = given === '-' ? ' on standard input' : '';
  const message = `The task text${where} is empty; say what it is about, e.g. conclave context "Add a --json flag".`;
  throw new Stopped({ reason: 'usage', message });
}

async function readableRoot(cwd: string): Promise<string> {
  try {
    await access(cwd, constants.R_OK | constants.X_OK);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const message = `The folder ${cwd} cannot be read (${error.code}); name another one with -C.`;
    throw new Stopped({ reason: 'usage', message });
  }
  return await projectRoot(cwd);
}

function documentOf(document: {
  readonly task: string;
  readonly found: FoundCode;
  readonly looked: IndexReport | null;
  readonly prompt: string | null;
}) {
  const { relevant_files: files, ...rest } = document.found;
  const prompt = document.prompt === null ? {} : { prompt: document.prompt };
  return { task: document.task, files, ...rest, index: document.looked, ...prompt };
}
