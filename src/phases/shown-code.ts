import { testMap } from '../context/tests-of.ts';
import type { Repository } from '../git/repository.ts';
import type { CodebaseContext } from '../model/context.ts';
import type { ContextPackage } from '../model/context-package.ts';
import { conventionsText } from '../prompts/context-text.ts';
import { type Excerpts, type WantedFile, readExcerpts } from '../prompts/excerpts.ts';
import type { Tools } from './tools.ts';

const mostBest = 3;
/** So many lines around the best part of a file that is not shown whole. */
const around = 40;

/** For who proposes: the best found files, whole where they fit. The others are only named. */
export function bestExcerpts(
  { relevant_files: files }: Pick<CodebaseContext, 'relevant_files'>,
  repository: Pick<Repository, 'read'>,
): Promise<Excerpts> {
  const wanted = files.slice(0, mostBest).map(({ path, start, end }) => ({
    path,
    whole: true,
    parts: [{ start: start - around, end: end + around }],
  }));
  const limits = { wholeBytes: 20_000, partBytes: 8_000, totalBytes: 40_000 };
  return readExcerpts(wanted, (path) => repository.read(path), limits);
}

/** What solutions name: the files that they change and the lines that they cite. */
type Named = Pick<ContextPackage, 'affected_files'> & {
  readonly evidence: readonly { readonly path: string; readonly line: number }[];
};

/** For who judges or plans: the files of the solutions, the cited lines, and the files' tests. */
export async function solutionExcerpts(
  solutions: readonly Named[],
  repository: Pick<Repository, 'read' | 'files'>,
): Promise<Excerpts> {
  const changed = solutions
    .flatMap(({ affected_files: files }) => files)
    .filter(({ action }) => action !== 'create');
  const cited = solutions.flatMap(({ evidence }) => evidence);
  const places = [
    ...changed.map(({ file: path, line }) => ({ path, line, ...aroundChange })),
    ...cited.map(({ path, line }) => ({ path, line, ...aroundClaim })),
  ];
  const paths = mostNamedFirst(changed.map(({ file }) => file));
  const tests = testMap(await repository.files());
  const ofPaths = new Set(paths.flatMap((path) => tests.of(path).slice(0, 1)));
  const known = new Set([...paths, ...ofPaths]);
  const others = mostNamedFirst(cited.map(({ path }) => path)).filter((path) => !known.has(path));
  const wanted = [
    ...paths.map((path) => wantedFile({ path, whole: true, places })),
    ...others.map((path) => wantedFile({ path, whole: false, places })),
    ...[...ofPaths]
      .filter((path) => !paths.includes(path))
      .map((path) => wantedFile({ path, whole: true, places })),
  ];
  const limits = { wholeBytes: 16_000, partBytes: 6_000, totalBytes: 40_000 };
  return readExcerpts(wanted, (path) => repository.read(path), limits);
}

function mostNamedFirst(paths: readonly string[]): readonly string[] {
  const named = [...Map.groupBy(paths, (path) => path)];
  return named.toSorted(([, a], [, b]) => b.length - a.length).map(([path]) => path);
}

/** Lines before and after a place: more where a change begins than where a claim is checked. */
const aroundChange = { before: 20, after: 60 };
const aroundClaim = { before: 5, after: 15 };
const head = { start: 1, end: 40 };

interface NamedPlace {
  readonly path: string;
  readonly line: number | null;
  readonly before: number;
  readonly after: number;
}

function wantedFile({
  path,
  whole,
  places,
}: Omit<WantedFile, 'parts'> & { readonly places: readonly NamedPlace[] }): WantedFile {
  const parts = places.flatMap(({ path: named, line, before, after }) =>
    named !== path || line === null ? [] : [{ start: line - before, end: line + after }],
  );
  return { path, whole, parts: parts.length === 0 ? [head] : parts };
}

/** The project’s conventions for an agent, which may have loaded some of them by itself. */
export function conventionsFor(
  agent: string,
  { project_facts: facts }: Pick<CodebaseContext, 'project_facts'>,
  { agents }: { readonly agents: Pick<Tools['agents'], 'adapterOf'> },
): string {
  return conventionsText(facts, agents.adapterOf(agent)?.loads ?? []);
}
