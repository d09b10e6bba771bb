import { counted, oneLine } from '../../model/wording.ts';
import type { Repository } from '../../git/repository.ts';
import { partnersOf } from './changed-together.ts';
import type { ComingCommits, PastCommit } from '../../git/past-commits.ts';

/** What a history of 1,000 commits takes even in a large repository, with room. In ms. */
const longest = 5_000;
const mostPartners = 4;
const mostRecent = 4;
const longestSubject = 100;

/**
 * What mostly changed together with the found files, and which commits touched them last, as
 * sentences; where there is no history, one sentence says so.
 */
export async function historyInsights(
  paths: readonly string[],
  repository: Pick<Repository, 'git' | 'files'>,
  coming: ComingCommits | null,
): Promise<readonly string[]> {
  if (paths.length === 0) return [];
  if (coming === null) return [noHistory(repository.git)];
  const commits = await coming.within(longest);
  if (commits === null) return ['The history could not be read in time, so nothing is said of it.'];
  const telling = commits.filter(({ isRoot }) => !isRoot);
  return [
    ...together(paths, telling, new Set(await repository.files())),
    ...recent(paths, commits),
  ];
}

function noHistory(git: boolean): string {
  return git
    ? 'The repository has no commit yet, so nothing is known of what changes together.'
    : 'There is no git history, so nothing is known of what changes together.';
}

function together(
  paths: readonly string[],
  commits: readonly PastCommit[],
  known: ReadonlySet<string>,
): readonly string[] {
  const told = new Set<string>();
  const pairs = paths.flatMap((path) => partnersOf([path], commits));
  return pairs
    .toSorted((a, b) => b.together - a.together)
    .filter(({ path, of }) => {
      const pair = [path, of].toSorted().join('\n');
      if (told.has(pair) || !known.has(path)) return false;
      told.add(pair);
      return true;
    })
    .slice(0, mostPartners)
    .map(
      ({ path, of, together: shared, total }) =>
        `${of} and ${path} changed together in ${shared} of ${counted(total, 'small commit')} on ${of}.`,
    );
}

function recent(paths: readonly string[], commits: readonly PastCommit[]): readonly string[] {
  const wanted = new Set(paths);
  return commits
    .map((commit) => ({ commit, touched: commit.files.filter(({ path }) => wanted.has(path)) }))
    .filter(({ touched }) => touched.length > 0)
    .slice(0, mostRecent)
    .map(({ commit, touched }) => {
      const [first] = touched;
      const more = touched.length > 1 ? ` and ${touched.length - 1} more of the found files` : '';
      const subject = oneLine(commit.subject).slice(0, longestSubject);
      return `${commit.date} "${subject}" (${commit.id.slice(0, 8)}) touched ${first?.path ?? ''}${more}.`;
    });
}
