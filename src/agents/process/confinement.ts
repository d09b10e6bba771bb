// Defines the port `Confinement`, for commands that may write only where they work.

/** A place hidden from a confined command: a file appears empty, and so does a folder. */
export interface HiddenPlace {
  /** An absolute path without links. */
  readonly path: string;
  readonly kind: 'file' | 'folder';
}

/** The bounds of one command. All paths are absolute, without links, and exist. */
export interface Bounds {
  /** The only folders that it may write to. */
  readonly writable: readonly string[];
  readonly hidden: readonly HiddenPlace[];
  /** The folder for its temporary files. */
  readonly temporary: string;
  /** The shared folder that `temporary` replaces; null if it cannot be replaced. */
  readonly insteadOf: string | null;
}

/** A means of the system that keeps a command and everything that it starts within bounds. */
export interface Confinement {
  /** The name for people, e.g. `bubblewrap`. */
  readonly name: string;
  /** False if we have not tried it. */
  readonly isTried: boolean;
  /** The arguments that run a command within bounds. */
  argv(command: readonly string[], bounds: Bounds): readonly string[];
}
