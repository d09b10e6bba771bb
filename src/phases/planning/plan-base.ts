// Looks things up at the base for the plan check, each file at most once.
import { absentWords } from '../../context/search/absent-words.ts';
import type { Repository } from '../../git/repository.ts';
import { neverAborted } from '../../model/signal.ts';
import { findCitedFiles } from '../discussion/check-references.ts';

/** The plan check reads no more of a repository. */
export type PlanRepository = Pick<
  Repository,
  'root' | 'exists' | 'read' | 'files' | 'uncommittable'
>;

/** The base of a session as the plan check sees it. */
export interface PlanBase extends Pick<PlanRepository, 'exists' | 'files' | 'uncommittable'> {
  /** See `CitedFiles.find`. */
  readonly find: ReturnType<typeof findCitedFiles>['find'];
  /** Null where there is no such text file. */
  text(path: string): Promise<string | null>;
  /** Those of the words that stand nowhere in the repository. */
  absent(words: Iterable<string>): Promise<ReadonlySet<string>>;
}

export function openPlanBase(repository: PlanRepository): PlanBase {
  const texts = new Map<string, Promise<string | null>>();
  return {
    exists: (path) => repository.exists(path),
    files: () => repository.files(),
    uncommittable: (paths) => repository.uncommittable(paths),
    find: findCitedFiles(repository).find,
    text(path) {
      const text = texts.get(path) ?? repository.read(path);
      texts.set(path, text);
      return text;
    },
    absent: (words) => absentWords(repository, words, neverAborted),
  };
}
