// Looks things up at the base for the plan check, each file at most once.
import { absentWords } from '../../context/search/find-hits.ts';
import type { Repository } from '../../git/repository.ts';
import type { ContextPackage } from '../../model/context-package.ts';
import type { PlanFiles } from '../../model/plan.ts';
import { neverAborted } from '../../model/signal.ts';
import { type CitedFiles, findCitedFiles } from '../discussion/check-references.ts';
import type { Touches } from './touches.ts';

/** The parts of a repository that the plan check reads. */
export type PlanRepository = Pick<
  Repository,
  'root' | 'exists' | 'read' | 'files' | 'uncommittable'
>;

/** The base of a session as the plan check sees it. */
export interface PlanBase extends Pick<
  PlanRepository,
  'root' | 'exists' | 'files' | 'uncommittable'
> {
  /** See `CitedFiles`. */
  find(path: string): ReturnType<CitedFiles['find']>;
  /** The text of a file; null if there is no such text file. */
  text(path: string): Promise<string | null>;
  /** The words that occur nowhere in the repository. */
  absent(words: Iterable<string>): Promise<ReadonlySet<string>>;
}

/** A plan with the package it was made from and the base it is checked against. */
export interface PlanAtBase extends PlanFiles {
  readonly contextPackage: ContextPackage;
  readonly base: PlanBase;
  readonly touches: Touches;
}

export function openPlanBase(repository: PlanRepository): PlanBase {
  const { root } = repository;
  let listed: Promise<readonly string[]> | null = null;
  const texts = new Map<string, Promise<string | null>>();
  // Without git, each listing walks the folder, so it is kept.
  const files = () => (listed ??= repository.files());
  const exists = (path: string) => repository.exists(path);
  const read = (path: string) => repository.read(path);
  const cited = findCitedFiles({ files, exists, read });
  return {
    root,
    exists,
    files,
    uncommittable: (paths) => repository.uncommittable(paths),
    find: (path) => cited.find(path),
    text(path) {
      const text = texts.get(path) ?? read(path);
      texts.set(path, text);
      return text;
    },
    absent: (words) => absentWords({ root, files }, words, neverAborted),
  };
}
