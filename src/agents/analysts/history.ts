import { needlesOf } from '../../context/needles.ts';
import type { Repository } from '../../git/repository.ts';
import type { AgentEvent } from '../../model/event.ts';
import type { Agent } from '../agent.ts';
import { analyst, type Analysis, type AnalystWork } from './analyst.ts';
import { partnersOf } from '../../context/package/history-insights.ts';
import { matchesIn, type CommitMatch } from './commit-match.ts';
import { likeCommit } from './like-commit.ts';
import { logCommand, pastCommits } from '../../git/past-commits.ts';
import { renamingIn } from './renaming.ts';
import { readTargets } from './targets.ts';

/** Proposes what past commits that are like the task did. */
export function historyAnalyst(repository: Repository): Agent {
  return analyst('history', (about, signal) => analyse({ repository, about, signal }));
}

/** Another commit is a second way only if it is nearly as like the task and touched other files. */
const leastSecond = 0.6;
const mostTouched = 6;

async function* analyse({
  repository,
  about,
  signal,
}: AnalystWork): AsyncGenerator<AgentEvent, Analysis, undefined> {
  const { commit } = repository.base;
  if (!repository.git) return { nothing: 'there is no git repository, so no past commits' };
  if (commit === null) return { nothing: 'the repository has no commit yet' };
  const commits = await pastCommits({ root: repository.root, signal }, commit);
  yield { kind: 'command', command: logCommand, exit_code: commits === null ? 1 : 0 };
  if (commits === null) return { nothing: 'git log could not be read' };
  if ((await renamingIn(about, { repository, signal })) !== null) {
    return { nothing: 'what uses the old name says what changes, and no past commit does' };
  }
  const all = await repository.files();
  const needles = needlesOf(about.context.keywords);
  const found = about.context.relevant_files.map(({ path }) => path);
  const known = new Set(all);
  const usable = commits.filter(({ files }) => files.some(({ path }) => known.has(path)));
  const matches = matchesIn(usable, { needles, found });
  if (matches.length === 0) {
    return { nothing: `none of the last ${commits.length} commits is like this task` };
  }
  const solutions = [];
  for (const match of chosen(matches)) {
    const paths = touchedBy(match, { found, known });
    const starts = new Map(about.context.relevant_files.map(({ path, start }) => [path, start]));
    const files = paths.map((path) => ({ path, start: starts.get(path) ?? 1 }));
    const targets = yield* readTargets(files, { repository, known, needles });
    const partners = partnersOf(paths, commits).filter(({ path }) => known.has(path));
    if (targets.length === 0) continue;
    solutions.push(likeCommit({ about, all, needles, match, targets, partners }));
  }
  return solutions.length > 0
    ? { solutions, questions: [] }
    : { nothing: 'the commits that are like this task touched no text file that still exists' };
}

function chosen(matches: readonly CommitMatch[]): readonly CommitMatch[] {
  const [best, ...others] = matches;
  if (best === undefined) return [];
  const second = others.find(
    (other) => other.score >= leastSecond * best.score && sharedPart(best, other) < 0.5,
  );
  return second === undefined ? [best] : [best, second];
}

function sharedPart(a: CommitMatch, b: CommitMatch): number {
  const own = new Set(a.commit.files.map(({ path }) => path));
  const shared = b.commit.files.filter(({ path }) => own.has(path)).length;
  return shared / Math.min(a.commit.files.length, b.commit.files.length);
}

/** What the commit touched and still exists, what the search found as well first; then its best. */
function touchedBy(
  { commit, found: shared }: CommitMatch,
  { found, known }: { readonly found: readonly string[]; readonly known: ReadonlySet<string> },
): readonly string[] {
  const touched = commit.files.map(({ path }) => path).filter((path) => known.has(path));
  const ordered = new Set([...shared.filter((path) => known.has(path)), ...touched]);
  const kept = [...ordered].slice(0, mostTouched);
  const [best] = found;
  return best !== undefined && known.has(best) && !kept.includes(best) ? [...kept, best] : kept;
}
