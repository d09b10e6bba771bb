import { endingOf, nameOfPath } from '../../git/paths.ts';

const mostNames = 50;

/** By path: 1 where the task text names the file, by its path or its name with its ending, else 0. */
export function namedPaths(task: string, paths: readonly string[]): Float64Array {
  const found = new Float64Array(paths.length);
  const names = new Set(
    (task.match(/[\p{L}\p{N}_@$.~/-]+\.\w+/gu) ?? [])
      .map((name) => name.replace(/^(?:\.{0,2}\/)+/, ''))
      .filter((name) => endingOf(name) !== '')
      .slice(0, mostNames),
  );
  if (names.size === 0) return found;
  const last = new Set([...names].map(nameOfPath));
  for (let place = 0; place < paths.length; place++) {
    const path = paths[place] ?? '';
    if (last.has(nameOfPath(path)) && tailsOf(path).some((tail) => names.has(tail))) {
      found[place] = 1;
    }
  }
  return found;
}

/** `a/b/c.ts`, `b/c.ts` and `c.ts`. */
function tailsOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(at).join('/'));
}
