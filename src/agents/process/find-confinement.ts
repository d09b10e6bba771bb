// Finds the confinement of this machine: bubblewrap on Linux, sandbox-exec on macOS.
import type { Bounds, Confinement, HiddenPlace } from './confinement.ts';
import { findProgram } from './find-program.ts';

/** The implementations, each by its program and the system on which it works. */
const known = [
  { platform: 'linux', program: 'bwrap', of: bubblewrap },
  { platform: 'darwin', program: 'sandbox-exec', of: sandboxExec },
] as const;

/** Finds the confinement of this machine, or null. */
export function findConfinement(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Confinement | null {
  const found = known.find((one) => one.platform === platform);
  const path = found === undefined ? null : findProgram(found.program, environment['PATH']);
  return found === undefined || path === null ? null : found.of(path);
}

/** Confines commands with bubblewrap; `program` is the absolute path of `bwrap`. */
export function bubblewrap(program: string): Confinement {
  return {
    name: 'bubblewrap',
    isTried: true,
    argv: (command, bounds) => [program, ...flags, ...mounts(bounds), '--', ...command],
  };
}

// The user namespace takes from root what could undo the rest. Everything that was started ends
// with it, because no process outlives the first one of its process namespace. The network stays,
// because tests use it.
const flags = [
  '--unshare-user --unshare-pid --die-with-parent --ro-bind / /',
  '--dev /dev --proc /proc --ro-bind /proc/sys /proc/sys',
].flatMap((words) => words.split(' '));

/** Lists the mounts in their order: a later one covers an earlier one. */
function mounts({ writable, hidden, temporary, insteadOf }: Bounds): readonly string[] {
  return [
    '--bind',
    temporary,
    insteadOf ?? temporary,
    ...writable.flatMap((path) => ['--bind', path, path]),
    ...hidden.flatMap(cover),
  ];
}

function cover({ path, kind }: HiddenPlace): readonly string[] {
  return kind === 'file' ? ['--ro-bind', '/dev/null', path] : ['--tmpfs', path];
}

/** Confines commands with the sandbox of macOS; `program` is the absolute path of `sandbox-exec`. */
export function sandboxExec(program: string): Confinement {
  return {
    name: 'sandbox-exec',
    isTried: false,
    argv: (command, bounds) => [program, '-p', profile(bounds), ...command],
  };
}

/** Writes the rules in the sandbox’s language, in which the last matching rule counts. */
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
