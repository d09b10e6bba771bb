import { differingFiles } from '../context/local/differing.ts';
import { earlyIndex } from '../context/local/early-index.ts';
import type { IndexReport } from '../context/local/provider.ts';
import type { Committed } from '../git/open-repository.ts';
import type { Sparing } from '../git/quick-status.ts';
import type { Repository } from '../git/repository.ts';
import { cleanText } from '../model/clean-text.ts';
import { counted } from '../model/wording.ts';
import { searchFiles } from '../phases/search-code.ts';
import { printLines, printWarnings } from './output.ts';
import { fallSentences } from './fall-sentences.ts';
import { progressLine } from './progress-line.ts';
import { indexFolder } from './settings/data-folder.ts';
import { searchProviders } from './wiring/search-providers.ts';

/** A repository that is being opened. */
interface Searched {
  readonly root: string;
  readonly opening: Promise<Repository>;
  /** What it is known to be before it is open; for ever pending where that is nothing. */
  readonly committed: Promise<Committed>;
  /** Told once it is committed who knows which files differ. */
  readonly onDiffering: (differing: Sparing['differing']) => void;
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
  { root, opening, committed, onDiffering, signal, markPrefix }: Searched,
  { json, paths, tokens }: Printed,
): Promise<void> {
  const environment = process.env;
  const loading = import('./settings/load-settings.ts').then(({ loadSettings }) =>
    loadSettings({ cwd: root, environment, flags: {} }),
  );
  const allowed = loading.then(
    ({ context }) => context.providers.includes('local'),
    () => false,
  );
  const line = progressLine();
  const onTaken = (taken: number, of: number): void => line.say(`Reading files: ${taken} of ${of}`);
  const early = earlyIndex({ folder: indexFolder(environment), allowed, signal, onTaken });
  void committed.then((begun) => {
    early.begin(begun);
    const known = { root: begun.root, found: early.found(), signal };
    onDiffering((files) => differingFiles(files, known));
  });
  try {
    const settings = await loading;
    printWarnings(settings.warnings);
    const repository = await opening;
    const reports: IndexReport[] = [];
    const onReport = (report: IndexReport): void => void reports.push(report);
    const index = { early, onReport, onTaken };
    const providers = searchProviders({ settings, repository, environment, markPrefix, index });
    const maxFiles = paths ? mostPaths : settings.context.maxFiles;
    const pathsOnly = paths && !json;
    const tools = { repository, providers, search: { ...settings.context, maxFiles, pathsOnly } };
    const looked = (): IndexReport | null => reports.at(-1) ?? null;
    if (pathsOnly) {
      const found = await searchFiles(task, tools, signal);
      line.end();
      printWarnings([...fallSentences(found.falls), ...found.notes]);
      printPaths(found.files.map(({ path }) => path));
      return;
    }
    const { printFound } = await import('./context-found.ts');
    await printFound(task, { tools, looked, signal, onFound: line.end }, { json, tokens });
  } finally {
    line.end();
    await early.end();
  }
}

/** Each line is a path as it is: a name that would have to be cleaned or takes two lines is none. */
function printPaths(paths: readonly string[]): void {
  const whole = paths.filter((path) => cleanText(path) === path && !path.includes('\n'));
  const left = paths.length - whole.length;
  if (left > 0) {
    printWarnings([
      `Left out: ${counted(left, 'file')} with names that no line can show as they are; --json does.`,
    ]);
  }
  printLines(...whole);
}
