// Runs phase 1: finds the code of a task, looks around it, and searches again for words of agents.
import { findProgram } from '../agents/process/find-program.ts';
import { searchChain } from '../context/chain.ts';
import { projectFacts } from '../context/package/project-facts.ts';
import { surroundings } from '../context/package/surroundings.ts';
import { folderOf } from '../git/paths.ts';
import { keywordsOf } from '../context/search/task-terms.ts';
import {
  CodebaseContext,
  type ProjectFact,
  type ProviderFall,
  type RelevantFile,
} from '../model/context.ts';
import type { Repository } from '../git/repository.ts';
import type { Emit } from '../model/event.ts';
import { withoutInvisible } from '../model/invisible.ts';
import { counted, listed } from '../model/wording.ts';
import type { Synthesis } from '../model/synthesis.ts';
import { type Tools, recordStep } from './phase-tools.ts';
import type { Step } from '../model/step.ts';
import { steps } from '../model/steps.ts';

/** The part of the context that phase 1 can find without a session. */
export type FoundCode = Omit<CodebaseContext, 'session_id' | 'task_description' | 'base'>;

/** Searches for the code that a task is about, and looks around what was found. */
export async function findCode(
  task: string,
  {
    repository,
    providers,
    search,
    standing = '',
    execution: { environment },
  }: Pick<Tools, 'repository' | 'providers' | 'search' | 'standing'> & {
    readonly execution: Pick<Tools['execution'], 'environment'>;
  },
  signal: AbortSignal,
): Promise<FoundCode> {
  const query = { root: repository.root, task, keywords: keywordsOf(task), standing };
  const found = await searchChain({ providers, query, limits: { ...search, signal } });
  const [around, facts, texts] = await Promise.all([
    surroundings(found.files, query.keywords, repository),
    projectFacts(repository, concernedFolders(found.files, standing)),
    Promise.all(found.files.map(({ path }) => textOf(path, repository))),
  ]);
  const hidden = invisibleText([{ source: 'the task', text: task }, ...facts, ...texts]);
  return {
    keywords: [...query.keywords],
    standing,
    relevant_files: [...found.files],
    ...around,
    build_facts: around.build_facts.map((fact) => {
      const [program = ''] = fact.value.split(' ');
      const isThere = /\//.test(program) || findProgram(program, environment['PATH']) !== null;
      return isThere ? fact : { ...fact, lacks: program };
    }),
    project_facts: facts.map((fact) => ({ ...fact, text: withoutInvisible(fact.text).text })),
    provider: found.provider,
    degraded: found.degraded,
    falls: [...found.falls],
    notes: [...found.notes, ...(hidden === null ? [] : [hidden])],
    duration_ms: found.durationMs,
  };
}

async function textOf(
  source: string,
  { read }: Pick<Repository, 'read'>,
): Promise<{ readonly source: string; readonly text: string }> {
  return { source, text: (await read(source)) ?? '' };
}

const mostSources = 5;

/** Warns about the invisible characters in the given texts; null if they have none. */
function invisibleText(
  texts: readonly { readonly source: string; readonly text: string }[],
): string | null {
  const counts = new Map(
    texts.map(({ source, text }) => [
      source,
      withoutInvisible(text.replace(/^\uFEFF/, '')).removed,
    ]),
  );
  const found = [...counts].filter(([, count]) => count > 0).toSorted(([, a], [, b]) => b - a);
  if (found.length === 0) return null;
  const told = found.slice(0, mostSources).map(([source, count]) => `${source} (${count})`);
  const more = found.length - told.length;
  const where = listed([...told, ...(more > 0 ? [counted(more, 'more file')] : [])]);
  return `Invisible characters (tags, direction marks, characters without width) are in ${where}. They are removed from requests, but an agent that opens such a file itself reads them.`;
}

/** Files that score below this share of the best one mostly have nothing to do with the task. */
const concernedShare = 0.7;

/** The places whose rules a change has to follow: the user’s folder and the folders of the best files. */
function concernedFolders(files: readonly RelevantFile[], standing: string): readonly string[] {
  const best = files.filter(({ score }) => score >= concernedShare * (files[0]?.score ?? 0));
  return [...(standing === '' ? [] : [standing]), ...best.map(({ path }) => folderOf(path))];
}

/** Reports each search provider that did not answer. */
function tellFalls(falls: readonly ProviderFall[], emit: Emit): void {
  for (const { provider, reason, ms } of falls) {
    emit({ type: 'context.fell', provider, reason, ms: ms ?? 0 });
  }
}

/** Passes the notes of the search on as warnings. */
function tellNotes(notes: readonly string[], emit: Emit): void {
  for (const text of notes) emit({ type: 'warning.raised', text });
}

/** Searches again if the agents named terms that the context does not contain yet. */
export async function searchAgain(search: {
  readonly context: CodebaseContext;
  readonly synthesis: Synthesis;
  readonly tools: Tools;
  readonly signal: AbortSignal;
  readonly step: Step;
}): Promise<CodebaseContext> {
  const { context, synthesis, tools, signal, step } = search;
  const known = new Set(context.keywords.map((word) => word.toLowerCase()));
  const terms = synthesis.search_terms
    .filter((term) => !known.has(term.toLowerCase()))
    .slice(0, 12);
  if (terms.length === 0) return context;
  const wanted = { tools, signal, step, input: { terms } };
  const wider = await recordStep({ ...wanted, shape: CodebaseContext }, async () => {
    const query = {
      root: tools.repository.root,
      task: terms.join(' '),
      keywords: terms,
      standing: context.standing ?? '',
    };
    const found = await searchChain({
      providers: tools.providers,
      query,
      limits: { ...tools.search, signal },
    });
    const paths = new Set(context.relevant_files.map((file) => file.path));
    const added = found.files.filter((file) => !paths.has(file.path)).slice(0, 6);
    return {
      ...context,
      keywords: [...context.keywords, ...terms],
      relevant_files: [...context.relevant_files, ...added],
      falls: [...context.falls, ...found.falls],
      notes: [...new Set([...context.notes, ...found.notes])],
    };
  });
  tellFalls(wider.falls.slice(context.falls.length), tools.emit);
  tellNotes(wider.notes.slice(context.notes.length), tools.emit);
  return wider;
}

/** Phase 1: finds the code that the task is about and writes `codebase-context.json`. */
export async function gatherContext(
  task: string,
  tools: Tools,
  signal: AbortSignal,
): Promise<CodebaseContext> {
  const { value } = await tools.steps.run(
    { ...steps.context.search, input: { task }, shape: CodebaseContext, signal },
    async () => {
      const found = await findCode(task, tools, signal);
      const context: CodebaseContext = {
        session_id: tools.folder.id,
        task_description: task,
        ...found,
        project_facts: [...factsToTell(tools), ...found.project_facts],
        base: tools.repository.base,
      };
      await tools.folder.writeJson('codebase-context.json', context);
      return context;
    },
  );
  announce(value, tools);
  return value;
}

function factsToTell({ search: { facts = [] } }: Tools): readonly ProjectFact[] {
  return facts.map((fact) => ({ ...fact, text: withoutInvisible(fact.text).text }));
}

function announce(context: CodebaseContext, tools: Tools): void {
  const { degraded, falls, notes } = context;
  tellFalls(falls, tools.emit);
  if (!degraded) tellNotes(notes, tools.emit);
  const reasons = [...falls.map(({ provider, reason }) => `${provider}: ${reason}`), ...notes];
  tools.emit({
    type: 'context.gathered',
    provider: context.provider,
    degraded,
    files: context.relevant_files.map(({ path, start, end }) => `${path}:${start}-${end}`),
    reason: degraded ? reasons.join('; ') : null,
  });
}
