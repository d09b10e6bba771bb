import type { IndexReport } from '../context/local/provider.ts';
import { findCode, type FoundCode } from '../phases/find-code.ts';
import type { SearchTools } from '../phases/search-code.ts';
import { contextWithin } from '../prompts/context-text.ts';
import { contextPage } from './context-page.ts';
import { fallSentences } from './fall-sentences.ts';
import { pageWidth, printJson, printLines, printPage, printWarnings } from './output.ts';

/** Searches and looks around what was found; prints all of it. */
export async function printFound(
  task: string,
  search: {
    readonly tools: SearchTools;
    /** What the search by the index looked at, null where there was none. */
    readonly looked: () => IndexReport | null;
    readonly signal: AbortSignal;
    /** Called before anything is printed. */
    readonly onFound: () => void;
  },
  { json, tokens }: { readonly json: boolean; readonly tokens: number | null },
): Promise<void> {
  const { tools, signal } = search;
  const found = await findCode(task, tools, signal);
  search.onFound();
  const looked = search.looked();
  printWarnings([...fallSentences(found.falls), ...found.notes]);
  const read = (path: string) => tools.repository.read(path);
  const prompt = tokens === null ? null : await contextWithin(found, read, tokens);
  if (json) printJson(documentOf({ task, found, looked, prompt }));
  else if (prompt === null) printPage(contextPage({ ...found, looked }, pageWidth()));
  else printLines(prompt);
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
