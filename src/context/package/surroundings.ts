import type { CodebaseContext, RelevantFile } from '../../model/context.ts';
import type { Repository } from '../../git/repository.ts';
import { architectureInsights } from './architecture.ts';
import { buildFacts } from './build/build-facts.ts';
import type { ComingCommits } from '../../git/past-commits.ts';
import { detectedPatterns } from './patterns.ts';
import { tokenEstimates } from './token-estimates.ts';

/** What `codebase-context.json` says around the found files. */
export type Surroundings = Pick<
  CodebaseContext,
  'detected_patterns' | 'architecture_insights' | 'build_facts' | 'token_estimates'
>;

/**
 * Everything there is to say around some found files, from the repository at its base and from its
 * latest commits, null where it has none.
 */
export async function surroundings(
  files: readonly RelevantFile[],
  repository: Pick<Repository, 'git' | 'files' | 'read'>,
  coming: ComingCommits | null,
): Promise<Surroundings> {
  const all = await repository.files();
  const read = (path: string) => repository.read(path);
  const near = files.map(({ path }) => path);
  const [insights, facts, tokens] = await Promise.all([
    architectureInsights(files, repository, coming),
    buildFacts({ files: all, near, read }),
    tokenEstimates(files, read),
  ]);
  return {
    detected_patterns: [...detectedPatterns(files, all)],
    architecture_insights: [...insights],
    build_facts: [...facts],
    token_estimates: [...tokens],
  };
}
