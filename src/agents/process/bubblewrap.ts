// Confines commands by bubblewrap, on Linux.
import type { Bounds, Confinement, HiddenPlace } from './confinement.ts';

/** `program` is the absolute path of `bwrap`. */
export function bubblewrap(program: string): Confinement {
  return {
    name: 'bubblewrap',
    isTried: true,
    argv: (command, bounds) => [program, ...flags, ...mounts(bounds), '--', ...command],
  };
}

// Its own user namespace takes from root what could undo the rest. All that it started ends with it, as
// no process outlives the first one of its process namespace. The network stays: tests use it.
const flags = [
  '--unshare-user --unshare-pid --die-with-parent --ro-bind / /',
  '--dev /dev --proc /proc --ro-bind /proc/sys /proc/sys',
].flatMap((words) => words.split(' '));

/** A later mount covers an earlier one. */
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
