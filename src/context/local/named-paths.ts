import { endingOf } from '../paths.ts';

const mostNames = 50;

/** The files that the task text names, by their path or their name with its ending. */
export function namedPaths(task: string, paths: readonly string[]): ReadonlySet<string> {
  const names = new Set(
    (task.match(/[\p{L}\p{N}_@$.~/-]+\.\w+/gu) ?? [])
      .map((name) => name.replace(/^(?:\.{0,2}\/)+/, ''))
      .filter((name) => endingOf(name) !== '')
      .slice(0, mostNames),
  );
  if (names.size === 0) return new Set();
  return new Set(paths.filter((path) => tailsOf(path).some((tail) => names.has(tail))));
}

/** `a/b/c.ts`, `b/c.ts` and `c.ts`. */
function tailsOf(path: string): readonly string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(at).join('/'));
}
