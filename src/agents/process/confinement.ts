// Defines the port `Confinement`, for commands that may write only where they work.

/** A place hidden from a confined command: a file appears empty, and so does a folder. */
export interface HiddenPlace {
  /** An absolute path without links. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

/** A file or folder, and the path at which a confined command sees it. */
export interface Mount {
  readonly from: string;
  readonly at: string;
  /** True if the command may write to it. */
  readonly isWritable?: boolean;
}

/** The places of a command that sees nothing else and has no network but its own loopback. */
export interface Only {
  /** The places in sight besides the system’s programs; a later one covers an earlier one. */
  readonly mounts: readonly Mount[];
  /** Links, each by its own path and what it leads to. */
  readonly links: readonly (readonly [at: string, target: string])[];
  /** The folder in which the command starts, as it sees it. */
  readonly folder: string;
}

/** The bounds of one command. All paths are absolute, without links, and exist. */
export interface Bounds {
  /** The folders that it may write to. */
  readonly writable: readonly string[];
  /** The mounts at other paths, or read-only inside a writable folder; only bubblewrap can make them. */
  readonly moved?: readonly Mount[];
  readonly hidden: readonly HiddenPlace[];
  /** The folder for its temporary files. */
  readonly temporary: string;
  /** The shared folder that `temporary` replaces; null if it cannot be replaced. */
  readonly insteadOf: string | null;
  /** If given, nothing else is there; only bubblewrap can do that. */
  readonly only?: Only;
}

/** A means of the system that keeps a command and everything that it starts within bounds. */
export interface Confinement {
  /** The name for people, e.g. `bubblewrap`. */
  readonly name: string;
  /** False if we have not tried it. */
  readonly isTried: boolean;
  /** True if it can show a command nothing but what is named. */
  readonly isStrict: boolean;
  /** The arguments that run a command within bounds. */
  argv(command: readonly string[], bounds: Bounds): readonly string[];
}

/** Says how an agent plans whose read-only mode was never tried. */
export const confinementNote =
  'no real write was tried against its read-only mode, so it plans only inside a confinement, where it writes nothing but its own login, state and caches, and the files and folders that its command names';
