// Chooses the code and the project’s words that an agent is shown with a request.
import type { Agent } from '../agents/agent.ts';
import { kindOf } from '../context/file-kinds.ts';
import { testMap } from '../context/tests-of.ts';
import type { Repository } from '../git/repository.ts';
import type { CodebaseContext, RelevantFile } from '../model/context.ts';
import type { ContextPackage } from '../model/context-package.ts';
import { type ProjectWords, projectWords } from '../prompts/context-text.ts';
import { type Excerpts, type WantedFile, readExcerpts } from '../prompts/excerpts.ts';

/** The task often changes another file than the best one, so a part of the next two is shown, too. */
const leastShares = [0, 0.5, 0.5] as const;
/** The number of lines shown around a part. */
const around = 3;

/**
 * The code for agents that propose: the best file, in full if it is short, otherwise its parts, and the best
 * part of the next two files. The other files are only named.
 */
export function bestExcerpts(
  { relevant_files: files }: Pick<CodebaseContext, 'relevant_files'>,
  repository: Pick<Repository, 'read'>,
): Promise<Excerpts> {
  const best = files[0]?.score ?? 0;
  const wanted = leastShares.flatMap((least, place) => {
    const file = files[place];
    if (file === undefined || file.score < least * best) return [];
    const parts = place === 0 ? [file, ...(file.parts ?? [])] : [file];
    return [{ path: file.path, whole: place === 0, parts: parts.map(widen) }];
  });
  const limits = { wholeBytes: 6_000, partBytes: 3_000, totalBytes: 8_000 };
  return readExcerpts(wanted, (path) => repository.read(path), limits);
}

function widen({ start, end }: Pick<RelevantFile, 'start' | 'end'>) {
  return { start: start - around, end: end + around };
}

/** The files that solutions change and the lines that they cite. */
type Named = Pick<ContextPackage, 'affected_files'> & {
  readonly evidence: readonly { readonly path: string; readonly line: number }[];
};

/** Upper limits in bytes: the planner sees the most, an agent that judges the same solutions again the least. */
const roomFor = {
  planning: { wholeBytes: 4_000, partBytes: 3_000, totalBytes: 10_000 },
  judging: { wholeBytes: 2_500, partBytes: 2_000, totalBytes: 8_000 },
  'judging-again': { wholeBytes: 0, partBytes: 1_500, totalBytes: 5_000 },
} as const;

/**
 * The code for agents that judge or plan: the files of the solutions, the cited lines, and the files’ tests.
 * They open everything else themselves.
 */
export async function solutionExcerpts(
  solutions: readonly Named[],
  repository: Pick<Repository, 'read' | 'files'>,
  purpose: keyof typeof roomFor,
): Promise<Excerpts> {
  const changed = solutions
    .flatMap(({ affected_files: files }) => files)
    .filter(({ action }) => action !== 'create');
  const cited = solutions.flatMap(({ evidence }) => evidence);
  // Changed code is shown with more lines around it than a claim to check or a line to add to a list.
  const places = [
    ...changed.flatMap(({ file: path, line }) => {
      if (line === null) return [];
      const [above, below] = isCode(path) ? [10, 30] : [3, 8];
      return [{ path, start: line - above, end: line + below }];
    }),
    ...cited.map(({ path, line }) => ({ path, start: line - 3, end: line + 8 })),
  ];
  const wanted = (path: string, whole: boolean): WantedFile => {
    const parts = places.filter((place) => place.path === path);
    const begin = { start: 1, end: isCode(path) ? 40 : 15 };
    return { path, whole: whole && isCode(path), parts: parts.length === 0 ? [begin] : parts };
  };
  const paths = mostNamedFirst(changed.map(({ file }) => file));
  const tests = testMap(await repository.files());
  const ofPaths = new Set(paths.flatMap((path) => tests.of(path).slice(0, 1)));
  const others = mostNamedFirst(cited.map(({ path }) => path));
  const files = [
    ...paths.map((path) => wanted(path, true)),
    ...others
      .filter((path) => !paths.includes(path) && !ofPaths.has(path))
      .map((path) => wanted(path, false)),
    ...[...ofPaths].filter((path) => !paths.includes(path)).map((path) => wanted(path, true)),
  ];
  return readExcerpts(files, (path) => repository.read(path), roomFor[purpose]);
}

function isCode(path: string): boolean {
  return kindOf(path) === 'source' || kindOf(path) === 'test';
}

function mostNamedFirst(paths: readonly string[]): readonly string[] {
  const named = [...Map.groupBy(paths, (path) => path)];
  return named.toSorted(([, a], [, b]) => b.length - a.length).map(([path]) => path);
}

/** The project’s own texts for an agent, which may have loaded some of them itself. */
export function wordsFor(
  { traits }: Pick<Agent, 'traits'>,
  { project_facts: facts }: Pick<CodebaseContext, 'project_facts'>,
): ProjectWords {
  return projectWords(facts, traits.loads);
}
