import { kindOf } from '../../context/file-kinds.ts';
import { importsIn, type ImportEdge } from '../../context/imports.ts';
import type { Needle } from '../../context/needles.ts';
import type { Repository } from '../../git/repository.ts';
import { definitionsIn, type Definition } from '../../context/symbols.ts';
import { definitionMatch } from '../../context/weighing.ts';
import { halfNamed } from './half-named.ts';
import type { RelevantFile } from '../../model/context.ts';
import type { AgentEvent } from '../../model/event.ts';

/** A file that the task is likely to change, as read at the base. */
export interface Target {
  readonly path: string;
  readonly content: string;
  /** Definitions whose name the task gives, else those that hold one of its words. */
  readonly matched: readonly Definition[];
  /** The task gives the name of one of its definitions. */
  readonly exact: boolean;
  /** Where to begin: the matched definition, or the part that the search found. */
  readonly line: number;
  readonly imports: readonly ImportEdge[];
}

interface TargetSource {
  readonly repository: Pick<Repository, 'read'>;
  readonly known: ReadonlySet<string>;
  readonly needles: readonly Needle[];
}

/** Files with less of the best file’s score are context and not what changes. */
const leastShare = 0.7;
const mostTargets = 5;

/** Those of the found files that are likely to change: sources if there are any. */
export function likelyTargets(
  found: readonly RelevantFile[],
  about: { readonly needles: readonly Needle[]; readonly all: readonly string[] },
): readonly RelevantFile[] {
  const isHalfNamed = halfNamed(about);
  const telling = found.filter((file) => !isHalfNamed(file));
  const files = telling.some(({ path }) => kindOf(path) === 'source') ? telling : found;
  const sources = files.filter(({ path }) => kindOf(path) === 'source');
  const pool = sources.length > 0 ? sources : files.filter(({ path }) => kindOf(path) !== 'test');
  const best = pool[0]?.score ?? 0;
  return pool.filter(({ score }) => score >= best * leastShare).slice(0, mostTargets);
}

/** Reads the files and says so; those that are no text at the base are left out. */
export async function* readTargets(
  files: readonly Pick<RelevantFile, 'path' | 'start'>[],
  source: TargetSource,
): AsyncGenerator<AgentEvent, readonly Target[], undefined> {
  const targets: Target[] = [];
  for (const { path, start } of files) {
    const content = await source.repository.read(path);
    if (content === null) continue;
    yield { kind: 'file-read', path };
    targets.push(targetOf({ path, content, start }, source));
  }
  return targets;
}

function targetOf(
  { path, content, start }: { path: string; content: string; start: number },
  { known, needles }: TargetSource,
): Target {
  const rated = definitionsIn(path, content).map((definition) => ({
    definition,
    match: Math.max(0, ...needles.map((needle) => definitionMatch(definition.name, needle))),
  }));
  const best = Math.max(0, ...rated.map(({ match }) => match));
  const matched = rated.filter(({ match }) => match > 0 && match === best);
  const definitions = matched.map(({ definition }) => definition);
  return {
    path,
    content,
    matched: definitions,
    exact: best === 1,
    line: definitions[0]?.line ?? start,
    imports: importsIn({ path, content }, known),
  };
}
