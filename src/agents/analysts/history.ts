import { kindOf } from '../../context/file-kinds.ts';
import { partnersOf } from '../../context/package/changed-together.ts';
import { partsOf } from '../../context/search/terms.ts';
import { testMap } from '../../context/tests-of.ts';
import { type PastCommit, logCommand } from '../../git/past-commits.ts';
import { type AnalystRun, draftOf } from './draft.ts';
import { namedPlaces } from './named-places.ts';
import { namesIn } from './task-names.ts';

/** A commit of more files moved or reformatted them. */
const mostFiles = 20;
const mostPrecedents = 3;
const mostCompanions = 3;

/** Proposes the same places with the past commits that changed them, and what changed with them. */
export const history: AnalystRun = async function* ({ repository, about }) {
  const { task, context, constraints } = about;
  if (!repository.git || repository.base.commit === null)
    return { nothing: 'there are no past commits' };
  const places = yield* namedPlaces({ task, found: context.relevant_files, repository });
  if (places.length === 0) return { nothing: 'the task names no code that is here' };
  const commits = await repository.log();
  yield { kind: 'command', command: logCommand, exit_code: commits === null ? 1 : 0 };
  if (commits === null) return { nothing: 'git log could not be read' };
  const paths = places.map(({ path }) => path);
  const all = await repository.files();
  const map = testMap(all);
  const tests = paths.flatMap((path) => map.of(path));
  const words = namesIn(task).words.flatMap(({ text, isName }) => (isName ? [text] : []));
  const precedents = precedentsOf(commits, { paths, tests, words });
  if (precedents.length === 0)
    return { nothing: 'no past commit changed the places that the task names' };
  const known = new Set(all);
  const companions = partnersOf(paths, commits)
    .filter(({ path }) => known.has(path) && !tests.includes(path) && kindOf(path) === 'source')
    .slice(0, mostCompanions);
  return draftOf({ task, constraints, places, tests, precedents, companions });
};

/** Those with words of the task in their subject first, then those that changed little else. */
function precedentsOf(
  commits: readonly PastCommit[],
  near: {
    readonly paths: readonly string[];
    readonly tests: readonly string[];
    readonly words: readonly string[];
  },
): readonly PastCommit[] {
  const { paths, tests, words } = near;
  const own = new Set([...paths, ...tests]);
  const said = ({ subject }: PastCommit) => {
    const parts = new Set(partsOf(subject));
    return words.filter((word) => parts.has(word)).length;
  };
  const focus = ({ files }: PastCommit) =>
    files.filter(({ path }) => own.has(path)).length / files.length;
  return commits
    .filter(({ files, isRoot }) => !isRoot && files.length <= mostFiles)
    .filter(({ files }) => files.some(({ path }) => paths.includes(path)))
    .toSorted((a, b) => said(b) - said(a) || focus(b) - focus(a))
    .slice(0, mostPrecedents);
}
