// Finds the confinement of this machine: bubblewrap on Linux, sandbox-exec on macOS.
import { lstatSync, readlinkSync } from 'node:fs';
import { release } from 'node:os';
import type { Bounds, Confinement, HiddenPlace, Mount, Only } from './confinement.ts';
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
    isStrict: true,
    argv(command, { writable, moved = [], hidden, temporary, insteadOf, only }) {
      const mounts = [
        '--bind',
        temporary,
        insteadOf ?? temporary,
        ...writable.flatMap((path) => ['--bind', path, path]),
        ...moved.flatMap(bind),
        ...hidden.flatMap(cover),
      ];
      return only === undefined
        ? [program, ...open, ...mounts, '--', ...command]
        : [program, ...closed(), ...mounts, ...shown(only), '--', ...limits(), ...command];
    },
  };
}

const bind = ({ from, at, isWritable = false }: Mount) => [
  isWritable ? '--bind' : '--ro-bind',
  from,
  at,
];

const wordsOf = (text: string): readonly string[] => text.split(' ');

const devices = '--dev /dev --proc /proc --ro-bind /proc/sys /proc/sys';

// The user namespace takes from root what could undo the rest. Everything that was started ends
// with it, because no process outlives the first one of its process namespace. The network stays,
// because tests use it.
const open = wordsOf(`--unshare-user --unshare-pid --die-with-parent --ro-bind / / ${devices}`);

/** The flags for a command that sees the programs of the system and nothing else of the disk. */
function closed(): readonly string[] {
  return [
    ...wordsOf('--unshare-user --unshare-all --die-with-parent --new-session'),
    ...['/usr', '/nix/store'].flatMap((path) => ['--ro-bind-try', path, path]),
    ...['/bin', '/sbin', '/lib', '/lib32', '/lib64'].flatMap(systemFolder),
    ...systemFiles.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...wordsOf(devices),
  ];
}

/** Shows a folder that is a link to one in `/usr` on most systems. */
function systemFolder(path: string): readonly string[] {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? ['--symlink', readlinkSync(path), path] : ['--ro-bind-try', path, path];
}

/** Files in `/etc` that programs read and that say nothing about the user. */
const systemFiles = [
  ...wordsOf('ld.so.cache ld.so.conf ld.so.conf.d alternatives passwd group nsswitch.conf hosts'),
  ...wordsOf('localtime timezone mime.types protocols services ssl/openssl.cnf fonts'),
];

/** Mounts what is shown besides. What the mounts themselves are made of cannot be written to, as it is memory. */
function shown({ mounts, links, folder }: Only): readonly string[] {
  return [
    ...mounts.flatMap(bind),
    ...links.flatMap(([at, target]) => ['--symlink', target, at]),
    ...wordsOf('--remount-ro /dev --size 200000000 --tmpfs /dev/shm --remount-ro / --chdir'),
    folder,
  ];
}

/** Limits each process. Before Linux 5.14 the number of processes would be that of all of the user’s. */
function limits(): readonly string[] {
  const [major = 0, minor = 0] = release().split('.').map(Number);
  const ofNamespace = major > 5 || (major === 5 && minor >= 14) ? ['--nproc=400'] : [];
  const each = '--data=2000000000 --fsize=200000000 --cpu=120 --core=0';
  return ['prlimit', ...ofNamespace, ...wordsOf(each)];
}

function cover({ path, kind }: HiddenPlace): readonly string[] {
  return kind === 'file' ? ['--ro-bind', '/dev/null', path] : ['--tmpfs', path];
}

/** Confines commands with the sandbox of macOS; `program` is the absolute path of `sandbox-exec`. */
export function sandboxExec(program: string): Confinement {
  return {
    name: 'sandbox-exec',
    isTried: false,
    isStrict: false,
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
