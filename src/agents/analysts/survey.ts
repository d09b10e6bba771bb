import type { Needle } from '../../context/needles.ts';
import type { Repository } from '../../git/repository.ts';
import type { TestMap } from '../../context/tests-of.ts';
import { counted, listed } from '../../model/wording.ts';
import type { AgentRequest } from '../agent.ts';
import type { Importer } from './importers.ts';
import type { Renaming } from './renaming.ts';
import type { Target } from './targets.ts';
import type { TestFiles } from './test-piece.ts';

/** What was found around the task before anything is proposed. */
export interface Survey {
  readonly repository: Pick<Repository, 'read'>;
  readonly about: AgentRequest['about'];
  readonly all: readonly string[];
  readonly needles: readonly Needle[];
  /** The best of the targets. */
  readonly first: Target;
  readonly targets: readonly Target[];
  readonly importers: readonly Importer[];
  readonly map: TestMap;
  readonly tests: TestFiles;
  /** Null for a task that gives nothing another name or place. */
  readonly renaming: Renaming | null;
}

/** Said wherever an analyst’s solution appears. */
export const honestCon = 'Found by structure alone: no model has read the task or judged this.';

const mostNamed = 3;

/** What could go wrong, as far as counting shows it. */
export function concernsOf(
  survey: Pick<Survey, 'about' | 'importers' | 'tests' | 'renaming'>,
): string[] {
  const { about, importers, tests, renaming } = survey;
  const importing = [...new Set(importers.map(({ path }) => path))];
  const concerns: string[] = [];
  if (importing.length > 0) {
    concerns.push(
      `${counted(importing.length, 'other file')} ${importing.length === 1 ? 'imports' : 'import'} what is changed: ${someOf(importing)}.`,
    );
  }
  if (renaming !== null && renaming.further.length > 0) {
    concerns.push(
      `${counted(renaming.further.length, 'further file')} with ${renaming.old.name} ${renaming.further.length === 1 ? 'is' : 'are'} not planned: ${someOf(renaming.further)}.`,
    );
  }
  if (tests.existing.length === 0) {
    concerns.push('No test file has the name of a changed file, so a regression may go unnoticed.');
  }
  return [...concerns, ...unchecked(about.constraints)];
}

/** Constraints are words, and no analyst reads words. */
export function unchecked(constraints: readonly string[]): string[] {
  return constraints
    .slice(0, 5)
    .map((constraint) => `Not checked: the constraint “${constraint}”.`);
}

/** The first few names, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const rest = names.length - mostNamed;
  return rest > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${rest} more` : listed(names);
}
