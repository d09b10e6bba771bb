// Turns the files that the task names, their paths and their definitions into signals.
import { endingOf, folderOf, joinPath, nameOfPath, stemOf } from '../../git/paths.ts';
import { listed } from '../../model/wording.ts';
import { distinctWords, rareness, tally, type ReadSignals } from './search-signal.ts';

const mostNames = 50;

/** Signals for files that the task names, by their path or their name with its ending. */
export const namedSignals: ReadSignals = ({ task, paths, standing }) => {
  const names = new Set(
    (task.match(/[\p{L}\p{N}_@$.~/-]+\.\w+/gu) ?? [])
      .map((name) => name.replace(/^(?:\.{0,2}\/)+/, ''))
      .filter((name) => endingOf(name) !== '')
      .slice(0, mostNames),
  );
  const last = new Set([...names].map(nameOfPath));
  // The user means the file that the path leads to from the current folder.
  const known = new Set(paths);
  const own = new Map(
    [...names]
      .map((name) => [name, joinPath(standing, name)] as const)
      .filter(([, path]) => known.has(path)),
  );
  const isNamed = (path: string, name: string): boolean =>
    names.has(name) && (own.get(name) ?? path) === path;
  const scores = Float64Array.from(paths, (path) =>
    last.has(nameOfPath(path)) && tailsOf(path).some((tail) => isNamed(path, tail)) ? 1 : 0,
  );
  return [{ share: 2, scores, reason: () => 'the task names this file' }];
};

/** The path and its shorter ends: `a/b/c.ts`, `b/c.ts` and `c.ts`. */
function tailsOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(at).join('/'));
}

/** Signals for files whose name or folders contain words of the task. */
export const pathSignals: ReadSignals = ({ paths, terms, values, termsIn }) => {
  const termsOf = (path: string): ReadonlySet<number> =>
    new Set([...folderOf(path).split('/'), stemOf(path)].flatMap(termsIn));
  const counts = new Map<number, number>();
  for (const path of paths) {
    for (const term of termsOf(path)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const valueOf = (term: number): number =>
    (terms[term]?.weight ?? 0) * rareness(counts.get(term) ?? 0, paths.length);
  const scores = Float64Array.from(paths, (path) =>
    [...termsOf(path)].reduce((sum, term) => sum + valueOf(term), 0),
  );
  const reason = (file: number): string | null => {
    const best = [...termsOf(paths[file] ?? '')].toSorted(
      (a, b) => (values[b] ?? 0) - (values[a] ?? 0),
    );
    const words = distinctWords(
      best.map((term) => terms[term]?.word ?? ''),
      3,
    );
    const own = paths[file]?.includes('/') === true ? 'path' : 'name';
    return words.length === 0 ? null : `its ${own} has ${listed(words)}`;
  };
  return [{ share: 0.65, scores, reason }];
};

/** Signals for files that define a name that contains words of the task. */
export const definitionSignals: ReadSignals = ({ paths, values, definitions, termsIn }) => {
  const scores = new Float64Array(paths.length);
  for (const [file, found] of definitions) {
    const counts = tally(found.flatMap(({ name }) => termsIn(name)));
    scores[file] = [...counts].reduce(
      (sum, [term, count]) => sum + ((values[term] ?? 0) * count) / (count + 0.6),
      0,
    );
  }
  const reason = (file: number): string | null => {
    const best = [...new Set(definitions.get(file)?.map(({ name }) => name))]
      .map((name) => ({ name, value: Math.max(0, ...termsIn(name).map((t) => values[t] ?? 0)) }))
      .filter(({ value }) => value > 0)
      .toSorted((a, b) => b.value - a.value)
      .slice(0, 3);
    return best.length === 0 ? null : `defines ${listed(best.map(({ name }) => name))}`;
  };
  return [{ share: 0.7, scores, reason }];
};
