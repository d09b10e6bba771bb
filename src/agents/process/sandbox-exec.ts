// Confines commands by sandbox-exec, on macOS.
import type { Bounds, Confinement } from './confinement.ts';

/** `program` is the absolute path of `sandbox-exec`. */
export function sandboxExec(program: string): Confinement {
  return {
    name: 'sandbox-exec',
    isTried: false,
    argv: (command, bounds) => [program, '-p', profile(bounds), ...command],
  };
}

/** In its language the last rule that fits counts. */
function profile({ writable, hidden, temporary }: Bounds): string {
  const covered = folders(hidden.map(({ path }) => path));
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    `(allow file-write* (regex #"^/dev/")${folders([temporary, ...writable])})`,
    ...(covered === '' ? [] : [`(deny file-read* file-write*${covered})`]),
  ].join('\n');
}

function folders(paths: readonly string[]): string {
  return paths.map((path) => ` (subpath ${JSON.stringify(path)})`).join('');
}
