import type { IndexReport } from '../context/local/provider.ts';
import { earlyIndex } from '../context/local/early-index.ts';
import type { Committed } from '../context/open-repository.ts';
import type { Repository } from '../context/repository.ts';
import { findCode, type FoundCode, searchCode } from '../phases/find-code.ts';
import { contextWithin } from '../prompts/context-within.ts';
import { contextPage } from './context-page.ts';
import { pageWidth, printJson, printLines, printPage, printWarnings } from './output.ts';
import { loadSettings } from './settings/load-settings.ts';
import { indexFolder } from './settings/locations.ts';
import { searchProviders } from './wiring/search-providers.ts';

/** A repository that is being opened. */
interface Searched {
  readonly root: string;
  readonly opening: Promise<Repository>;
  /** What it is known to be before it is open; for ever pending where that is nothing. */
  readonly committed: Promise<Committed>;
  readonly signal: AbortSignal;
  readonly markPrefix: string;
}

interface Printed {
  readonly json: boolean;
  readonly paths: boolean;
  /** The room of a rendering for a prompt; null where none is wanted. */
  readonly tokens: number | null;
}

/** As many paths as another program may want to choose from. */
const mostPaths = 50;

/** Searches by the settings of the repository, and prints what it found. */
export async function searchAndPrint(
  task: string,
  { root, opening, committed, signal, markPrefix }: Searched,
  { json, paths, tokens }: Printed,
): Promise<void> {
  const environment = process.env;
  const loading = loadSettings({ cwd: root, environment, flags: {} });
  const allowed = loading.then(
    ({ context }) => context.providers.includes('local'),
    () => false,
  );
  const early = earlyIndex({ folder: indexFolder(environment), allowed, signal });
  void committed.then(early.begin);
  try {
    const settings = await loading;
    printWarnings(settings.warnings);
    const repository = await opening;
    const reports: IndexReport[] = [];
    const onReport = (report: IndexReport): void => void reports.push(report);
    const index = { early, onReport };
    const providers = searchProviders({ settings, repository, environment, markPrefix, index });
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
  } finally {
    await early.end();
  }
}

function printFalls(falls: FoundCode['falls']): void {
  printWarnings(
    falls.map(({ provider, reason }) => `The search by ${provider} failed: ${reason}.`),
  );
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
