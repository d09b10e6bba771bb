import { searchChain } from '../../context/chain.ts';
import { CodebaseContext } from '../../model/context.ts';
import type { Synthesis } from '../../model/synthesis.ts';
import { tellFalls, tellNotes } from '../find-code.ts';
import { type Tools, recorded } from '../tools.ts';

/** One more search when the agents named terms that the context does not know yet. */
export async function searchAgain(search: {
  readonly context: CodebaseContext;
  readonly synthesis: Synthesis;
  readonly tools: Tools;
  readonly signal: AbortSignal;
  readonly group: string;
}): Promise<CodebaseContext> {
  const { context, synthesis, tools, signal, group } = search;
  const known = new Set(context.keywords.map((word) => word.toLowerCase()));
  const terms = synthesis.search_terms
    .filter((term) => !known.has(term.toLowerCase()))
    .slice(0, 12);
  if (terms.length === 0) return context;
  const step = { tools, signal, group, name: 'search', input: { terms } };
  const wider = await recorded({ ...step, shape: CodebaseContext }, async () => {
    const query = { root: tools.repository.root, task: terms.join(' '), keywords: terms };
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
