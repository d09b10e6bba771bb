import { openRepository } from '../context/open-repository.ts';
import { searchChain } from '../context/chain.ts';
import { keywordsOf } from '../context/keywords.ts';
import { contextProviders } from '../context/providers.ts';
import { Stopped } from '../model/failure.ts';
import { printJson, printLines, printTable, printWarnings } from './output.ts';
import type { Place } from './program/common.ts';
import { projectRoot } from './project-root.ts';
import { loadSettings } from './settings/load-settings.ts';

/** `conclave context`: the search of phase 1, without a session. */
export async function run(
  words: readonly string[],
  { cwd, json, paths }: Place & { readonly paths: boolean },
): Promise<number> {
  const task = words.join(' ').trim();
  if (task === '') throw new Stopped({ reason: 'usage', message: 'The task text is empty.' });
  const root = await projectRoot(cwd);
  const settings = await loadSettings({ cwd: root, environment: process.env, flags: {} });
  printWarnings(settings.warnings);
  const { signal } = new AbortController();
  const repository = await openRepository({ root, base: null, snapshots: null, signal });
  const keywords = keywordsOf(task);
  const found = await searchChain({
    providers: contextProviders(settings.context.providers, repository),
    query: { root: repository.root, task, keywords },
    limits: { ...settings.context, signal },
  });
  printWarnings(
    found.falls.map(({ provider, reason }) => `The search by ${provider} failed: ${reason}.`),
  );
  if (json) printJson({ task, keywords, ...found });
  else if (paths) printLines(...new Set(found.files.map((file) => file.path)));
  else if (found.files.length === 0) printLines('No file fits the words of this task.');
  else {
    printTable({
      head: ['PLACE', 'SCORE', 'SYMBOLS', 'REASONS'],
      rows: found.files.map((file) => [
        `${file.path}:${file.start}-${file.end}`,
        file.score.toFixed(2),
        file.symbols.slice(0, 4).join(', '),
        file.reasons.join('; '),
      ]),
      cut: true,
    });
  }
  return 0;
}
